// The plan of one service from the view, with what it has read: so that it is planned again when that has changed, and only then.
import type { ClockJump } from '../lib/elapsed.js'
import type { Instant } from '../lib/time.js'
import type { MachineId } from '../model/machine.js'
import type { Service } from '../model/service.js'
import type { ClusterView } from '../store/view.js'
import type { ServicePlan } from './actions.js'
import { planService } from './plan.js'
import type { Planned, ReadsAlso } from './services-to-plan.js'
import { type ServiceSituation, type SituationTools, situationOf } from './situation.js'
import type { StormGuard } from './storm.js'

/** What is known beside the records. */
interface Surroundings {
  readonly now: Instant
  readonly storm: StormGuard
  readonly jumps: readonly ClockJump[]
  readonly connectedForMs?: number
}

export function planOne(
  view: ClusterView,
  service: Service,
  tools: SituationTools,
  { now, storm, jumps, ...connected }: Surroundings,
): Omit<Planned, 'wakeAt'> & { readonly plan: ServicePlan } {
  let hasAsked = false
  const heldUntil = (machine: MachineId): Instant | null => {
    hasAsked = true
    return storm.heldUntil(machine)
  }
  const makesRoom: SituationTools['makesRoom'] = (...asked) => {
    hasAsked = true
    return tools.makesRoom(...asked)
  }
  const known = situationOf(view, service, { ...tools, makesRoom }, { ...storm, heldUntil }, jumps)
  const situation = { ...known, ...connected }
  const plan = planService(situation, now)
  const readsAlso = hasAsked || isAnyAway(situation) ? 'cluster' : readsOthers(situation)
  return { plan, readsAlso, isUnderWay: isAnyUnderWay(situation) }
}

/** How many of what is lost are replaced at a time depends on all services, and on how long ago machines were lost. */
function isAnyAway({ instances }: ServiceSituation): boolean {
  return instances.some(
    ({ instance, placement, machinePresent }) =>
      instance.lost !== null || (placement !== null && !machinePresent),
  )
}

/** It waits for others of its project, is to stop after them, or is deleted once they serve. */
function readsOthers({ awaited, takers, tasks }: ServiceSituation): ReadsAlso {
  const isReader = awaited !== undefined || takers !== undefined || tasks.some(({ inOrder }) => inOrder)
  return isReader ? 'project' : 'nothing'
}

function isAnyUnderWay({ service, tasks, instances }: ServiceSituation): boolean {
  if (tasks.length > 0 || service.rollout !== null || service.failures !== null) return true
  return instances.some(({ instance, report }) =>
    instance.retired === null ? report === null || report.failure !== null : !instance.retired.kept,
  )
}
