// What is done to a simulated cluster, as data: which cluster it is, and every act of operators and every fault with its
// time. As text it is a `*.scn` file, which replays the run.

/** Whose services all are. */
export const project = 'default'

/** Something that happens to the cluster. */
export interface Deed {
  /** After the beginning, in virtual time. */
  readonly atMs: number
  /** The service, the machine or the member of the store (`e0`) that it is about. */
  readonly who: string
  readonly what: DeedName
  readonly details: Readonly<Record<string, string>>
}

export interface Scenario {
  /** How messages and programs take their time. */
  readonly seed: number
  readonly machines: number
  /** Of the store; 0: it is on the disk of the only machine. */
  readonly members: number
  readonly memoryMb: number
  /** What a message between a daemon and the store takes at most. */
  readonly linkMs: number
  /** From then on all is healed and nobody asks for anything. */
  readonly busyMs: number
  readonly deeds: readonly Deed[]
}

/** What operators do, with the details that each needs. `via`: the machine whose daemon is asked. */
export const acts = {
  deploy: ['via', 'scale', 'deadline', 'memory', 'kind', 'n'],
  scale: ['via', 'to'],
  stop: ['via'],
  start: ['via'],
  revert: ['via', 'back'],
  reprovision: ['via'],
  delete: ['via'],
  'remove-volume': ['via', 'n'],
  freeze: ['via', 'for'],
  cordon: ['via', 'for'],
  drain: ['via', 'for', 'rolling'],
  relabel: ['via', 'for', 'zone'],
  call: ['via', 'trigger', 'id'],
  unit: ['via', 'verb', 'n', 'memory'],
  meta: ['via', 'verb', 'n'],
  race: ['via', 'verb', 'n', 'wait'],
  explain: ['via'],
  plan: ['via', 'scale', 'deadline', 'memory', 'kind', 'n', 'wait'],
  wrong: ['via', 'which'],
  use: ['via'],
  volumes: ['via'],
  move: ['via', 'n'],
  site: ['via', 'has', 'scale', 'deadline', 'prune'],
  'end-hand-over': ['via'],
} as const

/** What services have to do from then on, which nobody asks for. */
export const works = { load: ['cores', 'rps'] } as const

/**
 * What goes wrong on a machine, with the details that each needs. `late=` of a loss of power: what runs programs comes up so
 * much later than the daemon. `ppm=`: by how many millionths a clock is fast, or slow, until all is healed.
 * `to=`: the release (`releases.ts`) of the daemon that comes back.
 */
export const machineFaults = {
  'kill-daemon': ['for'],
  'stop-daemon': ['for'],
  'power-off': ['for'],
  cut: ['for'],
  freeze: ['for'],
  'set-clock': ['by'],
  'kill-program': ['n'],
  'slow-link': ['for', 'most'],
  compact: [],
  'driver-away': ['for'],
  die: [],
  poison: [],
  'cut-outside': ['for'],
  'driver-hangs': ['for'],
  'drift-clock': ['ppm'],
  'change-release': ['for', 'to'],
} as const

/** What goes wrong with a member of the store. `how`: `dead`, or `cut` off from the others; `by`: how late it is. */
export const storeFaults = {
  'lose-member': ['for', 'how'],
  'lose-quorum': ['for'],
  'lag-member': ['for', 'by'],
} as const

/** What goes wrong with the network of a machine, but for that to the store. `to`: whom it does not reach any more. */
export const networkFaults = {
  'net-cut': ['for'],
  'net-one-way': ['for', 'to'],
  'net-lose-requests': ['for'],
  'net-lose-answers': ['for'],
  'net-slow': ['for', 'most'],
} as const

/** What goes wrong with the disk that the volumes of a machine are on. */
export const volumeFaults = { 'volumes-full': ['for'] } as const

/** Under it lie records that nobody can read, and that nobody needs. */
export const poisonPrefix = 'meta/poison/'

export type ActName = keyof typeof acts
export type WorkName = keyof typeof works
/** What goes wrong with the disk of a cluster's only machine, whose store is on it. */
export const diskFaults = {
  'disk-full': ['for'],
  'disk-error': ['for'],
  'flip-bit': ['for'],
} as const

export type DiskFault = keyof typeof diskFaults
export type VolumeFault = keyof typeof volumeFaults
export type NetworkFault = keyof typeof networkFaults
export type MachineFault = keyof typeof machineFaults
export type StoreFault = keyof typeof storeFaults
export type FaultName = MachineFault | StoreFault | DiskFault | NetworkFault | VolumeFault
export type DeedName = ActName | WorkName | `fault:${FaultName}`

