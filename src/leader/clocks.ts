// Compares the clocks of machines. What the store carries takes its time, so that each comparison is an interval that the
// difference is certain to lie in; nothing is said of a clock on anything less than that.
import type { Instant } from '../lib/time.js'
import type { ClockOffset } from '../model/clock.js'
import type { MachineId } from '../model/machine.js'
import type { ClusterView } from '../store/view.js'

/** Clocks that differ by more than this are told of. */
const tellBeyondMs = 1000
/** A machine whose clock differs by more than this does not lead: it would delay webhooks and make the history jump. */
const leadWithinMs = 10_000
/** Clocks that are no further from each other than twice this agree. */
const toleranceMs = tellBeyondMs / 2
/** What is known of a difference is written down anew when it has changed by more than this. */
const refreshBeyondMs = 1000

/** How far a clock is ahead of the leader's, at least and at most. */
export interface AheadRange {
  readonly least: number
  readonly most: number
}

/** The four instants of a question and its answer: asked and heard by the leader's clock, seen and said by the other. */
interface ClockExchange {
  readonly askedAt: Instant
  readonly seenAt: Instant
  readonly saidAt: Instant
  readonly heardAt: Instant
}

/** How far the other clock is ahead; null where one of them was set in between. */
export function aheadRangeOf({ askedAt, seenAt, saidAt, heardAt }: ClockExchange): AheadRange | null {
  const [least, most] = [saidAt - heardAt, seenAt - askedAt]
  return least <= most ? { least, most } : null
}

interface ComparedClocks {
  /** Of each machine that is there, the leader included. */
  readonly ranges: ReadonlyMap<MachineId, AheadRange>
  readonly known: ReadonlyMap<MachineId, ClockOffset>
}

/**
 * The clocks that differ: those known before, as far as nothing shows that they agree again, and those that are certain to
 * differ. The right time is what most clocks say; of several such times, the one that is nearest to the leader's.
 */
export function compareClocks({ ranges, known }: ComparedClocks): readonly ClockOffset[] {
  const right = agreedTime([...ranges.values()])
  const silent = [...known.values()].filter(({ machine }) => !ranges.has(machine))
  const compared = [...ranges].flatMap(([machine, range]) => {
    const before = known.get(machine)
    const least = range.least - right
    const most = range.most - right
    const aheadMs = Math.round((least + most) / 2)
    const differs = isBeyond(least, most, tellBeyondMs) ?? before !== undefined
    if (!differs) return []
    const barsLead = isBeyond(least, most, leadWithinMs) ?? before?.barsLead ?? false
    const isNews =
      before === undefined ||
      before.barsLead !== barsLead ||
      Math.abs(before.aheadMs - aheadMs) > refreshBeyondMs
    return [isNews ? { machine, aheadMs, barsLead } : before]
  })
  return [...silent, ...compared]
}

/** Whether a difference is certain to be larger, or certain not to be; null where neither is. */
function isBeyond(least: number, most: number, limitMs: number): boolean | null {
  if (least > limitMs || most < -limitMs) return true
  return Math.max(Math.abs(least), Math.abs(most)) <= limitMs ? false : null
}

/** The time, as far ahead of the leader's clock as it is, that the largest number of clocks may well say (Marzullo). */
function agreedTime(ranges: readonly AheadRange[]): number {
  const edges = ranges
    .flatMap(({ least, most }) => [
      { at: least - toleranceMs, opens: true },
      { at: most + toleranceMs, opens: false },
    ])
    .sort((a, b) => a.at - b.at || Number(b.opens) - Number(a.opens))
  let open = 0
  let best = { count: 0, from: 0, to: 0 }
  for (const [n, { at, opens }] of edges.entries()) {
    open += opens ? 1 : -1
    const found = { count: open, from: at, to: edges[n + 1]?.at ?? at }
    if (opens && isBetter(found, best)) best = found
  }
  return (best.from + best.to) / 2
}

type Agreed = { readonly count: number; readonly from: number; readonly to: number }

function isBetter(one: Agreed, other: Agreed): boolean {
  return one.count > other.count || (one.count === other.count && distance(one) < distance(other))
}

/** From the leader's own clock. */
function distance({ from, to }: Agreed): number {
  return Math.max(0, from, -to)
}

/** Whether a machine leaves the lead to others because of its clock: as long as there is another that may lead. */
export function leavesLead({ clockOffsets, machines }: ClusterView, id: MachineId): boolean {
  if (clockOffsets.get(id)?.barsLead !== true) return false
  return [...machines.values()].some(
    (other) =>
      other.id !== id &&
      other.away === undefined &&
      other.engine !== false &&
      clockOffsets.get(other.id)?.barsLead !== true,
  )
}
