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

/** What systemd holds limits by. With version 1 each has a hierarchy of its own. */
const controllers = ['cpu', 'cpuacct', 'memory', 'pids'] as const
const controllerHierarchies = controllers.map((controller) => ({
  root: join('/sys/fs/cgroup', controller),
  line: new RegExp(`^\\d+:(?:[^:]*,)?${controller}(?:,[^:]*)?:(.*)$`, 'm'),
}))

/**
 * Makes the groups, below the one that this process is in, and gives their directories; with `limits` also for the controllers of
 * version 1.
 */
export function makeGroups(name: string, limits = false): readonly string[] {
  const groups = homes(limits).map((home) => join(home, name))
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
  for (const home of homes(true)) removeTree(join(home, name))
}

/**
 * Run inside a machine that has groups with limits: systemd-nspawn mounts the hierarchies of controllers read-only, and systemd works with
 * those alone that it may write to when it begins.
 */
export const takesControllers = [
  'sh',
  '-c',
  `for one in ${controllers.join(' ')}; do
  [ ! -d /sys/fs/cgroup/$one ] || mount -o remount,bind,rw /sys/fs/cgroup/$one || exit
done
systemctl daemon-reexec`,
] as const

function homes(limits = false): readonly string[] {
  const mine = readFileSync('/proc/self/cgroup', 'utf8')
  return [...hierarchies, ...(limits ? controllerHierarchies : [])]
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
