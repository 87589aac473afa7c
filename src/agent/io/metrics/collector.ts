// Reads the metrics that triggers ask for of the instances on this machine, and reports them when they change; and
// everything, when somebody asks for a page of it.
import { describeError, type Log } from '../../../lib/io/log.js'
import { type Loop, startLoop } from '../../../lib/io/loop.js'
import type { Instant } from '../../../lib/time.js'
import { isPausedForBackup } from '../../../model/instance-state.js'
import {
  demandKey,
  type EntryFigures,
  type MachineMetrics,
  type MetricDemand,
  reportEveryMs,
  reportsUntilHeartbeat,
} from '../../../model/scaling.js'
import type { DesiredUnit, UnitName } from '../../../model/unit.js'
import { keys, putOf } from '../../../store/records.js'
import { isOutOfReach } from '../../../store/store.js'
import { serviceKey } from '../../../store/view.js'
import { type Demands, demandsOf } from '../../metrics/demand.js'
import { printExposition, type Sample } from '../../metrics/exposition.js'
import type { InstanceUse } from '../../metrics/figures.js'
import {
  allFigures,
  demandedValue,
  type MeterOptions,
  type MeterReading,
  type RunningUnit,
  readMeter,
  runningUnits,
  usedBy,
} from './meter.js'

/** What the entry of this machine counts. */
interface EntryCounts {
  /** Of these services (`PROJECT/SERVICE`), since this was last asked; nothing of one that was not asked for then. */
  figuresOf(services: Iterable<string>): ReadonlyMap<string, EntryFigures>
}

interface CollectorOptions extends MeterOptions {
  /** Null: this machine has no entry. */
  readonly entry: EntryCounts | null
  readonly log: Log
}

/** Measures what the units and instances of a machine use. */
export interface Collector {
  /** What every instance on this machine uses, as Prometheus text; of one instance alone when its uuid is given. */
  exposition(uuid?: string): Promise<string>
  /** What every unit on this machine uses, as far as that can be read. */
  uses(): Promise<readonly UnitUse[]>
  stop(): Promise<void>
}

/** What a unit uses of its machine. */
export interface UnitUse {
  readonly unit: DesiredUnit
  readonly use: InstanceUse
}

/** Instances that are read at the same time. */
const readAtOnce = 16
/** A page that was made so lately is given again. */
const pageLastsMs = 2_000

export function startCollector(options: CollectorOptions): Collector {
  const collector = new MetricsCollector(options)
  collector.start()
  return collector
}

class MetricsCollector implements Collector {
  readonly #options: CollectorOptions
  #loop: Loop | null = null
  #readings: ReadonlyMap<UnitName, MeterReading> = new Map()
  #reportedAt = Number.NEGATIVE_INFINITY
  #page: { readonly at: Instant; readonly samples: Promise<readonly UnitSamples[]> } | null = null
  #pageUses: ReadonlyMap<UnitName, InstanceUse> = new Map()

  constructor(options: CollectorOptions) {
    this.#options = options
  }

  start(): void {
    const { clock, log } = this.#options
    this.#loop = startLoop({
      clock,
      intervalMs: 60_000,
      onError: (error) => {
        if (!isOutOfReach(error)) log.warn('metrics', describeError(error))
      },
      pass: async (now) => {
        await this.#collect()
        return { wakeAt: now + reportEveryMs(this.#options.registry.view.machines.size) }
      },
    })
  }

  async stop(): Promise<void> {
    await this.#loop?.stop()
  }

  async exposition(uuid?: string): Promise<string> {
    const all = await this.#recent()
    return printExposition(
      all
        .filter(({ unit }) => uuid === undefined || unit.instance?.uuid === uuid)
        .flatMap(({ samples }) => samples),
    )
  }

  uses(): Promise<readonly UnitUse[]> {
    return this.#recent()
  }

  #recent(): Promise<readonly UnitSamples[]> {
    const now = this.#options.clock.steady()
    if (this.#page === null || now - this.#page.at > pageLastsMs)
      this.#page = { at: now, samples: this.#readAll() }
    return this.#page.samples
  }

