// What becomes of a schedule when the clock is set back: firings that were passed over as missed while it was ahead, and
// are still to come, come; those that were dealt with while it was ahead do not come again.
import type { Instant } from '../lib/time.js'
import type { MissedStretch, ScheduleState, Stretch } from '../model/schedule.js'
import type { Timetable } from './timetable.js'

/** Firings that were missed are counted one by one up to here. */
export const countedAtMost = 1000
/** Stretches that are remembered: only a clock that is set back further than all of them finds less. */
const stretchesKept = 20

/** The next firing that is not dealt with; null where there is none any more. */
export function nextDue({ decidedUpTo, ahead = [] }: ScheduleState, timetable: Timetable): Instant | null {
  for (let at = decidedUpTo; ; ) {
    const due = timetable.nextAfter(at)
    const stretch = due === null ? undefined : ahead.find((one) => due > one.after && due <= one.upTo)
    if (stretch === undefined) return due
    at = stretch.upTo
  }
}

/** The state when all firings up to an instant are dealt with; with a timetable, those that were not yet are missed. */
export function dealtWith(
  state: ScheduleState,
  upTo: Instant,
  missedBy: Timetable | null = null,
): ScheduleState {
  const { ahead = [], passedOver = [], decidedUpTo } = state
  const gaps = missedBy === null ? [] : gapsIn({ after: decidedUpTo, upTo }, ahead, missedBy)
  return withStretches(
    { ...state, decidedUpTo: upTo },
    ahead.filter((one) => one.upTo > upTo),
    [...passedOver, ...gaps],
  )
}

export interface SetBack {
  readonly state: ScheduleState
  /** Firings that were told as missed and are still to come. */
  readonly stillToCome: number
  /** The runs that told of them, by when the last firing of each was due. */
  readonly withdrawn: readonly Instant[]
  /** What was missed of those all the same. */
  readonly left: { readonly count: number; readonly dueAt: Instant } | null
}

/** What is to be taken back now that the clock says `now`; null where there is nothing. */
export function setBack(state: ScheduleState, timetable: Timetable, now: Instant): SetBack | null {
  const gaps = [...(state.passedOver ?? [])]
  const ahead = [...(state.ahead ?? [])]
  const reopened: MissedStretch[] = []
  let upTo = state.decidedUpTo
  for (let gap = gaps.at(-1); gap !== undefined && gap.upTo > now; gap = gaps.at(-1)) {
    gaps.pop()
    reopened.push(gap)
    if (upTo > gap.upTo) ahead.unshift({ after: gap.upTo, upTo })
    upTo = Math.max(gap.after, now)
  }
  // It was deployed while the clock was ahead: what came before that is none of it, what comes from now on is.
  if (reopened.length === 0 && now < state.origin - 1 && gaps.length === 0 && upTo >= state.origin - 1) {
    if (upTo > state.origin - 1) ahead.unshift({ after: state.origin - 1, upTo })
    return { ...nothing, state: withStretches({ ...state, decidedUpTo: now }, ahead, gaps) }
  }
  const cut = reopened.at(-1)
  if (cut === undefined) return null
  const left = countIn(timetable, cut.after, upTo)
  if (left !== null) gaps.push({ after: cut.after, upTo, ...left })
  const stillToCome = reopened.reduce((sum, { count }) => sum + count, 0) - (left?.count ?? 0)
  return {
    state: withStretches({ ...state, decidedUpTo: upTo, missed: state.missed - stillToCome }, ahead, gaps),
    stillToCome,
    withdrawn: reopened.map(({ dueAt }) => dueAt),
    left,
  }
}

const nothing = { stillToCome: 0, withdrawn: [], left: null }

/** The parts of a stretch that were not dealt with already. */
function gapsIn(
  { after, upTo }: Stretch,
  ahead: readonly Stretch[],
  timetable: Timetable,
): readonly MissedStretch[] {
  const gaps: MissedStretch[] = []
  let from = after
  for (const one of [...ahead, { after: upTo, upTo }]) {
    const to = Math.min(one.after, upTo)
    const counted = to > from ? countIn(timetable, from, to) : null
    if (counted !== null) gaps.push({ after: from, upTo: to, ...counted })
    from = Math.max(from, one.upTo)
  }
  return gaps
}

/** How many firings there are in a stretch, and the last of them; null for none. */
function countIn(
  timetable: Timetable,
  after: Instant,
  upTo: Instant,
): { count: number; dueAt: Instant } | null {
  let [count, dueAt] = [0, after]
  for (let next = timetable.nextAfter(after); next !== null && next <= upTo && count < countedAtMost; ) {
    count += 1
    dueAt = next
    next = timetable.nextAfter(next)
  }
  return count === 0 ? null : { count, dueAt }
}

function withStretches(
  { ahead: _, passedOver: __, ...state }: ScheduleState,
  ahead: readonly Stretch[],
  passedOver: readonly MissedStretch[],
): ScheduleState {
  return {
    ...state,
    ...(ahead.length > 0 && { ahead }),
    ...(passedOver.length > 0 && { passedOver: passedOver.slice(-stretchesKept) }),
  }
}
