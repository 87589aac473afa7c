// Control groups, as far as their files and paths say: where those of units can be, and what they hold.
import { assertNever } from '../lib/invariant.js'
import { type Mount, parseMounts } from '../lib/mounts.js'

/** The cgroup of a process in the hierarchy of version 2, from /proc/PID/cgroup; null where there is none. */
export function ownCgroup(text: string): string | null {
  const line = text.split('\n').find((one) => one.startsWith('0::/'))
  return line?.slice('0::'.length) ?? null
}

/** Where a hierarchy of version 2 is mounted whole, from /proc/PID/mountinfo; null where it is not. */
export function cgroupMount(text: string): string | null {
  return parseMounts(text).find(({ type, root }) => type === 'cgroup2' && root === '/')?.path ?? null
}

/** A cgroup and those that it lies in, itself first. */
export function withAncestors(cgroup: string): readonly string[] {
  const parts = cgroup.split('/').filter((part) => part !== '')
  return [...parts.map((_, n) => `/${parts.slice(0, parts.length - n).join('/')}`), '/']
}

/** What limits units. */
export const controllers = ['memory', 'cpu', 'pids'] as const
export type Controller = (typeof controllers)[number]

/** A mounted hierarchy of control groups, and the one in it that we run in. One of version 2 says itself what it has. */
export interface CgroupHierarchy {
  readonly version: 1 | 2
  readonly mount: string
  readonly own: string
  readonly controllers: readonly Controller[]
}

/** Those that are mounted whole, version 2 first: from /proc/PID/mountinfo and /proc/PID/cgroup. */
export function hierarchiesOf(mounts: string, cgroups: string): readonly CgroupHierarchy[] {
  const mount = cgroupMount(mounts)
  const own = ownCgroup(cgroups)
  const unified = mount === null || own === null ? [] : [{ version: 2 as const, mount, own, controllers: [] }]
  return [...unified, ...parseMounts(mounts).flatMap((one) => ofVersion1(one, cgroups))]
}

function ofVersion1({ type, root, path, options }: Mount, cgroups: string): readonly CgroupHierarchy[] {
  const held = type === 'cgroup' ? controllers.filter((one) => options.includes(one)) : []
  const [first] = held
  if (first === undefined || root !== '/') return []
  const own = cgroups.split('\n').flatMap((one) => {
    const [, names = '', place] = /^\d+:([^:]*):(.*)$/.exec(one) ?? []
    return place !== undefined && names.split(',').includes(first) ? [place] : []
  })[0]
  return own === undefined ? [] : [{ version: 1, mount: path, own, controllers: held }]
}

/** What a unit may use at the most; null sets no limit. */
export interface CgroupLimits {
  readonly memoryBytes: number | null
  /** Of a core. */
  readonly cpuPercent: number | null
  readonly tasks: number | null
}

/** The controllers that limits take. */
export function controllersFor({ memoryBytes, cpuPercent, tasks }: CgroupLimits): readonly Controller[] {
  const asked = { memory: memoryBytes, cpu: cpuPercent, pids: tasks }
  return controllers.filter((one) => asked[one] !== null)
}

const periodUs = 100_000
/** The kernel takes no less. */
const leastQuotaUs = 1000

/** The files of a cgroup that hold limits by one controller, in the order in which they are written. */
export function settingsOf(
  controller: Controller,
  version: 1 | 2,
  { memoryBytes, cpuPercent, tasks }: CgroupLimits,
): readonly (readonly [string, string])[] {
  switch (controller) {
    case 'memory':
      // Version 1 ends one process; the supervisor then ends the others.
      return version === 1
        ? [['memory.limit_in_bytes', String(memoryBytes)]]
        : [
            ['memory.max', String(memoryBytes)],
            ['memory.oom.group', '1'],
          ]
    case 'cpu': {
      const quotaUs = Math.max(leastQuotaUs, Math.round(((cpuPercent ?? 0) * periodUs) / 100))
      return version === 1
        ? [
            ['cpu.cfs_period_us', String(periodUs)],
            ['cpu.cfs_quota_us', String(quotaUs)],
          ]
        : [['cpu.max', `${quotaUs} ${periodUs}`]]
    }
    case 'pids':
      return [['pids.max', String(tasks)]]
    default:
      return assertNever(controller)
  }
}

/** The files by which a process joins the cgroups of its unit. */
export interface Joining {
  readonly files: readonly string[]
  /** What cannot join is not run: nothing else holds its limits. */
  readonly isNeeded: boolean
}

/** How many processes the kernel has killed in a cgroup for its limit, from `memory.events` or `memory.oom_control`. */
export function killsIn(memoryEvents: string): number {
  return Number(/^oom_kill (\d+)$/m.exec(memoryEvents)?.[1] ?? 0)
}

/**
 * Words that join cgroups and then become a program, so that nothing of it runs outside. Memory alone is not needed: what cannot
 * join is looked at every few seconds. A shell leaves variables of its own, which a program is not to see.
 */
export function joiningWords(
  { files, isNeeded }: Joining,
  words: readonly string[],
  environment: Readonly<Record<string, string>>,
): readonly string[] {
  const own = ['PWD', 'OLDPWD', 'SHLVL', '_'].filter((name) => !Object.hasOwn(environment, name))
  const join = isNeeded ? 'echo 0 >"$1" || exit 1' : '{ echo 0 >"$1"; } 2>/dev/null'
  const unset = own.length === 0 ? '' : `unset ${own.join(' ')}; `
  const script = `while [ "$1" != -- ]; do ${join}; shift; done; shift; ${unset}exec "$@"`
  return ['/bin/sh', '-c', script, 'sh', ...files, '--', ...words]
}
