// What /proc tells of a process.

/** `/proc/<pid>/environ`: assignments, each ended by a NUL. */
export function readEnviron(text: string): Readonly<Record<string, string>> {
  const pairs = text.split('\0').flatMap((entry) => {
    const equals = entry.indexOf('=')
    return equals < 1 ? [] : [[entry.slice(0, equals), entry.slice(equals + 1)] as const]
  })
  return Object.fromEntries(pairs)
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
