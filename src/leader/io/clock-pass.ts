// Compares the clocks of machines, as whoever leads: asks each now and then, and writes down those that differ.
import type { ClockJump } from '../../lib/elapsed.js'
import type { Log } from '../../lib/io/log.js'
import type { Pass } from '../../lib/io/loop.js'
import type { Instant, Time } from '../../lib/time.js'
import { type ClockOffset, type ClockReading, describeAhead } from '../../model/clock.js'
import type { EventDraft } from '../../model/event.js'
import type { Machine, MachineId } from '../../model/machine.js'
import { hostnameOf } from '../../store/hostname.js'
import type { EventLog } from '../../store/io/event-log.js'
import { ledBy, type Registry } from '../../store/io/registry.js'
import { keys, kindOfKey, putOf, read } from '../../store/records.js'
import type { Change, Op } from '../../store/store.js'
import { type AheadRange, aheadRangeOf, compareClocks } from '../clocks.js'

interface ClockPassOptions {
  readonly registry: Registry
  readonly machine: MachineId
  readonly events: EventLog
  readonly clock: Time
  readonly log: Log
  /** Our epoch, or null while we do not lead. */
  readonly epoch: () => number | null
  readonly jumps: () => readonly ClockJump[]
}

/** A clock that nobody sets drifts by some seconds a day. */
const compareEveryMs = 15 * 60_000
/** A call that could not be written is made again after so long. */
const callAgainMs = 5000
/** How long the answers to a call are waited for before clocks are compared without them. */
const patienceMs = 10_000
/** Calls whose answers still count. */
const callsKept = 20

/** The pass of whoever leads; it writes nothing while the same machines are there and their clocks agree. */
export function clockPass(options: ClockPassOptions): Pass {
  const { registry, machine, events, clock, log, epoch, jumps } = options
  const { view } = registry
  const known = new Measurements(machine)
  registry.onChange((kinds, changes) => {
    if (kinds.has('clockCall') || kinds.has('clockReading')) known.note(changes, clock.now())
  })
  let ledIn: number | null = null
  let jumped = jumps()

  return async (now) => {
    const leading = epoch()
    if (leading !== ledIn || jumps() !== jumped) known.forgetAll()
    ledIn = leading
    jumped = jumps()
    const others = [...view.machines.values()].filter(({ id, away }) => id !== machine && away === undefined)
    if (leading === null) return { wakeAt: null }
    const steady = clock.steady()
    known.keepOnly(others)
    const due = known.dueTogether(others, steady)
    if (due.length > 0) {
      const call = putOf('clockCall', { machine, at: clock.now(), asked: due })
      if (await registry.commit([ledBy(leading)], [call])) known.asked(due, steady)
    }
    const leftMs = known.waitsForMs(others, clock.steady())
    if (leftMs > 0) return { wakeAt: now + leftMs }
    const here = new Set(others.length === 0 ? [] : [machine, ...others.map(({ id }) => id)])
    const before = new Map([...view.clockOffsets].filter(([id]) => here.has(id)))
    const offsets = compareClocks({ ranges: known.ranges(), known: before })
    const { ops, drafts } = changesOf(options, offsets, here)
    const again = { wakeAt: now + known.dueInMs(others, clock.steady()) }
    if (ops.length === 0) return again
    if (await registry.commit([ledBy(leading)], [...ops, ...events.append(drafts)]))
      for (const { message } of drafts) log.warn('engine', message)
    return again
  }
}

/** What is to be written, and told, for these to be the clocks that differ. */
function changesOf(
  { registry: { view } }: ClockPassOptions,
  offsets: readonly ClockOffset[],
  here: ReadonlySet<MachineId>,
): { readonly ops: readonly Op[]; readonly drafts: readonly EventDraft[] } {
  const differs = new Set(offsets.map(({ machine }) => machine))
  const over = [...view.clockOffsets.keys()].filter((id) => !differs.has(id))
  const news = offsets.filter((offset) => view.clockOffsets.get(offset.machine) !== offset)
  const isToTell = ({ machine, barsLead }: ClockOffset): boolean =>
    view.clockOffsets.get(machine)?.barsLead !== barsLead
  const about = { project: null, service: null, instance: null }
  return {
    ops: [
      ...news.map((offset) => putOf('clockOffset', offset)),
      ...over.map((id) => ({ op: 'delete', key: keys.clockOffset(id) }) as const),
    ],
    drafts: [
      ...news.filter(isToTell).map((offset) => ({
        ...({ kind: 'clock-differs', ...about, machine: offset.machine } as const),
        message: describeOffset(hostnameOf(view, offset.machine), offset),
      })),
      ...over
        .filter((id) => here.has(id))
        .map((id) => ({
          ...({ kind: 'clock-agrees', ...about, machine: id } as const),
          message: `the clock of ${hostnameOf(view, id)} agrees with those of the other machines`,
        })),
    ],
  }
}

