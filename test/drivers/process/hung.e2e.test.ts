// A supervisor that hangs: it keeps its connections, takes new ones, and answers nothing.
import { afterEach, describe, expect, it } from 'vitest'
import type { UnitToRun } from '../../../src/agent/driver.js'
import type { ProcessDriver } from '../../../src/drivers/process/io/driver.js'
import { systemClock } from '../../../src/lib/io/clock.js'
import type { Time } from '../../../src/lib/time.js'
import {
  everything,
  firstLines,
  forever,
  isRunning,
  sh,
  untilObserved,
  untilTrue,
} from '../driver-contract.js'
import { openProcessHost, type ProcessHost } from './process-host.js'

/** Ten seconds of waiting are half of one. */
const hasty: Time = {
  now: () => systemClock.now(),
  steady: () => systemClock.steady() * 20,
  after: (ms, run) => systemClock.after(ms / 20, run),
}

describe('a process supervisor that hangs', () => {
  let host: ProcessHost | null = null
  const signal = AbortSignal.timeout(600_000)
  let frozen: number | null = null
  afterEach(async () => {
    thaw()
    await host?.dispose()
    host = null
  })

  const open = async (clock: Time): Promise<{ readonly on: ProcessHost; readonly unit: UnitToRun }> => {
    host = await openProcessHost({ clock })
    const unit = host.makeUnit({ name: 'web', argv: forever })
    await host.driver.load(unit, signal)
    await host.driver.start(unit.name, signal)
    return { on: host, unit }
  }
  const freeze = ({ supervisorPid }: ProcessHost): number => {
    const pid = supervisorPid()
    if (pid === null) throw new Error('there is no supervisor')
    process.kill(pid, 'SIGSTOP')
    frozen = pid
    return pid
  }
  const thaw = (): void => {
    if (frozen !== null) process.kill(frozen, 'SIGCONT')
    frozen = null
  }
  const saysStopped = (pid: number) =>
    expect.objectContaining({
      code: 'process/unreachable',
      message: expect.stringContaining(`kill -CONT ${pid}`),
    })
  /** Resolves when the driver has said that anything may have changed. */
  const told = (driver: ProcessDriver): Promise<void> =>
    new Promise((resolve) => {
      const heard = new AbortController()
      driver.watch((name) => {
        if (name !== null) return
        heard.abort()
        resolve()
      }, heard.signal)
    })
  const anyLogs = async (driver: ProcessDriver, unit: UnitToRun): Promise<unknown> => {
    for await (const lines of driver.logs(unit.name, everything, signal)) return lines
    return null
  }

  it('is found out by itself; what was asked ends, and all goes on when it does', async () => {
    const { on, unit } = await open(hasty)
    const { driver } = on
    const before = await untilObserved(driver, unit.name, isRunning, signal)
    const gone = told(driver)
    const pid = freeze(on)
    // Asked before anybody knows.
    await expect(driver.list(signal)).rejects.toEqual(saysStopped(pid))
    await gone
    await expect(anyLogs(driver, unit)).rejects.toEqual(saysStopped(pid))
    await expect(driver.stats(unit.name, signal)).rejects.toEqual(saysStopped(pid))
    const request = { argv: ['/bin/true'], user: null, stdin: null, onOutput: () => {} }
    await expect(driver.exec(unit.name, request, signal)).rejects.toEqual(saysStopped(pid))
    await expect(driver.stop(unit.name, signal)).rejects.toEqual(saysStopped(pid))
    const back = told(driver)
    thaw()
    await back
    expect(await driver.list(signal)).toEqual([before])
    expect(on.supervisorPid()).toBe(pid)
  })

  it('that is killed then is followed by another one, which takes over what runs', async () => {
    const { on, unit } = await open(hasty)
    const { driver } = on
    const before = await untilObserved(driver, unit.name, isRunning, signal)
    const gone = told(driver)
    const pid = freeze(on)
    await gone
    const back = told(driver)
    process.kill(pid, 'SIGKILL')
    frozen = null
    await back
    await untilTrue(
      async () =>
        driver.list(signal).then(
          (units) => units.length === 1,
          () => false,
        ),
      signal,
    )
    expect(await driver.list(signal)).toEqual([before])
    expect(on.supervisorPid()).not.toBe(pid)
    expect(on.processesOf(unit)).toEqual([before.pid])
  })

  it('keeps no daemon from opening its driver, nor from closing it', async () => {
    const { on, unit } = await open(hasty)
    const before = await untilObserved(on.driver, unit.name, isRunning, signal)
    const pid = freeze(on)
    const first = await on.reopen()
    await expect(first.list(signal)).rejects.toEqual(saysStopped(pid))
    await first.close()
    await on.driver.close()
    const second = await on.reopen()
    const back = told(second)
    thaw()
    await back
    await untilTrue(
      async () =>
        second.list(signal).then(
          (units) => units.length === 1,
          () => false,
        ),
      signal,
    )
    expect(await second.list(signal)).toEqual([before])
  })

  it('is killed while a driver opens, and another one takes over', async () => {
    const { on, unit } = await open(hasty)
    const before = await untilObserved(on.driver, unit.name, isRunning, signal)
    const pid = freeze(on)
    const later = await on.reopen()
    const back = told(later)
    process.kill(pid, 'SIGKILL')
    frozen = null
    await back
    await untilTrue(
      async () =>
        later.list(signal).then(
          (units) => units.length === 1,
          () => false,
        ),
      signal,
    )
    expect(await later.list(signal)).toEqual([before])
  })

  it('is told from one that waits for a program to end', async () => {
    const { on } = await open(systemClock)
    const argv = sh('trap "" TERM; echo deaf; while :; do sleep 1; done')
    const slow = on.makeUnit({ name: 'slow', argv, stopTimeoutSec: 20 })
    await on.driver.load(slow, signal)
    await on.driver.start(slow.name, signal)
    await firstLines(on.driver, slow.name, 1, signal)
    await on.driver.stop(slow.name, signal)
    expect(on.processesOf(slow)).toEqual([])
  })
})
