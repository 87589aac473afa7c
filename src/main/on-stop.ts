// What becomes of what runs on a machine whose daemon is stopped on purpose: it stays, it is replaced elsewhere first, or it
// is stopped.
import { readFile, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Driver } from '../agent/driver.js'
import type { KeptLogs } from '../agent/io/kept-logs.js'
import { absentUnit, freshMemory, reportOf } from '../agent/report.js'
import { drainBodyOf } from '../api/drain.js'
import { orderWrites } from '../changes/machines.js'
import type { Explainer } from '../engine/explain.js'
import { describeError, type Log } from '../lib/io/log.js'
import type { Time } from '../lib/time.js'
import type { MachineId, MachineSettings } from '../model/machine.js'
import type { UnitName } from '../model/unit.js'
import type { EventLog } from '../store/io/event-log.js'
import type { Registry } from '../store/io/registry.js'
import { putOf } from '../store/records.js'
import type { Op } from '../store/store.js'
import type { ClusterView } from '../store/view.js'

/** `keep`: it goes on running. `drain`: others take its place first. `purge`: it is stopped. */
export const onStopModes = ['keep', 'drain', 'purge'] as const
export type OnStop = (typeof onStopModes)[number]

export interface DrainOptions {
  readonly registry: Registry
  readonly explainer: Explainer
  readonly events: EventLog
  readonly machine: MachineId
  readonly dataDir: string
  readonly clock: Time
  readonly log: Log
}

/**
 * Drains the machine, and resolves when nothing is left on it that has to go, or the time for that is over. The drain is
 * lifted by `liftDrain` when the daemon is back; one that was ordered before stays as it was.
 */
export async function drainOnStop(options: DrainOptions, withinMs: number): Promise<void> {
  const { registry, explainer, machine, dataDir, log } = options
  const { view } = registry
  const before = view.orders.get(machine)
  const others = [...view.machines.values()].filter((one) => one.id !== machine && one.away === undefined)
  if (others.length === 0) {
    log.warn('daemon', 'not drained: there is no other machine; units keep running')
    return
  }
  if (before?.drain === undefined) {
    await writeFile(markerIn(dataDir), JSON.stringify({ cordoned: before?.cordoned === true }))
    const parallel = Math.max(1, view.placedOn(machine).size)
    await order(options, (one, now) => ({ ...one, cordoned: true, drain: { since: now, parallel } }))
  }
  const leftOf = (): readonly string[] =>
    (drainBodyOf(view, explainer, machine)?.left ?? [])
      .filter(({ state }) => state !== 'stays')
      .map(({ name }) => name)
  if (await becomes(options, () => leftOf().length === 0, withinMs)) log.info('daemon', 'drained')
  else log.warn('daemon', 'drain timed out; remaining units keep running', { left: leftOf().join(' ') })
}

/** Lifts a drain that a stop has ordered: the machine takes units again. */
export async function liftDrain(options: DrainOptions): Promise<void> {
  const marker = markerIn(options.dataDir)
  const text = await readFile(marker, 'utf8').catch(() => null)
  if (text === null) return
  const wasCordoned = /"cordoned":true/.test(text)
  await order(options, ({ drain: _drain, ...rest }) => ({ ...rest, cordoned: wasCordoned }))
  await rm(marker, { force: true })
}

/**
 * Stops and unloads what drivers hold for us, and resolves to that; what does not stop in time is left, and named. What it
 * has written is kept as of other units.
 */
export async function purgeOnStop(
  drivers: Iterable<Driver>,
  keptLogs: Pick<KeptLogs, 'keep'>,
  withinMs: number,
  log: Log,
): Promise<ReadonlySet<UnitName>> {
  const signal = AbortSignal.timeout(withinMs)
  const purged = new Set<UnitName>()
  const each = [...drivers].map(async (driver) => {
    const units = await driver.list(signal)
    await Promise.all(
      units.map(async ({ name }) => {
        try {
          await driver.stop(name, signal)
          await keptLogs.keep(name, driver, signal)
          await driver.unload(name, signal)
          purged.add(name)
        } catch (error) {
          const why = signal.aborted ? 'it did not stop in time' : describeError(error)
          log.warn('daemon', `does not stop ${name}: ${why}`)
        }
      }),
    )
  })
  for (const done of await Promise.allSettled(each))
    if (done.status === 'rejected')
      log.warn('daemon', `cannot stop running units: ${describeError(done.reason)}`)
  return purged
}

/** The last that a machine reports of what it has purged, so that nobody waits for it. */
export function purgedReports(
  view: ClusterView,
  machine: MachineId,
  purged: ReadonlySet<UnitName>,
): readonly Op[] {
  return [...view.reportsOf(machine).values()]
    .filter(({ name }) => purged.has(name))
    .map(({ name, driver }) =>
      putOf('report', { ...reportOf(machine, absentUnit(name, driver), freshMemory), purged: true }),
    )
}

function markerIn(dataDir: string): string {
  return join(dataDir, 'drained-on-stop')
}

/** Changes the order of this machine, decided on what it is then. */
async function order(
  { registry, events, machine, clock }: DrainOptions,
  change: (order: MachineSettings, now: number) => MachineSettings,
): Promise<void> {
  const decide = (view: ClusterView) => {
    const writes = orderWrites(view, machine, (one) => change(one, clock.now()))
    return { ...writes, ops: [...writes.ops, ...events.append(writes.events)] }
  }
  while (!(await registry.decide(decide)).committed);
}

/** Whether something becomes true of the view in time. */
async function becomes(
  { registry, clock }: DrainOptions,
  isSo: () => boolean,
  withinMs: number,
): Promise<boolean> {
  return await new Promise<boolean>((resolve) => {
    const end = (so: boolean): void => {
      timer.cancel()
      stop()
      resolve(so)
    }
    const timer = clock.after(withinMs, () => end(false))
    const stop = registry.onChange(() => {
      if (isSo()) end(true)
    })
    if (isSo()) end(true)
  })
}
