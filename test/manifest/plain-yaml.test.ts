import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { stringify } from 'yaml'
import { openNotes } from '../../src/manifest/notes.js'
import { readTree } from '../../src/manifest/read-tree.js'
import { readWithLibrary } from '../../src/manifest/yaml/library.js'
import { readPlain } from '../../src/manifest/yaml/plain.js'
import { anyDocument, anyStyle, mutated, yamlSoup } from './arbitrary-text.js'
import { corpus } from './corpus.js'

const anchorSigns = [
  ...['&a ', '*a', '&b ', '*b', '&a\n', '<<: ', '<<: *a', '<<: [*a, *b]', 'a: ', 'b: ', 'c: ', '\n', '\n  '],
  ...[
    '\n    ',
    '- ',
    '\n- ',
    '\n  - ',
    '[',
    ']',
    '{',
    '}',
    ', ',
    'x',
    '1',
    '"q"',
    '{<<: *b}',
    '{<<: [*b], k: 2}',
    ' ',
    '# c',
    '|\n  ',
    '""',
    '~',
  ],
]

/** Reads a text both ways. Where the plain reader gives a tree, the library must give the same and nothing to say. */
function agreesWithLibrary(text: string): boolean {
  const plain = readPlain(text)
  if (plain.kind !== 'document') return false
  const source = { file: 'web.yml', text }
  const notes = openNotes(source)
  const documents = readWithLibrary(source, notes)
  expect(notes.diagnostics, text).toEqual([])
  expect(
    documents.map(({ root }) => root),
    text,
  ).toEqual([plain.document.root])
  return true
}

describe('the reader of plain YAML', () => {
  test('reads what the library reads, of every YAML text of this project', () => {
    const read = corpus().filter(agreesWithLibrary)
    expect(read.length).toBeGreaterThan(5)
  })

  test('reads what the library reads, of any document in any style', () => {
    let plain = 0
    fc.assert(
      fc.property(anyDocument, anyStyle, (document, style) => {
        if (agreesWithLibrary(stringify(document, style))) plain += 1
      }),
      { numRuns: 2_000 },
    )
    expect(plain).toBeGreaterThan(200)
  })

  test('reads what the library reads, of manifests with edits', () => {
    let plain = 0
    fc.assert(
      fc.property(mutated(corpus()), (text) => {
        if (agreesWithLibrary(text)) plain += 1
      }),
      { numRuns: 3_000 },
    )
    expect(plain).toBeGreaterThan(100)
  })

  test('reads what the library reads, of the signs of YAML in any order', () => {
    let plain = 0
    fc.assert(
      fc.property(yamlSoup, (text) => {
        if (agreesWithLibrary(text)) plain += 1
      }),
      { numRuns: 10_000 },
    )
    expect(plain).toBeGreaterThan(300)
  })

  test('reads what the library reads, of anchors, aliases and merges in any order', () => {
    const begin = 'a: &a x\nb: &b\n  k: 1\n'
    const parts = fc.array(fc.constantFrom(...anchorSigns), { minLength: 3, maxLength: 14 })
    let withNames = 0
    fc.assert(
      fc.property(fc.constantFrom('', begin), parts, (first, rest) => {
        if (agreesWithLibrary(first + rest.join('')) && /[&*]/.test(rest.join(''))) withNames += 1
      }),
      { numRuns: 30_000 },
    )
    expect(withNames).toBeGreaterThan(50)
  })

  test.each([
    '- [\n]',
    '\n  - [\n]',
    'a:\n  b: [\n]',
    'a:\n  b: {\n}',
    'a: [1,\n]',
    'a:\n  b: [1,\n]',
    'a: [\n]',
    'a: [\n\n]\n',
  ])('leaves a bracket to the library that stands where it may not: %j', (text) => {
    agreesWithLibrary(text)
  })

  test('reads shared values as often as they are mentioned, and counts them each time', () => {
    const shared = 'x-common: &common\n  image: nginx\n  restart: always\nservices:\n'
    const services = (count: number) =>
      Array.from({ length: count }, (_, n) => `  web${n}:\n    <<: *common\n    scale: ${n}\n`).join('')
    const read = (text: string) => readTree({ file: 'web.yml', text }, openNotes({ file: 'web.yml', text }))
    expect(agreesWithLibrary(shared + services(100))).toBe(true)
    const [document] = read(shared + services(4_000))
    const root = document?.root
    const all = root?.kind === 'map' ? root.entries.at(-1)?.value : undefined
    expect(all?.kind === 'map' && all.entries.length).toBe(4_000)
    expect(read(shared + services(9_000))).toEqual([])
  })
})
