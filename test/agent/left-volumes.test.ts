// Whose volumes go with a deleted service, and whose stay: the last that was heard of its deletion says.
import { mkdtempSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import type { Driver, OwnerOfVolumes } from '../../src/agent/driver.js'
import type { Agent } from '../../src/agent/io/agent.js'
import { DriverError } from '../../src/model/driver-error.js'
import type { Service } from '../../src/model/service.js'
import { openRegistry, type Registry } from '../../src/store/io/registry.js'
import { keys, putOf } from '../../src/store/records.js'
import { removeDir } from '../remove-dir.js'
import { World } from '../world/world.js'
import { idle, openRecords, startWith } from './small-agent.js'

let dir: string
let registry: Registry
let service: Service
/** The names of services whose volumes were deleted. */
let deleted: string[]
/** What the driver does about it. */
let onDelete: (service: string) => void
const agents: Agent[] = []

beforeEach(async () => {
  dir = mkdtempSync(join(tmpdir(), 'left-volumes-'))
  registry = await openRecords()
  deleted = []
  onDelete = () => {}
  const world = new World()
  world.machine('m')
  world.deploy('compute_type: process\ncommand: [/bin/x]\nmemory: 64M\n')
  const [first] = world.view.services.values()
  if (first === undefined) throw new Error('nothing was deployed')
  service = first
})

afterEach(async () => {
  for (const agent of agents.splice(0)) await agent.stop()
  removeDir(dir)
})

async function start(): Promise<Agent> {
  const driver = {
    ...idle,
    load: async () => {},
    listVolumes: () => Promise.resolve([]),
    deleteVolumesOf: async ({ name }: OwnerOfVolumes) => {
      onDelete(name)
      deleted.push(name)
      return []
    },
  } as unknown as Driver
  const agent = await startWith(registry, driver, { leftVolumesFile: join(dir, 'noted.json') })
  agents.push(agent)
  agent.join()
  return agent
}

const put = (more: Partial<Service>): Promise<unknown> =>
  registry.store.txn([], [putOf('service', { ...service, ...more })])
const remove = (): Promise<unknown> =>
  registry.store.txn([], [{ op: 'delete', key: keys.service(service.project, service.name) }])
/** Another service goes with its volumes: what was due before it is dealt with when that is. */
async function seesOther(): Promise<void> {
  const others = (): number => deleted.filter((name) => name === 'other').length
  const before = others()
  const other: Service = { ...service, name: 'other', uuid: 'other-uuid' }
  await registry.store.txn([], [putOf('service', { ...other, deleting: true, deleteVolumes: true })])
  await registry.store.txn([], [{ op: 'delete', key: keys.service(other.project, other.name) }])
  await vi.waitFor(() => expect(others()).toBe(before + 1), { timeout: 30_000 })
}

test('go when the service that was deleted with them is gone', async () => {
  await start()
  await put({ deleting: true, deleteVolumes: true })
  await remove()
  await vi.waitFor(() => expect(deleted).toEqual(['web']), { timeout: 30_000 })
})

test('stay where that deletion was ended, and the service was deleted without them later', async () => {
  await start()
  await put({ deleting: true, deleteVolumes: true })
  await put({ deleting: false })
  await put({ deleting: true })
  await remove()
  await seesOther()
  expect(deleted).toEqual(['other'])
})

test('go where the daemon was started again while the service was being deleted', async () => {
  await put({ deleting: true, deleteVolumes: true })
  await start()
  await remove()
  await vi.waitFor(() => expect(deleted).toEqual(['web']), { timeout: 30_000 })
})

test('go where the daemon was started again while a driver could not delete them, and once', async () => {
  let asked = 0
  onDelete = () => {
    asked += 1
    throw new DriverError('docker/unreachable', 'it does not answer')
  }
  const first = await start()
  await put({ deleting: true, deleteVolumes: true })
  await remove()
  await vi.waitFor(() => expect(asked).toBeGreaterThan(0), { timeout: 30_000 })
  await first.stop()
  onDelete = () => {}
  const second = await start()
  await vi.waitFor(() => expect(deleted).toEqual(['web']), { timeout: 30_000 })
  await seesOther()
  await second.stop()
  await start()
  await seesOther()
  expect(deleted.filter((name) => name === 'web')).toEqual(['web'])
})

test('go although those of a service that was deleted before cannot be deleted', async () => {
  onDelete = (name) => {
    if (name === 'web') throw new DriverError('docker/failed', 'the volume is in use')
  }
  await start()
  await put({ deleting: true, deleteVolumes: true })
  await remove()
  await seesOther()
  expect(deleted).toEqual(['other'])
})

test('stay while one of them is held, as for a backup, and go after that', async () => {
  const agent = await start()
  const volume = { project: service.project, service: service.name, name: 'data', slot: 0 }
  const letGo = await agent.holdVolume(volume, 'process', 'it is backed up', new AbortController().signal)
  await put({ deleting: true, deleteVolumes: true })
  await remove()
  await seesOther()
  expect(deleted).toEqual(['other'])
  letGo()
  await vi.waitFor(() => expect(deleted).toEqual(['other', 'web']), { timeout: 30_000 })
})

test('a record of a later Mariposa that speaks of a deletion ends no daemon, and takes nothing along', async () => {
  const faults: unknown[] = []
  registry = await openRegistry(registry.store, { onError: (error) => faults.push(error) })
  await start()
  await put({ deleting: true, deleteVolumes: true })
  const key = keys.service(service.project, service.name)
  const later = JSON.stringify({ ...service, deleting: true, deleteVolumes: true, v: 99 })
  await registry.store.txn([], [{ op: 'put', key, value: later }])
  await seesOther()
  expect([faults, deleted]).toEqual([[], ['other']])
  await remove()
  await vi.waitFor(() => expect(deleted).toEqual(['other', 'web']), { timeout: 30_000 })
})
