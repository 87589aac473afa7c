// The store's contract on real etcd.
import { afterAll, beforeAll } from 'vitest'
import { compactEtcd, openEtcdStore } from '../../src/store/io/etcd/etcd.js'
import { type EtcdHost, startEtcd } from '../machines/etcd-host.js'
import { storeContract } from './contract.js'
import { pruningTests } from './prune-events.js'

let etcd: EtcdHost
beforeAll(async () => {
  etcd = await startEtcd()
})
afterAll(() => etcd.stop())

let stores = 0
storeContract('the etcd store', async () => {
  stores += 1
  const options = { ...etcd.options, prefix: `/contract/${stores}/` }
  const store = openEtcdStore(options)
  return {
    store,
    compact: async () => compactEtcd(options, (await store.range('')).revision),
    close: () => store.close(),
  }
})

pruningTests('etcd', async () => {
  stores += 1
  return openEtcdStore({ ...etcd.options, prefix: `/history/${stores}/` })
})
