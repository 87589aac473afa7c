import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { type Page, pageOf, pageSize, printPageToken, readPageToken } from '../../src/api/fleet/pages.js'

describe('page tokens', () => {
  it('are base64 of two little-endian numbers, as fleet writes them', () => {
    expect(printPageToken(2)).toBe('ZAACAA==')
    expect(readPageToken(['ZAACAA=='])).toEqual({ page: 2 })
    expect(readPageToken([])).toEqual({ page: 1 })
  })

  it('are read back for every page', () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 0xffff }), (page) => {
        expect(readPageToken([printPageToken(page)])).toEqual({ page })
      }),
    )
  })

  it.each([
    [['ZAACAA==', 'ZAADAA=='], 'too many values for page token'],
    [['ZQACAA=='], 'token limit must be 100'],
    [['ZAAAAA=='], 'token page must be greater than zero'],
  ])("%j is refused in fleet's words", (values, problem) => {
    expect(readPageToken(values)).toEqual({ problem })
  })

  it.each([
    ['', 'EOF'],
    ['ZAAC', 'unexpected EOF'],
    ['ZA!CAA==', 'illegal base64 data at input byte 2'],
    ['ZAACAA', 'illegal base64 data at input byte 4'],
  ])("%j is refused with what it is about, and a way on, beside fleet's words", (token, complaint) => {
    expect(readPageToken([token])).toEqual({
      problem: `nextPageToken cannot be read: ${complaint}; take it from the page before, or leave it out`,
    })
  })
})

describe('pages', () => {
  const list = (length: number) => Array.from({ length }, (_, n) => n)

  it('show every entry once, whatever the length', () => {
    fc.assert(
      fc.property(fc.integer({ min: 0, max: 1000 }), (length) => {
        const seen: number[] = []
        for (let page: number | null = 1; page !== null; ) {
          const shown: Page<number> = pageOf(list(length), page)
          const { items, next } = shown
          seen.push(...items)
          const token: ReturnType<typeof readPageToken> | null = next === null ? null : readPageToken([next])
          page = token !== null && 'page' in token ? token.page : null
        }
        expect(seen).toEqual(list(length))
      }),
    )
  })

  it('that are exactly full have a token, which leads to an empty one', () => {
    const { next } = pageOf(list(pageSize), 1)
    expect(next).toBe('ZAACAA==')
    expect(pageOf(list(pageSize), 2)).toEqual({ items: [], next: null })
  })

  it('go on past 65,535 entries, where fleet wraps around', () => {
    expect(pageOf(list(70_000), 700).items).toHaveLength(100)
  })
})
