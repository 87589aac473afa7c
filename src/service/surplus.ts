// Which instances are too many. What is up goes only as far as what is up afterwards meets the scale; where a new one
// finds no room beside the old ones, some of them go first, if their going has been shown to make that room.
import type { Elapsed } from '../lib/elapsed.js'
import type { RetireCause, Service } from '../model/service.js'
import type { Retire } from './actions.js'
import type { Assessed } from './assess.js'
import { retireFailing } from './retire.js'
import type { Roles } from './roles.js'
import { makeRoom } from './room.js'
import { firstToGo, mayServe, spared } from './select-surplus.js'
import type { ServiceSituation } from './situation.js'

/** Which instances go, of those that are there; `retired` are on their way out. */
export function planSurplus(
  situation: ServiceSituation,
  roles: Roles,
  retired: readonly Assessed[],
  time: Elapsed,
): readonly Retire[] {
  const { service } = situation
  const { there, going, staying } = roles
  if (going.length === 0 || service.scale === 0) return plainSurplus(situation, there, time)
  // What nobody has picked, has no place in the scale and serves nobody is waited for by nobody. Where a driver does not
  // answer it may serve, and the picks may not.
  const idle = going.filter((item) => !item.outdated && !mayServe(item))
  if (idle.length > 0) return idle.map((item) => retireAs(item, 'replaced', idleReasons))
  const serving = going.length + staying.filter((item) => item.up).length
  if (serving > service.scale) {
    const cause = causeOf(service, staying)
    return firstToGo(service, going, serving - service.scale).map((item) =>
      retireAs(item, cause, surplusReasonsFor(item, situation, time)),
    )
  }
  return service.rollout === null ? [] : makeRoom(situation, service.rollout, roles, retired)
}

function causeOf({ rollout }: Service, staying: readonly Assessed[]): RetireCause {
  if (!staying.some((item) => item.fresh && item.up)) return 'scale-down'
  return rollout === null ? 'drained' : 'replaced'
}

/**
 * Above the scale with nothing to replace. Who has just come back may be gone in truth, as may who is on a driver that does not
 * answer, and nobody that may serve goes for them.
 */
function plainSurplus(
  situation: ServiceSituation,
  there: readonly Assessed[],
  time: Elapsed,
): readonly Retire[] {
  const { service } = situation
  const candidates = service.scale === 0 ? there : there.filter((item) => !item.returning)
  const cause = service.stoppedFrom === null ? 'scale-down' : 'stopped'
  const going = firstToGo(service, candidates, candidates.length - service.scale)
  return spared(going, candidates, service.scale).map((item) =>
    retireAs(item, cause, surplusReasonsFor(item, situation, time)),
  )
}

type Reasons = Readonly<Partial<Record<RetireCause, string>>>

type SurplusReasons = Readonly<Record<'scale-down' | 'stopped' | 'replaced' | 'drained', string>>

/** Of what is too many as somebody has asked for less. */
export const surplusReasons: SurplusReasons = {
  'scale-down': 'the scale was lowered',
  stopped: 'the service was told to stop',
  replaced: 'a newer instance takes its place',
  drained: 'its machine is drained, and another instance has taken its place',
}

/** Of what goes in a rollout beside those that it replaces. */
export const hasNoPlace = 'it serves nobody, and has no place in the scale'

const idleReasons: Reasons = { ...surplusReasons, replaced: hasNoPlace }

/**
 * The same of one instance. Where nobody has lowered the scale since it was made, there are too many for another reason, as after
 * a machine is back with what was replaced meanwhile.
 */
export function surplusReasonsFor(
  { instance }: Pick<Assessed, 'instance'>,
  { tasks }: Pick<ServiceSituation, 'tasks'>,
  time: Elapsed,
): SurplusReasons {
  const isLowered = tasks.some(
    ({ kind, stops, createdAt }) =>
      kind === 'scale' && stops !== undefined && time.since(createdAt) <= time.since(instance.createdAt),
  )
  if (isLowered) return surplusReasons
  return { ...surplusReasons, 'scale-down': 'more instances run than the scale requires' }
}

function retireAs(item: Assessed, cause: RetireCause, words: Reasons): Retire {
  const failed = cause === 'stopped' ? [] : retireFailing(item)
  return failed[0] ?? { kind: 'retire', instance: item.instance, cause, reason: words[cause] ?? cause }
}
