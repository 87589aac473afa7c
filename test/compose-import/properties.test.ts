import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { stringify } from 'yaml'
import { dataOf } from '../../src/compose-import/draft.js'
import { printManifest } from '../../src/compose-import/print.js'
import { knownKeys } from '../../src/compose-import/service.js'
import { parseManifest } from '../../src/manifest/manifest.js'
import { randomCases } from '../random-runs.js'
import { errorsIn, imported, printed } from './importing.js'

/** Whatever the text, there are manifests that read back, or a reason at a place inside the text. */
function answers(text: string): void {
  const result = imported(text)
  const lines = text.split('\n').length
  if (result.services.length === 0) expect(result.diagnostics).not.toEqual([])
  else expect(errorsIn(result).filter(dependsOnNoVariable(result.metaKeys))).toEqual([])
  for (const { line } of result.notes) expect(line).toBeLessThanOrEqual(lines)
  for (const { message } of result.notes) expect(message).not.toMatch(/[\n\r]/)
}

/** What a variable may say is the project's: `8081` fits a port and no restart policy. */
function dependsOnNoVariable(keys: readonly string[]) {
  return () => keys.length === 0
}

const text = fc.oneof(
  fc.constantFrom(
    'x',
    'nginx:1',
    '80:80',
    '512m',
    '30s',
    'no',
    'always',
    '',
    ' ',
    'true',
    '0755',
    'a=b',
    'db',
    '$$',
    '${A',
    '{{ .x }}',
    '\\{{',
    'db:5432',
    'on-failure:3',
    'CMD',
  ),
  fc.string({ unit: 'grapheme', maxLength: 12 }),
  fc.string({ unit: 'binary', maxLength: 6 }),
)
const key = fc.oneof(
  fc.constantFrom(...knownKeys),
  fc.constantFrom(
    'test',
    'interval',
    'timeout',
    'resources',
    'limits',
    'memory',
    'target',
    'published',
    'condition',
    'service',
    'placement',
  ),
  text,
)
const value = fc.letrec<{ any: unknown }>((tie) => ({
  any: fc.oneof(
    { maxDepth: 3, withCrossShrink: true },
    text,
    fc.oneof(fc.integer(), fc.boolean(), fc.constant(null), fc.double({ noNaN: true })),
    fc.array(tie('any'), { maxLength: 4 }),
    fc.dictionary(key, tie('any'), { maxKeys: 5 }),
  ),
})).any
const service = fc.dictionary(fc.constantFrom(...knownKeys), value, { maxKeys: 8 })
const withImage = fc
  .tuple(fc.oneof({ weight: 9, arbitrary: fc.constant('nginx') }, text), service)
  .map(([image, keys]) => ({ ...keys, image }))
const document = fc.record({
  services: fc.dictionary(fc.oneof(fc.constantFrom('db', 'web', 'my_app'), text), withImage, {
    minKeys: 1,
    maxKeys: 3,
  }),
})

describe('any document in the shape of a Compose file', () => {
  test('is imported so that it reads back, or refused with a reason', () => {
    fc.assert(
      fc.property(document, fc.boolean(), (data, json) => {
        answers(json ? JSON.stringify(data) : stringify(data, { aliasDuplicateObjects: false, lineWidth: 0 }))
      }),
      { numRuns: randomCases(400) },
    )
  })
})

describe('any value', () => {
  const arrives = (environment: Record<string, string>) => {
    const escaped = Object.fromEntries(
      Object.entries(environment).map(([name, one]) => [name, one.replaceAll('$', '$$$$')]),
    )
    const result = imported(JSON.stringify({ services: { web: { image: 'x', environment: escaped } } }))
    const [service] = result.services
    const read = parseManifest({ file: 'web.yml', text: service ? printManifest(service) : '' })
    expect(read.diagnostics.filter(({ severity }) => severity === 'error')).toEqual([])
    expect(read.manifests[0]?.manifest.environment).toEqual(environment)
    expect(
      parseManifest({ file: 'p.yml', text: printed(result) }).manifests[0]?.manifest.environment,
    ).toEqual(environment)
    const data = JSON.stringify(service && dataOf(service.draft))
    expect(parseManifest({ file: 'web.json', text: data }).manifests[0]?.manifest.environment).toEqual(
      environment,
    )
  }
  const name = fc.stringMatching(/^[A-Z_][A-Z0-9_.]{0,10}$/)

  test('of the environment reaches the manifest byte for byte', () => {
    const plain = fc
      .string({ unit: 'grapheme' })
      .filter((one) => !/[\0\ud800-\udfff\ue000\ue001]/u.test(one) && !one.includes('{{'))
    fc.assert(fc.property(fc.dictionary(name, plain), arrives), { numRuns: randomCases(300) })
  })

  test('with templates, backslashes and scripts in it reaches the manifest byte for byte', () => {
    const piece = fc.constantFrom(
      '{{',
      '}}',
      '\\',
      '\n',
      ' ',
      '  ',
      '#',
      ': ',
      '- ',
      '|',
      'a',
      "'",
      '"',
      '\t',
      '\r',
      '~',
      '{',
      '$',
      '%',
      '\u0085',
      '\u2028',
      '\ufeff',
    )
    const pieces = fc.array(piece, { maxLength: 12 }).map((parts) => parts.join(''))
    const notOfSwarm = pieces.filter((one) => !/\{\{\s*\./.test(one))
    fc.assert(fc.property(fc.dictionary(name, notOfSwarm), arrives), { numRuns: randomCases(400) })
  })
})

const folder = join(import.meta.dirname, 'compose')
const sources = readdirSync(folder).map((file) => readFileSync(join(folder, file), 'utf8'))
const pieces = [
  '${',
  '$$',
  '}',
  ':',
  ' ',
  '\n',
  '  ',
  '- ',
  '[',
  ']',
  '{',
  '"',
  "'",
  '&a ',
  '*a',
  '<<: *a',
  '!reset ',
  '|',
  '#',
  '\t',
  '\\',
  '~',
  'image: ',
  'extends: ',
  'web',
  '\0',
  '\uE000',
  '0',
  '99999',
]

describe('a Compose file after a few edits', () => {
  test('is imported so that it reads back, or refused with a reason', () => {
    const edit = fc.record({ at: fc.nat(3_000), drop: fc.nat(8), insert: fc.constantFrom('', ...pieces) })
    const edited = fc
      .tuple(fc.constantFrom(...sources), fc.array(edit, { minLength: 1, maxLength: 4 }))
      .map(([source, edits]) =>
        edits.reduce((one, { at, drop, insert }) => {
          const place = at % (one.length + 1)
          return one.slice(0, place) + insert + one.slice(place + drop)
        }, source),
      )
    fc.assert(fc.property(edited, answers), { numRuns: randomCases(400) })
  })

  test('has no name left that nothing can be called, whatever a variable puts behind it', () => {
    for (const name of ['\\0SLOT', 'S\\tLOT', 'S LOT']) {
      const environment = `- "${name}={{ .Task.Slot }} of it"\n      - KEPT={{ .Task.Slot }}`
      const text = `services:\n  web:\n    image: x\n    environment:\n      ${environment}\n`
      expect(errorsIn(imported(text))).toEqual([])
      expect(printed(imported(text))).toContain('KEPT')
    }
  })
})

describe('any text', () => {
  test('is imported or refused', () => {
    fc.assert(fc.property(fc.string({ unit: 'binary', maxLength: 200 }), answers), {
      numRuns: randomCases(300),
    })
  })
})
