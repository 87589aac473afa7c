// A small cluster as the test itself holds it: machines, units and what is asked of them, as plain data. Units are printed
// from here as text for the product, which reads them with its own parser; nothing is read back.

export interface Machine {
  readonly id: string
  readonly memoryMb: number
  readonly cpus: number
  readonly docker: boolean
  readonly metadata: Readonly<Record<string, string>>
}

export interface Order {
  readonly cordoned: boolean
  readonly drained: boolean
}

export interface Port {
  /** Null: the engine chooses. */
  readonly host: number | null
  readonly ip: string | null
  readonly container: number
  readonly protocol: 'tcp' | 'udp'
}

export interface Rule {
  /** `instance`, `service`, `machine.KEY` or a label. */
  readonly key: string
  readonly near: boolean
  readonly soft: boolean
  /** A text, or one with `*`. */
  readonly value: string
  readonly by: string | null
}

export interface Asks {
  readonly memoryMb: number
  readonly cpu: number
  readonly container: boolean
  readonly ports: readonly Port[]
  readonly role: string | null
  readonly network: string | null
  readonly rules: readonly Rule[]
  readonly spread: string | null
  readonly machineId: string | null
  readonly machineOf: readonly string[]
  readonly metadata: readonly (readonly [string, string])[]
  readonly conflicts: readonly string[]
  readonly replaces: readonly string[]
  readonly global: boolean
}

export const asksNothing: Asks = {
  memoryMb: 0,
  cpu: 0,
  container: false,
  ports: [],
  role: null,
  network: null,
  rules: [],
  spread: null,
  machineId: null,
  machineOf: [],
  metadata: [],
  conflicts: [],
  replaces: [],
  global: false,
}

export interface Unit {
  readonly name: string
  readonly asks: Asks
  readonly desired: 'launched' | 'loaded' | 'inactive'
  /** The service of which it is an instance, by its number; null for a unit of its own. */
  readonly service: string | null
  readonly n: number
  readonly createdAt: number
}

export type Activity = 'active' | 'deactivating' | 'inactive'

/** What the product has been told, and what is known of it. */
export interface Cluster {
  readonly machines: Map<string, Machine>
  readonly orders: Map<string, Order>
  readonly units: Map<string, Unit>
  /** What a machine says of a unit that is placed on it. */
  readonly reports: Map<string, { readonly machine: string; readonly active: Activity }>
}

export function emptyCluster(): Cluster {
  return { machines: new Map(), orders: new Map(), units: new Map(), reports: new Map() }
}

export function copyOf({ machines, orders, units, reports }: Cluster): Cluster {
  return {
    machines: new Map(machines),
    orders: new Map(orders),
    units: new Map(units),
    reports: new Map(reports),
  }
}

/** The name of an instance: `web-2`; null for a unit of its own. */
export function instanceName({ service, n }: Unit): string | null {
  return service === null ? null : `${service}-${n}`
}

/** A unit as the text that an operator would write. */
export function printUnit(asks: Asks): string {
  const own = [
    ...(asks.memoryMb > 0 ? [`Memory=${asks.memoryMb}`] : []),
    ...(asks.cpu > 0 ? [`Cpu=${asks.cpu}`] : []),
    ...asks.ports.filter(() => !asks.container).map((port) => `Port=${printPort(port)}`),
    ...(asks.role === null ? [] : [`Label=role=${asks.role}`]),
    ...(asks.network === null ? [] : [`HealthCheck=type=http port=80 network=${asks.network}`]),
    ...(asks.spread === null ? [] : [`Spread=${asks.spread}`]),
    ...asks.rules.map((rule) => `Affinity=${printRule(rule)}`),
  ]
  const fleet = [
    ...(asks.machineId === null ? [] : [`MachineID=${asks.machineId}`]),
    ...asks.machineOf.map((name) => `MachineOf=${name}`),
    ...asks.metadata.map(([key, value]) => `MachineMetadata=${key}=${value}`),
    ...asks.conflicts.map((pattern) => `Conflicts=${pattern}`),
    ...asks.replaces.map((pattern) => `Replaces=${pattern}`),
    ...(asks.global ? ['Global=true'] : []),
  ]
  const published = asks.ports.map((port) => `PublishPort=${printPublished(port)}`)
  const program = asks.container
    ? ['[Container]', 'Image=web', ...published]
    : ['[Service]', 'ExecStart=/bin/web']
  return [...program, '[X-Mariposa]', ...own, '[X-Fleet]', ...fleet, ''].join('\n')
}

function printPort({ host, container, protocol }: Port): string {
  return host === null ? `0:${container}/${protocol}` : `${host}/${protocol}`
}

function printPublished({ ip, host, container, protocol }: Port): string {
  return `${ip === null ? '' : `${ip}:`}${host ?? 0}:${container}/${protocol}`
}

function printRule({ key, near, soft, value, by }: Rule): string {
  return `${key}${near ? '==' : '!='}${soft ? '~' : ''}${value}${by === null ? '' : ` by=${by}`}`
}
