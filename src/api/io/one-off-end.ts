// The end of instances that run once: they leave their machine, and then their records go.
import { forgetOneOff, isThere, type OneOffEnd, preventOneOff, stopOneOff } from '../../changes/one-offs.js'
import { backoffMs } from '../../lib/backoff.js'
import { pause } from '../../lib/io/clock.js'
import { describeError } from '../../lib/io/log.js'
import { tryUntilDone } from '../../lib/io/tries.js'
import type { Instance } from '../../model/service.js'
import type { UnitName } from '../../model/unit.js'
import { keys, kindOfKey } from '../../store/records.js'
import { type Change, isFull, isOutOfReach } from '../../store/store.js'
import { type ClusterView, type ServiceKey, serviceKey } from '../../store/view.js'
import { type ApiContext, type ChangeContext, contended, ProblemError, retryPolicy } from './context.js'

type EndContext = ChangeContext & Pick<ApiContext, 'log' | 'machine'>

/** How long a machine may take to stop and remove it, before its records go all the same: it is stopped as what nobody wants then. */
const leavesWithinMs = 120_000

/** The store may be away for long: nobody but this daemon removes the instance, and nobody waits for it. */
const tryAgain = { firstMs: 500, longestMs: 10_000 } as const

/**
 * Takes an instance away; `exit` is how its program has ended, null where nobody has seen that. What cannot be written is tried
 * again until it is, or until this daemon ends: the rest is left to its next start. Never throws.
 */
export async function takeAway(context: EndContext, instance: Instance, exit: number | null): Promise<void> {
  await untilWritten(context, instance, async () => {
    const { clock } = context
    await write(context, instance, (view) => stopOneOff(view, instance, exit, clock.now()))
    await left(context, instance)
    await write(context, instance, (view) => forgetOneOff(view, instance))
  })
}

/**
 * Takes away what its caller was told has failed to be made: a write of unknown outcome may have made it all the same, or may
 * yet. Never throws.
 */
export async function takeAwayIfMade(context: EndContext, instance: Instance): Promise<void> {
  await untilWritten(context, instance, () =>
    write(context, instance, (view) => preventOneOff(view, instance)),
  )
  if (isThere(context.registry.view, instance)) await takeAway(context, instance, null)
}

async function untilWritten(
  { clock, log }: EndContext,
  { name }: Instance,
  attempt: () => Promise<void>,
): Promise<void> {
  for (let failures = 1; ; failures++) {
    try {
      await attempt()
      return
    } catch (error) {
      const isPassing = isOutOfReach(error) || isFull(error) || error instanceof ProblemError
      if (!isPassing || failures === 1)
        log.warn('api', `cannot remove a one-off instance${isPassing ? ', retrying' : ''}`, {
          instance: name,
          why: describeError(error),
        })
      if (!isPassing) return
      await pause(clock, backoffMs(failures, tryAgain))
    }
  }
}

/**
 * Takes away what a daemon of this machine waited for that has ended before, now and whenever it comes to be: the store may carry
 * out a request of that daemon late. Returns the way to end that.
 */
export function takeAwayUnattended(context: EndContext & Pick<ApiContext, 'attended'>): () => void {
  const { registry, machine, attended } = context
  const { view } = registry
  const leaving = new Set<UnitName>()
  const look = (instances: Iterable<Instance>): void => {
    for (const instance of instances) {
      const { oneOff, unit } = instance
      const isLeft = oneOff?.attendedBy === machine && (oneOff.id === undefined || !attended.has(oneOff.id))
      if (!isLeft || leaving.has(unit)) continue
      leaving.add(unit)
      const end = (): boolean => leaving.delete(unit)
      takeAway(context, instance, null).then(end, end)
    }
  }
  look(view.instances.values())
  return registry.onChange((kinds, changes) => {
    if (kinds.has('instance')) for (const service of servicesOf(changes)) look(view.oneOffsOf(service))
  })
}

/** Whose instances have changed. */
function servicesOf(changes: readonly Change[]): ReadonlySet<ServiceKey> {
  return new Set(
    changes.flatMap(({ key }) => {
      const [, project = '', service = ''] = key.split('/')
      return kindOfKey(key) === 'instance' ? [serviceKey(project, service)] : []
    }),
  )
}

async function write(
  { registry, events, clock, random }: EndContext,
  { unit }: Instance,
  decide: (view: ClusterView) => OneOffEnd,
): Promise<void> {
  const done = await tryUntilDone({ time: clock, random }, retryPolicy, async () => {
    const { committed } = await registry.decide((view) => {
      const { ops, events: told } = decide(view)
      return { decidedOn: [keys.unit(unit)], ops: [...ops, ...events.append(told)] }
    })
    return committed ? {} : null
  })
  if (done === null) throw contended()
}

/** Resolves when no machine has it any more, or in time. */
async function left({ registry, clock }: EndContext, { unit }: Instance): Promise<void> {
  const over = new AbortController()
  const look = (): void => {
    if (!registry.view.isReported(unit)) over.abort()
  }
  const unsubscribe = registry.onChange(look)
  try {
    look()
    await pause(clock, leavesWithinMs, over.signal)
  } finally {
    unsubscribe()
  }
}
