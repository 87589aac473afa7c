// One machine with an agent, one unit and a driver of the test's own, over records in memory.
import type { Driver } from '../../src/agent/driver.js'
import { type Agent, type AgentOptions, startAgent } from '../../src/agent/io/agent.js'
import { absentUnit } from '../../src/agent/report.js'
import { systemClock } from '../../src/lib/io/clock.js'
import { silentLog } from '../../src/lib/io/log.js'
import type { Time } from '../../src/lib/time.js'
import type { DesiredState, ObservedUnit, UnitName, UnitReport } from '../../src/model/unit.js'
import { openEventLog } from '../../src/store/io/event-log.js'
import { openRegistry, type Registry } from '../../src/store/io/registry.js'
import type { SecretBox } from '../../src/store/io/secret-box.js'
import { decode, keys, putOf } from '../../src/store/records.js'
import { asUnitName } from '../../src/unit/name.js'
import { unitHash } from '../../src/unit/print.js'
import { openUnitReader } from '../../src/unit/reader.js'
import { openMemoryStore } from '../store/memory-store.js'
import { unsetClock } from '../unset-clock.js'
import { idOf } from '../world/world.js'

export const machine = idOf('m')
export const name = asUnitName('web.service')

/** Ten seconds of waiting are a tenth of one. */
export const hasty: Time = {
  now: () => systemClock.now() * 100,
  steady: () => systemClock.steady() * 100,
  after: (ms, run) => systemClock.after(ms / 100, run),
}

/** A driver of Docker's that holds nothing and does at once what it is told. */
export const idle = {
  kind: 'docker',
  list: async () => [],
  observe: async () => null,
  watch: () => {},
  start: async () => {},
  stop: async () => {},
  unload: async () => {},
  close: async () => {},
} as unknown as Omit<Driver, 'load'>

export function openRecords(): Promise<Registry> {
  return openRegistry(openMemoryStore({ clock: systemClock }), { onError: () => {} })
}

/** Places a unit on the machine. */
export async function want(
  registry: Registry,
  text: string,
  desired: DesiredState,
  unit: UnitName = name,
): Promise<void> {
  const hash = unitHash(text)
  await registry.commit(
    [],
    [
      putOf('file', { hash, text }),
      putOf('unit', { name: unit, hash, desired, instance: null, createdAt: 0 }),
      putOf('placement', { unit, machine, ports: [], cause: { kind: 'new' }, at: 0 }),
    ],
  )
}

/** What a driver of the test's own shows, and how that is changed. */
export function shownUnits() {
  const seen = new Map<UnitName, ObservedUnit>()
  const see = (of: UnitName, change: Partial<ObservedUnit>): void => {
    seen.set(of, { ...absentUnit(of, 'docker'), ...seen.get(of), ...change })
  }
  return { seen, see }
}

/** Resolves with the first report of a unit that is as wanted. */
export function reported(
  registry: Registry,
  wanted: (report: UnitReport) => boolean,
  unit: UnitName = name,
): Promise<UnitReport> {
  return new Promise((resolve) => {
    registry.onChange((_, changes) => {
      for (const change of changes) {
        if (change.key !== keys.report(machine, unit) || change.type !== 'put') continue
        const report = decode('report', change.entry)
        if (wanted(report)) resolve(report)
      }
    })
  })
}

/** Starts the machine's agent with one driver. */
export function startWith(
  registry: Registry,
  driver: Driver,
  more: Partial<AgentOptions> = {},
): Promise<Agent> {
  return startAgent({
    machine,
    registry,
    drivers: new Map([[driver.kind, driver]]),
    units: openUnitReader((one) => registry.view.files.get(one)),
    events: openEventLog(systemClock, machine),
    secrets: {} as SecretBox,
    clock: systemClock,
    clockWatch: unsetClock,
    log: silentLog,
    ...more,
  })
}
