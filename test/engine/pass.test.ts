// How a plan gets into the store: much at once, in an order that never seats two where one has to leave first, and
// nothing at all once another machine leads.
import { describe, expect, test } from 'vitest'
import { enginePass } from '../../src/engine/io/pass.js'
import { sha1 } from '../../src/lib/hash.js'
import { systemClock } from '../../src/lib/io/clock.js'
import { silentLog } from '../../src/lib/io/log.js'
import type { Machine, MachineId } from '../../src/model/machine.js'
import type { DesiredUnit, UnitName } from '../../src/model/unit.js'
import { openEventLog } from '../../src/store/io/event-log.js'
import { openRegistry, type Registry } from '../../src/store/io/registry.js'
import { LossWatch } from '../../src/store/losses.js'
import { decodeEvents, leaderKey, putOf } from '../../src/store/records.js'
import { type Op, type Store, StoreError } from '../../src/store/store.js'
import { openUnitReader } from '../../src/unit/reader.js'
import { openMemoryStore } from '../store/memory-store.js'

const text = '[Service]\nExecStart=/bin/sleep 1000\n'
const machine = 'a'.repeat(32) as MachineId

const here: Machine = {
  id: machine,
  hostname: 'a',
  ip: '10.0.0.1',
  metadata: {},
  capacity: { cpus: 4, memoryMb: 1_000_000, diskMb: 1000 },
  drivers: ['process'],
  version: 'test',
  bootedAt: 0,
}

