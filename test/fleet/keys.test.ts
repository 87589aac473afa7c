// The JSON of requests, read as Go reads it.
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { fieldsOf, parseWritten, textOf, WrittenObject } from '../../src/api/fleet/keys.js'

/** A value as JSON.parse gives it. */
function plain(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(plain)
  if (!(value instanceof WrittenObject)) return value
  return Object.fromEntries(value.members.map(([key, one]) => [key, plain(one)]))
}

describe('what a request says', () => {
  it('is all that JSON can say', () => {
    fc.assert(
      fc.property(fc.json({ stringUnit: 'binary' }), fc.constantFrom(0, 2), (text, spaces) => {
        const spaced = JSON.stringify(JSON.parse(text), null, spaces)
        expect(plain(parseWritten(spaced))).toEqual(JSON.parse(spaced))
      }),
    )
    expect(plain(parseWritten(' { "a\\\\" : [ ] , "\\"" : { } } '))).toEqual({ 'a\\': [], '"': {} })
    for (const bad of ['', '{', '{"a":1,}', '[1 2]', 'nul', '"a'])
      expect(() => parseWritten(bad), bad).toThrow(SyntaxError)
    expect(() => parseWritten('['.repeat(100_000) + ']'.repeat(100_000))).toThrow('exceeded max depth')
  })

  it('is the last of what a key says that is given several times, whatever its case; null says nothing', () => {
    const said = (text: string) => textOf(fieldsOf(parseWritten(text), ['name']).name)
    expect(said('{"name":"a","NAME":"b"}')).toBe('b')
    expect(said('{"NAME":"b","name":"a"}')).toBe('a')
    expect(said('{"name":"a","Name":"b","name":"c"}')).toBe('c')
    expect(said('{"name":"a","name":null}')).toBe('a')
    expect(said('{"other":"a"}')).toBe('')
    expect(said('{"name":1,"name":"a"}')).toBe(undefined)
  })
})
