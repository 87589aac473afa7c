// Restarts by Docker's logic: systemd waits for the longest time, and is asked for the restart when Docker's wait is
// over. Without us a program is restarted by systemd all the same, later.
import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { describeError, type Log } from '../../../lib/io/log.js'
import { startLoop } from '../../../lib/io/loop.js'
import { earlier, type Instant, type Time } from '../../../lib/time.js'
import type { ObservedUnit, UnitName } from '../../../model/unit.js'
import { noRestarts, noteAsked, noteWait, parseRestartCount, type RestartCount } from '../restart-count.js'
import type { SystemdBus } from './bus.js'
import type { UnitTable } from './unit-table.js'

export interface Restarts {
  /** A unit with the restarts that were asked for, and when the next is due. */
  told(unit: ObservedUnit): ObservedUnit
  /** The unit is started by hand: its restarts are counted anew. */
  begin(name: UnitName): void
  /** The unit is to be stopped: from now on nothing is restarted. */
  end(name: UnitName): void
  forget(name: UnitName): void
  close(): Promise<void>
}

interface RestartsOptions {
  readonly table: UnitTable
  readonly bus: SystemdBus
  /** Where the counts are; gone after a reboot, as the units are. */
  readonly dir: string
  readonly clock: Time
  readonly log: Log
}

/** Follows the units of a table from now on. */
export function openRestarts({ table, bus, dir, clock, log }: RestartsOptions): Restarts {
  const closed = new AbortController()
  const counts = openCounts(dir)
  const waiting = new Set<UnitName>()
  const stopping = new Set<UnitName>()

  /** Takes note of what systemd tells; null for a unit that waits for no restart of ours. */
  const look = (name: UnitName): RestartCount | null => {
    const seen = table.observed(name)
    const waits = table.get(name)?.dockerRestarts === true && seen?.sub.startsWith('auto-restart') === true
    if (!waits || seen.since === null) {
      waiting.delete(name)
      return null
    }
    waiting.add(name)
    return counts.put(name, noteWait(counts.of(name), seen.since, table.ranMs(name)))
  }
  const restart = (name: UnitName): void => {
    counts.put(name, noteAsked(counts.of(name)))
    bus.run('RestartUnit', name, closed.signal).catch((error: unknown) => {
      if (!closed.signal.aborted) log.warn('systemd', `${name} was not restarted: ${describeError(error)}`)
    })
  }
  const pass = (now: Instant): Instant | null => {
    let wakeAt: Instant | null = null
    for (const name of [...waiting]) {
      const dueAt = look(name)?.dueAt ?? null
      if (dueAt === null || stopping.has(name)) continue
      if (dueAt <= now) restart(name)
      else wakeAt = earlier(wakeAt, dueAt)
    }
    return wakeAt
  }
  const loop = startLoop({
    pass: (now) => Promise.resolve({ wakeAt: pass(now) }),
    clock,
    intervalMs: 60_000,
    onError: (error) => log.warn('systemd', `cannot watch restarts: ${describeError(error)}`),
  })
  table.watch((name) => {
    for (const one of name === null ? table.names() : [name]) if (look(one) !== null) loop.wake()
  }, closed.signal)

  return {
    told: (unit) => {
      const held = table.get(unit.name)
      if (held?.dockerRestarts !== true) return unit
      const dueAt = look(unit.name)?.dueAt
      const { restartAt: _, ...seen } = unit
      const restarts = unit.restarts + counts.of(unit.name).asked
      return {
        ...seen,
        restarts: Math.min(restarts, held.maxRestarts ?? Number.POSITIVE_INFINITY),
        ...(dueAt != null && { restartAt: dueAt }),
      }
    },
    begin: (name) => {
      stopping.delete(name)
      counts.forget(name)
    },
    end: (name) => void stopping.add(name),
    forget: (name) => {
      waiting.delete(name)
      stopping.delete(name)
      counts.forget(name)
    },
    close: async () => {
      closed.abort()
      await loop.stop()
    },
  }
}

/** Counts by unit, each in a file of its own that is written when it changes. */
function openCounts(dir: string) {
  const at = (name: string): string => `${dir}/${name}`
  mkdirSync(dir, { recursive: true, mode: 0o755 })
  const counts = new Map(
    readdirSync(dir).map((name) => [name as UnitName, parseRestartCount(readFileSync(at(name), 'utf8'))]),
  )
  return {
    of: (name: UnitName): RestartCount => counts.get(name) ?? noRestarts,
    put: (name: UnitName, count: RestartCount): RestartCount => {
      if (counts.get(name) !== count) writeFileSync(at(name), JSON.stringify(count))
      counts.set(name, count)
      return count
    },
    forget: (name: UnitName): void => {
      if (counts.delete(name)) rmSync(at(name), { force: true })
    },
  }
}
