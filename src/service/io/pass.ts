// One pass over the services of which something has changed: read the view, decide for each, commit under our epoch. The
// deciding is in `planService`; which services there is something to decide of, in `ServicesToPlan`.
import { type ClockJump, elapsedAt } from '../../lib/elapsed.js'
import type { Log } from '../../lib/io/log.js'
import type { Pass } from '../../lib/io/loop.js'
import { earlier, type Instant } from '../../lib/time.js'
import type { MachineId } from '../../model/machine.js'
import type { Service } from '../../model/service.js'
import { eachService } from '../../store/io/each-service.js'
import type { EventLog } from '../../store/io/event-log.js'
import type { Registry } from '../../store/io/registry.js'
import type { Losses } from '../../store/steady-losses.js'
import type { Op } from '../../store/store.js'
import { type ClusterView, serviceKey } from '../../store/view.js'
import { planOne } from '../plan-one.js'
import { ServicesToPlan } from '../services-to-plan.js'
import type { SituationTools } from '../situation.js'
import { fullAllowance, refill } from '../storm.js'
import { absencesOf, takersUnder, writesOf } from '../writes.js'

interface ServicePassOptions extends SituationTools {
  readonly registry: Registry
  readonly events: EventLog
  readonly losses: Losses
  readonly log: Log
  /** How often the clock on the wall was set until now. */
  readonly jumps: () => readonly ClockJump[]
  /** For how long this daemon has been connected to the store without a break. */
  readonly connectedForMs: () => number
  /** Our epoch, or null while we do not lead. */
  readonly epoch: () => number | null
  /** Each pass looks at all services: whoever tests it finds what was not followed. */
  readonly looksAtAll?: boolean | undefined
}

/** The pass over services. It follows the registry from now on, for as long as that is open. */
export function servicePass(options: ServicePassOptions): Pass {
  const { registry, log, looksAtAll = false } = options
  const services = new ServicesToPlan(registry.view)
  registry.onChange((_, changes) => services.note(changes))
  const isAsBefore = openPremises(options)
  let allowance = fullAllowance
  return async (now, signal) => {
    const epoch = options.epoch()
    if (!isAsBefore(epoch)) services.markAll()
    if (epoch === null) return { wakeAt: null }
    // Of the same moment as `now`: what is measured with a later one would seem to be longer ago by as much as the clock was set.
    const jumps = options.jumps()
    allowance = refill(allowance, elapsedAt(now, jumps))
    // As long as `now` is the same, this is: a plan whose time has not come yet by the one would have come by the other.
    const connectedMs = options.connectedForMs()
    const due = services.due(now)
    const others = looksAtAll ? registry.view.services.keys() : services.lookedAtNow(now)
    const again = await eachService(registry, {
      ...{ log, epoch, now, signal },
      services: new Set([...due, ...others]),
      decide: (view, service) =>
        decide(options, services, view, service, { now, jumps, connectedMs, allowance: allowance.left }),
      onDecided: ({ ops, told: drafts, replacements }) => {
        allowance = { ...allowance, left: allowance.left - replacements }
        if (ops.length > 0) for (const event of drafts) log.info('service', event.message)
      },
    })
    return { wakeAt: earlier(again, services.wakeAt()) }
  }
}

/** What a pass begins with. */
interface PassPremises {
  readonly now: Instant
  readonly jumps: readonly ClockJump[]
  /** For how long the store had been there without a break. */
  readonly connectedMs: number
  /** How many replacements it may still begin. */
  readonly allowance: number
}

/** Plans one service, and notes what that has read; what nothing has led to is told of. */
function decide(
  options: ServicePassOptions,
  services: ServicesToPlan,
  view: ClusterView,
  service: Service,
  { now, jumps, connectedMs, allowance }: PassPremises,
) {
  const { losses, connectedForMs, events, log } = options
  const key = serviceKey(service.project, service.name)
  const isDue = services.isDue(key, now)
  const heldUntil = (machine: MachineId): Instant | null => losses.heldUntil(machine, now)
  const storm = { heldUntil, allowance }
  const known = { now, storm, jumps, connectedForMs: Math.min(connectedMs, connectedForMs()) }
  const { plan, ...read } = planOne(view, service, options, known)
  const { wakeAt, replacements } = plan
  const { ops, events: drafts } = writesOf(view, service, plan, now)
  services.planned(key, { wakeAt, ...read }, ops.length > 0)
  if (!isDue && ops.length > 0)
    log.warn('service', 'a look at all services found missed changes', {
      ...{ service: key, records: recordsIn(ops).join(', ') },
    })
  const all = ops.length === 0 ? [] : [...ops, ...events.append(drafts)]
  return {
    decidedOn: [...absencesOf(view, plan), ...takersUnder(view, plan)],
    ops: all,
    wakeAt,
    replacements,
    told: drafts,
  }
}

/**
 * Whether all that plans rest on beside records is as it was at the last question: who leads, how the clock was set, and that
 * the store has been there without a break.
 */
function openPremises({ jumps, connectedForMs }: ServicePassOptions): (epoch: number | null) => boolean {
  let before = { epoch: null as number | null, jump: jumps().at(-1), connectedMs: 0 }
  return (epoch) => {
    const now = { epoch, jump: jumps().at(-1), connectedMs: connectedForMs() }
    const { jump, connectedMs } = before
    const isLed = epoch !== null && epoch === before.epoch
    before = now
    return isLed && now.jump === jump && now.connectedMs >= connectedMs
  }
}

function recordsIn(ops: readonly Op[]): readonly string[] {
  return ops.map((op) => (op.op === 'delete-prefix' ? op.prefix : op.key))
}
