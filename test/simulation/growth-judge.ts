// Whether the records stay as few as the product says, however long a cluster is at work: at the end of each day, and in
// the end. Of what is kept for a time none is older, of what is kept by number there is no more of each service.
import { unwrittenAtMost } from '../../src/notify/outbox.js'
import { decodeEvents, kindOfKey, prefixes, type RecordKind } from '../../src/store/records.js'
import type { Entry } from '../../src/store/store.js'
import type { ClusterView } from '../../src/store/view.js'
import { poisonPrefix } from './scenario.js'

/** How long daemons of the simulation keep events, versions and machines that are gone. */
export const keeps = { eventsMs: 3_600_000, versions: 10, machinesMs: 3_600_000 }

interface GrowthParts {
  readonly broke: (what: string) => void
  readonly now: () => number
  readonly machines: number
  /** How many services, and units of their own, are ever asked for. */
  readonly names: number
  /** Whether all say of an instant what it is. */
  readonly isOneClock: boolean
}

/** Of one day: how many records of each kind there are at its end. */
export type Records = Readonly<Record<string, number>>

const dayMs = 86_400_000
/** The leader looks for what is old now and then, and may be away for a while. */
const lateMs = 3_600_000
/** Of each service: what is on its way, or about to go. */
const underWay = 20
const endedTasks = 20
const endedInstances = 10
const endedRuns = 100
const deliveries = { delivered: 50, dead: 200 }
/** Who leads, the cluster's id, up to where events were read, and such; and the claim of each machine. */
const lone = 10

export class GrowthJudge {
  readonly #parts: GrowthParts
  readonly #days: Records[] = []
  #dayFrom: number

  constructor(parts: GrowthParts) {
    this.#parts = parts
    this.#dayFrom = parts.now()
  }

  /** Of each day that is over. */
  get days(): readonly Records[] {
    return this.#days
  }

  /** To be called after each step. */
  look(witness: Witness | null): void {
    if (witness === null || this.#parts.now() - this.#dayFrom < dayMs) return
    this.#dayFrom += dayMs
    this.#days.push(this.judge(witness))
  }

  judge(witness: Witness): Records {
    const { view } = witness
    const entries = entriesOf(witness)
    const records = entriesByKind(witness)
    for (const [kind, most] of Object.entries(this.#mostOf(view, records)))
      if ((records[kind] ?? 0) > most)
        this.#parts.broke(
          `there are ${records[kind]} records of the kind ${kind}, of which ${most} are kept: ${keysOf(kind, entries)}`,
        )
    if (this.#parts.isOneClock) this.#judgeEvents(entries)
    return records
  }

  #mostOf(view: ClusterView, records: Records): Partial<Record<RecordKind | 'other', number>> {
    const { machines, names } = this.#parts
    const [instances = 0, versions = 0, units = 0, receivers = 0] = [
      'instance',
      'version',
      'unit',
      'receiver',
    ].map((kind) => records[kind] ?? 0)
    const live = [...view.instances.values()].filter(({ retired }) => retired === null).length
    return {
      ...{
        machine: machines,
        knownMachine: machines,
        order: machines,
        metrics: machines,
        entryIdle: machines,
      },
      ...{ clockCall: machines, clockReading: machines, clockOffset: machines },
      ...{ service: names, schedule: names, scaling: names, trigger: 3 * names, receiver: names },
      version: names * keeps.versions + instances + 2 * names,
      instance: live + names * (endedInstances + underWay),
      unit: instances + names,
      file: versions + units,
      placement: units * machines,
      waiting: units,
      report: units * machines + machines * underWay,
      task: names * (endedTasks + underWay),
      run: names * (endedRuns + underWay),
      callBody: names * (endedInstances + underWay),
      delivery: receivers * (deliveries.delivered + deliveries.dead + 5 * underWay),
      other: machines + lone,
    }
  }

  /** What has no receiver is noted as read once so many have come (`unwrittenAtMost`), and stays until then. */
  #judgeEvents(entries: readonly Entry[]): void {
    const least = this.#parts.now() - keeps.eventsMs - lateMs
    const late = entries.filter(
      (entry) => kindOfKey(entry.key) === 'event' && decodeEvents(entry).every((event) => event.at < least),
    )
    if (late.length > unwrittenAtMost)
      this.#parts.broke(`${late.length} events are kept for too long: ${keysOf('event', late)}`)
  }
}

/** One who sees what the store has. */
export interface Witness {
  readonly view: ClusterView
  entriesUnder(prefix: string): readonly Entry[]
}

/** How many records of each kind there are. */
export function entriesByKind(witness: Witness): Records {
  const records: Record<string, number> = Object.fromEntries(Object.keys(prefixes).map((kind) => [kind, 0]))
  for (const { key } of entriesOf(witness)) {
    const kind = kindOfKey(key) ?? 'other'
    records[kind] = (records[kind] ?? 0) + 1
  }
  return records
}

function entriesOf(witness: Witness): readonly Entry[] {
  return witness.entriesUnder('').filter(({ key }) => !key.includes(poisonPrefix))
}

/** The first of them, in words. */
function keysOf(kind: string, entries: readonly Entry[]): string {
  const keys = entries.flatMap(({ key }) => ((kindOfKey(key) ?? 'other') === kind ? [key] : []))
  return keys.slice(0, 20).join(', ')
}

/** How many records of each kind there were after a part of the days, as a table; of those kinds that were there at all. */
export function tableOf(days: readonly Records[]): readonly string[] {
  const last = days.length
  const shown = [...new Set([1, Math.ceil(last / 3), Math.ceil((2 * last) / 3), last])].filter(
    (day) => day <= last,
  )
  const kinds = Object.keys(days[0] ?? {}).filter((kind) => days.some((day) => (day[kind] ?? 0) > 0))
  const row = (cells: readonly (string | number)[]): string => `| ${cells.join(' | ')} |`
  const ofKind = (kind: string): string => {
    const counts = days.map((day) => day[kind] ?? 0)
    return row([kind, ...shown.map((day) => counts[day - 1] ?? 0), Math.max(...counts)])
  }
  const head = ['records', ...shown.map((day) => `day ${day}`), 'most']
  return last === 0 ? [] : [row(head), row(head.map(() => '---')), ...kinds.map(ofKind)]
}
