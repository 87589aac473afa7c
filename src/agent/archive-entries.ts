// Files in a listing of tar that give rights to the program that opens or runs them.

export interface RaisingEntry {
  /** A device, a program with the set-id bit of root, or one with capabilities. */
  readonly kind: 'device' | 'set-id' | 'capability'
  readonly name: string
}

/**
 * Reads a line of `tar -vvv --numeric-owner`; null for other files. `before` is the preceding line: it has the name of the file whose
 * extended attributes follow. The device 0:0 is not one of them: overlay file systems mark removed files by it, and nobody can open it.
 */
export function raisingEntry(line: string, before: string): RaisingEntry | null {
  if (/^ {2}x: \d+ security\.capability$/.test(line)) return { kind: 'capability', name: nameIn(before) }
  if (/^[bc]/.test(line)) return /^c\S+ +\S+ +0,0 /.test(line) ? null : { kind: 'device', name: nameIn(line) }
  const [, type = 'd', user = '', group = '', uid, gid] = /^(\S)..(.)..(.)\S* +(\d+)\/(\d+) /.exec(line) ?? []
  const isRoots = (/s/i.test(user) && uid === '0') || (/s/i.test(group) && gid === '0')
  return type !== 'd' && isRoots ? { kind: 'set-id', name: nameIn(line) } : null
}

function nameIn(line: string): string {
  return line.replace(/^.*?\d\d:\d\d (\.\/)?/, '').replace(/ link to .*$/, '')
}
