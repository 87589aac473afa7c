// Random histories of small clusters: machines come, go and change, and so do units and what is said of them.
import {
  type Activity,
  type Asks,
  asksNothing,
  type Machine,
  type Order,
  type Port,
  type Rule,
} from './cluster.js'

export type Happening =
  | { readonly do: 'machine'; readonly machine: Machine }
  | { readonly do: 'lose'; readonly machine: string }
  | { readonly do: 'order'; readonly machine: string; readonly order: Order }
  | {
      readonly do: 'unit'
      readonly unit: string
      readonly asks: Asks
      readonly desired: 'launched' | 'loaded' | 'inactive'
    }
  | { readonly do: 'destroy'; readonly unit: string }
  | { readonly do: 'report'; readonly unit: string; readonly active: Activity }
  | { readonly do: 'port-taken'; readonly unit: string }
  | { readonly do: 'pass' }

/** How often units of a history ask for something; what is not named they never ask for. */
export type Flavour = Readonly<Partial<Record<keyof Asks, number>>>

const units = ['db', 'web', 'log', 'one', 'two', 'app@1', 'app@2', 'app@3', 'job@1', 'job@2'].map(
  (name) => `${name}.service`,
)

/** Random numbers that come again from the same seed. */
export class Dice {
  #state: number

  constructor(seed: number) {
    this.#state = seed >>> 0
  }

