// Records that a view shows although the store holds none.
import { afterEach, beforeEach, expect, test } from 'vitest'
import { systemClock } from '../../src/lib/io/clock.js'
import { openRegistry, type Registry } from '../../src/store/io/registry.js'
import { keys, putOf } from '../../src/store/records.js'
import type { Change } from '../../src/store/store.js'
import { idOf } from '../world/world.js'
import { openMemoryStore } from './memory-store.js'

let registry: Registry
const seen: Change[] = []
beforeEach(async () => {
  seen.length = 0
  registry = await openRegistry(openMemoryStore({ clock: systemClock }), { onError: () => {} })
  registry.onChange((_kinds, changes) => void seen.push(...changes))
})
afterEach(async () => {
  await registry.close()
  await registry.store.close()
})

const id = idOf('m')
const machine = (hostname: string) =>
  putOf('machine', {
    ...{ id, hostname, ip: '10.0.0.1', metadata: {}, version: '0.1.0', bootedAt: 0 },
    capacity: { cpus: 1, memoryMb: 1, diskMb: 1 },
    drivers: ['process'],
  })
const shown = () => registry.view.machines.get(id)?.hostname

test('is shown at once, gives way to what the store holds, and is back where that goes', async () => {
  const takeBack = registry.assume(machine('assumed'))
  expect(shown()).toBe('assumed')
  expect(registry.entryAt(keys.machine(id))).toBeNull()
  await registry.commit([], [machine('stored')])
  expect(shown()).toBe('stored')
  await registry.commit([], [{ op: 'delete', key: keys.machine(id) }])
  expect(shown()).toBe('assumed')
  takeBack()
  expect(shown()).toBeUndefined()
  // Whoever follows the changes sees each as a change of what was shown before.
  const told = seen.map(({ type, previous }) => [type, previous?.value.match(/assumed|stored/)?.[0] ?? null])
  expect(told).toEqual([
    ['put', null],
    ['put', 'assumed'],
    ['put', 'stored'],
    ['delete', 'assumed'],
  ])
})

test('what is taken back in time was never there for the store', async () => {
  await registry.commit([], [machine('stored')])
  const takeBack = registry.assume(machine('assumed'))
  expect(shown()).toBe('stored')
  takeBack()
  await registry.commit([], [{ op: 'delete', key: keys.machine(id) }])
  expect(shown()).toBeUndefined()
})
