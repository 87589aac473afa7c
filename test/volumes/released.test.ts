// A slot whose release was not heard of by the store: nobody works on its volume any more, and its instance may start again.
import { mkdtempSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import type { Driver } from '../../src/agent/driver.js'
import type { Agent } from '../../src/agent/io/agent.js'
import { haveFree } from '../../src/api/io/volume-archives.js'
import { startVolumeKeeper } from '../../src/api/io/volume-keeper.js'
import { systemClock } from '../../src/lib/io/clock.js'
import type { VolumeRecord } from '../../src/model/volume.js'
import { putOf } from '../../src/store/records.js'
import { StoreError } from '../../src/store/store.js'
import { volumeBodyOf } from '../../src/volumes/bodies.js'
import { deploy, openLocalApi } from '../api/local-api.js'
import { removeDir } from '../remove-dir.js'
import { idOf } from '../world/world.js'

const here = idOf('a')
const record: VolumeRecord = {
  ...{ uuid: 'volume-1', project: 'default', service: 'db', name: 'data', slot: 0 },
  ...{ machine: here, generation: 0, createdAt: 1 },
}

test('a slot that could not be released when its backup was over is released once the store is back', async () => {
  const dir = mkdtempSync(join(tmpdir(), 'mariposa-released-'))
  onTestFinished(() => removeDir(dir))
  const keeper = { kind: 'process', volumeData: () => Promise.resolve(dir) } as Partial<Driver> as Driver
  const { context, registry, server } = await openLocalApi(systemClock, {
    agent: { holdVolume: () => Promise.resolve(() => {}) } as Partial<Agent> as Agent,
    volumeKeeper: () => Promise.resolve(keeper),
  })
  onTestFinished(async () => await server.close())
  await deploy(server, ['db'])
  await registry.decide(() => ({ decidedOn: [], ops: [putOf('volume', record)] }))
  const machine = registry.view.machines.get(here)
  if (machine === undefined) throw new Error('no machine')
  const volume = volumeBodyOf(registry.view, machine, { ...record, users: [] })
  const isHeld = (): boolean =>
    [...registry.view.volumesOf('default/db').values()].some(({ hold }) => hold !== undefined)

  const { signal } = new AbortController()
  const work = { work: 'backup', what: 'is backed up', keeper, signal } as const
  const letGo = await haveFree(context, null, volume, work)
  const { store } = registry
  const { txn } = store
  store.txn = () => Promise.reject(new StoreError('store/unreachable', 'it is away', 'wait'))
  await expect(letGo()).rejects.toThrow('it is away')
  store.txn = txn
  expect(isHeld()).toBe(true)
  const stop = startVolumeKeeper(context)
  onTestFinished(stop)
  await expect.poll(isHeld).toBe(false)
})
