// What came of a simulation, for people and programs.

import type {
  DrainBody,
  SimulatedInstance,
  SimulatedMachine,
  SimulatedService,
  SimulatedUnit,
  SimulatedWaiting,
  SimulationAsked,
  SimulationBody,
} from '../contract/contract.js'
import { describeWaiting } from '../engine/describe.js'
import { byKeys } from '../lib/sort.js'
import type { Instant } from '../lib/time.js'
import type { MachineId } from '../model/machine.js'
import type { UnitName } from '../model/unit.js'
import { cannotBeMade } from '../service/failing.js'
import { isFrozen } from '../service/queue.js'
import type { InstanceTrack, ServiceTrack } from '../simulate/record.js'
import type { Simulation } from '../simulate/simulation.js'
import type { ServiceKey } from '../store/view.js'
import { drainBodyOf } from './drain.js'

/** The hostnames of machines, also of those that were lost. */
type Hostnames = ReadonlyMap<MachineId, string>

/** What came of a simulation that began at `beganAt`; `isAtRest`: nothing was left to happen. */
export function simulationBodyOf(
  simulation: Simulation,
  beganAt: Instant,
  hosts: Hostnames,
  asked: SimulationAsked,
  isAtRest: boolean,
): Omit<SimulationBody, 'of' | 'assumptions'> {
  const { record, cluster } = simulation
  const told = { simulation, beganAt, hosts: toldApart(hosts) }
  const named = <T extends SimulatedMachine>(machines: readonly T[]): readonly T[] =>
    machines.map((one) => ({ ...one, hostname: hostname(told.hosts, one.machine) }))
  const services = [...record.services.values()]
    .map((track) => serviceBodyOf(told, track))
    .filter((body) => body !== null)
    .sort(byKeys(({ project, service }) => `${project}/${service}`))
  const units = unitBodies(told)
  const drains = asked.drain.flatMap(
    ({ machine }) => drainBodyOf(cluster.view, cluster.explainer, machine) ?? [],
  )
  const ends = [...services, ...units].map(({ afterMs }) => afterMs)
  return {
    asked: { ...asked, lose: named(asked.lose), drain: named(asked.drain), add: named(asked.add) },
    outcome: outcomeOf(services, units, drains, isAtRest),
    afterMs: Math.max(0, ...ends),
    services,
    units,
    drains: named(drains),
    servicesInAll: cluster.view.services.size,
  }
}

/** What is short, or about to go, is so for good where nothing is left to happen. */
function outcomeOf(
  services: readonly SimulatedService[],
  units: readonly SimulatedUnit[],
  drains: readonly DrainBody[],
  isAtRest: boolean,
): SimulationBody['outcome'] {
  const isHeldUp =
    services.some(({ waiting, blocked, failed }) => waiting.length + failed.length > 0 || blocked !== null) ||
    units.some(({ to }) => to === null) ||
    drains.some(({ state }) => state === 'stuck')
  const isGoingOn =
    services.some(({ short }) => !short.isOver) || drains.some(({ state }) => state === 'going')
  if (isHeldUp) return 'waits'
  if (!isGoingOn) return 'placed'
  return isAtRest ? 'waits' : 'unfinished'
}

interface Telling {
  readonly simulation: Simulation
  readonly beganAt: Instant
  readonly hosts: Hostnames
}

/** Null where nothing becomes of it. */
function serviceBodyOf(telling: Telling, track: ServiceTrack): SimulatedService | null {
  const { simulation, beganAt } = telling
  const { view, now } = simulation.cluster
  const { key, instances, shortage, scaleBefore } = track
  const service = view.services.get(key)
  const [project = '', name = ''] = key.split('/')
  const tracks = [...instances.values()]
  const started = tracks.filter(({ placedAt, before }) => placedAt !== null && !before)
  const gone = tracks.filter(({ goneAt }) => goneAt !== null)
  const waiting = tracks.flatMap(({ unit, name: instance }) => waitingOf(telling, unit, instance) ?? [])
  const scale = { from: scaleBefore, to: service?.scale ?? 0 }
  const failed = failuresOf(telling, key)
  const isSame =
    failed.length + started.length + gone.length + waiting.length === 0 && scale.from === scale.to
  if (isSame && shortage.most === 0) return null
  const forMs = shortage.forMs + (shortage.since === null ? 0 : now - shortage.since)
  return {
    project,
    service: name,
    scale,
    serving: { from: track.servingBefore, to: track.serving },
    start: started.map((one) => ({
      ...instanceOf(telling, one, one.placedAt ?? beganAt),
      servingAfterMs: one.servingAt === null ? null : one.servingAt - beganAt,
    })),
    gone: gone.map((one) => ({
      ...instanceOf(telling, one, one.goneAt ?? beganAt),
      why: one.why ?? 'stopped',
    })),
    waiting,
    short: { most: shortage.most, forMs, isOver: shortage.since === null },
    blocked: service === undefined ? null : blockedBy(telling, service.project, service.name),
    failed,
    afterMs: (track.changedAt ?? beganAt) - beganAt,
  }
}

