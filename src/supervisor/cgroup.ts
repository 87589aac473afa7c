// Control groups of version 2, as far as their files and paths say: where those of units can be, and what they hold.

/** The cgroup of a process in the hierarchy of version 2, from /proc/PID/cgroup; null where there is none. */
export function ownCgroup(text: string): string | null {
  const line = text.split('\n').find((one) => one.startsWith('0::/'))
  return line?.slice('0::'.length) ?? null
}

/** Where a hierarchy of version 2 is mounted whole, from /proc/PID/mountinfo; null where it is not. */
export function cgroupMount(text: string): string | null {
  for (const line of text.split('\n')) {
    const [own = '', filesystem = ''] = line.split(' - ')
    const [, , , root, mount] = own.split(' ')
    if (filesystem.startsWith('cgroup2 ') && root === '/' && mount !== undefined) return unescaped(mount)
  }
  return null
}

/** The kernel writes blanks and the like as three octal digits. */
function unescaped(path: string): string {
  return path.replace(/\\([0-7]{3})/g, (_, digits: string) => String.fromCharCode(Number.parseInt(digits, 8)))
}

/** A cgroup and those that it lies in, itself first. */
export function withAncestors(cgroup: string): readonly string[] {
  const parts = cgroup.split('/').filter((part) => part !== '')
  return [...parts.map((_, n) => `/${parts.slice(0, parts.length - n).join('/')}`), '/']
}

/** What holds the memory of a unit: all of it is ended where it would take more, as by the look every few seconds. */
export function memorySettings(bytes: number): Readonly<Record<string, string>> {
  return { 'memory.max': String(bytes), 'memory.oom.group': '1' }
}

/** How many processes the kernel has killed in a cgroup for its limit, from `memory.events`. */
export function killsIn(memoryEvents: string): number {
  return Number(/^oom_kill (\d+)$/m.exec(memoryEvents)?.[1] ?? 0)
}

/**
 * Words that join a cgroup and then become a program, so that nothing of it runs outside. What cannot join runs all the same: its
 * memory is looked at every few seconds in any case. A shell leaves variables of its own, which a program is not to see.
 */
export function joiningWords(
  processesFile: string,
  words: readonly string[],
  environment: Readonly<Record<string, string>>,
): readonly string[] {
  const own = ['PWD', 'OLDPWD', 'SHLVL', '_'].filter((name) => !Object.hasOwn(environment, name))
  const script = `{ echo 0 >"$0"; } 2>/dev/null; unset ${own.join(' ')}; exec "$@"`
  return ['/bin/sh', '-c', own.length === 0 ? script.replace('unset ;', '') : script, processesFile, ...words]
}
