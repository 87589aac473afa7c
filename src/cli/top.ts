// What services, instances and machines use, as `top` shows it: of two looks what came between them.
import type { UnitUse, UseBody } from '../contract/contract.js'
import { describeAge } from './duration.js'
import { type CellView, type Column, renderTable } from './table.js'

interface InstanceLoad {
  /** The instance's, or that of a unit which is none. */
  readonly name: string
  readonly project: string | null
  readonly service: string | null
  readonly machine: string
  readonly hostname: string
  /** Cores in use; null where that is not known. */
  readonly cpu: number | null
  readonly memoryBytes: number | null
  readonly memoryLimitBytes: number | null
  readonly restarts: number
  readonly startedAt: string | null
}

interface ServiceLoad {
  readonly name: string
  readonly project: string
  readonly instances: number
  readonly cpu: number | null
  readonly memoryBytes: number | null
  readonly restarts: number
}

interface MachineLoad {
  readonly machine: string
  readonly hostname: string
  readonly units: number
  /** What its units use together, and what it has. */
  readonly cpu: number | null
  readonly cpus: number
  readonly memoryBytes: number | null
  readonly memoryMb: number
  readonly restarts: number
}

interface Load {
  readonly services: readonly ServiceLoad[]
  readonly instances: readonly InstanceLoad[]
  readonly machines: readonly MachineLoad[]
  readonly silent: UseBody['silent']
}

/** `before` is the look before, where there was one. What works most comes first; machines show all of their units. */
export function loadOf(before: UseBody | null, now: UseBody, project: string | null): Load {
  const earlier = new Map(before?.units.map((use) => [placeOf(use), use]))
  const hostnames = new Map(now.machines.map(({ machine, hostname }) => [machine, hostname]))
  const all = now.units.map((use) => instanceLoad(earlier.get(placeOf(use)), use, hostnames.get(use.machine)))
  const shown = all.filter((one) => project === null || one.project === project)
  return {
    services: byWork(servicesOf(shown)),
    instances: byWork(shown),
    machines: now.machines.map(({ machine, hostname, cpus, memoryMb }) => {
      const own = all.filter((one) => one.machine === machine)
      return { machine, hostname, units: own.length, cpus, memoryMb, ...totalOf(own) }
    }),
    silent: now.silent,
  }
}

/**
 * What the next look is compared with. A unit whose reading is still that of the last look keeps the one before: looks may come
 * faster than a daemon reads.
 */
export function lookBefore(before: UseBody | null, last: UseBody | null, now: UseBody): UseBody | null {
  if (before === null || last === null) return last
  const [earlier, latest] = [before, last].map(
    ({ units }) => new Map(units.map((use) => [placeOf(use), use])),
  )
  const units = now.units.flatMap((use) => {
    const place = placeOf(use)
    const known = latest?.get(place)
    return (known?.at === use.at ? earlier?.get(place) : known) ?? []
  })
  return { ...last, units }
}

function placeOf({ machine, unit }: UnitUse): string {
  return `${machine} ${unit}`
}

function instanceLoad(
  before: UnitUse | undefined,
  use: UnitUse,
  hostname: string = use.machine,
): InstanceLoad {
  const { unit, instance, project, service, machine, memoryBytes, memoryLimitBytes, restarts, startedAt } =
    use
  return {
    name: instance ?? unit,
    ...{ project, service, machine, hostname },
    cpu: coresBetween(before, use),
    ...{ memoryBytes, memoryLimitBytes, restarts, startedAt },
  }
}

/** Null for what was started anew since: its time counts from nothing. */
function coresBetween(before: UnitUse | undefined, now: UnitUse): number | null {
  if (before === undefined || before.cpuNs === null || now.cpuNs === null) return null
  const passedNs = (Date.parse(now.at) - Date.parse(before.at)) * 1e6
  return passedNs <= 0 || now.cpuNs < before.cpuNs ? null : (now.cpuNs - before.cpuNs) / passedNs
}

function servicesOf(instances: readonly InstanceLoad[]): readonly ServiceLoad[] {
  const groups = new Map<string, InstanceLoad[]>()
  for (const one of instances) {
    if (one.service === null || one.project === null) continue
    const key = `${one.project}/${one.service}`
    groups.set(key, [...(groups.get(key) ?? []), one])
  }
  return [...groups.values()].map((own) => ({
    name: own[0]?.service ?? '',
    project: own[0]?.project ?? '',
    instances: own.length,
    ...totalOf(own),
  }))
}

