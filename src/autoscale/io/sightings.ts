// Follows on every daemon what triggers see, so that each can tell it; it decides nothing.
import type { Pass } from '../../lib/io/loop.js'
import { ownTurn } from '../../lib/io/turns.js'
import type { Instant, Time } from '../../lib/time.js'
import type { Service } from '../../model/service.js'
import type { Registry } from '../../store/io/registry.js'
import { type ServiceKey, serviceKey } from '../../store/view.js'
import { freshAmong, type Heard, hear } from '../observe.js'
import { type Sighted, type Sighting, sight } from '../sighting.js'
import { lookAtMetricsEveryMs } from './pass.js'

/** What the triggers of services saw last. */
export interface TriggerSightings {
  /** What the triggers of a service see, as of the last look; none where it has none, or was not looked at yet. */
  of(service: Service): readonly Sighting[]
}

export interface FollowedTriggers extends TriggerSightings {
  readonly pass: Pass
}

/** So many services that have triggers are looked at in one turn. */
const servicesAtOnce = 100

/** What is followed is measured by the clock that nobody sets. */
export function followTriggers(
  { view }: Pick<Registry, 'view'>,
  time: Pick<Time, 'now' | 'steady'>,
): FollowedTriggers {
  let followed: ReadonlyMap<ServiceKey, Sighted> = new Map()
  let heard: Heard = new Map()
  const pass: Pass = async (_, signal) => {
    const [now, wall] = [time.steady(), time.now()]
    heard = hear(view, heard, now)
    const isFresh = freshAmong(heard, view.machines.size, now)
    const seen = new Map<ServiceKey, Sighted>()
    for (const [key, service] of view.services) {
      const sighted = sight(view, service, followed.get(key) ?? null, isFresh, now, wall)
      if (sighted === null) continue
      seen.set(key, sighted)
      if (seen.size % servicesAtOnce === 0) await ownTurn()
      if (signal.aborted) break
    }
    followed = seen
    return { wakeAt: seen.size === 0 ? null : wall + lookAtMetricsEveryMs }
  }
  return {
    pass,
    of: (service) => {
      const sighted = followed.get(serviceKey(service.project, service.name))
      if (sighted?.version !== service.current) return []
      const ahead = time.now() - time.steady()
      return sighted.sightings.map((one) => ({ ...one, since: onTheWall(one.since, ahead) }))
    },
  }
}

function onTheWall(at: Instant, ahead: number): Instant {
  return Math.round(at + ahead)
}