function describeOffset(hostname: string, { aheadMs, barsLead }: ClockOffset): string {
  const off = `the clock of ${hostname} is ${describeAhead(aheadMs)} of those of the other machines`
  return barsLead ? `${off}: it does not lead while another machine can` : off
}

/** What is known of the clocks of other machines, and which were asked. */
class Measurements {
  readonly #own: MachineId
  readonly #ranges = new Map<MachineId, AheadRange>()
  /** When each was asked last, by the clock that nobody sets. */
  readonly #askedAt = new Map<MachineId, number>()
  /** When calls were made, by their revisions. */
  readonly #calls = new Map<number, Instant>()

  constructor(own: MachineId) {
    this.#own = own
  }

  /** Takes in calls of our own, and answers to them. */
  note(changes: readonly Change[], heardAt: Instant): void {
    for (const change of changes) {
      if (change.type !== 'put') continue
      const { entry } = change
      if (entry.key === keys.clockCall(this.#own)) {
        const found = read('clockCall', entry)
        if ('record' in found) this.#noteCall(entry.modRevision, found.record.at)
      } else if (kindOfKey(entry.key) === 'clockReading') {
        const found = read('clockReading', entry)
        if ('record' in found) this.#noteReading(found.record, heardAt)
      }
    }
  }

  #noteCall(revision: number, at: Instant): void {
    this.#calls.set(revision, at)
    const [oldest] = this.#calls.keys()
    if (this.#calls.size > callsKept && oldest !== undefined) this.#calls.delete(oldest)
  }

  #noteReading({ machine, at: saidAt, answers }: ClockReading, heardAt: Instant): void {
    if (answers === null) {
      this.#forget(machine)
      return
    }
    const askedAt = this.#calls.get(answers.call)
    if (askedAt === undefined) return
    const range = aheadRangeOf({ askedAt, seenAt: answers.seenAt, saidAt, heardAt })
    if (range === null) this.#forget(machine)
    else this.#ranges.set(machine, range)
  }

  #forget(machine: MachineId): void {
    this.#ranges.delete(machine)
    this.#askedAt.delete(machine)
  }

  /** Our own clock was set, or we have not led until now: all are to be asked. */
  forgetAll(): void {
    this.#ranges.clear()
    this.#askedAt.clear()
    this.#calls.clear()
  }

  /** Machines that have gone are to be asked when they are back. */
  keepOnly(machines: readonly Machine[]): void {
    const here = new Set(machines.map(({ id }) => id))
    for (const id of [...this.#askedAt.keys(), ...this.#ranges.keys()]) if (!here.has(id)) this.#forget(id)
  }

  /** Where one is to be asked, all that are to be asked soon are: one call for all, whenever each has come. */
  dueTogether(machines: readonly Machine[], steady: number): readonly MachineId[] {
    const leftMs = machines.map(({ id }) => ({ id, ms: this.#dueInMs(id, steady) }))
    if (!leftMs.some(({ ms }) => ms <= 0)) return []
    return leftMs.filter(({ ms }) => ms <= compareEveryMs / 2).map(({ id }) => id)
  }

  /** In how long the first of these is to be asked again; never where there are none. */
  dueInMs(machines: readonly Machine[], steady: number): number {
    return Math.max(callAgainMs, Math.min(...machines.map(({ id }) => this.#dueInMs(id, steady))))
  }

  #dueInMs(id: MachineId, steady: number): number {
    const askedAt = this.#askedAt.get(id)
    return askedAt === undefined ? 0 : askedAt + compareEveryMs - steady
  }

  asked(machines: readonly MachineId[], steady: number): void {
    for (const id of machines) this.#askedAt.set(id, steady)
  }

  /** How long it is still to be waited for answers; 0 where all are there, or were waited for. */
  waitsForMs(machines: readonly Machine[], steady: number): number {
    const left = machines
      .filter(({ id }) => !this.#ranges.has(id))
      .map(({ id }) => (this.#askedAt.get(id) ?? steady) + patienceMs - steady)
    return Math.max(0, ...left)
  }

  /** Of each machine that has answered, and of our own. */
  ranges(): ReadonlyMap<MachineId, AheadRange> {
    return new Map([[this.#own, { least: 0, most: 0 }], ...this.#ranges])
  }
}
