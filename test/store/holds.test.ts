// Whether what a decision that there is nothing to do rests on is still so.
import { expect, test } from 'vitest'
import { systemClock } from '../../src/lib/io/clock.js'
import { openRegistry } from '../../src/store/io/registry.js'
import { keys, putOf } from '../../src/store/records.js'
import { type Store, StoreError } from '../../src/store/store.js'
import { openMemoryStore } from './memory-store.js'

const [project, name] = ['default', 'web']
const key = keys.freezes(project)

/** A store whose watches say nothing before `open`. */
function behindGate(store: Store): { readonly store: Store; readonly open: () => void } {
  let open = (): void => {}
  const opened = new Promise<void>((resolve) => {
    open = resolve
  })
  const watch: Store['watch'] = async function* (prefix, after, signal) {
    for await (const batch of store.watch(prefix, after, signal)) {
      await opened
      yield batch
    }
  }
  return { store: { ...store, watch }, open }
}

test('a view that is behind is found out, and has caught up by then', async () => {
  const shared = openMemoryStore({ clock: systemClock })
  const gate = behindGate(shared)
  const registry = await openRegistry(gate.store, { onError: () => {}, patienceMs: 60_000 })
  expect(await registry.holds([key])).toBe(true)
  await shared.txn([], [putOf('project', { name, tags: {}, createdAt: 1 }), { op: 'put', key, value: 'x' }])
  const held = registry.holds([key])
  gate.open()
  expect(await held).toBe(false)
  expect(registry.entryAt(key)?.value).toBe('x')
  expect(await registry.holds([key])).toBe(true)
  await registry.close()
})

test('a store that is out of reach is told, with keys and without', async () => {
  const shared = openMemoryStore({ clock: systemClock })
  const away = new StoreError('store/unreachable', 'nothing listens there', 'start it')
  const registry = await openRegistry({ ...shared, get: () => Promise.reject(away) }, { onError: () => {} })
  await expect(registry.holds([key])).rejects.toThrow(away)
  await expect(registry.holds([])).rejects.toThrow(away)
  await registry.close()
})
