// What a machine says of its clock.
import { expect, test } from 'vitest'
import { startClockAnswers } from '../../src/leader/io/clock-answers.js'
import { systemClock, watchForJumps } from '../../src/lib/io/clock.js'
import { openRegistry } from '../../src/store/io/registry.js'
import { type Store, StoreError } from '../../src/store/store.js'
import { machineRecord } from '../interleaving/cluster.js'
import { openMemoryStore } from '../store/memory-store.js'
import { idOf } from '../world/world.js'

const quiet = { debug: () => {}, info: () => {}, warn: () => {}, error: () => {} }
const [here, other] = [idOf('a'), idOf('b')]

test('that a clock was set while the store was away is said once it is back', async () => {
  let aheadMs = 0
  const clock = { ...systemClock, now: () => Date.now() + aheadMs }
  const memory = openMemoryStore({ clock })
  let isAway = false
  let refused = 0
  const store: Store = {
    ...memory,
    txn: async (...asked) => {
      if (!isAway) return await memory.txn(...asked)
      refused += 1
      throw new StoreError('store/unreachable', 'no answer', 'wait')
    },
  }
  const lease = await memory.grant(3_600_000)
  await memory.txn([], [Object.assign(machineRecord(here), { lease }), machineRecord(other)])
  const registry = await openRegistry(store, { onError: () => {} })
  const clockWatch = watchForJumps(clock)
  const answers = startClockAnswers({
    registry,
    machine: here,
    clock,
    clockWatch,
    log: quiet,
  })
  const saidAt = () => registry.view.clockReadings.get(here)?.at ?? 0
  await expect.poll(saidAt, { timeout: 30_000 }).toBeGreaterThan(0)
  isAway = true
  aheadMs = 60_000
  await expect.poll(() => refused, { timeout: 30_000 }).toBeGreaterThan(0)
  isAway = false
  await expect.poll(saidAt, { timeout: 30_000 }).toBeGreaterThan(Date.now())
  await answers.stop()
  clockWatch.end()
  await registry.close()
  await memory.close()
})
