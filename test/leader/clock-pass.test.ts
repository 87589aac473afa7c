// Whose clock the leader asks for, and when.
import { expect, test } from 'vitest'
import { clockPass } from '../../src/leader/io/clock-pass.js'
import { noJumps } from '../../src/lib/elapsed.js'
import { systemClock } from '../../src/lib/io/clock.js'
import { silentLog } from '../../src/lib/io/log.js'
import { openEventLog } from '../../src/store/io/event-log.js'
import { openRegistry } from '../../src/store/io/registry.js'
import { leaderKey, putOf } from '../../src/store/records.js'
import { machineRecord } from '../interleaving/cluster.js'
import { openMemoryStore } from '../store/memory-store.js'
import { idOf } from '../world/world.js'

const minute = 60_000
const [own, early, late] = [idOf('a'), idOf('b'), idOf('c')]

test('machines that have come at different times are asked for their clocks by one call', async () => {
  let steady = 0
  const clock = { ...systemClock, now: () => minute + steady, steady: () => steady }
  const store = openMemoryStore({ clock })
  await store.txn([], [machineRecord(own), machineRecord(early)])
  await store.txn([], [{ op: 'put', key: leaderKey, value: JSON.stringify({ machine: own }) }])
  const registry = await openRegistry(store, { onError: () => {} })
  const pass = clockPass({
    ...{ registry, clock, machine: own, log: silentLog, jumps: () => noJumps },
    events: openEventLog(clock, own),
    epoch: () => registry.view.leader?.epoch ?? null,
  })
  /** Whom the leader asks at a time; all of them answer at once. */
  const asks = async (at: number): Promise<readonly string[]> => {
    steady = at
    const before = registry.entryAt(`clock-calls/${own}`)?.modRevision
    await pass(clock.now(), new AbortController().signal)
    const call = registry.entryAt(`clock-calls/${own}`)?.modRevision
    if (call === undefined || call === before) return []
    const asked = registry.view.clockCalls.get(own)?.asked ?? []
    for (const machine of asked) {
      const answers = { call, seenAt: clock.now() }
      await registry.commit([], [putOf('clockReading', { machine, at: clock.now(), answers })])
    }
    return asked
  }
  expect(await asks(0)).toEqual([early])
  await registry.commit([], [machineRecord(late)])
  expect(await asks(5 * minute)).toEqual([late])
  expect(await asks(10 * minute)).toEqual([])
  expect(await asks(15 * minute)).toEqual([early, late])
  expect(await asks(20 * minute)).toEqual([])
  expect(await asks(30 * minute)).toEqual([early, late])
  await registry.close()
  await store.close()
})
