// The end of instances that run once: they leave their machine, and then their records go.
import { forgetOneOff, type OneOffEnd, stopOneOff } from '../../changes/one-offs.js'
import { pause } from '../../lib/io/clock.js'
import { describeError } from '../../lib/io/log.js'
import { tryUntilDone } from '../../lib/io/tries.js'
import type { Instant } from '../../lib/time.js'
import type { Instance } from '../../model/service.js'
import { keys } from '../../store/records.js'
import type { ClusterView } from '../../store/view.js'
import { type ApiContext, type ChangeContext, retryPolicy } from './context.js'

type EndContext = ChangeContext & Pick<ApiContext, 'log' | 'machine'>

/** How long a machine may take to stop and remove it, before its records go all the same: it is stopped as what nobody wants then. */
const leavesWithinMs = 120_000

/**
 * Takes an instance away; `exit` is how its program has ended, null where nobody has seen that. What cannot be written is left to
 * the next start of this daemon. Never throws.
 */
export async function takeAway(context: EndContext, instance: Instance, exit: number | null): Promise<void> {
  const { clock, log } = context
  try {
    await write(context, instance, (view) => stopOneOff(view, instance, exit, clock.now()))
    await left(context, instance)
    await write(context, instance, (view) => forgetOneOff(view, instance))
  } catch (error) {
    log.warn('api', 'cannot remove a one-off instance', {
      instance: instance.name,
      why: describeError(error),
    })
  }
}

/** Takes away what a daemon of this machine waited for that has ended before. */
export async function takeAwayOwn(context: EndContext, startedAt: Instant): Promise<void> {
  const { registry, machine } = context
  const own = [...registry.view.instances.values()].filter(
    ({ oneOff, createdAt }) => oneOff?.attendedBy === machine && createdAt < startedAt,
  )
  await Promise.all(own.map((instance) => takeAway(context, instance, null)))
}

async function write(
  { registry, events, clock, random }: EndContext,
  { unit }: Instance,
  decide: (view: ClusterView) => OneOffEnd,
): Promise<void> {
  await tryUntilDone({ time: clock, random }, retryPolicy, async () => {
    const { committed } = await registry.decide((view) => {
      const { ops, events: told } = decide(view)
      return { decidedOn: [keys.unit(unit)], ops: [...ops, ...events.append(told)] }
    })
    return committed ? {} : null
  })
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
