// /proc/<pid>/stat, proc(5).

export interface ProcStat {
  readonly pid: number
  /** R, S, D, Z (has ended and was not waited for), … */
  readonly state: string
  readonly parent: number
  readonly session: number
  /** User and system time, in clock ticks. */
  readonly cpuTicks: number
  /** The part of it that was spent in the program itself. */
  readonly userTicks: number
  readonly threads: number
  /** Clock ticks from boot to the start of the process. */
  readonly ticks: number
  readonly rssPages: number
}

/** Reads one line; null for text that is none. The name in it may hold spaces and brackets. */
export function parseProcStat(text: string): ProcStat | null {
  const end = text.lastIndexOf(')')
  const fields = text.slice(end + 2).split(' ')
  if (end === -1 || fields.length < 22) return null
  const field = (number: number): number => Number(fields[number - 3])
  return {
    pid: Number.parseInt(text, 10),
    state: fields[0] ?? '',
    parent: field(4),
    session: field(6),
    cpuTicks: field(14) + field(15),
    userTicks: field(14),
    threads: field(20),
    ticks: field(22),
    rssPages: field(24),
  }
}

/** A process that has ended but was not waited for yet does not count as living; one of which only the first thread has ended does. */
export function isLiving({ state, threads }: ProcStat): boolean {
  return (state !== 'Z' || threads > 1) && state !== 'X' && state !== 'x'
}
