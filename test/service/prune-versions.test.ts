// The leader's removal of versions that nothing needs, on a store.
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { systemClock } from '../../src/lib/io/clock.js'
import { silentLog } from '../../src/lib/io/log.js'
import { pruneVersions } from '../../src/service/io/prune-versions.js'
import { comparesOf } from '../../src/store/decision.js'
import { openRegistry, type Registry } from '../../src/store/io/registry.js'
import { keys, leaderKey, prefixes, putOf } from '../../src/store/records.js'
import type { Revision } from '../../src/store/store.js'
import { openMemoryStore } from '../store/memory-store.js'
import { SmallService } from './small-service.js'

const { signal } = new AbortController()
let registry: Registry
let epoch: Revision

beforeEach(async () => {
  const store = openMemoryStore({ clock: systemClock })
  epoch = (await store.txn([], [{ op: 'put', key: leaderKey, value: 'us' }])).revision
  registry = await openRegistry(store, { onError: () => {} })
  const web = new SmallService(1, { room: 1, bootMs: 0, bad: new Set() })
  while (web.versions.length < 120) web.addVersion()
  const versions = web.versions.map((version) => ({ ...version, hash: `hash-${version.ordinal}` }))
  await store.txn(
    [],
    [
      putOf('service', { ...web.service, current: 'v2' }),
      ...versions.flatMap((version) => [
        putOf('version', version),
        putOf('file', { hash: version.hash, text: 'text' }),
      ]),
    ],
  )
})

afterEach(async () => {
  await registry.close()
  await registry.store.close()
})

async function kept(): Promise<readonly number[]> {
  const { entries } = await registry.store.range(prefixes.version)
  return entries.map(({ key }) => Number(key.split('/').at(-1)))
}

describe('the leader', () => {
  test('removes what is older than the newest and not current, with its unit, in as many writes as it takes', async () => {
    const pass = pruneVersions({ registry, log: silentLog, epoch: () => epoch, keep: () => 3 })
    await pass(0, signal)
    expect(await kept()).toEqual([2, 118, 119, 120])
    const { entries } = await registry.store.range(prefixes.file)
    expect(entries.map(({ key }) => key)).toEqual([
      'files/hash-118',
      'files/hash-119',
      'files/hash-120',
      'files/hash-2',
    ])
  })

  test('removes nothing once it does not lead any more', async () => {
    await pruneVersions({ registry, log: silentLog, epoch: () => null, keep: () => 3 })(0, signal)
    await pruneVersions({ registry, log: silentLog, epoch: () => epoch + 1, keep: () => 3 })(0, signal)
    expect(await kept()).toHaveLength(120)
  })

  test('makes a revert be decided anew that was decided while its version was there', async () => {
    const service = registry.view.services.get('default/web')
    if (service === undefined) throw new Error('web is gone')
    const decided = comparesOf(registry.view, { decidedOn: [keys.service('default', 'web')], ops: [] })
    await pruneVersions({ registry, log: silentLog, epoch: () => epoch, keep: () => 3 })(0, signal)
    const { committed } = await registry.store.txn(decided, [putOf('service', { ...service, current: 'v1' })])
    expect(committed).toBe(false)
  })
})
