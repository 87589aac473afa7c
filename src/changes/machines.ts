// Machines: finding one by a name that people use, and what an operator orders of it.
import type { MachineChangeRequest } from '../contract/contract.js'
import { forgetMachine } from '../leader/lost-machines.js'
import { byKeys } from '../lib/sort.js'
import type { Instant } from '../lib/time.js'
import type { KnownMachine, Machine, MachineId, MachineSettings } from '../model/machine.js'
import { machineMetadataProblem } from '../model/machine-metadata.js'
import { hostnameOf } from '../store/hostname.js'
import { putOf } from '../store/records.js'
import type { ClusterView } from '../store/view.js'
import { isProblem, type Problem } from './problem.js'
import type { Change } from './services.js'
import type { Writes } from './unit-writes.js'

/** What of the cluster tells which machines are there, and which are down. */
export type Machines = Pick<ClusterView, 'machines' | 'knownMachines'>

/** The machine of an id, of the beginning of one that no other id has, or of a hostname that no other machine has. */
export function findMachine(view: ClusterView, text: string): Machine | Problem {
  const found = findAmong([...view.machines.values()], text)
  if (!isProblem(found) || found.status !== 404) return found
  const down = findAmong(downMachines(view), text)
  return isProblem(down) ? found : isDown(down)
}

/** The same, of those that are down as well. */
export function findListedMachine(view: ClusterView, text: string): Machine | Problem {
  return findAmong(listedMachines(view), text)
}

/** The machines that are there, and those that are down, by their ids. */
export function listedMachines(view: Machines): readonly Machine[] {
  return [...view.machines.values(), ...downMachines(view)].sort(byKeys((machine) => machine.id))
}

/** Those that were there, and have not been removed. */
export function downMachines(view: Machines): readonly KnownMachine[] {
  return [...view.knownMachines.values()].filter(({ id }) => !view.machines.has(id))
}

/** Takes a machine that is down out of the lists. */
export function removeMachine(view: ClusterView, text: string): Change | Problem {
  const machine = findListedMachine(view, text)
  if (isProblem(machine)) return machine
  const { id, hostname } = machine
  if (view.machines.has(id)) return isThere(machine)
  const message = `${hostname} is removed: it was down`
  const about = { project: null, service: null, instance: null, machine: id }
  return { ...forgetMachine(view, id), events: [{ kind: 'machine', ...about, message }], tasks: [] }
}

function isDown({ hostname, id }: Machine): Problem {
  return {
    status: 409,
    code: 'machine/down',
    message: `${hostname} (${id.slice(0, 8)}) is down`,
    hint: 'start its daemon; mariposa machine remove forgets a machine that is gone for good',
  }
}

function isThere({ hostname, id, away }: Machine): Problem {
  return {
    status: 409,
    code: 'machine/there',
    message: `${hostname} (${id.slice(0, 8)}) is ${away === undefined ? 'there' : 'away, and not down yet'}`,
    hint: 'mariposa machine drain moves off what runs there; stop its daemon, and remove the machine when it is down',
  }
}

function findAmong<M extends Machine>(machines: readonly M[], text: string): M | Problem {
  const all = [...machines].sort(byKeys((machine) => machine.id))
  const exact = all.find((machine) => machine.id === text)
  if (exact !== undefined) return exact
  const found = all.filter(
    (machine) => machine.hostname === text || (text !== '' && machine.id.startsWith(text)),
  )
  const [first] = found
  if (first !== undefined && found.length === 1) return first
  const hint = 'mariposa machine list -l shows whole ids'
  return first === undefined
    ? { status: 404, code: 'machine/unknown', message: `there is no machine "${text}"`, hint }
    : {
        status: 409,
        code: 'machine/ambiguous',
        message: `"${text}" is ambiguous: it matches ${found.length} machines: ${found.map(({ id }) => id).join(', ')}`,
        hint,
      }
}

/**
 * What is ordered of a machine: whether it takes new units, that all is to leave it, and metadata over what its daemon
 * announces.
 */
export function changeMachine(
  view: ClusterView,
  id: string,
  change: MachineChangeRequest,
  now: Instant,
): Change | Problem {
  if (change.drain !== undefined && change.cordoned === false) return drainWithoutCordon
  const machine = findMachine(view, id)
  if (isProblem(machine)) return machine
  const metadata = Object.entries(change.metadata ?? {})
  const wrong = metadata.flatMap(([key, value]) => metadataProblem(key, value) ?? [])[0]
  if (wrong !== undefined) return badMetadata(wrong)
  return {
    ...orderWrites(view, machine.id, (order) => ({
      ...withCordon(order, change, now),
      ...(metadata.length > 0 && {
        metadata: {
          ...order.metadata,
          ...Object.fromEntries(metadata.map(([key, value]) => [key, value ?? ''])),
        },
      }),
    })),
    tasks: [],
  }
}

/** A drain goes with the cordon that it needs. Asked for again, it goes on with the width that is asked for now. */
function withCordon(
  order: MachineSettings,
  { cordoned, drain }: MachineChangeRequest,
  now: Instant,
): MachineSettings {
  const { drain: before, ...rest } = order
  if (drain !== undefined)
    return { ...rest, cordoned: true, drain: { since: before?.since ?? now, parallel: drain.rolling ?? 1 } }
  if (cordoned === false) return { ...rest, cordoned }
  return cordoned === undefined ? order : { ...order, cordoned }
}

const drainWithoutCordon: Problem = {
  status: 400,
  code: 'api/bad-request',
  message: 'a machine that is drained is cordoned: "cordoned": false and "drain" exclude each other',
}

/** Changes the order that a machine is under, and nothing else of it. */
export function orderWrites(
  view: ClusterView,
  id: MachineId,
  change: (order: MachineSettings) => MachineSettings,
): Writes {
  const before: MachineSettings = view.orders.get(id) ?? { id, cordoned: false }
  const after = change(before)
  const hostname = hostnameOf(view, id)
  return {
    decidedOn: [],
    ops: [putOf('order', after)],
    events: describeOrder(before, after).map((what) => ({
      kind: 'machine',
      project: null,
      service: null,
      instance: null,
      machine: id,
      message: `${hostname} ${what}`,
    })),
  }
}

/** What an order changes, one phrase each. */
function describeOrder(before: MachineSettings, after: MachineSettings): readonly string[] {
  const [had = {}, has = {}] = [before.metadata, after.metadata]
  const changed = Object.keys(has).filter((key) => has[key] !== had[key])
  return [
    ...(before.cordoned === after.cordoned ? [] : [after.cordoned ? 'is cordoned' : 'is uncordoned']),
    ...changed.map((key) =>
      has[key] === '' ? `loses its metadata ${key}` : `gets ${key}=${has[key] ?? ''} in its metadata`,
    ),
  ]
}

/** What is wrong with metadata that is to be set, or with a key that is to be taken away (`value` null). */
function metadataProblem(key: string, value: string | null): string | null {
  if (!metadataKey.test(key)) return `"${key}" is not a key: letters, digits, "_", "." and "-"`
  if (value === '') return `the value of "${key}" is empty`
  return value === null ? null : machineMetadataProblem(key, value)
}

/** As fleet's API takes them. */
const metadataKey = /^[A-Za-z0-9_.-]+$/

function badMetadata(message: string): Problem {
  return {
    status: 400,
    code: 'machine/bad-metadata',
    message,
    hint: 'mariposa machine metadata MACHINE KEY=VALUE sets a key, --remove KEY takes one away',
  }
}
