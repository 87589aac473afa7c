import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'

const root = join(import.meta.dirname, '..', '..')

/** Literals that look like a code and are none. */
const others = /^(application|text|fs|timers|stream|dns|node|typebox)\//

/** Every string in the source that has the form of a code. */
function codesInSource(): readonly string[] {
  const files = readdirSync(join(root, 'src'), { recursive: true, encoding: 'utf8' })
  const codes = files
    .filter((file) => file.endsWith('.ts'))
    .flatMap((file) => readFileSync(join(root, 'src', file), 'utf8').split('\n'))
    .filter((line) => !/^\s*(\/\/|\*|\/\*)/.test(line))
    .flatMap((line) => [...line.matchAll(/'([a-z][a-z0-9]*\/[a-z0-9]+(?:-[a-z0-9]+)*)'/g)])
    .map((match) => match[1] ?? '')
    .filter((code) => !others.test(code))
  return [...new Set(codes)].sort()
}

/** Every code that has a row in a table of docs/errors.md. */
function codesInDocs(): readonly string[] {
  const text = readFileSync(join(root, 'docs', 'errors.md'), 'utf8')
  return [...text.matchAll(/^\| `([^`]+)` \|/gm)].map((match) => match[1] ?? '')
}

describe('docs/errors.md', () => {
  it('lists every code of the source, and no other', () => {
    expect([...codesInDocs()].sort()).toEqual(codesInSource())
  })

  it('lists each code once', () => {
    const codes = codesInDocs()
    expect(new Set(codes).size).toBe(codes.length)
  })
})
