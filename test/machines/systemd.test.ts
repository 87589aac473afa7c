// The systemd driver on a real machine: the contract of all drivers, and what is systemd's own.
import { afterEach, beforeEach, describe, expect, inject, it } from 'vitest'
import type { Driver, UnitToRun } from '../../src/agent/driver.js'
import { openSystemdDriver } from '../../src/agent/io/systemd/driver.js'
import { systemClock } from '../../src/lib/io/clock.js'
import { silentLog } from '../../src/lib/io/log.js'
import { asUnitName } from '../../src/unit/name.js'
import {
  allLines,
  driverContract,
  firstLines,
  forever,
  hasEnded,
  identity,
  isRunning,
  nextChange,
  serviceFile,
  sh,
  type UnitWish,
  unitFile,
  untilObserved,
  untilTrue,
} from '../agent/driver-contract.js'
import { runInside } from './systemd-host.js'

const machine = inject('systemdMachine')

const openDriver = (): Promise<Driver> =>
  openSystemdDriver({
    clock: systemClock,
    log: silentLog,
    socketPath: machine.socketPath,
    systemBusPath: null,
    host: machine,
  })

/** Numbers the tests, so that no two of them share a unit's name, and with it a journal. */
const tests = { count: 0 }

function unitMaker(): (wish: UnitWish) => UnitToRun {
  tests.count += 1
  const { count } = tests
  return (wish) => ({
    name: asUnitName(`test${count}.${wish.name}.v1@1.service`),
    hash: wish.hash ?? '0123',
    file: serviceFile(wish),
    instance: null,
    ports: [],
    environment: {},
  })
}

async function unloadAll(driver: Driver): Promise<void> {
  const signal = AbortSignal.timeout(60_000)
  await Promise.all((await driver.list(signal)).map(({ name }) => driver.unload(name, signal)))
}

async function systemctl(...args: readonly string[]): Promise<string> {
  return (await runInside(machine, ['systemctl', ...args])).stdout.trim()
}

driverContract('systemd', async () => {
  const driver = await openDriver()
  return {
    driver,
    makeUnit: unitMaker(),
    reopen: openDriver,
    mergesStreams: true,
    dispose: async () => {
      await driver.close()
      const cleaner = await openDriver()
      await unloadAll(cleaner)
      await cleaner.close()
    },
  }
})
