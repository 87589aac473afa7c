// What operators ask a simulation, as changes to the cluster in it: decided as the API decides them.

import type { NewMachine, SimulatedMachine, SimulationAsked, SourceFile } from '../contract/contract.js'
import type { Instant } from '../lib/time.js'
import type { Machine, MachineId } from '../model/machine.js'
import type { Simulation } from '../simulate/simulation.js'
import { serviceKey } from '../store/view.js'
import { changeMachine, findMachine } from './machines.js'
import { decidePlaceable, type PlanTools } from './plan.js'
import { isProblem, type Problem } from './problem.js'
import { type Change, changeScales, opsOf } from './services.js'

/** What a simulation is asked. */
export interface SimulationQuestion {
  readonly project: string
  /** By id, the beginning of one, or hostname. */
  readonly lose: readonly string[]
  readonly drain: readonly string[]
  readonly add: readonly NewMachine[]
  readonly deploy: readonly SourceFile[]
  readonly scale: Readonly<Record<string, string | number>>
}

/** Asks it: machines join first, then they go, then comes what is deployed, and last the scale. */
export function ask(
  simulation: Simulation,
  question: SimulationQuestion,
  settings: PlanTools['settings'],
  leaseMsOf: (machine: MachineId) => number,
): SimulationAsked | Problem {
  const add = addMachines(simulation, question.add)
  if (isProblem(add)) return add
  const gone = goingMachines(simulation, question)
  if (isProblem(gone)) return gone
  for (const { machine } of gone.drain) {
    const problem = make(simulation, (view, now) => changeMachine(view, machine, { drain: {} }, now))
    if (problem !== null) return problem
  }
  for (const { machine } of gone.lose) simulation.lose(machine, leaseMsOf(machine))
  const deploy = deploySources(simulation, question, settings)
  if (isProblem(deploy)) return deploy
  const scale = changeScale(simulation, question)
  return isProblem(scale) ? scale : { ...gone, add, deploy, scale }
}

type Machines = readonly SimulatedMachine[]

function addMachines(simulation: Simulation, wanted: readonly NewMachine[]): Machines | Problem {
  const added: SimulatedMachine[] = []
  for (const one of wanted) {
    const { view, now } = simulation.cluster
    const isThere = [...view.machines.values()].some(
      ({ id, hostname }) => id === one.name || hostname === one.name,
    )
    if (isThere) return alreadyThere(one.name)
    const like = [...view.machines.values()].sort((a, b) => a.capacity.memoryMb - b.capacity.memoryMb)[0]
    if (like === undefined && one.memoryMb === null) return unlikeAny(one.name)
    const machine = machineOf(one, like, now)
    simulation.add(machine)
    added.push({ machine: machine.id, hostname: machine.hostname })
  }
  return added
}

function machineOf(
  { name, memoryMb, cpus, metadata }: NewMachine,
  like: Machine | undefined,
  now: Instant,
): Machine {
  const { capacity = { cpus: 1, memoryMb: 0, diskMb: 0 }, drivers = ['process'], version = '' } = like ?? {}
  return {
    // It has no other name: it is asked for by this one, and told of by it.
    id: name as MachineId,
    hostname: name,
    ip: '192.0.2.1',
    metadata,
    capacity: { ...capacity, cpus: cpus ?? capacity.cpus, memoryMb: memoryMb ?? capacity.memoryMb },
    drivers,
    version,
    bootedAt: now,
  }
}

function goingMachines(
  { cluster }: Simulation,
  { lose, drain }: SimulationQuestion,
): { readonly lose: Machines; readonly drain: Machines } | Problem {
  const found: Record<'lose' | 'drain', SimulatedMachine[]> = { lose: [], drain: [] }
  const seen = new Map<MachineId, 'lose' | 'drain'>()
  for (const [how, names] of [['lose', lose] as const, ['drain', drain] as const]) {
    for (const name of names) {
      const machine = findMachine(cluster.view, name)
      if (isProblem(machine)) return machine
      const before = seen.get(machine.id)
      if (before !== undefined) return namedTwice(machine.hostname, before, how)
      seen.set(machine.id, how)
      found[how].push({ machine: machine.id, hostname: machine.hostname })
    }
  }
  return found
}

function deploySources(
  { cluster }: Simulation,
  { project, deploy: sources }: SimulationQuestion,
  settings: PlanTools['settings'],
): readonly string[] | Problem {
  if (sources.length === 0) return []
  const { view, unitOf, explainer, now } = cluster
  const deploy = decidePlaceable(view, { settings, unitOf, explainer }, project, { sources }, now, null)
  if (isProblem(deploy)) return deploy
  cluster.apply(opsOf(deploy, null))
  return deploy.response.services.map(({ service }) => service)
}

function changeScale(
  simulation: Simulation,
  { project, scale }: SimulationQuestion,
): SimulationAsked['scale'] | Problem {
  const names = Object.keys(scale)
  if (names.length === 0) return []
  const scaleOf = (name: string): number =>
    simulation.cluster.view.services.get(serviceKey(project, name))?.scale ?? 0
  const before = new Map(names.map((name) => [name, scaleOf(name)]))
  const problem = make(simulation, (view, now) => changeScales(view, project, scale, now))
  if (problem !== null) return problem
  return names.map((service) => ({
    service,
    from: before.get(service) ?? 0,
    to: wanted(scale[service], before.get(service) ?? 0),
  }))
}

/** What a scale that may be told as a change comes to: it may wait for its turn, so that the record does not say. */
function wanted(target: string | number | undefined, from: number): number {
  return typeof target === 'string' ? Math.max(0, from + Number(target)) : (target ?? from)
}

function make(
  { cluster }: Simulation,
  decide: (view: typeof cluster.view, now: Instant) => Change | Problem,
): Problem | null {
  const change = decide(cluster.view, cluster.now)
  if (isProblem(change)) return change
  cluster.apply(opsOf(change, null))
  return null
}

function alreadyThere(name: string): Problem {
  return {
    status: 409,
    code: 'simulate/machine-exists',
    message: `a machine "${name}" is there already`,
    hint: 'give the machine to add another name',
  }
}

function unlikeAny(name: string): Problem {
  return {
    status: 400,
    code: 'simulate/no-memory',
    message: `the memory of ${name} is not given, and there is no machine to copy it from`,
    hint: `--add ${name}:memory=64G`,
  }
}

function namedTwice(hostname: string, before: string, again: string): Problem {
  return {
    status: 400,
    code: 'simulate/conflict',
    message:
      before === again ? `--${again} names ${hostname} twice` : `${hostname} cannot be both lost and drained`,
    hint: 'name each machine once',
  }
}
