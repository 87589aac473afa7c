import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { checkUnit } from '../../src/unit/check.js'
import type { DeferredPiece } from '../../src/unit/deferred-pieces.js'
import { type ArrivingFile, filesOf, printFile } from '../../src/unit/files.js'
import { toUnitName } from '../../src/unit/name.js'
import { parseUnit } from '../../src/unit/parse.js'
import { requirementsOf } from '../../src/unit/requirements.js'

const name = toUnitName('shop.web.v1@7.service') ?? expect.fail()
const context = { name, machine: null }

function unit(...lines: readonly string[]) {
  const files = lines.map((line) => `File=${line}\n`).join('')
  return parseUnit(`[Service]\nExecStart=/bin/true\n\n[X-Mariposa]\nProject=shop\n${files}`).file
}

const text = fc
  .string({ unit: 'grapheme' })
  .map((one) => one.replace(/[\0\uD800-\uDFFF]|\p{Noncharacter_Code_Point}/gu, '_'))
const piece = fc.oneof(
  text.map((one): DeferredPiece => ({ kind: 'text', text: one })),
  fc.constantFrom<DeferredPiece>(
    { kind: 'meta', key: 'a.b' },
    { kind: 'files-dir', of: 'own' },
    { kind: 'files-dir', of: 'secrets' },
    { kind: 'text', text: '{{ meta.x }} {' },
  ),
)
const file: fc.Arbitrary<ArrivingFile> = fc
  .record({
    path: fc.constantFrom('/etc/a%i', 'a/b', '/run/secrets/é', '__proto__'),
    mode: fc.option(fc.constantFrom('0400', '0777')),
    owner: fc.option(fc.constantFrom('root', '1:2')),
    secret: fc.boolean(),
    text: fc.array(piece, { maxLength: 5 }).map(joined),
    onChange: fc.constantFrom(null, 'SIGHUP' as const),
    data: fc.constant(null),
  })
  .map((one) => (one.text.some(({ kind }) => kind === 'meta') ? one : { ...one, onChange: null }))
const binary: fc.Arbitrary<ArrivingFile> = fc
  .tuple(file, fc.uint8Array({ maxLength: 300 }))
  .map(([given, bytes]) => ({
    ...given,
    onChange: null,
    text: [],
    data: Buffer.from(bytes).toString('base64'),
  }))

/** Texts side by side are read back as one. */
function joined(pieces: readonly DeferredPiece[]): readonly DeferredPiece[] {
  const all: DeferredPiece[] = []
  for (const one of pieces) {
    const last = all.at(-1)
    if (one.kind !== 'text') all.push(one)
    else if (last?.kind === 'text') all[all.length - 1] = { kind: 'text', text: last.text + one.text }
    else if (one.text !== '') all.push(one)
  }
  return all
}

describe('files of a unit', () => {
  test('are read back as they are printed', () => {
    fc.assert(
      fc.property(fc.oneof(file, binary), (given) => {
        expect(filesOf(unit(printFile(given)), context)).toEqual({ files: [given], diagnostics: [] })
      }),
    )
  })

  test.each([
    ['/etc/../shadow text=a', 'not a file path'],
    ['../a text=a', 'not a file path'],
    ['/a', 'one of text= and base64='],
    ['/a text=a base64=aaaa', 'one of text= and base64='],
    ['/a text=a base64=aaa', '"base64" is not one of'],
    ['/a mode=4755 text=a', '"mode" is not one of'],
    ['/a owner="a b" text=a', '"owner" is not one of'],
    ['/a text=a text=b', 'given twice'],
    ['/a on-change=SIGHUP text=a', 'on-change= is for a text that reads the metadata'],
    ['/a on-change=SIGKILL "text={{ meta.a }}"', '"on-change" is not one of'],
    ['/a other text=a', '"other" is not one of'],
    ['/a "text={{ what }}"', 'cannot be filled in'],
  ])('%j is refused', (line, why) => {
    expect(checkUnit(unit(line), name)).toMatchObject([
      { code: 'unit/bad-file', severity: 'error', message: expect.stringContaining(why) as string },
    ])
  })

  test('that lie in each other are refused', () => {
    expect(checkUnit(unit('/a text=a', '/a/b text=b'), name)).toMatchObject([{ code: 'unit/bad-file' }])
    expect(checkUnit(unit('/a text=a', '/ab text=b'), name)).toEqual([])
  })

  test('with values of the metadata take a machine that can open secrets', () => {
    expect(requirementsOf(unit('/a "text={{ meta.key }}"'), name).secrets).toBe(true)
    expect(requirementsOf(unit('/a secret text=b'), name).secrets).toBe(false)
  })
})