describe('a pass of the engine', () => {
  test('places thousands of units, and tells of each', async () => {
    const { pass, registry } = await openEngine(openMemory(), unitsOf('x', 3000))
    await pass()
    expect(registry.view.placements.size).toBe(3000)
    const events = (await registry.store.range('events/')).entries.flatMap(decodeEvents)
    expect(new Set(events.map(({ data }) => data?.unit)).size).toBe(3000)
    expect(new Set(events.map(({ id }) => id)).size).toBe(3000)
    await registry.close()
  })

  test('has what leaves in the store before anything that takes its place is begun', async () => {
    const store = openMemory()
    const leaving = unitsOf('old', 700)
    const first = await openEngine(store, leaving)
    await first.pass()
    await first.registry.close()

    const watched = watchedStore(store)
    const now = [
      ...leaving.map((unit) => ({ ...unit, desired: 'inactive' as const })),
      ...unitsOf('new', 1800),
    ]
    const { pass, registry } = await openEngine(watched.store, now)
    watched.clear()
    await pass()
    expect(registry.view.placements.size).toBe(1800)
    const log = watched.log()
    expect(log.filter(({ leaves }) => leaves > 0).length).toBeGreaterThan(0)
    for (const one of log.filter(({ leaves }) => leaves > 0)) expect(one.beside).toBe(0)
    expect(Math.max(...log.map(({ beside }) => beside))).toBeGreaterThan(0)
    expect(Math.max(...log.map(({ ops }) => ops))).toBeLessThan(1200)
    await registry.close()
  })

  test('writes nothing more once another machine leads', async () => {
    const store = openMemory()
    let [writes, placed] = [0, 0]
    const deposed: Store = {
      ...store,
      txn: async (compare, ops) => {
        writes += 1
        if (writes === 3) await store.txn([], [{ op: 'put', key: leaderKey, value: '{"machine":"b"}' }])
        const result = await store.txn(compare, ops)
        if (result.committed) placed += ops.filter((op) => op.op === 'put' && isPlacement(op.key)).length
        return result
      },
    }
    const { pass, registry } = await openEngine(deposed, unitsOf('x', 9000), () => {
      writes = 0
    })
    await pass()
    expect(placed).toBeGreaterThan(0)
    expect(registry.view.placements.size).toBe(placed)
    expect((await registry.store.range('placements/')).entries).toHaveLength(placed)
    expect(placed).toBeLessThan(2500)
    // The four that were on their way, and one for each of the two that came through.
    expect(writes).toBeLessThanOrEqual(6)
    await registry.close()
  })

  test('holds what it places to the machines as they were, and to few of them in one transaction', async () => {
    const store = openMemory()
    const compared: number[] = []
    const counting: Store = {
      ...store,
      txn: (compare, ops) => {
        if (ops.some(({ op }) => op === 'put') && compare.length > 1) compared.push(compare.length)
        return store.txn(compare, ops)
      },
    }
    const others = Array.from({ length: 399 }, (_, n) => n.toString(16).padStart(32, '0') as MachineId)
    const { pass, registry } = await openEngine(counting, unitsOf('x', 4000), () => {}, others)
    await pass()
    expect(registry.view.placements.size).toBe(4000)
    // Two for each machine, one for each unit that is no instance, and one for the lead: etcd takes 128.
    expect(Math.max(...compared)).toBe(81)
    // Of ten units on each of 400 machines, six machines and their units at a time.
    expect(compared.length).toBeLessThanOrEqual(70)
    await registry.close()
  })

  test('places nothing on a machine that was cordoned while that was on its way, and decides it anew', async () => {
    const store = openMemory()
    let cordons = false
    const cordoning: Store = {
      ...store,
      txn: async (compare, ops) => {
        if (cordons) {
          cordons = false
          await store.txn([], [putOf('order', { id: machine, cordoned: true })])
        }
        return store.txn(compare, ops)
      },
    }
    const other = 'b'.repeat(32) as MachineId
    const { pass, registry } = await openEngine(
      cordoning,
      unitsOf('x', 10),
      () => {
        cordons = true
      },
      [other],
    )
    await pass()
    expect(registry.view.placements.size).toBe(0)
    await pass()
    expect(new Set([...registry.view.placements.values()].map((one) => one.machine))).toEqual(
      new Set([other]),
    )
    await registry.close()
  })

  test.each([
    ['', 0],
    [', beside units that leave', 2],
  ])(
    'gives a unit one place, where the answer to that was lost and the view has not heard of it%s',
    async (_, many) => {
      const store = openMemory()
      const leaving = unitsOf('old', many)
      const first = await openEngine(store, leaving)
      await first.pass()
      await first.registry.close()
      let isLost = false
      let heard = Promise.resolve()
      let hears = (): void => {}
      const written: number[] = []
      const lossy: Store = {
        ...store,
        txn: async (compare, ops) => {
          const result = await store.txn(compare, ops)
          const placed = ops.filter((op) => op.op === 'put' && isPlacement(op.key)).length
          if (placed > 0) written.push(placed)
          if (!isLost) return result
          isLost = false
          throw new StoreError('store/unreachable', 'no answer', '')
        },
        watch: async function* (prefix, after, signal) {
          for await (const batch of store.watch(prefix, after, signal)) {
            await heard
            yield batch
          }
        },
      }
      const left = leaving.map((unit) => ({ ...unit, desired: 'inactive' as const }))
      const { pass, registry } = await openEngine(lossy, [...left, ...unitsOf('x', 3)], () => {
        isLost = true
        heard = new Promise((resolve) => {
          hears = resolve
        })
      })
      await expect(pass()).rejects.toThrow('no answer')
      expect(registry.view.placements.size).toBe(many)
      await pass()
      expect(written).toEqual([3])
      expect(registry.view.placements.size).toBe(3)
      hears()
      await registry.close()
    },
  )

  test('places no unit by a text that was replaced while that was on its way, and decides it by the new one', async () => {
    const store = openMemory()
    let replaces = false
    const elsewhere = `${text}[X-Fleet]\nMachineID=${'b'.repeat(32)}\n`
    const replacing: Store = {
      ...store,
      txn: async (compare, ops) => {
        if (replaces) {
          replaces = false
          const [unit] = unitsOf('x', 1)
          if (unit !== undefined)
            await store.txn(
              [],
              [
                putOf('file', { hash: sha1(elsewhere), text: elsewhere }),
                putOf('unit', { ...unit, hash: sha1(elsewhere) }),
              ],
            )
        }
        return store.txn(compare, ops)
      },
    }
    const other = 'b'.repeat(32) as MachineId
    const { pass, registry } = await openEngine(
      replacing,
      unitsOf('x', 1),
      () => {
        replaces = true
      },
      [other],
    )
    await pass()
    expect(registry.view.placements.size).toBe(0)
    await pass()
    expect([...registry.view.placements.values()].map((one) => one.machine)).toEqual([other])
    await registry.close()
  })

  test('begins no slot anew whose machine came back while that was on its way: its volume is there', async () => {
    const store = openMemory()
    const away = 'c'.repeat(32) as MachineId
    let comesBack = false
    const returning: Store = {
      ...store,
      txn: async (compare, ops) => {
        if (comesBack) {
          comesBack = false
          await store.txn([], [putOf('machine', { ...here, id: away })])
        }
        return store.txn(compare, ops)
      },
    }
    const unit = slottedUnit()
    const home = {
      ...{ uuid: 'v', project: 'default', service: 'db', name: 'data', slot: 0, machine: away },
      ...{ generation: 0, createdAt: 0 },
    }
    await store.txn([], [putOf('volume', home), putOf('file', { hash: sha1(slotted), text: slotted })])
    const { pass, registry } = await openEngine(returning, [unit], () => {
      comesBack = true
    })
    await pass()
    expect(registry.view.placements.size).toBe(0)
    await pass()
    expect(registry.view.placements.get(unit.name)?.machine).toBe(away)
    expect([...registry.view.volumesOf('default/db').values()]).toEqual([home])
    await registry.close()
  })
})