  /** One round: reads what is asked for, and writes it when it is news. */
  async #collect(): Promise<void> {
    const demands = demandsOf(this.#options.registry.view)
    const asked = runningUnits(this.#options).flatMap((running) => {
      // What it uses while it stands still says nothing of its load.
      if (isPausedForBackup(running.report)) return []
      const { instance } = running.unit
      const wanted =
        instance === null
          ? undefined
          : demands.ofInstances.get(serviceKey(instance.project, instance.service))
      return wanted === undefined ? [] : [{ running, wanted: [...wanted.values()] }]
    })
    const read = await inParallel(asked, async ({ running, wanted }) => {
      const reading = await readMeter(this.#options, running, {
        use: wanted.some(({ source }) => source.providers.includes('containermonitor')),
        page: wanted.some(({ source }) => source.providers.includes('containerpilot')),
      })
      return { name: running.unit.name, reading, wanted }
    })
    const before = this.#readings
    this.#readings = new Map(read.map(({ name, reading }) => [name, reading]))
    const values = Object.fromEntries(
      read.map(({ name, reading, wanted }) => [name, valuesOf(wanted, before.get(name) ?? null, reading)]),
    )
    await this.#report(values, this.#entryFigures(demands))
  }

  #entryFigures({ ofEntry }: Demands): Pick<MachineMetrics, 'entry'> {
    // Also where nothing is asked for any more: what comes from now on is for nobody.
    const figures = this.#options.entry?.figuresOf(ofEntry)
    return figures === undefined || ofEntry.size === 0 ? {} : { entry: Object.fromEntries(figures) }
  }

  async #report(values: MachineMetrics['values'], entry: Pick<MachineMetrics, 'entry'>): Promise<void> {
    const { registry, machine } = this.#options
    const known = registry.view.metrics.get(machine)
    if (Object.keys(values).length === 0 && entry.entry === undefined) {
      if (known !== undefined) await registry.commit([], [{ op: 'delete', key: keys.metrics(machine) }])
      return
    }
    const everyMs = reportEveryMs(registry.view.machines.size)
    const due = this.#options.clock.steady() - this.#reportedAt >= reportsUntilHeartbeat * everyMs
    const next: MachineMetrics = { machine, values, ...entry }
    const isSame = JSON.stringify([known?.values, known?.entry]) === JSON.stringify([values, entry.entry])
    if (!due && isSame) return
    await registry.commit([], [putOf('metrics', next)])
    this.#reportedAt = this.#options.clock.steady()
  }

  async #readAll(): Promise<readonly UnitSamples[]> {
    const before = this.#pageUses
    const read = await inParallel(runningUnits(this.#options), async (running) => ({
      running,
      use: await usedBy(this.#options, running).catch(() => null),
    }))
    const known = read.flatMap(({ running, use }) => (use === null ? [] : [{ running, use }]))
    this.#pageUses = new Map(known.map(({ running, use }) => [running.unit.name, use]))
    return known.map(({ running, use }) => samplesOf(running, before.get(running.unit.name) ?? null, use))
  }
}

/** Three digits matter, so that noise is no news. */
function valuesOf(
  wanted: readonly MetricDemand[],
  before: MeterReading | null,
  now: MeterReading,
): Readonly<Record<string, number>> {
  return Object.fromEntries(
    wanted.flatMap((demand) => {
      const value = demandedValue(demand, before, now)
      return value === null ? [] : [[demandKey(demand), Number(value.toPrecision(3))]]
    }),
  )
}

interface UnitSamples extends UnitUse {
  readonly samples: readonly Sample[]
}

function samplesOf({ unit }: RunningUnit, before: InstanceUse | null, now: InstanceUse): UnitSamples {
  const { instance, name } = unit
  const labels =
    instance === null
      ? { unit: name }
      : {
          project: instance.project,
          service: instance.service,
          instance: instance.name,
          uuid: instance.uuid,
          unit: name,
        }
  const samples = allFigures(before, now).map((figure): Sample => {
    const own = 'interface' in figure ? { ...labels, interface: figure.interface } : labels
    return { name: figure.name, type: figure.type, labels: own, value: figure.value }
  })
  return { unit, use: now, samples }
}

/** Does `work` for each, a few at a time; results in the order of the items. */
async function inParallel<T, R>(items: readonly T[], work: (item: T) => Promise<R>): Promise<readonly R[]> {
  const results: R[] = []
  const left = items.entries()
  const worker = async (): Promise<void> => {
    for (const [index, item] of left) results[index] = await work(item)
  }
  await Promise.all(Array.from({ length: Math.min(readAtOnce, items.length) }, worker))
  return results
}
