// A control group of its own for each machine. Without one, the systemds of all machines that run at a time would work in
// the same tree of groups, and each would remove the groups of the others' services while they start.
import { mkdirSync, readdirSync, readFileSync, rmdirSync } from 'node:fs'
import { join } from 'node:path'

/** The hierarchies that systemd works in, with version 1 or 2 or both at a time; those that are not there are left out. */
const hierarchies = [
  { root: '/sys/fs/cgroup', line: /^0::(.*)$/m },
  { root: '/sys/fs/cgroup/unified', line: /^0::(.*)$/m },
  { root: '/sys/fs/cgroup/systemd', line: /^\d+:name=systemd:(.*)$/m },
]

/** Makes the groups, below the one that this process is in, and gives their directories. */
export function makeGroups(name: string): readonly string[] {
  const groups = homes().map((home) => join(home, name))
  for (const group of groups) mkdirSync(group, { recursive: true })
  return groups
}

/** An argument vector that runs another one inside the groups. */
export function insideGroups(groups: readonly string[], argv: readonly string[]): readonly string[] {
  const script = 'while [ "$1" != -- ]; do echo $$ >"$1/cgroup.procs" || exit; shift; done; shift; exec "$@"'
  return ['sh', '-c', script, 'sh', ...groups, '--', ...argv]
}

/** Removes the groups of that name with all below them; one that still holds a process stays. */
export function removeGroups(name: string): void {
  for (const home of homes()) removeTree(join(home, name))
}

function homes(): readonly string[] {
  const mine = readFileSync('/proc/self/cgroup', 'utf8')
  return hierarchies
    .map(({ root, line }) => join(root, line.exec(mine)?.[1] ?? ''))
    .filter((home) => readsDirectory(home).includes('cgroup.procs'))
}

function removeTree(group: string): void {
  for (const below of readsDirectory(group, true)) removeTree(join(group, below))
  try {
    rmdirSync(group)
  } catch {
    // It is not there, or a process in it has not ended yet.
  }
}

function readsDirectory(path: string, directoriesOnly = false): readonly string[] {
  try {
    return readdirSync(path, { withFileTypes: true })
      .filter((entry) => !directoriesOnly || entry.isDirectory())
      .map((entry) => entry.name)
  } catch {
    return []
  }
}
