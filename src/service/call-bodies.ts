// Bodies of calls: each is there until the run that it is for is over, and all its starts with it.
import type { Instance, Service } from '../model/service.js'
import { keys } from '../store/records.js'
import type { Op } from '../store/store.js'
import { type ClusterView, serviceKey } from '../store/view.js'
import type { ServicePlan } from './actions.js'

/** The writes that delete the bodies of a service which nothing needs any more once a plan is carried out. */
export function unusedBodyOps(view: ClusterView, before: Service, plan: ServicePlan): readonly Op[] {
  const { project, name } = before
  const key = serviceKey(project, name)
  const bodies = view.callBodiesOf(key)
  if (bodies.size === 0 || plan.service === null) return []
  const used = new Set(usedBy(view, plan, plan.service))
  return [...bodies.keys()]
    .filter((id) => !used.has(id))
    .map((id) => ({ op: 'delete', key: keys.callBody(project, name, id) }))
}

/** Starts that wait their turn, runs that wait for their instance, and instances that may start again. */
function* usedBy(view: ClusterView, plan: ServicePlan, after: Service): Iterable<string> {
  const key = serviceKey(after.project, after.name)
  for (const { order, finishedAt } of view.tasksOf(key)) {
    if (finishedAt === null && order?.kind === 'start' && order.body !== undefined) yield order.body.id
  }
  // What is made now is there in the record of before.
  for (const { body } of [...(after.inputs ?? []), ...(view.services.get(key)?.inputs ?? [])]) {
    if (body !== undefined) yield body.id
  }
  const over = new Set(plan.actions.flatMap(overInstance))
  for (const instance of view.allInstancesOf(key)) {
    const { body, retired, unit } = instance
    if (body !== undefined && retired?.kept !== true && !over.has(unit)) yield body
  }
}

/** The unit of an instance that a step leaves for good: it is gone, or stays to be looked at. */
function overInstance(action: ServicePlan['actions'][number]): readonly Instance['unit'][] {
  return action.kind === 'keep' || action.kind === 'remove' ? [action.instance.unit] : []
}
