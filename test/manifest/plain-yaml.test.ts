import { readdirSync, readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { stringify } from 'yaml'
import { openNotes } from '../../src/manifest/notes.js'
import { readWithLibrary } from '../../src/manifest/yaml/library.js'
import { readPlain } from '../../src/manifest/yaml/plain.js'
import { anyDocument, anyStyle, mutated, yamlSoup } from './arbitrary-text.js'

/** Reads a text both ways. Where the plain reader gives a tree, the library must give the same and nothing to say. */
function agreesWithLibrary(text: string): boolean {
  const plain = readPlain(text)
  if (!plain) return false
  const source = { file: 'web.yml', text }
  const notes = openNotes(source)
  const documents = readWithLibrary(source, notes)
  expect(notes.diagnostics, text).toEqual([])
  expect(
    documents.map(({ root }) => root),
    text,
  ).toEqual([plain.root])
  return true
}

/** The texts of this checkout that are YAML. */
function corpus(): string[] {
  const root = join(import.meta.dirname, '../..')
  return ['examples', 'test', 'docs'].flatMap((folder) =>
    readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' })
      .map((file) => join(root, folder, file))
      .filter((file) => /\.(ya?ml|json|md)$/.test(file) && statSync(file).isFile())
      .flatMap((file) => textsOf(file, readFileSync(file, 'utf8'))),
  )
}

function textsOf(file: string, text: string): string[] {
  if (!file.endsWith('.md')) return [text]
  return [...text.matchAll(/```ya?ml\n(.*?)```/gs)].map(([, block = '']) => block)
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
