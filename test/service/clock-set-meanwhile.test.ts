// The clock is set while a pass over services goes on: what it decides is decided by the clock of its beginning.
import { expect, test } from 'vitest'
import type { ClockJump } from '../../src/lib/elapsed.js'
import { silentLog } from '../../src/lib/io/log.js'
import type { MachineId } from '../../src/model/machine.js'
import { servicePass } from '../../src/service/io/pass.js'
import { openEventLog } from '../../src/store/io/event-log.js'
import { openRegistry } from '../../src/store/io/registry.js'
import { LossWatch } from '../../src/store/losses.js'
import { leaderKey } from '../../src/store/records.js'
import { serviceKey } from '../../src/store/view.js'
import { openMemoryStore } from '../store/memory-store.js'
import { project, World } from '../world/world.js'

const text = 'compute_type: process\ncommand: [/bin/web]\nports: ["8080:8080"]\n'

test('a scale does not fail before its deadline where the clock is set back as a pass waits its turn', async () => {
  const world = new World()
  const records = new Map<string, string>()
  world.onChange((change) => {
    if (change.type === 'put') records.set(change.key, change.entry.value)
    else records.delete(change.key)
  })
  world.machine('a')
  world.deploy(text)
  world.settle()
  world.scale('web', 2, 100_000)
  const now = world.now + 80_000
  world.settle(undefined, 150)
  const clock = { now: () => now, steady: () => now, after: () => ({ cancel: () => {}, unref: never }) }
  const store = openMemoryStore({ clock })
  records.set(leaderKey, JSON.stringify({ machine: 'a' }))
  await store.txn(
    [],
    [...records].map(([key, value]) => ({ op: 'put', key, value })),
  )
  const registry = await openRegistry(store, { onError: () => {} })
  let jumps: readonly ClockJump[] = []
  const pass = servicePass({
    registry,
    log: silentLog,
    events: openEventLog(clock, 'a' as MachineId),
    losses: new LossWatch(registry.view, 0),
    epoch: () => registry.view.leader?.epoch ?? null,
    jumps: () => jumps,
    connectedForMs: () => Number.POSITIVE_INFINITY,
    unitOf: world.unitOf,
    makesRoom: () => false,
    units: world.units,
  })
  let goOn = (): void => {}
  const other = registry.rightOfWay.alone(() => new Promise<void>((resolve) => (goOn = resolve)))
  const passed = pass(now, new AbortController().signal)
  jumps = [{ byMs: -30_000, before: now, after: now - 30_000 }]
  await new Promise<void>(setImmediate)
  goOn()
  await Promise.all([other, passed])
  const scale = registry.view.tasksOf(serviceKey(project, 'web')).find(({ kind }) => kind === 'scale')
  expect(scale).toMatchObject({ state: 'active', error: null })
  await registry.close()
  await store.close()
})

function never(): never {
  throw new Error('no timer of this is kept')
}
