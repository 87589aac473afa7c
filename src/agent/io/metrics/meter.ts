// Reads what one instance measures of itself: what it uses, and what its ContainerPilot publishes.
import { readText, sendGet } from '../../../health/io/http-get.js'
import { abortAfter } from '../../../lib/io/clock.js'
import { byKeys } from '../../../lib/sort.js'
import type { Time } from '../../../lib/time.js'
import type { MachineId } from '../../../model/machine.js'
import { addressOn } from '../../../model/network.js'
import type { MetricDemand } from '../../../model/scaling.js'
import type { DesiredUnit, UnitName, UnitReport } from '../../../model/unit.js'
import type { Registry } from '../../../store/io/registry.js'
import type { UnitReader } from '../../../unit/reader.js'
import type { Driver } from '../../driver.js'
import { type Pages, pageMetric, parseExposition, type ReadMetrics } from '../../metrics/exposition.js'
import { cpuUsed, figuresOf, type InstanceUse, metricOf } from '../../metrics/figures.js'
import { endpointOf } from '../checked-unit.js'
import { type KernelFiles, ownKernelFiles, readUse } from './read-use.js'

export interface MeterOptions {
  readonly machine: MachineId
  readonly registry: Registry
  readonly units: UnitReader
  readonly driverOf: (name: UnitName) => Driver | null
  readonly clock: Time
  /** Absent: those of this machine. */
  readonly kernelFiles?: KernelFiles
}

/** A page of metrics and when it was read, by the clock that nobody sets. */
interface ReadPage {
  readonly at: number
  readonly metrics: ReadMetrics
}

/** What was read of an instance at one moment, for rates with the reading before it. */
export interface MeterReading {
  readonly run: number | null
  readonly use: InstanceUse | null
  readonly page: ReadPage | null
}

const patienceMs = 4_000
const pageLimitBytes = 4 * 1024 * 1024

/** The units of this machine that run, in order of their names. */
export function runningUnits({ registry, machine }: MeterOptions): readonly RunningUnit[] {
  const { view } = registry
  return [...view.reportsOf(machine).values()]
    .filter(({ active, name }) => active === 'active' && view.placedOn(machine).has(name))
    .sort(byKeys(({ name }) => name))
    .flatMap((report) => {
      const unit = view.units.get(report.name)
      return unit === undefined ? [] : [{ unit, report }]
    })
}

export interface RunningUnit {
  readonly unit: DesiredUnit
  readonly report: UnitReport
}

/** What of it is asked for. */
interface Wanted {
  readonly use: boolean
  readonly page: boolean
}

/** Reads one instance once; what cannot be read is null. */
export async function readMeter(
  options: MeterOptions,
  running: RunningUnit,
  wanted: Wanted,
): Promise<MeterReading> {
  const [use, page] = await Promise.all([
    wanted.use ? usedBy(options, running).catch(() => null) : null,
    wanted.page ? pageOf(options, running).catch(() => null) : null,
  ])
  return { run: running.report.since, use, page }
}

/** What the host tells of it; rejects where that cannot be read. */
export async function usedBy(
  options: MeterOptions,
  { unit, report }: RunningUnit,
): Promise<InstanceUse | null> {
  const driver = options.driverOf(unit.name)
  if (driver === null) return null
  const needs = options.units.needs(unit)
  const limits = { memoryMb: needs.memoryMb || null, cpu: (needs.cpuLimit ?? needs.cpu) || null }
  const files = options.kernelFiles ?? ownKernelFiles
  return readUse({ driver, files }, report, limits, options.clock, abortAfter(options.clock, patienceMs))
}

async function pageOf(
  { registry, machine, units, clock }: MeterOptions,
  { unit, report }: RunningUnit,
): Promise<ReadPage | null> {
  const pilot = units.checks(unit).find((check) => check.type === 'containerpilot')
  const placement = registry.view.placedOn(machine).get(unit.name)
  if (pilot === undefined || placement === undefined) return null
  const { metadata = {} } = registry.view.machines.get(machine) ?? {}
  const where = { observed: report, placement, addressOn: (name: string) => addressOn(name, metadata) }
  const endpoint = endpointOf(where, pilot.port, pilot.network ?? null)
  if ('why' in endpoint) return null
  const place = { scheme: 'http', path: '/metrics', serverName: null, verify: false } as const
  const answer = await sendGet({ ...place, ...endpoint }, abortAfter(clock, patienceMs))
  if (answer.statusCode !== 200) {
    answer.destroy()
    return null
  }
  const metrics = parseExposition(await readText(answer, pageLimitBytes))
  return metrics === null ? null : { at: clock.steady(), metrics }
}

/** The value that a trigger asks for, from this reading and the one before; null for what is not known. */
export function demandedValue(
  { source, percent }: MetricDemand,
  before: MeterReading | null,
  now: MeterReading,
): number | null {
  const earlier = before?.run === now.run ? before : null
  for (const provider of source.providers) {
    const value =
      provider === 'containermonitor'
        ? now.use && metricOf(source.metric, percent, earlier?.use ?? null, now.use)
        : percent
          ? null
          : now.page && pageMetric(source.metric, pagesOf(earlier?.page ?? null, now.page))
    if (value !== null && Number.isFinite(value)) return value
  }
  return null
}

function pagesOf(before: ReadPage | null, now: ReadPage): Pages {
  return {
    before: before?.metrics ?? null,
    now: now.metrics,
    seconds: before === null ? 0 : (now.at - before.at) / 1000,
  }
}

/** All figures of an instance by name, with the cores in use where an earlier reading tells them. */
export function allFigures(before: InstanceUse | null, now: InstanceUse) {
  const cores = cpuUsed(before?.startedAt === now.startedAt ? before : null, now)
  const rates =
    cores === null
      ? []
      : ([
          { name: 'cpu_used', type: 'gauge', value: cores },
          { name: 'cpucap_cur_usage_percentage', type: 'gauge', value: cores * 100 },
        ] as const)
  return [...figuresOf(now), ...rates]
}
