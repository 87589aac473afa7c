// What is too much for one transaction of etcd, whatever is in it.
import { expect, test } from 'vitest'
import { etcdKeys } from '../../src/store/io/etcd/keys.js'
import { txnRequest } from '../../src/store/io/etcd/txn.js'

test('a change of too many keys is refused with words that fit keys of metadata, too', () => {
  const keys = Array.from({ length: 900 }, (_, n) => `meta/default/k${n}`)
  const compare = keys.map((key) => ({ key, modRevision: 0 }))
  const ops = keys.map((key) => ({ op: 'put', key, value: '1' }) as const)
  expect(() => txnRequest(etcdKeys('/mariposa/'), compare, ops)).toThrow(
    expect.objectContaining({
      code: 'store/too-large',
      message: expect.stringContaining('900 comparisons and 900 operations'),
      hint: expect.stringContaining('keys of metadata'),
    }),
  )
})
