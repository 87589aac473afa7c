// What holds for the removal of old events on every store.
import { describe, expect, test } from 'vitest'
import type { MachineId } from '../../src/model/machine.js'
import { openEventLog } from '../../src/store/io/event-log.js'
import { pruneEvents } from '../../src/store/io/prune-events.js'
import { openRegistry, type Registry } from '../../src/store/io/registry.js'
import { leaderKey, prefixes } from '../../src/store/records.js'
import type { Store } from '../../src/store/store.js'

const keepMs = 1000
const machine = 'a'.repeat(32) as MachineId
const { signal } = new AbortController()

export function pruningTests(name: string, open: () => Promise<Store>): void {
  describe(`the history in ${name}`, () => {
    const opened = async (work: (registry: Registry, epoch: number) => Promise<void>): Promise<void> => {
      const store = await open()
      const { revision } = await store.txn([], [{ op: 'put', key: leaderKey, value: 'us' }])
      const registry = await openRegistry(store, { onError: () => {} })
      try {
        await work(registry, revision)
      } finally {
        await registry.close()
        await store.close()
      }
    }
    const left = async ({ store }: Registry): Promise<number> =>
      (await store.range(prefixes.event)).entries.length

    test('loses what is too old, in more than one write, and nothing else', () =>
      opened(async (registry, epoch) => {
        await write(registry, 250, 10)
        await write(registry, 3, 2000)
        let writes = 0
        registry.onChange(() => {
          writes += 1
        })
        const pass = pruneEvents({
          jumps: () => [],
          registry,
          epoch: () => epoch,
          keepMs: () => keepMs,
          readUpTo: () => 1e9,
        })
        await pass(2500, signal)
        expect(await left(registry)).toBe(3)
        expect(writes).toBe(3)
        await write(registry, 1, 2000)
        await pass(3500, signal)
        expect(await left(registry)).toBe(0)
      }))

    test('loses nothing by who does not lead, nor before the outbox has read it', () =>
      opened(async (registry, epoch) => {
        await write(registry, 2, 10)
        const parts = { registry, keepMs: () => keepMs }
        await pruneEvents({ jumps: () => [], ...parts, epoch: () => null, readUpTo: () => 1e9 })(5000, signal)
        await pruneEvents({ jumps: () => [], ...parts, epoch: () => epoch + 1, readUpTo: () => 1e9 })(
          5000,
          signal,
        )
        await pruneEvents({ jumps: () => [], ...parts, epoch: () => epoch, readUpTo: () => null })(
          5000,
          signal,
        )
        await pruneEvents({ jumps: () => [], ...parts, epoch: () => epoch, readUpTo: () => epoch })(
          5000,
          signal,
        )
        expect(await left(registry)).toBe(2)
      }))
  })
}

async function write(registry: Registry, count: number, at: number): Promise<void> {
  const draft = {
    kind: 'health',
    project: 'default',
    service: 'web',
    instance: null,
    machine: null,
    message: 'ok',
  } as const
  const log = openEventLog({ now: () => at }, machine)
  const ops = Array.from({ length: count }, () => log.append([draft])).flat()
  for (let from = 0; from < count; from += 100) await registry.commit([], ops.slice(from, from + 100))
}
