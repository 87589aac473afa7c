// Why instances are where they are, or machine by machine why they cannot be placed.
import { describePlacementCause, describeRefusal } from '../engine/describe.js'
import { explainUnit } from '../engine/plan.js'
import type { NeedsOf } from '../engine/roster.js'
import { type Instant, toIso } from '../lib/time.js'
import type { Instance } from '../model/service.js'
import { cannotBeMade } from '../service/failing.js'
import { type ClusterView, serviceKey } from '../store/view.js'
import { instanceBodyOf } from './bodies.js'
import type { ExplainBody, ExplainedInstance } from './contract.js'
import { noSuchService, type Problem } from './problem.js'

/** Explains every instance of a service, or one instance, by name. */
export function explain(
  view: ClusterView,
  needsOf: NeedsOf,
  project: string,
  name: string,
  now: Instant,
): ExplainBody | Problem {
  const instances = instancesNamed(view, project, name)
  if (instances === null) return noSuchService(project, name)
  const service = view.services.get(serviceKey(project, name))
  return {
    name,
    because:
      service === undefined || service.blocked === null ? [] : [cannotBeMade(service, service.blocked)],
    instances: instances.map((instance) => explainInstance(view, needsOf, instance, now)),
  }
}

/** The instances that a service's or an instance's name stands for; null when it stands for nothing. */
export function instancesNamed(view: ClusterView, project: string, name: string): readonly Instance[] | null {
  const key = serviceKey(project, name)
  if (view.services.has(key)) return view.instancesOf(key)
  const service = /^(.+)-\d+$/.exec(name)?.[1] ?? ''
  const instance = view.instancesOf(serviceKey(project, service)).find((one) => one.name === name)
  return instance === undefined ? null : [instance]
}

function explainInstance(
  view: ClusterView,
  needsOf: NeedsOf,
  instance: Instance,
  now: Instant,
): ExplainedInstance {
  const body = instanceBodyOf(view, instance, now)
  const unit = view.units.get(instance.unit)
  const refusals = unit === undefined ? new Map() : explainUnit(view, needsOf, unit)
  return {
    name: instance.name,
    state: body.state,
    machine: body.machine,
    because: reasons(view, instance, body.reason),
    machines: [...refusals].map(([machine, refusal]) => ({
      machine,
      hostname: view.machines.get(machine)?.hostname ?? '',
      accepted: refusal === null,
      reason: refusal === null ? acceptance(view, instance, machine) : describeRefusal(refusal),
    })),
  }
}

function acceptance(view: ClusterView, instance: Instance, machine: string): string {
  return view.placements.get(instance.unit)?.machine === machine ? 'it is here' : 'could take it'
}

function reasons(view: ClusterView, instance: Instance, trouble: string): readonly string[] {
  const placement = view.placements.get(instance.unit)
  const found: string[] = []
  if (instance.retired !== null) {
    const { cause, at, kept } = instance.retired
    found.push(`it was retired at ${toIso(at)} (${cause})${kept ? ' and is kept, stopped' : ''}`)
  }
  if (trouble !== '') found.push(trouble)
  if (placement !== undefined) {
    const hostname = view.machines.get(placement.machine)?.hostname ?? placement.machine
    found.push(
      `it was placed on ${hostname} at ${toIso(placement.at)}: ${describePlacementCause(placement.cause)}`,
    )
  } else if (trouble === '') {
    found.push('the engine has not placed it yet')
  }
  return found
}
