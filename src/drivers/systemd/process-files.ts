// What /proc tells of a process.

/** `/proc/<pid>/environ`: assignments, each ended by a NUL. */
export function readEnviron(text: string): Readonly<Record<string, string>> {
  const pairs = text.split('\0').flatMap((entry) => {
    const equals = entry.indexOf('=')
    return equals < 1 ? [] : [[entry.slice(0, equals), entry.slice(equals + 1)] as const]
  })
  return Object.fromEntries(pairs)
}

/**
 * Whether a forked process has become the program of its unit, by `/proc/<pid>/exe` and `/proc/<pid>/environ`: before, it is systemd, or
 * from version 255 on its executor; and for a moment after, the kernel shows no variables, of which systemd always sets some.
 */
export function isProgram(exe: string, environ: string): boolean {
  return !/\/systemd(-executor)?( \(deleted\))?$/.test(exe) && environ !== ''
}

/** Limits by the names that `/proc/<pid>/limits` has for them, as options of prlimit(1). */
const limitOptions: Readonly<Record<string, string>> = {
  'cpu time': 'cpu',
  'file size': 'fsize',
  'data size': 'data',
  'stack size': 'stack',
  'core file size': 'core',
  'resident set': 'rss',
  processes: 'nproc',
  'open files': 'nofile',
  'locked memory': 'memlock',
  'address space': 'as',
  'file locks': 'locks',
  'pending signals': 'sigpending',
  'msgqueue size': 'msgqueue',
  'nice priority': 'nice',
  'realtime priority': 'rtprio',
  'realtime timeout': 'rttime',
}

/** The limits of `/proc/<pid>/limits` as options of prlimit(1). */
export function limitWords(limits: string): readonly string[] {
  return limits.split('\n').flatMap((line) => {
    const [, name = '', soft, hard] = /^Max (.+?)\s{2,}(\S+)\s+(\S+)/.exec(line) ?? []
    const option = Object.hasOwn(limitOptions, name) ? limitOptions[name] : undefined
    return option === undefined ? [] : [`--${option}=${soft}:${hard}`]
  })
}

/** What a process may do beside what its user may. */
export interface ProcessRights {
  /** It gets no new privileges. */
  readonly isHeld: boolean
  /** Its bounding set as setpriv(1) takes it; null where nobody says. */
  readonly bounding: string | null
}

/** From `/proc/<pid>/status`. */
export function readRights(status: string): ProcessRights {
  const [, bounding] = /^CapBnd:\s+([0-9a-f]+)$/m.exec(status) ?? []
  const bits = bounding === undefined ? null : BigInt(`0x${bounding}`)
  const names = bits === null ? [] : [...Array(64).keys()].filter((bit) => (bits >> BigInt(bit)) & 1n)
  return {
    isHeld: /^NoNewPrivs:\s+1$/m.test(status),
    bounding: bits === null ? null : ['-all', ...names.map((bit) => `+cap_${bit}`)].join(','),
  }
}

/** Numbers of the user and the groups that a process acts as. */
export interface ProcessOwner {
  readonly uid: string
  readonly gid: string
  /** Further groups, separated by commas. */
  readonly groups: string
}

/** From `/proc/<pid>/status`; root where it does not say. */
export function readOwner(status: string): ProcessOwner {
  const effective = (field: string): string =>
    new RegExp(`^${field}:\\s+\\d+\\s+(\\d+)`, 'm').exec(status)?.[1] ?? '0'
  const groups = /^Groups:\s*([\d ]*)$/m.exec(status)?.[1] ?? ''
  return { uid: effective('Uid'), gid: effective('Gid'), groups: groups.trim().replaceAll(/ +/g, ',') }
}
