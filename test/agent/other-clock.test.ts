// An agent that takes up units whose next try was written down while the clock was ahead of what it is now.
import { afterEach, expect, test } from 'vitest'
import type { Driver } from '../../src/agent/driver.js'
import type { Agent } from '../../src/agent/io/agent.js'
import { absentUnit, freshMemory, reportOf, withinReach } from '../../src/agent/report.js'
import type { Registry } from '../../src/store/io/registry.js'
import { putOf } from '../../src/store/records.js'
import { idle, machine, name, openRecords, startWith, want } from './small-agent.js'

const day = 86_400_000
const failure = { code: 'docker/failed', message: 'no', permanent: false }
let agent: Agent | null = null
let registry: Registry
afterEach(async () => {
  await agent?.stop()
  await registry?.close()
})

test('tries again what it has to in its own time', async () => {
  registry = await openRecords()
  await want(registry, '[Container]\nImage=app:1\n', 'launched')
  const memory = { ...freshMemory, attempts: 1, retryAt: Date.now() + day, failure }
  await registry.commit([], [putOf('report', reportOf(machine, absentUnit(name, 'docker'), memory))])
  let isLoaded = (): void => {}
  const loaded = new Promise<void>((resolve) => (isLoaded = resolve))
  const driver: Driver = { ...idle, load: async () => isLoaded() }
  agent = await startWith(registry, driver)
  await loaded
})

test('what it was asked to wait for is waited for', () => {
  const wait = (attempts: number, inMs: number, permanent = false) =>
    (withinReach({ ...freshMemory, attempts, retryAt: 1000 + inMs, failure: { ...failure, permanent } }, 1000)
      .retryAt ?? 0) - 1000
  expect(wait(1, 14 * 60_000)).toBe(14 * 60_000)
  expect(wait(3, day)).toBe(4000)
  expect(wait(1, day, true)).toBe(30_000)
  expect(wait(1, -5)).toBe(-5)
})
