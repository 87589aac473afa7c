import { describe, expect, test } from 'vitest'
import { abridged, abridgedMessage } from '../../src/lib/abridge.js'

const long = 'a'.repeat(100_000)

describe('a text within a sentence', () => {
  test('is whole up to its most, and ends with an ellipsis beyond', () => {
    expect(abridged('abc', 3)).toBe('abc')
    expect(abridged('abcd', 3)).toBe('ab…')
  })

  test('is not cut within a character', () => {
    expect(abridged('ab😀cd', 4)).toBe('ab…')
  })
})

describe('a message', () => {
  test.each([
    'there is no service "web" in project "default"',
    `web failed: ${'a sentence that goes on '.repeat(15)}`,
  ])('of an ordinary length is left as it is: %.30s', (message) => {
    expect(abridgedMessage(message)).toBe(message)
  })

  test.each([
    [
      `there is no service "${long}" in project "default"`,
      /^there is no service "a{119}…" in project "default"$/,
    ],
    [`no column is called '${long} b'`, /^no column is called 'a{119}…'$/],
    [`there is nothing at GET /${long}`, /^there is nothing at GET \/a+…$/],
    [
      `"web" is fine, and so is ${'this prose '.repeat(60)}beside "other"`,
      /^"web" is fine, .*beside "other"$/,
    ],
  ])('keeps its words and cuts what it quotes: %.40s', (message, expected) => {
    expect(abridgedMessage(message)).toMatch(expected)
    expect(abridgedMessage(message).length).toBeLessThan(1000)
  })

  test('of many lines has each of them', () => {
    const lines = abridgedMessage(`first\n  web-1 | ${'many words '.repeat(10_000)}\nlast`).split('\n')
    expect(lines.map((line) => line.length <= 2000)).toEqual([true, true, true])
    expect([lines[0], lines[2]]).toEqual(['first', 'last'])
  })

  test('costs time in proportion to its length', () => {
    const hostile = ['"', "'", '" \'', "('"].map((one) => one.repeat(200_000))
    for (const text of hostile) expect(abridgedMessage(text).length).toBeLessThanOrEqual(2000)
  })
})
