// How far a machine is with being drained: what is still on it, whether that is about to go, and what holds it.

import type { DrainBody, DrainedBody } from '../contract/contract.js'
import { describeWaiting } from '../engine/describe.js'
import type { Explainer, Leaving } from '../engine/explain.js'
import { byKeys } from '../lib/sort.js'
import type { MachineId } from '../model/machine.js'
import type { Instance, Service } from '../model/service.js'
import type { Placement, Waiting } from '../model/unit.js'
import { cannotBeMade } from '../service/failing.js'
import { isFrozen } from '../service/queue.js'
import { stateIn } from '../service/state-in.js'
import { hostnameOf } from '../store/hostname.js'
import { type ClusterView, serviceKey } from '../store/view.js'

/** Null where the machine is not there any more. */
export function drainBodyOf(view: ClusterView, explainer: Explainer, id: MachineId): DrainBody | null {
  const machine = view.machines.get(id)
  if (machine === undefined) return null
  const leaving = new Map(
    explainer.leaving(id).flatMap((one) => one.units.map((unit) => [unit, one] as const)),
  )
  const left = [...view.placedOn(id).values()]
    .map((placement) => drainedBodyOf(view, placement, leaving.get(placement.unit) ?? null))
    .sort(
      byKeys(
        ({ name }) => name,
        ({ project }) => project ?? '',
      ),
    )
  const draining = view.orders.get(id)?.drain !== undefined
  return { machine: id, hostname: machine.hostname, state: draining ? stateOf(left) : 'off', left }
}

function stateOf(left: readonly DrainedBody[]): DrainBody['state'] {
  const held = left.filter(({ state }) => state !== 'stays')
  if (held.length === 0) return 'done'
  return held.every(({ state }) => state === 'stuck') ? 'stuck' : 'going'
}

type Prospect = Pick<DrainedBody, 'state' | 'reason'>

function drainedBodyOf(view: ClusterView, placement: Placement, leaving: Leaving | null): DrainedBody {
  const { unit } = placement
  const { name = unit, project = null } = view.instances.get(unit) ?? {}
  return { name, project, unit, ...prospectOf(view, placement, leaving) }
}

function prospectOf(view: ClusterView, { unit, global }: Placement, leaving: Leaving | null): Prospect {
  if (global) return { state: 'stays', reason: 'it is global: each machine that can take it has one' }
  const instance = view.instances.get(unit)
  if (instance?.retired?.kept === true) return { state: 'stays', reason: 'it has stopped and is kept' }
  const desired = view.units.get(unit)?.desired ?? 'inactive'
  if (desired === 'inactive' || instance?.retired) return { state: 'ending', reason: 'it is being stopped' }
  if (leaving !== null) return prospectOfUnit(view, leaving)
  if (instance?.oneOff !== undefined) return { state: 'ending', reason: 'it runs until it ends' }
  const service = instance && view.services.get(serviceKey(instance.project, instance.service))
  if (instance?.slot !== undefined) return prospectOfSlot(view, instance)
  return service === undefined ? { state: 'ending', reason: '' } : prospectOfInstance(view, service)
}

/** It goes where its volumes go, and those only where that is asked for. */
function prospectOfSlot(view: ClusterView, { project, service, slot }: Instance): Prospect {
  const known = [...view.volumesOf(serviceKey(project, service)).values()]
  const isMoving = known.some((one) => one.slot === slot && one.hold?.work === 'move')
  return isMoving
    ? { state: 'moving', reason: 'its volumes move' }
    : { state: 'stuck', reason: 'its volumes are on this machine: drain with --volumes to move them' }
}

function prospectOfUnit(view: ClusterView, { isGoing, refusals }: Leaving): Prospect {
  if (isGoing) return { state: 'moving', reason: 'it is about to move' }
  if (refusals.length === 0) return { state: 'stuck', reason: 'there is no other machine' }
  return { state: 'stuck', reason: `no other machine can take it: ${told(view, refusals)}` }
}

/** An instance goes when another one has taken its place; of a service that is not continuous none does. */
function prospectOfInstance(view: ClusterView, service: Service): Prospect {
  const { project, name } = service
  if (service.type !== 'continuous') return { state: 'ending', reason: 'it runs until it ends' }
  if (isFrozen(view, project, name))
    return { state: 'stuck', reason: `${name} is frozen: mariposa queue unfreeze allows changes` }
  if (service.blocked !== null) return { state: 'stuck', reason: cannotBeMade(service, service.blocked) }
  const coming = view
    .instancesOf(serviceKey(project, name))
    .filter((one) => one.retired === null && stateIn(view, one) !== 'running')
  const waiting = coming.flatMap((one) => view.waiting.get(one.unit) ?? [])
  const [first] = waiting
  if (first !== undefined && waiting.length === coming.length) {
    const which = view.instances.get(first.unit)?.name ?? first.unit
    return {
      state: 'stuck',
      reason: `no machine can take ${which} in its place: ${told(view, first.refusals)}`,
    }
  }
  const [one] = coming
  if (one === undefined) return { state: 'moving', reason: 'it waits for its turn' }
  return { state: 'moving', reason: `${one.name} is ${stateIn(view, one)}` }
}

function told(view: ClusterView, refusals: Waiting['refusals']): string {
  return describeWaiting(refusals, (machine) => hostnameOf(view, machine))
}