interface Total {
  readonly cpu: number | null
  readonly memoryBytes: number | null
  readonly restarts: number
}

function totalOf(instances: readonly InstanceLoad[]): Total {
  return {
    cpu: sum(instances.map(({ cpu }) => cpu)),
    memoryBytes: sum(instances.map(({ memoryBytes }) => memoryBytes)),
    restarts: sum(instances.map(({ restarts }) => restarts)) ?? 0,
  }
}

/** Of what is known; null where nothing is. */
function sum(values: readonly (number | null)[]): number | null {
  const known = values.filter((value) => value !== null)
  return known.length === 0 ? null : known.reduce((total, value) => total + value, 0)
}

function byWork<T extends Omit<Total, 'restarts'> & { readonly name: string }>(
  loads: readonly T[],
): readonly T[] {
  const order = (a: T, b: T): number =>
    (b.cpu ?? -1) - (a.cpu ?? -1) ||
    (b.memoryBytes ?? -1) - (a.memoryBytes ?? -1) ||
    (a.name < b.name ? -1 : 1)
  return [...loads].sort(order)
}

const shared = {
  cpu: { key: 'cpu', right: true, text: ({ cpu }: Total) => percent(cpu) },
  memory: { key: 'memory', right: true, text: ({ memoryBytes }: Total) => size(memoryBytes) },
  restarts: { key: 'restarts', right: true, text: ({ restarts }: Total) => String(restarts) },
} as const

const machineColumns: readonly Column<MachineLoad>[] = [
  { key: 'machine', text: ({ hostname }) => hostname },
  { key: 'units', right: true, text: ({ units }) => String(units) },
  { key: 'cpu', right: true, text: ({ cpu, cpus }) => `${percent(cpu)} of ${cpus * 100}%` },
  {
    key: 'memory',
    right: true,
    text: ({ memoryBytes, memoryMb }) => `${size(memoryBytes)} of ${size(memoryMb * 1024 ** 2)}`,
  },
  shared.restarts,
]

const serviceColumns: readonly Column<ServiceLoad>[] = [
  { key: 'service', text: ({ name }) => name },
  { key: 'project', text: ({ project }) => project },
  { key: 'instances', right: true, text: ({ instances }) => String(instances) },
  shared.cpu,
  shared.memory,
  shared.restarts,
]

const instanceColumns: readonly Column<InstanceLoad>[] = [
  { key: 'instance', text: ({ name }) => name },
  { key: 'machine', text: ({ hostname }) => hostname },
  shared.cpu,
  shared.memory,
  { key: 'limit', right: true, text: ({ memoryLimitBytes }) => size(memoryLimitBytes) },
  shared.restarts,
  {
    key: 'up',
    right: true,
    text: ({ startedAt }, { now }) => (startedAt === null ? '' : describeAge(Date.parse(startedAt), now)),
  },
]

/** Of one core. */
function percent(cores: number | null): string {
  return cores === null ? '-' : `${(cores * 100).toFixed(1)}%`
}

/** In the units in which manifests write memory. */
function size(bytes: number | null): string {
  if (bytes === null) return ''
  const mib = bytes / 1024 ** 2
  return mib < 1024 ? `${mib.toFixed(1)}M` : `${(mib / 1024).toFixed(1)}G`
}

/** Machines, services and instances, a table each. */
export function describeLoad(
  { machines, services, instances, silent }: Load,
  view: CellView,
): readonly string[] {
  const lines = <Row>(columns: readonly Column<Row>[], rows: readonly Row[]): readonly string[] =>
    rows.length === 0 ? [] : ['', ...renderTable(columns, rows, { header: true, view }).trimEnd().split('\n')]
  const told = silent.map(({ hostname, reason }) => `${hostname} does not answer: ${reason}`)
  const tables = [
    ...lines(machineColumns, machines),
    ...lines(serviceColumns, services),
    ...lines(instanceColumns, instances),
  ]
  return [...told, ...tables.slice(told.length === 0 ? 1 : 0)]
}
