// What has to be so after a long quiet: everything is as it was asked for.
import { isRollout } from '../../src/model/task.js'
import type { UnitName } from '../../src/model/unit.js'
import { type ClusterView, serviceKey } from '../../src/store/view.js'
import { canRun } from './manifest.js'
import type { Node } from './node.js'
import { project, type Told } from './operators.js'
import { couldTake } from './places.js'

/** Says what is not as it was asked for. */
export function judgeRest(
  view: ClusterView,
  told: ReadonlyMap<string, Told>,
  nodes: readonly Node[],
): readonly string[] {
  return [
    ...[...told].flatMap(([name, one]) => judgeService(view, name, one, nodes)),
    ...judgeOrphans(view, nodes),
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
  if (told.ordinal !== null) faults.push(...judgeServes(view, name, nodes))
  return faults
}

/**
 * A version that can run does, as often as was asked for. Where its rollout came too late, as while its machine was away, what
 * it has not replaced goes on.
 */
function judgeServes(view: ClusterView, name: string, nodes: readonly Node[]): readonly string[] {
  const service = view.services.get(serviceKey(project, name))
  const version = service && view.versions.get(service.current)
  if (service === undefined || version === undefined || !canRun(version.text)) return []
  const isLate = cameTooLate(view, name)
  const up = [...view.instances.values()].filter((instance) => {
    if (instance.service !== name || instance.retired !== null) return false
    const runs = nodes.some(({ host }) => host.runs(instance.unit))
    if (instance.version === version.uuid) return runs
    // What is left of a version that cannot run is what was there before.
    return isLate && (runs || !canRun(view.versions.get(instance.version)?.text ?? ''))
  })
  if (up.length === service.scale || isFull(view, name, nodes)) return []
  const { rollout, scale, blocked } = service
  return [
    `${name}: ${up.length} of ${scale} run; rollout ${JSON.stringify(rollout)}, blocked ${blocked ?? 'no'}`,
  ]
}

/** Whether the last rollout of a service is over for its deadline. */
function cameTooLate(view: ClusterView, name: string): boolean {
  const last = view.tasksOf(serviceKey(project, name)).findLast(isRollout)
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
      .filter(({ unit }) => view.placements.get(unit)?.machine !== node.id)
      .map(({ unit }) => `${unit} runs on ${node.name} and is not placed there`),
  )
}
