// A move whose last write takes effect though nobody hears so: what has arrived is what its slot has.
import { createHash } from 'node:crypto'
import { existsSync, mkdirSync, mkdtempSync, readFileSync, writeFileSync } from 'node:fs'
import type { IncomingMessage } from 'node:http'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { Readable } from 'node:stream'
import { buffer } from 'node:stream/consumers'
import { expect, onTestFinished, test } from 'vitest'
import type { Driver } from '../../src/agent/driver.js'
import { deleteVolume, volumeKeeper } from '../../src/agent/io/local-volumes.js'
import { pack } from '../../src/agent/io/volume-archive.js'
import { filesHere } from '../../src/agent/io/volume-files.js'
import { arrivingBy } from '../../src/agent/io/volume-revival.js'
import { PeerError } from '../../src/api/io/peers.js'
import { driverHeader } from '../../src/api/io/volume-export.js'
import { startVolumeKeeper } from '../../src/api/io/volume-keeper.js'
import { sha256Header } from '../../src/contract/contract.js'
import { openVolumeDirectories } from '../../src/drivers/io/volume-directories.js'
import { systemClock } from '../../src/lib/io/clock.js'
import type { DriverKind } from '../../src/model/driver-kind.js'
import type { MachineId } from '../../src/model/machine.js'
import type { VolumeRecord } from '../../src/model/volume.js'
import { putOf } from '../../src/store/records.js'
import { type Op, StoreError } from '../../src/store/store.js'
import { openLocalApi } from '../api/local-api.js'
import { removeDir } from '../remove-dir.js'
import { idOf } from '../world/world.js'

const [here, there] = [idOf('a'), idOf('b')]
const moving: VolumeRecord = {
  ...{ uuid: 'volume-1', project: 'default', service: 'db', name: 'data', slot: 0 },
  ...{ machine: there, generation: 0, createdAt: 1, hold: { id: 'move-1', work: 'move', by: here, at: 1 } },
}

/** The daemon of the machine that a volume moves to; `meddle` is asked before each transaction what becomes of it. */
async function receiver() {
  const root = mkdtempSync(join(tmpdir(), 'mariposa-arrival-'))
  onTestFinished(() => removeDir(root))
  mkdirSync(join(root, 'there'))
  writeFileSync(join(root, 'there', 'rows'), 'all that there is')
  const directories = openVolumeDirectories({
    dir: join(root, 'here'),
    driver: 'process',
    clock: systemClock,
  })
  const nothingRuns = () => Promise.resolve(new Set<never>())
  const driver = {
    kind: 'process',
    listVolumes: () => directories.list(nothingRuns),
    makeVolume: (volume) => Promise.resolve(directories.make(volume, null)),
    volumeData: async (volume) => directories.dataOf(volume),
    deleteVolume: (volume) => directories.delete(volume, nothingRuns),
  } as Partial<Driver> as Driver
  const drivers = new Map<DriverKind, Driver>([['process', driver]])
  const asked: MachineId[] = []
  const source = { open: (): Promise<IncomingMessage> => archiveOf(join(root, 'there')) }
  const opened = await openLocalApi(systemClock, {
    driversHere: drivers,
    deleteVolume: (volume, signal) => deleteVolume(drivers, volume, signal),
    volumeKeeper: (volume, signal) => volumeKeeper(drivers, volume, signal),
    peers: {
      knows: () => true,
      ask: async (machine) => {
        asked.push(machine)
        return await source.open()
      },
    },
  })
  onTestFinished(async () => await opened.server.close())
  /** Where the copy is; `left`: of another volume of that name, which is made. */
  const copy = (left?: string): string => {
    const volume = { ...moving, generation: 1 }
    if (left !== undefined) directories.make({ ...volume, uuid: left }, null)
    return directories.dataOf(volume)
  }
  return { ...opened, asked, copy, source }
}

/** What the other daemon sends of a directory. */
async function archiveOf(dir: string): Promise<IncomingMessage> {
  const bytes = await buffer(pack(dir, { compressed: false, signal: new AbortController().signal }).stream)
  const answer = Object.assign(Readable.from([bytes], { objectMode: false }), {
    headers: { [driverHeader]: 'process' },
    trailers: { [sha256Header]: createHash('sha256').update(bytes).digest('hex') },
    setTimeout: () => {},
  })
  return answer as unknown as IncomingMessage
}

const writesArrival = (ops: readonly Op[]): boolean =>
  ops.some((op) => op.op === 'put' && op.key.startsWith('volumes/') && op.value.includes('"left"'))

