// What is to stop serves for as long as others may still be sent to it.
import { mkdtempSync, readFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import type { Driver, UnitToRun } from '../../src/agent/driver.js'
import type { Agent, AgentOptions } from '../../src/agent/io/agent.js'
import { leavingOf, nextStopInMs, stillServing } from '../../src/agent/leaving.js'
import { absentUnit } from '../../src/agent/report.js'
import type { ActiveState, DesiredUnit, ObservedUnit, UnitName } from '../../src/model/unit.js'
import type { Registry } from '../../src/store/io/registry.js'
import { keys, putOf } from '../../src/store/records.js'
import { asUnitName } from '../../src/unit/name.js'
import { removeDir } from '../remove-dir.js'
import { hasty, idle, machine, openRecords, reported, startWith, want } from './small-agent.js'

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

describe('its agent', () => {
  let registry: Registry
  let dir: string
  let file: string
  let agent: Agent | null
  let onStop: (at: number) => void
  beforeEach(async () => {
    registry = await openRecords()
    dir = mkdtempSync(join(tmpdir(), 'mariposa-leaving-'))
    file = join(dir, 'leaving.json')
    agent = null
    onStop = () => {}
  })
  afterEach(async () => {
    await agent?.stop()
    await registry.close()
    removeDir(dir)
  })

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
  const driver = {
    ...{ ...idle, list: async () => [running], observe: async () => running, load: async () => {} },
    stop: async () => onStop(hasty.steady()),
  } as unknown as Driver
  const stops = (): Promise<number> =>
    new Promise((resolve) => {
      onStop = resolve
    })

  /** An agent on whose machine it has to serve so long yet. */
  async function leave(stopAfterMs: number, more: Partial<AgentOptions> = {}): Promise<void> {
    await registry.commit(
      [],
      [
        putOf('file', { hash: 'h', text: '[Container]\nImage=app:1\n' }),
        putOf('unit', { ...unit, stopAfterMs }),
        putOf('placement', { unit: name, machine, ports: [], cause: { kind: 'new' }, at: 0 }),
      ],
    )
    const isTold = reported(registry, ({ active }) => active === 'active', name)
    agent = await startWith(registry, driver, { clock: hasty, leavingFile: file, ...more })
    await isTold
  }

  test('stops it when the time is over, although nothing else has changed since', async () => {
    const stopped = stops()
    const began = hasty.steady()
    await leave(20_000)
    expect((await stopped) - began).toBeGreaterThanOrEqual(20_000)
  })

  // Far longer than a test may take, a hundred times as fast.
  const hourMs = 3_600_000
  const dayMs = 24 * hourMs

  test('goes on with what is left of its time where another agent has begun it', async () => {
    await leave(dayMs, { uptimeMs: () => hourMs })
    await agent?.stop()
    const stopped = stops()
    agent = await startWith(registry, driver, {
      ...{ clock: hasty, leavingFile: file, uptimeMs: () => hourMs + dayMs + 1 },
    })
    await stopped
  })

  test.each([
    ['the machine was started anew since', () => 1],
    ['it is not over', () => 2 * hourMs],
  ])('does not stop it where %s', async (_, uptimeMs) => {
    await leave(dayMs, { uptimeMs: () => hourMs })
    await agent?.stop()
    let hasStopped = false
    onStop = () => {
      hasStopped = true
    }
    let onLoad = (): void => {}
    const hasLooked = new Promise<void>((resolve) => {
      onLoad = resolve
    })
    const loading = { ...driver, load: async () => onLoad() } as Driver
    agent = await startWith(registry, loading, { clock: hasty, leavingFile: file, uptimeMs })
    await want(registry, '[Container]\nImage=app:1\n', 'loaded', asUnitName('z.service'))
    await hasLooked
    expect(hasStopped).toBe(false)
  })

  test('gives it its whole time where it was to stay meanwhile', async () => {
    await leave(dayMs, { uptimeMs: () => hourMs })
    await agent?.stop()
    await registry.commit([], [putOf('unit', { ...unit, desired: 'launched' })])
    let hasStopped = false
    onStop = () => {
      hasStopped = true
    }
    let onLoad = (_loaded: UnitName): void => {}
    const loads = (wanted: UnitName): Promise<void> =>
      new Promise((resolve) => {
        onLoad = (loaded) => {
          if (loaded === wanted) resolve()
        }
      })
    const loading = { ...driver, load: async ({ name: loaded }: UnitToRun) => onLoad(loaded) } as Driver
    const uptimeMs = (): number => hourMs + dayMs + 1
    agent = await startWith(registry, loading, { clock: hasty, leavingFile: file, uptimeMs })
    const other = asUnitName('y.service')
    const looks = loads(other)
    await want(registry, '[Container]\nImage=app:1\n', 'loaded', other)
    await looks
    await registry.commit([], [putOf('unit', { ...unit, stopAfterMs: dayMs })])
    const last = asUnitName('z.service')
    const looksAgain = loads(last)
    await want(registry, '[Container]\nImage=app:1\n', 'loaded', last)
    await looksAgain
    expect(hasStopped).toBe(false)
  })

  test('notes it no more when it has gone', async () => {
    await leave(dayMs, { uptimeMs: () => hourMs })
    await agent?.stop()
    expect(readFileSync(file, 'utf8')).toContain(name)
    const isGone = new Promise<void>((resolve) => {
      registry.onChange(() => {
        if (!registry.view.reportsOf(machine).has(name)) resolve()
      })
    })
    const gone = { ...driver, list: async () => [], observe: async () => null } as Driver
    await registry.commit([], [{ op: 'delete', key: keys.placement(name) }])
    agent = await startWith(registry, gone, { clock: hasty, leavingFile: file })
    await isGone
    await agent.stop()
    agent = null
    expect(JSON.parse(readFileSync(file, 'utf8'))).toMatchObject({ units: [] })
  })
})
