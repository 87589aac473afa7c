// What is to stop serves for as long as others may still be sent to it.
import { expect, test } from 'vitest'
import type { Driver } from '../../src/agent/driver.js'
import { leavingOf, nextStopInMs, stillServing } from '../../src/agent/leaving.js'
import { absentUnit } from '../../src/agent/report.js'
import type { ActiveState, DesiredUnit, ObservedUnit } from '../../src/model/unit.js'
import { putOf } from '../../src/store/records.js'
import { asUnitName } from '../../src/unit/name.js'
import { hasty, idle, machine, openRecords, startWith } from './small-agent.js'

const name = asUnitName('web@1.service')
const ref = { project: 'default', service: 'web', name: 'web-1', n: 1, uuid: 'u', version: 'v' }
const unit: DesiredUnit = {
  ...{ name, hash: 'h', desired: 'loaded', instance: ref, createdAt: 0, stopAfterMs: 5000 },
}
const none = new Map()
const busy = (active: ActiveState | null) => ({ activeOf: () => active, isIdle: () => false })

test('it is left alone until its time is over, from when the agent has heard of it', () => {
  const first = leavingOf([unit], busy('active'), none, 100)
  expect(stillServing(first, 100)).toEqual([name])
  expect(nextStopInMs(first, 100)).toBe(5000)
  const later = leavingOf([unit], busy('active'), first, 4100)
  expect(nextStopInMs(later, 4100)).toBe(1000)
  const over = leavingOf([unit], busy('active'), later, 5100)
  expect(stillServing(over, 5100)).toEqual([])
  expect(nextStopInMs(over, 5100)).toBeNull()
  // A stop that failed is tried again, and not after as long again.
  expect(stillServing(leavingOf([unit], busy('active'), over, 5200), 5200)).toEqual([])
})

test('who does not run, or is not to wait, is stopped at once', () => {
  for (const active of ['activating', 'failed', 'inactive', 'deactivating', null] as const)
    expect(leavingOf([unit], busy(active), none, 0).size).toBe(0)
  const { stopAfterMs: _, ...atOnce } = unit
  for (const other of [atOnce, { ...unit, desired: 'launched' as const }, { ...unit, instance: null }])
    expect(leavingOf([other], busy('active'), none, 0).size).toBe(0)
})

test('it is stopped earlier once no entry has anything under way for it, but not before names are forgotten', () => {
  const early = { ...unit, stopAfterMs: 30_000, stopWhenIdleAfterMs: 5000 }
  const first = leavingOf([early], busy('active'), none, 100)
  expect(nextStopInMs(first, 100)).toBe(30_000)
  const idle = leavingOf([early], { ...busy('active'), isIdle: () => true }, first, 2100)
  expect(nextStopInMs(idle, 2100)).toBe(3000)
  // What was idle stays so, whatever is heard of it later.
  expect(nextStopInMs(leavingOf([early], busy('active'), idle, 3100), 3100)).toBe(2000)
  const late = leavingOf([early], { ...busy('active'), isIdle: () => true }, first, 20_100)
  expect(stillServing(late, 20_100)).toEqual([])
  const other = leavingOf([unit], { ...busy('active'), isIdle: () => true }, none, 100)
  expect(nextStopInMs(other, 100)).toBe(5000)
})

test('its agent stops it when the time is over, although nothing else has changed since', async () => {
  const registry = await openRecords()
  const text = '[Container]\nImage=app:1\n'
  const running: ObservedUnit = {
    ...{
      ...absentUnit(name, 'docker'),
      load: 'loaded',
      hash: 'h',
      active: 'active',
      sub: 'running',
      since: 0,
    },
  }
  let onStop = (_at: number): void => {}
  const stopped = new Promise<number>((resolve) => {
    onStop = resolve
  })
  const driver = {
    ...{ ...idle, list: async () => [running], observe: async () => running, load: async () => {} },
    stop: async () => onStop(hasty.steady()),
  } as unknown as Driver
  await registry.commit(
    [],
    [
      putOf('file', { hash: 'h', text }),
      putOf('unit', { ...unit, stopAfterMs: 20_000 }),
      putOf('placement', { unit: name, machine, ports: [], cause: { kind: 'new' }, at: 0 }),
    ],
  )
  const began = hasty.steady()
  const agent = await startWith(registry, driver, { clock: hasty })
  expect((await stopped) - began).toBeGreaterThanOrEqual(20_000)
  await agent.stop()
  await registry.close()
})