function failuresOf({ simulation, beganAt }: Telling, key: ServiceKey): readonly string[] {
  return simulation.cluster.view
    .tasksOf(key)
    .filter(({ state, finishedAt }) => state === 'failed' && (finishedAt ?? 0) >= beganAt)
    .map(({ kind, error }) => `${kind} fails: ${error ?? ''}`)
}

function blockedBy({ simulation }: Telling, project: string, name: string): string | null {
  const { view } = simulation.cluster
  const service = view.services.get(`${project}/${name}`)
  if (service?.blocked != null) return cannotBeMade(service, service.blocked)
  return isFrozen(view, project, name)
    ? `${name} is frozen: mariposa queue unfreeze lets it be changed`
    : null
}

function instanceOf({ hosts, beganAt }: Telling, track: InstanceTrack, at: Instant): SimulatedInstance {
  const { name, machine } = track
  return {
    name,
    machine,
    hostname: machine === null ? null : hostname(hosts, machine),
    afterMs: at - beganAt,
  }
}

function waitingOf({ simulation, hosts }: Telling, unit: UnitName, name: string): SimulatedWaiting | null {
  const { cluster, record } = simulation
  const waiting = cluster.view.waiting.get(unit)
  if (waiting === undefined) return null
  const reason = describeWaiting(waiting.refusals, (machine) => hostname(hosts, machine))
  return { name, reason, before: record.waitedBefore.has(unit) }
}

/** Units that are no instances: those that changed their place, those that wait, and global ones where they came to be. */
function unitBodies(telling: Telling): readonly SimulatedUnit[] {
  const { simulation, hosts, beganAt } = telling
  const { view } = simulation.cluster
  const { units } = simulation.record
  const bodies: SimulatedUnit[] = []
  const lone = [...view.waiting.keys()].filter((unit) => view.units.get(unit)?.instance === null)
  for (const unit of [...new Set([...units.keys(), ...lone])].sort()) {
    const track = units.get(unit)
    const to = view.placements.get(unit)?.machine ?? null
    if (to !== null && to === track?.from) continue
    const waiting = waitingOf(telling, unit, unit)
    bodies.push({
      name: unit,
      from: track?.from == null ? null : hostname(hosts, track.from),
      to: to === null ? null : hostname(hosts, to),
      reason: waiting?.reason ?? null,
      before: waiting?.before ?? false,
      afterMs: (track?.at ?? beganAt) - beganAt,
    })
  }
  for (const { unit, machine, at } of simulation.record.globals.values()) {
    const [to, afterMs] = [hostname(hosts, machine), at - beganAt]
    bodies.push({ name: unit, from: null, to, reason: null, before: false, afterMs })
  }
  return bodies.sort(byKeys(({ name, to }) => `${name} ${to ?? ''}`))
}

/** What machines are called: those that share a hostname with the beginning of their ids. */
function toldApart(hosts: Hostnames): Hostnames {
  const byName = new Map<string, number>()
  for (const name of hosts.values()) byName.set(name, (byName.get(name) ?? 0) + 1)
  return new Map(
    [...hosts].map(([id, name]) => [id, byName.get(name) === 1 ? name : `${name} (${id.slice(0, 8)})`]),
  )
}

function hostname(hosts: Hostnames, machine: MachineId): string {
  return hosts.get(machine) ?? machine.slice(0, 8)
}
