// An instance leaves the names before it is stopped, so that nobody is sent to a dead one: it is retired, which takes it out
// of all answers, and goes on serving for as long as answers from before may be remembered. That is of use only where
// others serve meanwhile, and where it can be found by a name at all.
import type { RetireCause, Service } from '../model/service.js'
import type { ServiceAction, StopAtOnce } from './actions.js'
import type { Assessed } from './assess.js'
import type { ServiceSituation } from './situation.js'

/** The actions of a plan, in which those instances that serve and need not stop at once leave the names first. */
export function leavingFirst(
  {
    service,
    rememberedMs: remembered,
    rememberedIdleMs = () => null,
  }: Pick<ServiceSituation, 'service' | 'rememberedMs' | 'rememberedIdleMs'>,
  live: readonly Assessed[],
  actions: readonly ServiceAction[],
): readonly ServiceAction[] {
  const going = new Set(actions.flatMap((one) => (one.kind === 'retire' ? [one.instance] : [])))
  if (going.size === 0 || !goesOn(service)) return actions
  if (!hasHandedOver(service) && !live.some((item) => item.up && !going.has(item.instance))) return actions
  const serving = new Set(live.filter(mayServe).map(({ instance }) => instance))
  return actions.map((one) => {
    if (one.kind !== 'retire' || !isPlanned(service, one.cause) || !serving.has(one.instance)) return one
    const stopAfterMs = remembered(one.instance.unit)
    if (stopAfterMs === 0) return one
    const idleMs = rememberedIdleMs(one.instance.unit)
    return { ...one, stopAfterMs, ...(idleMs !== null && { stopWhenIdleAfterMs: idleMs }) }
  })
}

/** Those that left before the whole service was told to stop: there is nothing left to wait for. */
export function leavingInVain(service: Service, retired: readonly Assessed[]): readonly StopAtOnce[] {
  if (goesOn(service)) return []
  return retired
    .filter(({ isLeaving, instance }) => isLeaving && instance.retired?.kept !== true)
    .map(({ instance }) => ({ kind: 'stop-at-once', instance }))
}

/** Whether anything of it is to serve from now on: where nothing is, nobody can be sent elsewhere, and nothing is waited for. */
function goesOn(service: Service): boolean {
  const { type, scale, deleting } = service
  return hasHandedOver(service) || (type === 'continuous' && scale > 0 && !deleting)
}

/** Others serve in its place. */
function hasHandedOver({ deleting, handsOver }: Service): boolean {
  return deleting && handsOver !== undefined
}

function isPlanned(service: Service, cause: RetireCause): boolean {
  return planned.has(cause) || (cause === 'deleted' && hasHandedOver(service))
}

/** What has failed answers nobody, or wrongly: it goes at once. */
const planned: ReadonlySet<RetireCause> = new Set(['scale-down', 'stopped', 'replaced', 'drained'])

function mayServe({ up, returning, state }: Assessed): boolean {
  return up || (returning && state === 'running')
}
