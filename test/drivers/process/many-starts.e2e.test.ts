// Many units that are started together: the supervisor starts one after the other, and heeds the rest in between.
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, expect, it } from 'vitest'
import { replayJournal } from '../../../src/supervisor/journal.js'
import { forever } from '../driver-contract.js'
import { openProcessHost, type ProcessHost } from './process-host.js'

const signal = AbortSignal.timeout(600_000)
const numbers = Array.from({ length: 20 }, (_, n) => n)
let host: ProcessHost | null = null
afterEach(async () => {
  await host?.dispose()
  host = null
})

/** How often each unit was started, as the supervisor has written down. */
function runs({ dir }: ProcessHost): readonly number[] {
  const { records } = replayJournal(readFileSync(join(dir, 'journal'), 'utf8'))
  return [...records.values()].map(({ state }) => state.run)
}

it('answers while units are started, and does not start any more what is to stop', async () => {
  host = await openProcessHost()
  const { driver, makeUnit } = host
  const units = numbers.map((n) => makeUnit({ name: `many-${n}`, argv: forever }))
  for (const unit of units) await driver.load(unit, signal)
  const order: string[] = []
  const starts = units.map(async ({ name }) => {
    await driver.start(name, signal)
    order.push('started')
  })
  const [, ...others] = units
  const look = driver.list(signal).then(() => order.push('listed'))
  const stops = others.map(({ name }) => driver.stop(name, signal))
  await Promise.all([...starts, look, ...stops])
  // On a busy machine what is asked arrives a few starts later.
  expect(order.indexOf('listed')).toBeLessThan(units.length / 2)
  expect(runs(host).filter((run) => run > 0).length).toBeLessThan(units.length / 2)
  expect((await driver.list(signal)).filter(({ active }) => active === 'active')).toHaveLength(1)
})
