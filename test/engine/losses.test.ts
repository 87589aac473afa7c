// Machines that are gone: alone, or together because we are cut off from them.
import { describe, expect, test } from 'vitest'
import { Scheduler } from '../../src/engine/scheduler.js'
import { opsOf } from '../../src/engine/writes.js'
import { holdMs, LossWatch } from '../../src/store/losses.js'
import { keys, putOf } from '../../src/store/records.js'
import { ScratchStore } from '../../src/store/scratch.js'
import { asUnitName } from '../../src/unit/name.js'
import { unitHash } from '../../src/unit/print.js'
import { openUnitReader } from '../../src/unit/reader.js'
import { idOf } from '../world/world.js'

const windowMs = 10_000

/** Machines with a plain unit on each, and what watches them. */
function clusterOf(names: readonly string[]) {
  let now = 1_000_000
  const store = new ScratchStore((change) => {
    losses.note([change], now)
    scheduler.note(change)
  })
  const losses = new LossWatch(store.view, windowMs)
  const units = openUnitReader((hash) => store.view.files.get(hash))
  const held = (id: string): boolean => losses.heldUntil(idOf(id.replace(/0+$/, '')), now) !== null
  const scheduler = new Scheduler(store.view, (unit) => units.needs(unit), held)
  const put = (name: string): void => {
    store.apply([
      putOf('machine', {
        id: idOf(name),
        hostname: name,
        ip: '10.0.0.1',
        metadata: {},
        capacity: { cpus: 2, memoryMb: 4096, diskMb: 10_000 },
        drivers: ['process'],
        version: '0',
        bootedAt: 0,
      }),
    ])
  }
  const text = '[Service]\nExecStart=/bin/x\n'
  for (const name of names) {
    put(name)
    const unit = { name: asUnitName(`${name}.service`), hash: unitHash(text), instance: null, createdAt: now }
    store.apply([
      putOf('file', { hash: unitHash(text), text }),
      putOf('unit', { ...unit, desired: 'launched' }),
    ])
  }
  const pass = (): void => {
    for (const id of losses.missing(now)) scheduler.reconsider(id)
    store.apply(scheduler.step(now).actions.flatMap((action) => opsOf(store.view, action)))
  }
  pass()
  const machinesInUse = (): number =>
    new Set([...store.view.placements.values()].map((one) => one.machine)).size
  return {
    losses,
    pass,
    put,
    machinesInUse,
    lose: (name: string) => store.apply([{ op: 'delete', key: keys.machine(idOf(name)) }]),
    wait: (ms: number) => {
      now += ms
    },
    heldFor: (name: string): number | null => {
      const until = losses.heldUntil(idOf(name), now)
      return until === null ? null : until - now
    },
    hear: (...heard: readonly string[]) => losses.hear(heard.map(idOf), now),
    mass: () => losses.massLoss(now),
  }
}

describe('a machine that is gone', () => {
  test('is given up once those that were cut off with it would have gone too', () => {
    const cluster = clusterOf(['a', 'b', 'c'])
    cluster.lose('a')
    expect(cluster.heldFor('a')).toBe(windowMs)
    cluster.wait(windowMs)
    expect(cluster.heldFor('a')).toBeNull()
    expect(cluster.mass()).toBeNull()
  })

  test('is given up at once where it could not be one of many', () => {
    const cluster = clusterOf(['a', 'b'])
    cluster.lose('a')
    expect(cluster.heldFor('a')).toBeNull()
  })

  test('is given up at once where the others have renewed their leases since', () => {
    const cluster = clusterOf(['a', 'b', 'c', 'd', 'e'])
    cluster.lose('a')
    expect(cluster.heldFor('a')).toBe(windowMs)
    cluster.hear('b', 'c')
    expect(cluster.heldFor('a')).toBe(windowMs)
    cluster.hear('d')
    expect(cluster.heldFor('a')).toBeNull()
    cluster.wait(1)
    cluster.lose('b')
    expect(cluster.heldFor('b'), 'heard of before, which says nothing of now').toBe(windowMs)
  })

  test('is held with the others when more have gone than are left', () => {
    const cluster = clusterOf(['a', 'b', 'c', 'd', 'e'])
    for (const name of ['a', 'b', 'c']) {
      cluster.lose(name)
      cluster.wait(3000)
    }
    for (const name of ['a', 'b', 'c']) expect(cluster.heldFor(name)).toBe(holdMs - 3000)
    expect(cluster.mass()?.machines).toBe(3)
  })

  test('stays held while others come back, and not for ever', () => {
    const cluster = clusterOf(['a', 'b', 'c', 'd', 'e'])
    for (const name of ['a', 'b', 'c']) cluster.lose(name)
    expect(cluster.mass()?.machines).toBe(3)
    cluster.wait(60_000)
    for (const name of ['a', 'b']) cluster.put(name)
    expect(cluster.heldFor('c')).toBe(holdMs - 60_000)
    cluster.wait(holdMs - 60_000)
    expect(cluster.heldFor('c')).toBeNull()
    expect(cluster.mass()).toBeNull()
  })

  test('counts as one of many though it is back already while the last of them goes', () => {
    const cluster = clusterOf(['a', 'b', 'c', 'd', 'e'])
    cluster.lose('a')
    cluster.wait(1000)
    cluster.put('a')
    cluster.lose('b')
    cluster.wait(3000)
    cluster.lose('c')
    expect(cluster.heldFor('b')).toBe(holdMs)
  })

  test('that ran nothing does not count', () => {
    const cluster = clusterOf(['a', 'b', 'c'])
    for (const name of ['x', 'y', 'z']) cluster.put(name)
    for (const name of ['x', 'y', 'z']) cluster.lose(name)
    expect(cluster.mass()).toBeNull()
  })

  test('keeps its units while it is held, and gives them up then', () => {
    const cluster = clusterOf(['a', 'b', 'c', 'd', 'e'])
    for (const name of ['a', 'b', 'c']) {
      cluster.lose(name)
      cluster.pass()
      cluster.wait(3000)
    }
    cluster.pass()
    expect(cluster.machinesInUse()).toBe(5)
    cluster.put('a')
    cluster.wait(holdMs)
    cluster.pass()
    expect(cluster.machinesInUse()).toBe(3)
  })
})
