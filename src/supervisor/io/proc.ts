// What /proc says. Reads are synchronous: these files are the kernel's memory, and many small waits cost more.
import { readdirSync, readFileSync } from 'node:fs'
import { namesIn } from '../../lib/io/names-in.js'
import { readPlaceholder } from '../marker.js'
import { isLiving, type ProcStat, parseProcStat } from '../proc-stat.js'
import { type ProcessTable, processTable, type SeenProcess } from '../processes.js'
import type { ProcessId } from '../state.js'

/** Looks at all processes; with `marks` also at the environment of those that we may read. */
export function lookAtProcesses(marks: boolean): ProcessTable {
  const seen: SeenProcess[] = []
  for (const entry of readdirSync('/proc')) {
    if (!/^[0-9]+$/.test(entry)) continue
    const stat = readStat(Number(entry))
    if (stat !== null) seen.push({ ...stat, mark: marks ? readPlaceholder(environOf(stat)) : null })
  }
  return processTable(seen)
}

/** The first thread of a process has its memory no more once it has ended, and the others have. */
function environOf(stat: ProcStat): string {
  if (stat.state !== 'Z' || !isLiving(stat)) return readEnviron(stat.pid)
  const thread = threadsOf(stat.pid).find(isLiving)
  return thread === undefined ? '' : (readText(`/proc/${stat.pid}/task/${thread.pid}/environ`) ?? '')
}

/** What /proc says of each thread of a process; empty where it has ended. */
export function threadsOf(pid: number): readonly ProcStat[] {
  return namesIn(`/proc/${pid}/task`).flatMap((thread) => {
    const text = readText(`/proc/${pid}/task/${thread}/stat`)
    const stat = text === null ? null : parseProcStat(text)
    // The first one counts all of them; of itself it is but one.
    return stat === null ? [] : [{ ...stat, threads: 1 }]
  })
}

/** One process; null when there is none with this pid. */
export function readStat(pid: number): ProcStat | null {
  const text = readText(`/proc/${pid}/stat`)
  return text === null ? null : parseProcStat(text)
}

/** Whether this very process lives, not a later one with its pid. */
export function isProcessAlive({ pid, ticks }: ProcessId): boolean {
  const stat = readStat(pid)
  return stat !== null && stat.ticks === ticks && isLiving(stat)
}

/** Its first environment, variables separated by NUL; empty where we may not read it. */
export function readEnviron(pid: number): string {
  return readText(`/proc/${pid}/environ`) ?? ''
}

function readText(path: string): string | null {
  try {
    return readFileSync(path, 'latin1')
  } catch {
    return null
  }
}
