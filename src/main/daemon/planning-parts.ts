// What passes and the API share of their reading of the view: what triggers see, who explains, and the texts of lists.
import { KeptBodies } from '../../api/kept-bodies.js'
import { lookAtMetricsEveryMs } from '../../autoscale/io/pass.js'
import { type FollowedTriggers, followTriggers } from '../../autoscale/io/sightings.js'
import { Explainer } from '../../engine/explain.js'
import { describeError } from '../../lib/io/log.js'
import { startLoop } from '../../lib/io/loop.js'
import { Slices } from '../../lib/io/slices.js'
import { openMailer } from '../../notify/io/mailer.js'
import { openSender } from '../../notify/io/sender.js'
import type { Base } from './base.js'
import type { Cluster } from './cluster.js'
import type { MachineParts } from './machine-parts.js'

/** The longest time between two looks where nothing is scaled by triggers. */
const lookEveryMs = 15_000

export interface PlanningParts {
  readonly sightings: FollowedTriggers
  readonly sender: ReturnType<typeof openSender>
  readonly explainer: Explainer
  readonly bodies: KeptBodies
  readonly slices: Slices
}

export async function startPlanningParts(
  { options, clock, log, undo }: Base,
  { registry }: Cluster,
  { units }: MachineParts,
): Promise<PlanningParts> {
  const sightings = followTriggers(registry, clock)
  const watching = startLoop({
    pass: sightings.pass,
    clock,
    intervalMs: lookEveryMs,
    restMs: lookAtMetricsEveryMs,
    onError: (error) => log.warn('autoscale', `cannot read the metrics of triggers: ${describeError(error)}`),
  })
  const unsubscribe = registry.onChange((kinds) => {
    if (kinds.has('service')) watching.wake()
  })
  await undo.push('what triggers see', async () => {
    unsubscribe()
    await watching.stop()
  })
  const sender = openSender(clock, openMailer(options.smtp, clock))
  await undo.push('webhooks', async () => sender.close())
  const explainer = new Explainer(registry.view, units.needs)
  const bodies = new KeptBodies(registry.view)
  registry.onChange((_, changes) => {
    for (const change of changes) {
      explainer.note(change)
      bodies.note(change)
    }
  })
  return { sightings, sender, explainer, bodies, slices: new Slices(clock) }
}
