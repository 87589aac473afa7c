// Limits of a process (setrlimit(2)) by the names that Docker has for them, and how others call them.

/** Those that all of Docker, systemd and prlimit(1) know. */
export const resourceNames = [
  ...(['core', 'cpu', 'data', 'fsize', 'locks', 'memlock', 'msgqueue', 'nice', 'nofile', 'nproc'] as const),
  ...(['rss', 'rtprio', 'sigpending', 'stack'] as const),
] as const
/** A name of a project or service. */
export type ResourceName = (typeof resourceNames)[number]

/** A limit and what it can be raised to by the program itself; -1 is none. */
export interface ResourceLimit {
  readonly soft: number
  readonly hard: number
}

/** Whether what may be used at first is within what it may be raised to. */
export function isOrdered({ soft, hard }: ResourceLimit): boolean {
  return hard === -1 || (soft !== -1 && soft <= hard)
}

/** `LimitNOFILE` of systemd. */
export function optionOfResource(name: ResourceName): string {
  return `Limit${name.toUpperCase()}`
}

/** `1024:2048` or `1024`; -1 and `infinity` are no limit. Null for text that is neither. */
export function parseResourceLimit(text: string): ResourceLimit | null {
  const [soft, hard = soft, ...more] = text.split(':').map(readNumber)
  if (soft === undefined || hard === undefined || soft === null || hard === null || more.length > 0)
    return null
  return isOrdered({ soft, hard }) ? { soft, hard } : null
}

function readNumber(text: string): number | null {
  if (text === '-1' || text === 'infinity') return -1
  return /^\d{1,15}$/.test(text) ? Number(text) : null
}

/** `1024:2048`, `1024` where both are the same, with a word of its own for no limit. */
export function printResourceLimit({ soft, hard }: ResourceLimit, unlimited: string): string {
  const one = (limit: number): string => (limit === -1 ? unlimited : String(limit))
  return soft === hard ? one(soft) : `${one(soft)}:${one(hard)}`
}
