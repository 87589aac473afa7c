// What has to be so after a long quiet: everything is as it was asked for.

import type { Instance } from '../../src/model/service.js'
import { isRollout } from '../../src/model/task.js'
import type { UnitName } from '../../src/model/unit.js'
import { type ClusterView, serviceKey } from '../../src/store/view.js'
import { awaitedBy, canRun, hasSlots } from './manifest.js'
import type { Node } from './node.js'
import type { Told } from './operators.js'
import { couldTake } from './places.js'
import { heldSlots } from './records-judge.js'
import { project } from './scenario.js'

/** Says what is not as it was asked for. */
export function judgeRest(
  view: ClusterView,
  told: ReadonlyMap<string, Told>,
  nodes: readonly Node[],
): readonly string[] {
  return [
    ...[...told].flatMap(([name, one]) => judgeService(view, name, one, nodes)),
    ...judgeOrphans(view, nodes),
    ...judgeSlots(view),
    ...judgeClocks(view, nodes),
  ]
}

/** Clocks that are no further from each other than this agree in any case, and others do not. */
const clocksAgreeMs = 400

/** Where most clocks agree, those that do not are known to differ, and none that is far off leads. */
function judgeClocks(view: ClusterView, nodes: readonly Node[]): readonly string[] {
  const there = nodes.filter(({ id, lives }) => lives && view.machines.has(id))
  const clocks = there.map(({ id, name, time }) => ({ id, name, now: time.now() }))
  const agreeing = (now: number) => clocks.filter((other) => Math.abs(other.now - now) <= clocksAgreeMs)
  const right = clocks.find(({ now }) => agreeing(now).length * 2 > clocks.length)
  if (right === undefined) return []
  return clocks.flatMap(({ id, name, now }) => {
    const aheadMs = now - right.now
    const offset = view.clockOffsets.get(id)
    const say = (what: string): string => `the clock of ${name}, ${aheadMs} ms ahead, ${what}`
    if (Math.abs(aheadMs) <= clocksAgreeMs) return offset === undefined ? [] : [say('is said to differ')]
    if (Math.abs(aheadMs) > 2000 && offset === undefined) return [say('is not known to differ')]
    const leads = view.leader?.machine === id
    return leads && Math.abs(aheadMs) > 11_000 ? [say('is that of the leader')] : []
  })
}

function judgeService(
  view: ClusterView,
  name: string,
  told: Told,
  nodes: readonly Node[],
): readonly string[] {
  if (told.isDeleted === null) return []
  const service = view.services.get(serviceKey(project, name))
  const say = (what: string): string => `${name}: ${what}; told ${JSON.stringify(told)}`
  if (told.isDeleted) return service === undefined ? [] : [say('was deleted, and is there')]
  if (service === undefined) return [say('is gone')]
  const version = view.versions.get(service.current)
  const faults: string[] = []
  if (told.ordinal !== null && version?.ordinal !== told.ordinal)
    faults.push(say(`is at version ${version?.ordinal ?? 'none'}`))
  if (told.isStopped === true && service.scale !== 0)
    faults.push(say(`was stopped, and is at ${service.scale}`))
  if (told.isStopped === false && told.scale !== null && service.scale !== told.scale)
    faults.push(say(`is at scale ${service.scale}`))
  // A rollout that a freeze has ended leaves what it had not replaced yet.
  if (told.ordinal !== null) faults.push(...judgeServes(view, name, nodes, told.isCanary))
  return faults
}

/**
 * A version that can run does, as often as was asked for. Where its rollout came too late, as while its machine was away, what
 * it has not replaced goes on, and so does what a canary leaves.
 */