test('a volume that has arrived stays, though the answer to the write that says so was lost', async () => {
  const { context, registry, copy } = await receiver()
  const { store } = registry
  const txn = store.txn.bind(store)
  let losses = 0
  // Whoever hears no answer cannot know what became of it.
  store.txn = async (compare, ops) => {
    const result = await txn(compare, ops)
    if (losses > 0 || !writesArrival(ops)) return result
    losses += 1
    throw new StoreError('store/unreachable', 'no answer', 'whether it took effect is unknown')
  }
  await registry.decide(() => ({ decidedOn: [], ops: [putOf('volume', moving)] }))
  const stop = startVolumeKeeper(context)
  await expect
    .poll(() => [...registry.view.volumesOf('default/db').values()].map(({ machine }) => machine))
    .toEqual([here])
  await expect.poll(() => existsSync(copy()) && arrivingBy(filesHere, copy())).toBeNull()
  await stop()
  expect(losses).toBe(1)
  expect(readFileSync(join(copy(), 'rows'), 'utf8')).toBe('all that there is')
})

test('volumes of one slot that lie on several machines come each from its own', async () => {
  const { context, registry, asked } = await receiver()
  const third = idOf('c')
  const wal: VolumeRecord = { ...moving, uuid: 'volume-2', name: 'wal', machine: third }
  const log: VolumeRecord = { ...moving, uuid: 'volume-3', name: 'log', machine: here }
  await registry.decide(() => ({
    decidedOn: [],
    ops: [moving, wal, log].map((record) => putOf('volume', record)),
  }))
  const stop = startVolumeKeeper(context)
  const places = () => [...registry.view.volumesOf('default/db').values()].map(({ machine }) => machine)
  await expect.poll(places).toEqual([here, here, here])
  await stop()
  expect(new Set(asked)).toEqual(new Set([there, third]))
  const kept = [...registry.view.volumesOf('default/db').values()].find(({ name }) => name === 'log')
  expect(kept).toEqual({ ...log, hold: undefined })
})

test('a volume that arrived before the store was restored from a backup is kept, and its slot has it again', async () => {
  const { context, registry, copy, source } = await receiver()
  const put = async (one: VolumeRecord): Promise<void> => {
    await registry.decide(() => ({ decidedOn: [], ops: [putOf('volume', one)] }))
  }
  const places = () => [...registry.view.volumesOf('default/db').values()].map(({ machine }) => machine)
  await put(moving)
  const stop = startVolumeKeeper(context)
  await expect.poll(places).toEqual([here])
  await expect.poll(() => arrivingBy(filesHere, copy())).toBeNull()
  writeFileSync(join(copy(), 'rows'), 'written since')
  source.open = () =>
    Promise.reject(new PeerError('the data are gone', { refusal: { status: 409, code: 'volume/gone' } }))
  await put(moving)
  expect(places()).toEqual([there])
  await expect.poll(places).toEqual([here])
  await stop()
  expect(readFileSync(join(copy(), 'rows'), 'utf8')).toBe('written since')
})

test('data that no record accounts for, as after a restore of the store, are not deleted for a move', async () => {
  const { context, registry, copy } = await receiver()
  const put = async (one: VolumeRecord): Promise<void> => {
    await registry.decide(() => ({ decidedOn: [], ops: [putOf('volume', one)] }))
  }
  const known = (): VolumeRecord | undefined => [...registry.view.volumesOf('default/db').values()][0]
  await put(moving)
  const stop = startVolumeKeeper(context)
  await expect.poll(() => known()?.machine).toBe(here)
  await expect.poll(() => arrivingBy(filesHere, copy())).toBeNull()
  writeFileSync(join(copy(), 'rows'), 'written since')
  await put({ ...moving, hold: { id: 'move-2', work: 'move', by: here, at: 2 } })
  await expect.poll(() => known()?.hold).toBeUndefined()
  await stop()
  expect(known()?.machine).toBe(there)
  expect(readFileSync(join(copy(), 'rows'), 'utf8')).toBe('written since')
})

test('a copy that an ended move has left, deleted in part, makes room for the next one', async () => {
  const { context, registry, copy } = await receiver()
  const known = (): VolumeRecord | undefined => [...registry.view.volumesOf('default/db').values()][0]
  const left = dirname(copy('left'))
  writeFileSync(join(left, 'deleted-in-part'), '')
  await registry.decide(() => ({ decidedOn: [], ops: [putOf('volume', moving)] }))
  const stop = startVolumeKeeper(context)
  await expect.poll(() => known()?.machine).toBe(here)
  await stop()
  expect(readFileSync(join(copy(), 'rows'), 'utf8')).toBe('all that there is')
})
