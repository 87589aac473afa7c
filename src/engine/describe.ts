// What the engine decided, in words.
import type { MachineId } from '../model/machine.js'
import type { PlacementCause, Refusal, Waiting } from '../model/unit.js'
import type { EvictionCause } from './pass-decisions.js'

/** Why a machine refuses a unit, for people; the machine is the subject of the sentence. */
export function describeRefusal(refusal: Refusal): string {
  switch (refusal.kind) {
    case 'driver':
      return `has none of the drivers that the unit can run under (${refusal.needs.join(', ')})`
    case 'driver-away':
      return `has ${refusal.needs.join(' and ')}, which does not answer now`
    case 'cordoned':
      return 'is cordoned: it takes no new units'
    case 'machine-id':
      return `is not the machine ${refusal.wants} that MachineID= names`
    case 'metadata':
      return describeMetadata(refusal)
    case 'network':
      return `has no address on the network ${refusal.name}, which a health check uses`
    case 'secret-key':
      return keyProblems[refusal.problem]
    case 'memory':
      return `has ${refusal.freeMb} MiB of memory left, ${refusal.needsMb} MiB are needed`
    case 'disk':
      return `has ${refusal.freeMb} MiB of its disk left for volumes, ${refusal.needsMb} MiB are needed`
    case 'cpu':
      return `has ${cores(refusal.free)} left, ${cores(refusal.needs)} are needed`
    case 'port':
      return `has host port ${refusal.port}/${refusal.protocol} in use by ${refusal.heldBy}`
    case 'ports-used-up':
      return `has no free host port between ${refusal.from} and ${refusal.to}`
    case 'no-target':
      return `cannot take it: ${refusal.unit} follows ${refusal.target}, which is not set to run on a single machine`
    case 'target-elsewhere':
      return `is not the machine of ${refusal.target}, which the unit follows (machine ${refusal.machine.slice(0, 8)})`
    case 'volume-elsewhere':
      return `cannot take it: its volume ${refusal.volume} is on machine ${refusal.hostname}${refusal.away ? ', which is away' : ''}${describeApart(refusal)}`
    case 'group':
      return `cannot hold ${refusal.units.join(', ')} together: ${refusal.clash}`
    case 'conflict':
      return `holds ${refusal.with}, kept apart by ${describeConflict(refusal.pattern)}`
    case 'replaced':
      return `holds ${refusal.by}, which has replaced the unit (Replaces=)`
    case 'replaces':
      return `holds ${refusal.unit}, which the unit replaces (Replaces=) but does not evict here`
    case 'far':
      return `is too close to ${refusal.from ?? 'units'} for the rule ${refusal.rule}`
    case 'near':
      return `has ${refusal.here} of the ${refusal.all} units that ${refusal.rule} requires nearby`
    case 'nothing-near':
      return `cannot meet ${refusal.rule}: no such unit is placed`
  }
}

/** Nothing but a move brings them together. */
function describeApart({ apart }: Refusal & { readonly kind: 'volume-elsewhere' }): string {
  if (apart === undefined) return ''
  return `, and its volume ${apart.volume} on ${apart.hostname}: mariposa volume move brings them together`
}

/** What keeps units apart, as it was said: a rule of a manifest, of which a unit has only the pattern, or an option of a unit. */
function describeConflict(pattern: string): string {
  const [, service = '', number = ''] =
    /^[a-z0-9-]+\.([a-z0-9*-]+)\.v\*@([0-9*]+)\.service$/.exec(pattern) ?? []
  if (service === '') return `Conflicts=${pattern}`
  return `the rule ${number === '*' ? `service!=${service}` : `instance!=${service}-${number}`}`
}

const keyProblems = {
  'no-key': 'does not have the key of the secrets that the unit uses',
  'wrong-key': 'has a key that cannot decrypt the secrets of the unit',
} as const

function describeMetadata({ key, wants, has }: Refusal & { readonly kind: 'metadata' }): string {
  return `has ${has === null ? `no ${key}` : `${key}=${has}`} in its metadata, but ${wants.join(' or ')} is required`
}

function cores(hundredths: number): string {
  return `${hundredths / 100} cores`
}

/** Why a unit waits: one machine for each reason, and how many others say the same. */
export function describeWaiting(
  refusals: Waiting['refusals'],
  hostname: (machine: MachineId) => string,
): string {
  if (refusals.length === 0) return 'no machine is up'
  return refusals
    .map(({ machine, refusal, machines = 1 }) => {
      const more = machines === 1 ? '' : ` (and ${machines - 1} more like it)`
      return `${hostname(machine)} ${describeRefusal(refusal)}${more}`
    })
    .join('; ')
}

/** Why a unit was placed, for people. */
export function describePlacementCause(cause: PlacementCause): string {
  switch (cause.kind) {
    case 'new':
      return cause.volume === undefined
        ? 'fewest units of the machines that may run it'
        : `its volume ${cause.volume} is on it`
    case 'machine-lost':
      return `its machine ${cause.from.slice(0, 8)} was lost`
    case 'port-taken':
      return `another program held its host port ${cause.port}`
    case 'moved':
      return moves[cause.because]
    case 'global':
      return 'it is global, and the machine meets its requirements'
  }
}

const moves = {
  'no-longer-fits': 'it could not stay where it was',
  'target-moved': 'it follows its target',
  replaced: 'another unit has taken its place',
  drained: 'the machine that it was on is being drained',
} as const

/** Why a unit lost its place, for people. */
export function describeEviction(cause: EvictionCause): string {
  switch (cause.kind) {
    case 'unit-gone':
      return 'it is no longer wanted'
    case 'unloaded':
      return 'it was unloaded'
    case 'machine-lost':
      return 'its machine was lost'
    case 'port-taken':
      return 'another program holds its host port'
    case 'ports-changed':
      return 'its published ports have changed'
    case 'scope-changed':
      return 'it became global, or stopped being global'
    case 'target-moved':
      return `${cause.target}, which it follows, is no longer on this machine`
    case 'replaced':
      return `${cause.by} takes its place`
    case 'drained':
      return 'its machine is being drained'
    case 'no-longer-fits':
      return `it cannot stay: its machine ${describeRefusal(cause.refusal)}`
  }
}
