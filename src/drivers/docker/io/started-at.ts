// When Docker itself was started: it does not say, but the kernel knows which process takes connections at its socket.
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
