import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { type DiffLine, diffLines, withContext } from '../../src/lib/line-diff.js'

const textOf = (lines: readonly DiffLine[], gone: DiffLine['kind']) =>
  lines
    .filter(({ kind }) => kind !== gone)
    .map(({ text }) => `${text}\n`)
    .join('')
const texts = fc
  .array(fc.constantFrom('a', 'b', '', 'c'), { maxLength: 12 })
  .map((lines) => lines.map((line) => `${line}\n`).join(''))

describe('the difference of two texts', () => {
  test('holds both of them', () => {
    fc.assert(
      fc.property(texts, texts, (before, after) => {
        const lines = diffLines(before, after)
        expect([textOf(lines, 'new'), textOf(lines, 'gone')]).toEqual([before, after])
      }),
    )
  })

  test('tells a changed line as gone and new, and what is around it as the same', () => {
    expect(diffLines('a\nb\nc\n', 'a\nx\nc\n').map(({ kind, text }) => `${kind} ${text}`)).toEqual([
      'same a',
      'gone b',
      'new x',
      'same c',
    ])
    expect(
      withContext(diffLines('1\n2\n3\nb\n', '1\n2\n3\nx\n'), 1).map((line) => line?.text ?? null),
    ).toEqual([null, '3', 'b', 'x'])
  })

  test('of texts with nothing in common is told as a whole, however long they are', () => {
    const many = (letter: string) => Array.from({ length: 1_000 }, (_, n) => `${letter}${n}\n`).join('')
    const kinds = diffLines(many('a'), many('b')).map(({ kind }) => kind)
    expect(kinds).toEqual([...Array<string>(1_000).fill('gone'), ...Array<string>(1_000).fill('new')])
  })
})
