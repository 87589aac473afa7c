// What comes by the entry of this machine: the proxy's log of requests, counted by the service that each was led to.
import { join } from 'node:path'
import { describeError, type Log } from '../../lib/io/log.js'
import { startLoop } from '../../lib/io/loop.js'
import type { Time } from '../../lib/time.js'
import type { EntryFigures } from '../../model/scaling.js'
import { readAccess } from '../access-log.js'
import { entryExposition } from '../exposition.js'
import { type RouteOf, routeMatcher } from '../match.js'
import type { ServedRoute } from '../routes.js'
import { Traffic } from '../traffic.js'
import { LogFollower } from './log-follower.js'

export interface EntryTraffic {
  /** What the proxy serves from now on, in its order; until this is said nothing is counted. */
  follow(served: readonly ServedRoute[]): void
  /** The figures of these services (`PROJECT/SERVICE`) since they were last asked for; at most half a second is missing. */
  figuresOf(services: Iterable<string>): ReadonlyMap<string, EntryFigures>
  /** All that was counted since the daemon began, as Prometheus' text. */
  exposition(): string
  stop(): Promise<void>
}

const readEveryMs = 500

export function startEntryTraffic(parts: {
  /** Where the proxy has its files. */
  readonly dir: string
  readonly clock: Time
  readonly log: Log
}): EntryTraffic {
  const { dir, clock, log } = parts
  const traffic = new Traffic(clock.steady())
  let routeOf: RouteOf | null = null
  const follower = new LogFollower(join(dir, 'access.log'), (line) => {
    const access = readAccess(line)
    if (access === null || routeOf === null) return
    const found = routeOf(access)
    if (found !== 'sent-on') traffic.count(found === null ? '' : `${found.project}/${found.service}`, access)
  })
  const loop = startLoop({
    pass: async () => {
      if (routeOf !== null) await follower.read()
      return { wakeAt: null }
    },
    clock,
    intervalMs: readEveryMs,
    onError: (error) => log.warn('entry', `cannot count requests: ${describeError(error)}`),
  })
  return {
    follow: (served) => {
      routeOf = routeMatcher(served)
      traffic.keep(new Set(served.map(({ project, service }) => `${project}/${service}`)))
    },
    figuresOf: (services) => traffic.take(services, clock.steady()),
    exposition: () => entryExposition(traffic),
    stop: async () => {
      await loop.stop()
      await follower.close()
    },
  }
}
