import fc from 'fast-check'
import { describe, expect, it, test } from 'vitest'
import { deferredEnvironmentOf, printDeferredVariable } from '../../src/unit/deferred-environment.js'
import type { DeferredPiece } from '../../src/unit/deferred-pieces.js'
import { toUnitName } from '../../src/unit/name.js'
import { parseUnit } from '../../src/unit/parse.js'
import { randomCases } from '../random-runs.js'

function read(lines: readonly string[], more = '[X-Mariposa]\nProject=shop\n') {
  const name = toUnitName('shop.web.v1@7.service')
  if (name === null) throw new Error('no name')
  const { file } = parseUnit(`${more}${lines.map((line) => `Environment=${line}\n`).join('')}`)
  return deferredEnvironmentOf(file, { name, machine: { id: 'a'.repeat(32), hostname: 'h1' } })
}
const problems = (...lines: readonly string[]) => read(lines).diagnostics.map(({ code }) => code)
const text = (value: string): DeferredPiece => ({ kind: 'text', text: value })

describe('Environment= of [X-Mariposa]', () => {
  it('reads like a line of [Service], with what is to be filled in', () => {
    expect(read(['"DB_URL=postgres://u:{{ meta.db.password }}@h/db"'])).toEqual({
      variables: [
        {
          name: 'DB_URL',
          pieces: [text('postgres://u:'), { kind: 'meta', key: 'db.password' }, text('@h/db')],
        },
      ],
      diagnostics: [],
    })
    expect(read([`"A={{ machine.ip }}:%%-%i" "B={{ instance.uuid }}"`]).variables).toEqual([
      { name: 'A', pieces: [{ kind: 'machine-ip' }, text(':%-7')] },
      { name: 'B', pieces: [{ kind: 'instance-uuid' }] },
    ])
  })

  it('takes another text where a machine lacks metadata', () => {
    expect(
      read(['"A={{ machine.metadata.rack }}/{{ default machine.metadata.rack \\"r 0\\" }}"']).variables,
    ).toEqual([
      {
        name: 'A',
        pieces: [
          { kind: 'machine-metadata', key: 'rack', fallback: null },
          text('/'),
          { kind: 'machine-metadata', key: 'rack', fallback: 'r 0' },
        ],
      },
    ])
  })

  it('takes the later of two assignments', () => {
    expect(read(['A=1', '"A={{ machine.ip }}"']).variables).toEqual([
      { name: 'A', pieces: [{ kind: 'machine-ip' }] },
    ])
  })

  test.each([
    '"A={{ nobody.knows }}"',
    '"A={{ meta. }}"',
    '"A={{meta.x}}"',
    '"A={{ default meta.x \\"y\\" }}"',
    '"A={{ machine.ip \\"y\\" }}"',
    '"A={{ default machine.metadata.x }}"',
    '"A={{"',
    '"A={{{ meta.x }}"',
    'A',
    '1A=x',
    '"A',
    '"A=%q"',
  ])('%s is refused', (line) => {
    expect(problems(line)).toEqual(['unit/bad-environment'])
  })

  it('has to know whose metadata is meant', () => {
    expect(read(['"A={{ meta.x }}"'], '[X-Mariposa]\n').diagnostics).toMatchObject([
      { code: 'unit/bad-environment', message: expect.stringContaining('Project=') },
    ])
    expect(read(['"A={{ machine.ip }}"'], '[X-Mariposa]\n').diagnostics).toEqual([])
  })

  it('takes any name in a unit for Docker, as Docker does', () => {
    expect(
      read(['"a.b={{ meta.x }}"'], '[Container]\nImage=x\n[X-Mariposa]\nProject=shop\n').diagnostics,
    ).toEqual([])
  })

  it('is read back as it was printed, whatever is in it', () => {
    const piece = fc.oneof(
      fc
        .array(
          fc.oneof(
            fc.constantFrom('{', '{{', '}}', '%', '%%', '"', '\\', "'", ' ', '\n', '{{ meta.x }}'),
            fc.string({ unit: 'grapheme', maxLength: 3 }),
          ),
          { minLength: 1 },
        )
        .map((parts) => text(parts.join(''))),
      fc.constantFrom<DeferredPiece>(
        { kind: 'machine-ip' },
        { kind: 'instance-uuid' },
        { kind: 'meta', key: 'a.b-c' },
      ),
      fc
        .option(fc.string({ unit: 'grapheme' }))
        .map((fallback): DeferredPiece => ({ kind: 'machine-metadata', key: 'rack', fallback })),
    )
    fc.assert(
      fc.property(fc.array(piece), (given) => {
        const pieces = given.filter(
          (one, at) => one.kind !== 'text' || (one.text !== '' && given[at - 1]?.kind !== 'text'),
        )
        fc.pre(!JSON.stringify(pieces).includes('\\u0000'))
        const line = printDeferredVariable({ name: 'A', pieces })
        expect(read([line])).toEqual({ variables: [{ name: 'A', pieces }], diagnostics: [] })
      }),
      { numRuns: randomCases(2_000) },
    )
  })
})
