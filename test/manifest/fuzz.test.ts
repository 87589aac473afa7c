// Whatever text comes in, out comes a manifest with its unit, or a problem: no exception, and no text without an end.
// 11,000 texts where `CI` is set, fewer elsewhere; of the longest, which take the most time, the fewest.
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { compileVersion } from '../../src/compile/compile.js'
import { hasErrors } from '../../src/model/diagnostic.js'
import { parseUnit } from '../../src/unit/parse.js'
import { randomCases } from '../random-runs.js'
import { mutated, yamlSoup } from './arbitrary-text.js'
import { corpus } from './corpus.js'
import { read } from './reading.js'

const runs = randomCases(5_000)
const version = { uuid: '0b2f8a52-3c1d-5e6f-8a9b-0c1d2e3f4a5b', ordinal: 1 }

/** Reads a text, compiles what it holds, and reads the units back. */
function answers(text: string): void {
  const { manifests, diagnostics } = read(text)
  expect(manifests.length + diagnostics.length).toBeGreaterThan(0)
  if (hasErrors(diagnostics)) return
  for (const manifest of manifests) {
    const { text: unit, diagnostics: found } = compileVersion({ project: 'default', version, ...manifest })
    expect(unit !== '' || found.length > 0).toBe(true)
    expect(parseUnit(unit).diagnostics).toEqual([])
  }
}

const bytes = fc
  .uint8Array({ maxLength: 400 })
  .map((some) => new TextDecoder('utf-8', { ignoreBOM: true }).decode(some))
/** Nothing says what must be wrong in them, but most are manifests still. */
const spoilt = mutated(corpus())
const spoiltJson = mutated(corpus().filter((text) => text.startsWith('{')))

describe('a manifest or a problem comes out of', { timeout: 600_000 }, () => {
  test.each([
    ['random bytes', bytes, runs],
    ['the signs of YAML in any order', yamlSoup, runs],
    ['manifests with edits', spoilt, runs / 5],
    ['manifests in JSON with edits', spoiltJson, runs / 50],
  ])('%s', (_, texts, numRuns) => {
    fc.assert(fc.property(texts, answers), { numRuns })
  })
})
