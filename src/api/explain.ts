// Why instances and units are where they are, or machine by machine why they cannot be placed.

import { noSuchService, type Problem } from '../changes/problem.js'
import type {
  ExplainBody,
  ExplainedInstance,
  ExplainedMachine,
  ExplainedUnit,
  UnitBody,
} from '../contract/contract.js'
import { describePlacementCause, describeRefusal } from '../engine/describe.js'
import type { Explainer } from '../engine/explain.js'
import { type Instant, toIso } from '../lib/time.js'
import type { Instance, Service } from '../model/service.js'
import type { DesiredUnit, UnitName } from '../model/unit.js'
import { cannotBeMade } from '../service/failing.js'
import { type ClusterView, serviceKey } from '../store/view.js'
import { slotsHeld } from '../volumes/holds.js'
import { instanceBodyOf } from './bodies.js'
import { holeOf, whyNotRemade } from './service-status.js'

/** What machines say to instances, in one answer at most: of a thousand instances on a thousand machines it would have no end. */
const answersAtMost = 5000
/** Instances that are explained in one answer at most. */
const explainedAtMost = 500

/**
 * Explains the instances of a service, or one instance, by name. Where there are too many for one answer, those without a
 * place come first, and the answer says how many it leaves out.
 */
export function explain(
  view: ClusterView,
  explainer: Explainer,
  project: string,
  name: string,
  now: Instant,
): ExplainBody | Problem {
  const instances = instancesNamed(view, project, name)
  if (instances === null) return noSuchService(view, project, name)
  const service = view.services.get(serviceKey(project, name))
  const picked = pickedOf(view, instances)
  const leftOut = instances.length - picked.length
  return {
    name,
    because: service === undefined ? [] : becauseOf(view, service, now),
    instances: picked.map((instance) => explainInstance(view, explainer, instance, now)),
    ...(leftOut > 0 && { leftOut }),
  }
}

function becauseOf(view: ClusterView, service: Service, now: Instant): readonly string[] {
  const hole = holeOf(view, service)
  if (hole !== null) return [hole]
  const why = service.blocked === null ? whyFewer(view, service, now) : cannotBeMade(service, service.blocked)
  return [...(why === null ? [] : [why]), ...slotsHeld(view, service)]
}

/** Why fewer run than the scale requires, where the next one is not made yet. */
function whyFewer(view: ClusterView, service: Service, now: Instant): string | null {
  const all = view.instancesOf(serviceKey(service.project, service.name))
  const running = all.filter(({ unit }) => view.reportOf(unit)?.active === 'active')
  return running.length < service.scale ? whyNotRemade(service, now) : null
}

/** As many as one answer may explain, in their order. */
function pickedOf(view: ClusterView, instances: readonly Instance[]): readonly Instance[] {
  const fit = Math.max(1, Math.floor(answersAtMost / Math.max(1, view.machines.size)))
  const atMost = Math.min(explainedAtMost, fit)
  if (instances.length <= atMost) return instances
  const isPlaced = ({ unit }: Instance): boolean => view.placements.has(unit)
  const ranked = [...instances.filter((one) => !isPlaced(one)), ...instances.filter(isPlaced)]
  const picked = new Set(ranked.slice(0, atMost))
  return instances.filter((one) => picked.has(one))
}

/** The instances that a service's or an instance's name stands for; null when it stands for nothing. */
export function instancesNamed(view: ClusterView, project: string, name: string): readonly Instance[] | null {
  const key = serviceKey(project, name)
  if (view.services.has(key)) return view.instancesOf(key)
  const service = /^(.+)-\d+$/.exec(name)?.[1] ?? ''
  const instance = view.allInstancesOf(serviceKey(project, service)).find((one) => one.name === name)
  return instance === undefined ? null : [instance]
}

function explainInstance(
  view: ClusterView,
  explainer: Explainer,
  instance: Instance,
  now: Instant,
): ExplainedInstance {
  const body = instanceBodyOf(view, instance, now)
  const unit = view.units.get(instance.unit)
  return {
    name: instance.name,
    state: body.state,
    machine: body.machine,
    because: [...retirement(view, instance), ...reasons(view, instance.unit, body.reason)],
    machines: unit === undefined ? [] : machinesOf(view, explainer, unit),
  }
}

/** Explains a unit, whether it is an instance of a service or not. */
export function explainUnit(view: ClusterView, explainer: Explainer, body: UnitBody): ExplainedUnit {
  const { name, desired, machine, global, reason } = body
  const unit = view.units.get(name as UnitName)
  const because =
    desired === 'inactive'
      ? ['it is inactive: mariposa unit load or start gives it a machine']
      : global
        ? ['it is global: each machine that can take it has one']
        : reasons(view, name as UnitName, reason)
  return {
    name,
    desired,
    machine,
    because,
    machines: unit === undefined ? [] : machinesOf(view, explainer, unit),
  }
}

function machinesOf(view: ClusterView, explainer: Explainer, unit: DesiredUnit): readonly ExplainedMachine[] {
  return [...explainer.explain(unit)].map(([machine, refusals]) => {
    const told = refusals.map(describeRefusal)
    const accepted = told.length === 0
    return {
      machine,
      hostname: view.machines.get(machine)?.hostname ?? '',
      accepted,
      reason: told[0] ?? (view.placedOn(machine).has(unit.name) ? hereOf(view, unit.name) : 'could take it'),
      reasons: told,
    }
  })
}

/** What is said of the machine that has it: a stopped or failed program does not run there. */
function hereOf(view: ClusterView, unit: UnitName): string {
  const report = view.reportOf(unit)
  const runs = report?.active === 'active' || report?.active === 'reloading'
  return runs && report.unknownSince === undefined ? 'it runs here' : 'it is placed here'
}

function retirement(view: ClusterView, { retired, unit }: Instance): readonly string[] {
  if (retired === null) return []
  const { cause, at, kept } = retired
  const told = `it was retired at ${toIso(at)} (${cause})${kept ? ' and is kept, stopped' : ''}`
  const { stopAfterMs, stopWhenIdleAfterMs, stopWithinMs: withinMs } = view.units.get(unit) ?? {}
  const first =
    kept || stopAfterMs === undefined ? [told] : [told, describeLeaving(stopAfterMs, stopWhenIdleAfterMs)]
  if (kept || withinMs === undefined) return first
  return [
    ...first,
    `it is killed if it has not stopped after ${withinMs / 1000} s, the timeout of the current version`,
  ]
}

function describeLeaving(stopAfterMs: number, whenIdleMs: number | undefined): string {
  const longest = stopAfterMs / 1000
  return whenIdleMs === undefined
    ? `it serves for ${longest} s more, for clients that still use its DNS names`
    : `it serves until its requests are answered, for ${whenIdleMs / 1000} s to ${longest} s`
}

function reasons(view: ClusterView, unit: UnitName, trouble: string): readonly string[] {
  const placement = view.placements.get(unit)
  const found: string[] = []
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
