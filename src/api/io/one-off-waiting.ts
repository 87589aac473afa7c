// Telling the caller of a program that runs once what it waits for.
import { pause } from '../../lib/io/clock.js'
import type { Instance } from '../../model/service.js'
import { heldUp } from '../held.js'
import { describeWait, placedOn } from '../one-off-waits.js'
import type { ApiContext } from './context.js'
import type { Streaming } from './streams.js'

const firstAfterMs = 2000
const thenEveryMs = 1000

/** Sends what is waited for after a while, and each time that it has changed, until `over` aborts. */
export async function tellWaits(
  context: ApiContext,
  instance: Instance,
  stream: Pick<Streaming, 'send'>,
  over: AbortSignal,
): Promise<void> {
  const { registry, clock, stale } = context
  let told = ''
  let ledAt = clock.steady()
  for (let waitMs = firstAfterMs; ; waitMs = thenEveryMs) {
    await pause(clock, waitMs, over)
    if (over.aborted) return
    if (registry.view.leader !== null) ledAt = clock.steady()
    const held = heldUp(registry.view, stale(), clock.steady() - ledAt)
    const waiting = held?.message ?? (await whatFor(context, instance))
    if (over.aborted) return
    if (waiting !== told) await stream.send({ waiting })
    told = waiting
  }
}

async function whatFor({ registry, clock, leaseOf }: ApiContext, instance: Instance): Promise<string> {
  const machine = placedOn(registry.view, instance)
  // A store that cannot be asked is told of by itself.
  const lease = machine === null ? null : await leaseOf(machine).catch(() => null)
  return describeWait(registry.view, instance, lease, clock.now())
}
