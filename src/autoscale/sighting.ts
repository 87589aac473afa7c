// What the triggers of a service see, for people who ask: the value, whether the condition holds, and since when.
import type { Instant } from '../lib/time.js'
import type { MetricTrigger } from '../model/scaling.js'
import type { Service } from '../model/service.js'
import type { ClusterView } from '../store/view.js'
import { isMet } from './decide.js'
import type { IsFresh } from './entry-values.js'
import { observe } from './observe.js'
import type { Reading } from './readings.js'

/** What a trigger saw: its value, and whether its condition holds. */
export interface Sighting {
  readonly trigger: MetricTrigger
  readonly reading: Reading
  /** Whether its condition holds now; null: too little is known. */
  readonly met: boolean | null
  /** Since when that is so, as far as who looks has seen. */
  readonly since: Instant
}

/** The sightings of one version of a service. */
export interface Sighted {
  readonly version: string
  readonly sightings: readonly Sighting[]
}

/**
 * What the triggers of a service see now, after what they saw before; null for a service that has none. `now` is by the clock that
 * nobody sets, `wall` by the other.
 */
export function sight(
  view: ClusterView,
  service: Service,
  before: Sighted | null,
  isFresh: IsFresh,
  now: Instant,
  wall: Instant,
): Sighted | null {
  const triggers = view.versions.get(service.current)?.scaling?.triggers ?? []
  if (triggers.length === 0) return null
  // Another version may measure something else by the same name.
  const known = before?.version === service.current ? before.sightings : []
  const sightings = triggers.map((trigger): Sighting => {
    const reading = observe(view, service, trigger, isFresh, now, wall)
    const met = isMet(reading, trigger)
    const last = known.find((one) => one.trigger.name === trigger.name)
    return { trigger, reading, met, since: last?.met === met ? last.since : now }
  })
  return { version: service.current, sightings }
}
