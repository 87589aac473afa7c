// What is decided of services after a write to which there was no answer.
import { expect, test } from 'vitest'
import { systemClock } from '../../src/lib/io/clock.js'
import { eachService } from '../../src/store/io/each-service.js'
import { openEventLog } from '../../src/store/io/event-log.js'
import { openRegistry } from '../../src/store/io/registry.js'
import { decodeEvents, keys, leaderKey, prefixes } from '../../src/store/records.js'
import { type Store, StoreError } from '../../src/store/store.js'
import { project, World } from '../world/world.js'
import { openMemoryStore } from './memory-store.js'

const log = { info: () => {}, warn: () => {}, error: () => {}, debug: () => {} }

test('what was written and not answered is not told again by a view that has not heard of it', async () => {
  const world = new World()
  const records = new Map<string, string>()
  world.onChange((change) => {
    if (change.type === 'put') records.set(change.key, change.entry.value)
    else records.delete(change.key)
  })
  const machine = world.machine('a')
  world.deploy('compute_type: process\ncommand: [/sim]')
  world.settle()
  const [instance] = world.live('web')
  if (instance === undefined) throw new Error('it has an instance')
  const memory = openMemoryStore({ clock: systemClock })
  await memory.txn(
    [],
    [...records].map(([key, value]) => ({ op: 'put', key, value })),
  )
  const led = await memory.txn([], [{ op: 'put', key: leaderKey, value: JSON.stringify({ machine }) }])
  let isLost = true
  let hears = (): void => {}
  const heard = new Promise<void>((resolve) => {
    hears = resolve
  })
  const store: Store = Object.assign(Object.create(memory) as Store, {
    range: memory.range.bind(memory),
    get: memory.get.bind(memory),
    txn: async (...what: Parameters<Store['txn']>) => {
      const result = await memory.txn(...what)
      if (!isLost) return result
      isLost = false
      throw new StoreError('store/unreachable', 'no answer', '')
    },
    watch: async function* (...what: Parameters<Store['watch']>) {
      for await (const batch of memory.watch(...what)) {
        await heard
        yield batch
      }
    },
  })
  const registry = await openRegistry(store, { onError: () => {} })
  const events = openEventLog(systemClock, machine)
  const key = keys.instance(project, 'web', instance.n)
  const message = 'it is removed'
  const about = { project, service: 'web', instance: instance.name, machine: null, message }
  const pass = () =>
    eachService(registry, {
      ...{ log, epoch: led.revision, now: 0, signal: new AbortController().signal },
      decide: (view) => {
        const ops = view.instances.has(instance.unit)
          ? [{ op: 'delete' as const, key }, ...events.append([{ kind: 'instance-removed', ...about }])]
          : []
        return { decidedOn: [], ops, wakeAt: null }
      },
      onDecided: () => {},
    })
  await expect(pass()).rejects.toThrow('no answer')
  expect(registry.view.instances.has(instance.unit)).toBe(true)
  await pass()
  const told = (await memory.range(prefixes.event)).entries.flatMap(decodeEvents)
  expect(told.filter((event) => event.message === message)).toHaveLength(1)
  hears()
  await registry.close()
  await memory.close()
})