  /** From 0 up to, not including, 1. */
  next(): number {
    this.#state = (this.#state + 0x6d2b79f5) >>> 0
    let mixed = Math.imul(this.#state ^ (this.#state >>> 15), this.#state | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }

  below(end: number): number {
    return Math.floor(this.next() * end)
  }

  chance(of: number): boolean {
    return this.next() < of
  }

  one<T>(list: readonly T[]): T {
    const found = list[this.below(list.length)]
    if (found === undefined) throw new Error('there is nothing to choose from')
    return found
  }
}

export function historyOf(seed: number, flavour: Flavour): readonly Happening[] {
  const dice = new Dice(seed)
  const machines = Array.from({ length: 1 + dice.below(3) }, (_, n) => `m${n}`.padEnd(32, '0'))
  const known = chosen(dice)
  const start = machines.map((machine) => newMachine(dice, machine))
  const first = known.filter(() => dice.chance(0.6)).map((unit) => newUnit(dice, unit, known, flavour))
  const rest = Array.from({ length: 4 + dice.below(8) }, () => happening(dice, machines, known, flavour))
  return [...start, ...first, { do: 'pass' }, ...rest, { do: 'pass' }]
}

/** A few of them, of either sort. */
function chosen(dice: Dice): readonly string[] {
  const left = [...units]
  return Array.from({ length: 2 + dice.below(5) }, () => left.splice(dice.below(left.length), 1)[0] ?? '')
}

function happening(
  dice: Dice,
  machines: readonly string[],
  known: readonly string[],
  flavour: Flavour,
): Happening {
  const drawn = dice.below(20)
  if (drawn < 6) return { do: 'pass' }
  if (drawn < 11) return newUnit(dice, dice.one(known), known, flavour)
  if (drawn < 13) return newMachine(dice, dice.one(machines))
  if (drawn < 14) return { do: 'lose', machine: dice.one(machines) }
  if (drawn < 16) return newOrder(dice, dice.one(machines))
  if (drawn < 17) return { do: 'destroy', unit: dice.one(known) }
  if (drawn < 18) return { do: 'port-taken', unit: dice.one(known) }
  const active = dice.one<Activity>(['active', 'deactivating', 'inactive'])
  return { do: 'report', unit: dice.one(known), active }
}

function newOrder(dice: Dice, machine: string): Happening {
  const cordoned = dice.chance(0.6)
  return { do: 'order', machine, order: { cordoned, drained: cordoned && dice.chance(0.5) } }
}

function newMachine(dice: Dice, id: string): Happening {
  const metadata = {
    ...(dice.chance(0.8) && { rack: dice.one(['r1', 'r2']) }),
    ...(dice.chance(0.3) && { disk: 'ssd' }),
    ...(dice.chance(0.6) && { 'network.back': '10.0.0.1' }),
  }
  const memoryMb = dice.one([300, 600, 1000])
  return {
    do: 'machine',
    machine: { id, memoryMb, cpus: 1 + dice.below(2), docker: dice.chance(0.7), metadata },
  }
}

function newUnit(dice: Dice, unit: string, known: readonly string[], flavour: Flavour): Happening {
  const desired = dice.one(['launched', 'launched', 'launched', 'launched', 'loaded', 'inactive'] as const)
  return { do: 'unit', unit, asks: newAsks(dice, unit, known, flavour), desired }
}

function newAsks(dice: Dice, unit: string, known: readonly string[], flavour: Flavour): Asks {
  const some = <T>(what: keyof Asks, make: () => T, otherwise: T): T =>
    dice.chance(flavour[what] ?? 0) ? make() : otherwise
  const list = <T>(what: keyof Asks, make: () => T): readonly T[] => {
    const often = flavour[what] ?? 0
    return [0, 1].flatMap((n) => (dice.chance(n === 0 ? often : often / 3) ? [make()] : []))
  }
  // fleet takes no other option beside Global= than these two.
  const global = !unit.includes('@') && some('global', () => true, false)
  const container = some('container', () => true, false)
  return {
    ...asksNothing,
    global,
    container,
    memoryMb: some('memoryMb', () => dice.one([100, 200, 300, 500]), 0),
    cpu: some('cpu', () => dice.one([50, 100]), 0),
    ports: distinct(list('ports', () => newPort(dice, container))),
    role: some('role', () => dice.one(['db', 'web']), null),
    network: some('network', () => 'back', null),
    rules: list('rules', () => newRule(dice)),
    spread: some('spread', () => 'rack', null),
    machineId: global ? null : some('machineId', () => `m${dice.below(4)}`.padEnd(32, '0'), null),
    machineOf: global ? [] : list('machineOf', () => dice.one(known)).filter((name) => name !== unit),
    metadata: list('metadata', () => dice.one(metadataPairs)),
    conflicts: list('conflicts', () => dice.one(patterns)),
    replaces: global ? [] : list('replaces', () => dice.one(patterns)),
  }
}

const metadataPairs = [
  ['rack', 'r1'],
  ['rack', 'r2'],
  ['disk', 'ssd'],
] as const

const patterns = ['db.service', 'app@*.service', '*b*', 'o*.service', 'job@1.service', 'w*']

/** Containers choose addresses; processes listen on all of them. */
function newPort(dice: Dice, container: boolean): Port {
  const host = dice.chance(0.7) ? 80 + dice.below(2) : null
  const ip = container ? dice.one([null, '127.0.0.1', '10.0.0.1']) : null
  const protocol = dice.one(['tcp', 'tcp', 'udp'] as const)
  return { host, ip, container: host !== null && !container ? host : 8000 + dice.below(3), protocol }
}

/** A text that claims one port twice is refused before it comes to a scheduler. */
function distinct(ports: readonly Port[]): readonly Port[] {
  return ports.filter(
    (port, at) =>
      !ports.slice(0, at).some(({ host, protocol }) => host === port.host && protocol === port.protocol),
  )
}

function newRule(dice: Dice): Rule {
  const [key, value] = dice.one([
    ['role', 'db'],
    ['role', '*b'],
    ['instance', 'app-*'],
    ['instance', 'db.service'],
    ['instance', 'app-1'],
    ['service', 'app'],
    ['service', 'job'],
    ['machine.rack', 'r1'],
    ['machine.disk', 'ssd'],
  ] as const)
  const by = key.startsWith('machine.') || dice.chance(0.6) ? null : 'rack'
  return { key, value, near: dice.chance(0.4), soft: dice.chance(0.4), by }
}
