// Which transactions share a request to etcd.
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { groupsOf, mayBeGrouped, type Transaction } from '../../src/store/io/etcd/grouping.js'
import type { Op } from '../../src/store/store.js'

const put = (key: string, value = '1'): Op => ({ op: 'put', key, value })
const writing = (...keys: readonly string[]): Transaction => ({
  compare: keys.map((key) => ({ key, modRevision: 0 })),
  ops: keys.map((key) => put(key)),
})

describe('a transaction shares a request', () => {
  test('if it puts and deletes single keys', () => {
    expect(mayBeGrouped({ compare: [], ops: [put('a'), { op: 'delete', key: 'b' }] })).toBe(true)
  })

  const alone: Readonly<Record<string, Transaction>> = {
    'it only reads': { compare: [{ key: 'a', modRevision: 1 }], ops: [] },
    'it deletes all under a prefix': { compare: [], ops: [{ op: 'delete-prefix', prefix: 'a' }] },
    'it rests on a lease': { compare: [], ops: [{ op: 'put', key: 'a', value: '1', lease: '7' }] },
    'it writes many keys': writing(...Array.from({ length: 65 }, (_, n) => `k${n}`)),
    'it is large': { compare: [], ops: [put('a', 'x'.repeat(40_000))] },
  }
  test.each(Object.entries(alone))('but not if %s', (_, transaction) => {
    expect(mayBeGrouped(transaction)).toBe(false)
  })
})

describe('groups of transactions', () => {
  test('of other keys are one', () => {
    const all = [writing('a'), writing('b'), writing('c')]
    expect(groupsOf(all)).toEqual([all])
  })

  test('hold only so many, and only so much', () => {
    const many = Array.from({ length: 100 }, (_, n) => writing(`k${n}`))
    expect(groupsOf(many).map((group) => group.length)).toEqual([64, 36])
    const large = Array.from({ length: 10 }, (_, n) => ({
      compare: [],
      ops: [put(`k${n}`, 'x'.repeat(30_000))],
    }))
    expect(groupsOf(large).map((group) => group.length)).toEqual([4, 4, 2])
  })

  test('may rest on the same key, but not on one that another of the group writes', () => {
    const led = (key: string): Transaction => ({
      compare: [{ key: 'leader', modRevision: 7 }],
      ops: [put(key)],
    })
    expect(groupsOf([led('a'), led('b')])).toHaveLength(1)
    expect(groupsOf([led('a'), writing('leader')])).toHaveLength(2)
    expect(groupsOf([writing('leader'), led('a')])).toHaveLength(2)
  })

  test('never write a key twice, never compare what they write, and keep the order of those that meet', () => {
    const key = fc.constantFrom(...'abcdef')
    const transaction = fc.record({
      compare: fc.array(
        key.map((of) => ({ key: of, modRevision: 0 })),
        { maxLength: 3 },
      ),
      ops: fc.array(
        key.map((of) => put(of)),
        { minLength: 1, maxLength: 3 },
      ),
    })
    fc.assert(
      fc.property(fc.array(transaction, { maxLength: 20 }), (all) => {
        const groups = groupsOf(all)
        expect(groups.flat()).toHaveLength(all.length)
        const groupOf = new Map(groups.flatMap((group, at) => group.map((one) => [one, at] as const)))
        for (const [at, one] of all.entries())
          for (const later of all.slice(at + 1))
            if (meet(one, later)) expect(groupOf.get(one)).toBeLessThan(groupOf.get(later) ?? -1)
      }),
    )
  })
})

function meet(a: Transaction, b: Transaction): boolean {
  const written = ({ ops }: Transaction): string[] =>
    ops.map((op) => (op.op === 'delete-prefix' ? '' : op.key))
  const touched = (one: Transaction): string[] => [...one.compare.map(({ key }) => key), ...written(one)]
  return (
    written(a).some((key) => touched(b).includes(key)) || written(b).some((key) => touched(a).includes(key))
  )
}
