import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { escapeDollar, escapePercent, quoteWord, splitWords } from '../../src/unit/words.js'
import { randomCases } from '../random-runs.js'

describe('words of a value', () => {
  // Each line was put to extract_first_word() of systemd 252 (UNQUOTE | CUNESCAPE, then CUNESCAPE_RELAX).
  it.each([
    ['a "b c"d', ['a', 'b cd']],
    ['\ta  b ', ['a', 'b']],
    ['', []],
    ['""', ['']],
    [`'a "b"' "it's"`, ['a "b"', "it's"]],
    ['a\\nb \\x41 \\101 \\s', ['a\nb', 'A', 'A', ' ']],
    ["'a\\tb'", ['a\tb']],
    ['\\xc3\\xa9 \\u00e9 \\U0001F600', ['é', 'é', '😀']],
    ['\\xc3\\xa9😀', ['é😀']],
    ['\\ufffe', ['\ufffe']],
    ['a;b ; c', ['a;b', ';', 'c']],
  ])('splits %j as systemd does', (value, words) => {
    expect(splitWords(value)).toEqual({ words, problem: null, unknownEscapes: [] })
  })

  it.each([
    ['a\\qb', ['a\\qb'], ['\\q']],
    ['\\400 \\x4 \\x00 \\u00', ['\\400', '\\x4', '\\x00', '\\u00'], ['\\4', '\\x', '\\x', '\\u']],
    ['\\U0000fffe \\U00110000', ['\\U0000fffe', '\\U00110000'], ['\\U', '\\U']],
    ['a \\', ['a', '\\'], ['\\']],
  ])('keeps the unknown escapes of %j as they are, and names them', (value, words, unknownEscapes) => {
    expect(splitWords(value)).toEqual({ words, problem: null, unknownEscapes })
  })

  it.each([
    ['a "b', 'a quote (") is opened and never closed'],
    ["a 'b", "a quote (') is opened and never closed"],
    ['a "b\\', 'a quote (") is opened and never closed'],
    ['a \\xff', 'byte escapes do not make up UTF-8 text'],
    ['a \\ud800', 'byte escapes do not make up UTF-8 text'],
  ])('refuses %j', (value, problem) => {
    expect(splitWords(value)).toMatchObject({ words: ['a'], problem })
  })

  it.each([
    ['plain/path-1.2:80', 'plain/path-1.2:80'],
    ['naïve', 'naïve'],
    ['', '""'],
    ['two words', '"two words"'],
    [';', '";"'],
    ['say "hi"\n', '"say \\"hi\\"\\n"'],
    ['\u0007\u007f\u0085', '"\\x07\\x7f\\u0085"'],
    ['\ufffe', '"\\xef\\xbf\\xbe"'],
  ])('quotes %j as %s', (word, quoted) => {
    expect(quoteWord(word)).toBe(quoted)
  })

  it('gives every word back that was quoted', () => {
    const text = fc.string({ unit: 'grapheme' }).map((word) => word.replaceAll('\0', ''))
    const anyText = fc.string({ unit: 'binary' }).map((word) => word.replaceAll('\0', ''))
    fc.assert(
      fc.property(fc.array(fc.oneof(text, anyText)), (words) => {
        const value = words.map(quoteWord).join(' ')
        expect(splitWords(value)).toEqual({ words, problem: null, unknownEscapes: [] })
        expect(value).not.toMatch(/[\n\r\0]/)
      }),
      { numRuns: randomCases(1000) },
    )
  })

  it('doubles percent and dollar signs', () => {
    expect(escapePercent('100% %i')).toBe('100%% %%i')
    expect(escapeDollar('$A $$')).toBe('$$A $$$$')
  })
})
