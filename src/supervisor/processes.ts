// A look at all processes of the machine: which belong to which run of which unit.
import type { ProcessMark, RunMark } from './marker.js'
import { isLiving, type ProcStat } from './proc-stat.js'
import type { ProcessId } from './state.js'

export interface SeenProcess extends ProcStat {
  /** Null where it has none, or where nobody looked. */
  readonly mark: ProcessMark | null
}

/** One look. Processes that have ended are left out. */
export type ProcessTable = ReadonlyMap<number, SeenProcess>

export function processTable(seen: Iterable<SeenProcess>): ProcessTable {
  const living = [...seen].filter(isLiving)
  return new Map(living.map((process) => [process.pid, process]))
}

/** Whether this very process lives, not a later one with its pid. */
export function isAlive(table: ProcessTable, { pid, ticks }: ProcessId): boolean {
  return table.get(pid)?.ticks === ticks
}

/**
 * The processes of a run: those in the session of a process that was started for it, and those that carry its
 * mark, wherever they moved. A session whose leader's pid has gone to another process is not ours any more.
 */
export function processesOf(
  table: ProcessTable,
  mark: RunMark,
  sessions: readonly ProcessId[],
): readonly SeenProcess[] {
  const ours = heldBy(table, sessions)
  return [...table.values()].filter((process) => ours.has(process.session) || isOfRun(process.mark, mark))
}

/**
 * The processes of a unit, of whichever run: those in its sessions, those with its mark, and what any of them has started that is
 * still theirs, wherever it moved and whatever its environment.
 */
export function everyProcessOf(
  table: ProcessTable,
  { home, unit }: Pick<RunMark, 'home' | 'unit'>,
  sessions: readonly ProcessId[],
): readonly SeenProcess[] {
  const ours = heldBy(table, sessions)
  const known = new Map<number, boolean>()
  const isOurs = (process: SeenProcess): boolean => {
    const before = known.get(process.pid)
    if (before !== undefined) return before
    // Of processes that are seen while others end, parents might go in a circle.
    known.set(process.pid, false)
    const { mark, session, parent } = process
    const by = table.get(parent)
    const isMarked = mark !== null && mark.home === home && mark.unit === unit
    const found = ours.has(session) || isMarked || (by !== undefined && isOurs(by))
    known.set(process.pid, found)
    return found
  }
  return [...table.values()].filter(isOurs)
}

/** Numbers of sessions. */
function heldBy(table: ProcessTable, sessions: readonly ProcessId[]): ReadonlySet<number> {
  const isOurs = (leader: ProcessId): boolean => !table.has(leader.pid) || isAlive(table, leader)
  return new Set(sessions.filter(isOurs).map(({ pid }) => pid))
}

/**
 * Sessions that nothing is in any more. The kernel may give the number of one to somebody else's from now on, and to none before:
 * whatever is in it later is not ours.
 */
export function endedSessions(table: ProcessTable, sessions: readonly ProcessId[]): readonly ProcessId[] {
  const inUse = new Set([...table.values()].map(({ session }) => session))
  return sessions.filter((leader) =>
    table.has(leader.pid) ? !isAlive(table, leader) : !inUse.has(leader.pid),
  )
}

function isOfRun(found: ProcessMark | null, run: RunMark): boolean {
  return found !== null && found.home === run.home && found.unit === run.unit && found.run === run.run
}

/** The process that was started for a command: it leads its session, and what it started is younger. */
export function leaderOf(table: ProcessTable, mark: ProcessMark): ProcessId | null {
  const leaders = [...table.values()]
    .filter((process) => process.pid === process.session && isOfRun(process.mark, mark))
    .filter((process) => process.mark?.list === mark.list && process.mark.index === mark.index)
    .sort((a, b) => a.ticks - b.ticks || a.pid - b.pid)
  const [leader] = leaders
  return leader === undefined ? null : { pid: leader.pid, ticks: leader.ticks }
}
