// Pages of lists: put together they are the list, whatever comes and goes while somebody reads them.
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { type Order, printPlace, readPlace, type SortKey, takePage } from '../../src/api/paging.js'

interface Entry {
  readonly name: string
  readonly n: number
}

const order: Order<Entry> = { list: 'entries', keyOf: ({ name, n }) => [name, n] }
const backwards: Order<Entry> = { ...order, descending: true }
const entry = fc.record({
  name: fc.constantFrom('a', 'b', 'ä', 'B', ''),
  n: fc.integer({ min: -3, max: 12 }),
})
const unique = fc.uniqueArray(entry, { selector: ({ name, n }) => `${name}/${n}` })

function places(entries: readonly Entry[]): readonly string[] {
  return entries.map(({ name, n }) => `${name}/${n}`)
}

/** All pages, one after the other, as somebody reads them who is told what to ask for next. */
function read(by: Order<Entry>, limit: number, at: (page: number) => readonly Entry[]): readonly Entry[] {
  const seen: Entry[] = []
  let after: SortKey | null = null
  for (let page = 0; page < 1000; page++) {
    const { entries, next } = takePage(by, at(page), { limit, after })
    seen.push(...entries)
    if (next === null) return seen
    expect(entries).toHaveLength(limit)
    after = readPlace(by, printPlace(by, next))
  }
  throw new Error('pages without end')
}

describe.each([
  ['forwards', order],
  ['backwards', backwards],
])('a list that is read %s', (_how, by) => {
  test('is its pages put together', () => {
    fc.assert(
      fc.property(unique, fc.integer({ min: 1, max: 5 }), (entries, limit) => {
        const whole = takePage(by, entries)
        expect(whole.next).toBeNull()
        expect(read(by, limit, () => entries)).toEqual(whole.entries)
      }),
    )
  })

  test('shows once each entry that is there all the time, and none twice', () => {
    fc.assert(
      fc.property(
        unique,
        fc.array(fc.tuple(entry, fc.boolean()), { minLength: 1 }),
        fc.integer({ min: 1, max: 4 }),
        (stay, comeAndGo, limit) => {
          const there = new Set(places(stay))
          const others = comeAndGo.filter(([one]) => !there.has(places([one])[0] ?? ''))
          const seen = places(
            read(by, limit, (page) => {
              const now = others.filter(([, early], n) => (page + n) % 2 === (early ? 0 : 1))
              const added = new Map(now.map(([one]) => [places([one])[0], one]))
              return [...added.values(), ...stay]
            }),
          )
          expect(new Set(seen).size).toBe(seen.length)
          expect(seen.filter((one) => there.has(one)).sort()).toEqual([...there].sort())
        },
      ),
    )
  })
})

test('a full page that is the last says so', () => {
  const entries = [1, 2, 3, 4].map((n) => ({ name: 'a', n }))
  expect(takePage(order, entries, { limit: 4, after: null }).next).toBeNull()
  expect(takePage(order, entries, { limit: 2, after: ['a', 2] })).toEqual({
    entries: entries.slice(2),
    next: null,
  })
  expect(takePage(order, [], { limit: 1, after: ['a', 2] })).toEqual({ entries: [], next: null })
})

test.each([
  ['no JSON', 'entries'],
  ['another list', '["tasks","a",1]'],
  ['no key', '["entries"]'],
  ['a key of something else', '["entries",null]'],
  ['an object', '{"0":"entries"}'],
])('%s is no place in a list', (_what, text) => {
  expect(readPlace(order, text)).toBeNull()
})
