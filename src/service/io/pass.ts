// One pass over all services: read the view, decide for each, commit under our epoch. The deciding is in `planService`.
import { type ClockJump, elapsedAt } from '../../lib/elapsed.js'
import type { Log } from '../../lib/io/log.js'
import type { Pass } from '../../lib/io/loop.js'
import type { Instant } from '../../lib/time.js'
import type { MachineId } from '../../model/machine.js'
import { eachService } from '../../store/io/each-service.js'
import type { EventLog } from '../../store/io/event-log.js'
import type { Registry } from '../../store/io/registry.js'
import type { Losses } from '../../store/steady-losses.js'
import { planService } from '../plan.js'
import { type SituationTools, situationOf } from '../situation.js'
import { fullAllowance, refill } from '../storm.js'
import { absencesOf, writesOf } from '../writes.js'

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
}

export function servicePass(options: ServicePassOptions): Pass {
  const { registry, events, losses, log } = options
  let allowance = fullAllowance
  return async (now, signal) => {
    const epoch = options.epoch()
    if (epoch === null) return { wakeAt: null }
    const jumps = options.jumps()
    allowance = refill(allowance, elapsedAt(now, jumps))
    const wakeAt = await eachService(registry, {
      log,
      epoch,
      now,
      signal,
      decide: (view, service) => {
        const heldUntil = (machine: MachineId): Instant | null => losses.heldUntil(machine, now)
        const storm = { heldUntil, allowance: allowance.left }
        const situation = situationOf(view, service, options, storm, jumps)
        const plan = planService({ ...situation, connectedForMs: options.connectedForMs() }, now)
        const { ops, events: drafts } = writesOf(view, service, plan, now)
        const all = ops.length === 0 ? [] : [...ops, ...events.append(drafts)]
        const decidedOn = absencesOf(view, plan)
        return { decidedOn, ops: all, wakeAt: plan.wakeAt, replacements: plan.replacements, told: drafts }
      },
      onDecided: ({ ops, told: drafts, replacements }) => {
        allowance = { ...allowance, left: allowance.left - replacements }
        if (ops.length > 0) for (const event of drafts) log.info('service', event.message)
      },
    })
    return { wakeAt }
  }
}