const faults = { ...machineFaults, ...storeFaults, ...diskFaults, ...networkFaults, ...volumeFaults }
export const faultNames = Object.keys(faults) as readonly FaultName[]
export const networkFaultNames = Object.keys(networkFaults) as readonly NetworkFault[]
/** Those that there are where the store is an etcd. */
export const etcdFaultNames = faultNames.filter(
  (fault) => !isDiskFault(fault) && !isNetworkFault(fault) && !isVolumeFault(fault) && !isOfMachines(fault),
)
/** Those of a cluster of one machine, with its store on its own disk. */
export const embeddedFaultNames: readonly FaultName[] = [
  ...(['kill-daemon', 'stop-daemon', 'power-off', 'freeze', 'set-clock', 'kill-program'] as const),
  ...(['driver-away', 'cut-outside', 'disk-full', 'disk-error', 'flip-bit'] as const),
]

/** Those that have draws of their own (`machine-troubles.ts`), beside the others. */
export function isOfMachines(fault: FaultName): boolean {
  return fault === 'driver-hangs' || fault === 'drift-clock' || fault === 'change-release'
}

export function isDiskFault(fault: FaultName): fault is DiskFault {
  return fault in diskFaults
}

export function isNetworkFault(fault: FaultName): fault is NetworkFault {
  return fault in networkFaults
}

export function isVolumeFault(fault: FaultName): fault is VolumeFault {
  return fault in volumeFaults
}

export function isStoreFault(fault: FaultName): fault is StoreFault {
  return fault in storeFaults
}

/** The name of the fault that a deed is; null for an operator's act. */
export function faultOf({ what }: Deed): FaultName | null {
  return what.startsWith('fault:') ? (what.slice('fault:'.length) as FaultName) : null
}

/** A detail that is a number. */
export function numberOf({ details }: Deed, name: string): number {
  return Number(details[name])
}

const facts = ['seed', 'machines', 'members', 'memoryMb', 'linkMs', 'busyMs'] as const
/** What a scenario need not say. */
const usual: Readonly<Record<string, number>> = { members: 1 }

/** As the text of a `*.scn` file. */
export function printScenario(scenario: Scenario): string {
  const header = facts.map((name) => `${name} ${scenario[name]}`)
  const lines = scenario.deeds.map(({ atMs, who, what, details }) =>
    [`${atMs}`, who, what, ...Object.entries(details).map(([name, value]) => `${name}=${value}`)].join(' '),
  )
  return [...header, '----', ...lines, ''].join('\n')
}

/** Reads what `printScenario` writes; lines that begin with `#` say something to people. Throws with the line at fault. */
export function parseScenario(text: string): Scenario {
  const header = new Map<string, number>()
  const deeds: Deed[] = []
  let isHeader = true
  for (const [index, line] of text.split('\n').entries()) {
    if (line.trim() === '' || line.startsWith('#')) continue
    const wrong = (why: string): Error => new Error(`line ${index + 1}: ${why}: ${line}`)
    if (line === '----') isHeader = false
    else if (isHeader) {
      const [name = '', value = ''] = line.split(' ')
      if (!facts.includes(name as never)) throw wrong(`no such fact, of ${facts.join(', ')}`)
      header.set(name, wholeNumber(value, wrong))
    } else deeds.push(parseDeed(line, wrong))
  }
  const [seed, machines, members, memoryMb, linkMs, busyMs] = facts.map((name) => {
    const value = header.get(name) ?? usual[name]
    if (value === undefined) throw new Error(`the scenario does not say ${name}`)
    return value
  }) as [number, number, number, number, number, number]
  return { seed, machines, members, memoryMb, linkMs, busyMs, deeds }
}

function parseDeed(line: string, wrong: (why: string) => Error): Deed {
  const [at = '', who = '', what = '', ...words] = line.split(' ')
  const needed = what.startsWith('fault:')
    ? faults[what.slice('fault:'.length) as FaultName]
    : (acts[what as ActName] ?? works[what as WorkName])
  if (needed === undefined) throw wrong(`there is no deed "${what}"`)
  const details = Object.fromEntries(words.map((word) => word.split('=', 2) as [string, string]))
  for (const name of needed) if (details[name] === undefined) throw wrong(`it does not say ${name}=`)
  return { atMs: wholeNumber(at, wrong), who, what: what as DeedName, details }
}

function wholeNumber(text: string, wrong: (why: string) => Error): number {
  if (!/^\d+$/.test(text)) throw wrong(`"${text}" is not a whole number`)
  return Number(text)
}