function judgeServes(
  view: ClusterView,
  name: string,
  nodes: readonly Node[],
  isCanary: boolean,
): readonly string[] {
  const service = view.services.get(serviceKey(project, name))
  const version = service && view.versions.get(service.current)
  if (service === undefined || version === undefined || !canRun(version.text)) return []
  // What has not come up yet waits for as long as nothing of the other does its work.
  const first = service.waitsForOthers === undefined ? null : awaitedBy(version.text)
  if (first !== null && nodes.every(({ host }) => host.serving(first) === 0)) return []
  const isMixed = isCanary || cameTooLate(view, name, version.uuid)
  const up = [...view.instances.values()].filter((instance) => {
    if (instance.service !== name || instance.retired !== null) return false
    const runs = nodes.some(({ host }) => host.runs(instance.unit))
    if (instance.version === version.uuid) return runs
    // What is left of a version that cannot run is what was there before.
    const couldRun = canRun(view.versions.get(instance.version)?.text ?? '')
    return isMixed && (runs || (!couldRun && !isAway(view, instance)))
  })
  // What it had is on a machine that is gone: its slot waits for that, and so does a rollout, however long.
  const away = hasSlots(version.text) ? awaited(view, name) : []
  if (away.length > 0 && service.rollout !== null) return []
  // One that moves to or from a machine that is gone waits for that, or for somebody who ends it.
  const held = heldSlots(view, service).size
  if (held > 0 && service.rollout !== null) return []
  const waits = away.length + held
  if (up.length + Math.min(waits, service.scale - up.length) === service.scale || isFull(view, name, nodes))
    return []
  const { rollout, scale, blocked } = service
  return [
    `${name}: ${up.length} of ${scale} run; rollout ${JSON.stringify(rollout)}, blocked ${blocked ?? 'no'}`,
  ]
}

/** Instances of slots that are on a machine which is away. */
function awaited(view: ClusterView, name: string): readonly Instance[] {
  return [...view.instances.values()].filter(
    (one) => one.service === name && one.retired === null && one.slot !== undefined && isAway(view, one),
  )
}

function isAway(view: ClusterView, { unit }: Instance): boolean {
  const machine = view.placements.get(unit)?.machine
  return machine !== undefined && !view.machines.has(machine)
}

/** No two that go on have one slot, and none has one at or above the scale. */
function judgeSlots(view: ClusterView): readonly string[] {
  const seen = new Map<string, string>()
  return [...view.instances.values()].flatMap((instance) => {
    const { name, service: of, slot, retired, version } = instance
    // What its machine makes of it is decided when that is back.
    if (isAway(view, instance)) return []
    const service = view.services.get(serviceKey(project, of))
    const isCurrent = version === service?.current
    if (slot === undefined || retired !== null || service === undefined || !isCurrent) return []
    const other = seen.get(`${of} ${slot}`)
    seen.set(`${of} ${slot}`, name)
    if (other !== undefined) return [`${other} and ${name} both have slot ${slot}`]
    return slot < service.scale ? [] : [`${name} has slot ${slot}, and the scale is ${service.scale}`]
  })
}

/** Whether the last rollout to a version is over for its deadline: of others, clocks that were set may say that they are later. */
function cameTooLate(view: ClusterView, name: string, version: string): boolean {
  const last = view
    .tasksOf(serviceKey(project, name))
    .findLast((task) => isRollout(task) && task.target?.version === version)
  return last?.state === 'failed' && /it was not up after/.test(last.error ?? '')
}

/** Whether an instance of a service waits for a machine, and there truly is none for it. */
function isFull(view: ClusterView, name: string, nodes: readonly Node[]): boolean {
  const runs = (unit: UnitName, machine: string): boolean =>
    nodes.some(({ id, host }) => id === machine && host.runs(unit))
  const waits = [...view.instances.values()].filter(
    ({ service, unit, retired }) => service === name && retired === null && !view.placements.has(unit),
  )
  return waits.some(({ unit }) => !couldTake(view, unit, runs))
}

/** Nothing runs that is not placed. */
function judgeOrphans(view: ClusterView, nodes: readonly Node[]): readonly string[] {
  return nodes.flatMap((node) =>
    [...node.host.running]
      .filter(({ unit }) => !view.placedOn(node.id).has(unit))
      .map(({ unit }) => `${unit} runs on ${node.name} and is not placed there`),
  )
}