const slotted = `${text}[X-Mariposa]\nProject=default\nService=db\nVolume=data:/data\nSlotVolume=data:fresh\n`

function slottedUnit(): DesiredUnit {
  const instance = { project: 'default', service: 'db', name: 'db-1', n: 1, uuid: 'i', version: 'w', slot: 0 }
  return {
    ...{ name: 'default.db@1.service' as UnitName, hash: sha1(slotted), desired: 'launched' },
    ...{ instance, createdAt: 0 },
  }
}

const isPlacement = (key: string): boolean => key.startsWith('placements/')

function openMemory(): Store {
  return openMemoryStore({ clock: systemClock })
}

function unitsOf(name: string, count: number): readonly DesiredUnit[] {
  return Array.from({ length: count }, (_, n) => ({
    name: `${name}@${n}.service` as UnitName,
    hash: sha1(text),
    desired: 'launched',
    instance: null,
    createdAt: 0,
  }))
}

/** An engine that leads on a store that holds a machine, others like it, and these units. */
async function openEngine(
  store: Store,
  units: readonly DesiredUnit[],
  ready: () => void = () => {},
  others: readonly MachineId[] = [],
): Promise<{ readonly registry: Registry; readonly pass: () => Promise<void> }> {
  await store.txn(
    [],
    [
      putOf('file', { hash: sha1(text), text }),
      ...[machine, ...others].map((id) => putOf('machine', { ...here, id, hostname: id })),
      ...units.map((unit) => putOf('unit', unit)),
    ],
  )
  const lead = { op: 'put', key: leaderKey, value: JSON.stringify({ machine }) } as const
  const { revision } = await store.txn([], [lead])
  const registry = await openRegistry(store, {
    onError: (error) => {
      throw error
    },
  })
  const run = enginePass({
    registry,
    needsOf: openUnitReader((hash) => registry.view.files.get(hash)).needs,
    events: openEventLog(systemClock, machine),
    losses: new LossWatch(registry.view, 0),
    log: silentLog,
    epoch: () => revision,
    jumps: () => [],
  })
  ready()
  return { registry, pass: async () => void (await run(0, new AbortController().signal)) }
}

interface Seen {
  readonly ops: number
  /** How many placements it takes away. */
  readonly leaves: number
  /** How many others were on their way when it began, or began before it ended. */
  beside: number
}

/** A store that takes its time, and knows which transactions were on their way together. */
function watchedStore(store: Store) {
  const log: Seen[] = []
  const onTheirWay = new Set<Seen>()
  const leaves = (op: Op): boolean => op.op === 'delete' && isPlacement(op.key)
  return {
    log: (): readonly Seen[] => log,
    clear: () => void log.splice(0),
    store: {
      ...store,
      txn: async (compare, ops) => {
        const seen: Seen = { ops: ops.length, leaves: ops.filter(leaves).length, beside: onTheirWay.size }
        for (const other of onTheirWay) other.beside += 1
        log.push(seen)
        onTheirWay.add(seen)
        await new Promise((resolve) => setTimeout(resolve, 5))
        const result = await store.txn(compare, ops)
        onTheirWay.delete(seen)
        return result
      },
    } satisfies Store,
  }
}
