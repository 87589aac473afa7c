// When programs were started, as the kernel knows it: Docker itself, which does not say, and those of containers, of which Docker says
// it by a clock that may have been set since.
import { readdirSync, readFileSync, readlinkSync, realpathSync } from 'node:fs'
import { uptime } from 'node:os'
import type { Clock, Instant } from '../../../lib/time.js'
import { readStat } from '../../../supervisor/io/proc.js'
import { listenersAt } from '../listeners.js'

/** USER_HZ, which is the same everywhere. */
const ticksPerSecond = 100

/**
 * When the process began that takes connections at a socket; null where it cannot be seen from here. Of several the
 * youngest counts: systemd holds sockets for those that it starts.
 */
export function listenerStartedAt(socketPath: string, clock: Clock): Instant | null {
  const table = readOr('/proc/net/unix', (path) => readFileSync(path, 'utf8')) ?? ''
  const paths = [socketPath, readOr(socketPath, (path) => realpathSync(path)) ?? socketPath]
  const sockets = new Set(listenersAt(table, paths).map((inode) => `socket:[${inode}]`))
  if (sockets.size === 0) return null
  const bootedAt = clock.now() - uptime() * 1000
  const starts = readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name) && holdsAny(name, sockets))
    .flatMap((pid) => readStat(Number(pid)) ?? [])
    .map(({ ticks }) => bootedAt + (ticks * 1000) / ticksPerSecond)
  return starts.length === 0 ? null : Math.max(...starts)
}

/** For how long a process has been there, in ms, whatever the clock on the wall did meanwhile; null where it cannot be seen from here. */
export function ageOfProcess(pid: number): number | null {
  const stat = readStat(pid)
  return stat === null ? null : uptime() * 1000 - (stat.ticks * 1000) / ticksPerSecond
}

function holdsAny(pid: string, sockets: ReadonlySet<string>): boolean {
  const dir = `/proc/${pid}/fd`
  const open = readOr(dir, (path) => readdirSync(path)) ?? []
  return open.some((fd) => sockets.has(readOr(`${dir}/${fd}`, (path) => readlinkSync(path)) ?? ''))
}

/** Null for what is gone, or not for us. */
function readOr<T>(path: string, read: (path: string) => T): T | null {
  try {
    return read(path)
  } catch {
    return null
  }
}
