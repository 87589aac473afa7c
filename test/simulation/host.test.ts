// The simulated driver is held to what every driver is held to, as far as its programs can show it: they write nothing.

import { expect, test } from 'vitest'
import type { Driver } from '../../src/agent/driver.js'
import type { VolumeFiles } from '../../src/agent/io/volume-files.js'
import type { MachineId } from '../../src/model/machine.js'
import {
  type DriverUnderTest,
  driverContractWithout,
  type Programs,
  serviceFile,
  untilObserved,
} from '../drivers/driver-contract.js'
import { unitToRun } from '../drivers/process/process-host.js'
import { Clockwork, MachineTime } from './clockwork.js'
import { Host, type HostWatch } from './host.js'

const programs: Programs = {
  forever: ['/sim'],
  ends: (code, afterMs = 10) => ['/sim', `exits=${afterMs}`, `code=${code}`],
  polite: ['/sim', 'stops=200'],
  deaf: ['/sim', 'ignores-term'],
  hearsAfterMs: 0,
}

const nobodyWatches: HostWatch = {
  coresOf: () => 1,
  onLoading: () => {},
  onStep: () => {},
  onStarted: () => {},
  onStopping: () => {},
  onChecked: () => {},
  onWriting: () => {},
  onDeleted: () => {},
}

/** A machine whose time goes on by itself, as quickly as it can. */
function openHost() {
  const clockwork = new Clockwork(1)
  const host = new Host(
    'm0'.padEnd(32, '0') as MachineId,
    clockwork,
    new MachineTime(clockwork),
    nobodyWatches,
  )
  let isOver = false
  const goOn = async (): Promise<void> => {
    while (!isOver) {
      clockwork.after(5, () => {})
      await clockwork.run(
        clockwork.now + 5,
        () => {},
        () => isOver,
      )
    }
  }
  const gone = new AbortController()
  const open = (): Driver => host.driver(gone.signal, {} as VolumeFiles)
  const going = goOn()
  const under: DriverUnderTest = {
    driver: open(),
    makeUnit: (wish) => unitToRun(wish.name, serviceFile(wish), wish.hash),
    reopen: async () => open(),
    sleep: async (ms) => await clockwork.sleep(ms),
    dispose: async () => {
      gone.abort()
      isOver = true
      await going
    },
  }
  return { clockwork, host, under }
}

driverContractWithout('simulated', async () => openHost().under, programs)

const { signal } = new AbortController()

/** How a call of a driver ends, and after how long. */
async function outcomeOf(
  clockwork: Clockwork,
  call: Promise<unknown>,
): Promise<{ code: string; afterMs: number }> {
  const from = clockwork.now
  const code = await call.then(
    () => 'done',
    (error: { code?: string }) => error.code ?? String(error),
  )
  return { code, afterMs: clockwork.now - from }
}

test('what hangs for long is called out of reach within a quarter of a minute, and at once from then on', async () => {
  const { clockwork, host, under } = openHost()
  host.driverHangs(60_000)
  const first = await outcomeOf(clockwork, under.driver.list(signal))
  expect(first.code).toBe('process/unreachable')
  expect(first.afterMs).toBeGreaterThan(14_000)
  expect(first.afterMs).toBeLessThan(16_000)
  expect(await outcomeOf(clockwork, under.driver.list(signal))).toEqual({
    code: 'process/unreachable',
    afterMs: 0,
  })
  await clockwork.sleep(50_000)
  expect(await outcomeOf(clockwork, under.driver.list(signal))).toMatchObject({ code: 'done' })
  await under.dispose()
})

test('what hangs for a moment answers late', async () => {
  const { clockwork, host, under } = openHost()
  host.driverHangs(9000)
  const { code, afterMs } = await outcomeOf(clockwork, under.driver.list(signal))
  expect(code).toBe('done')
  expect(afterMs).toBeGreaterThan(8000)
  await under.dispose()
})

test('a caller that gives up is not kept by what hangs', async () => {
  const { clockwork, host, under } = openHost()
  host.driverHangs(60_000)
  const giveUp = new AbortController()
  const call = under.driver.list(giveUp.signal)
  clockwork.after(1000, () => giveUp.abort())
  await expect(call).rejects.toThrow()
  expect(clockwork.now).toBeLessThan(1_700_000_005_000)
  await under.dispose()
})

test('what hangs kills nothing that does not end when it is told to, until it goes on', async () => {
  const { clockwork, host, under } = openHost()
  const unit = under.makeUnit({ name: 'deaf', argv: programs.deaf, stopTimeoutSec: 1 })
  await under.driver.load(unit, signal)
  await under.driver.start(unit.name, signal)
  const stopped = under.driver.stop(unit.name, signal)
  await untilObserved(under.driver, unit.name, ({ active }) => active === 'deactivating', signal, under.sleep)
  host.driverHangs(8000)
  await clockwork.sleep(7000)
  expect(host.runs(unit.name)).toBe(true)
  await stopped
  expect(host.runs(unit.name)).toBe(false)
  await under.dispose()
})
