import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { stringify } from 'yaml'
import { openNotes } from '../../src/manifest/notes.js'
import { readWithLibrary } from '../../src/manifest/yaml/library.js'
import { readPlain } from '../../src/manifest/yaml/plain.js'
import { anyDocument, anyStyle, mutated, yamlSoup } from './arbitrary-text.js'
import { corpus } from './corpus.js'

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
})
