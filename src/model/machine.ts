import type { Instant } from '../lib/time.js'
import type { DriverKind } from './driver-kind.js'

declare const machineId: unique symbol
/** 32 hex digits, from /etc/machine-id or made once in the data directory. */
export type MachineId = string & { readonly [machineId]: true }

/** What a machine can give. */
export interface Capacity {
  readonly cpus: number
  readonly memoryMb: number
  readonly diskMb: number
}

/** A host that runs the daemon. Lives as long as its lease; written by its own agent. */
export interface Machine {
  readonly id: MachineId
  readonly hostname: string
  readonly ip: string
  readonly metadata: Readonly<Record<string, string>>
  readonly capacity: Capacity
  readonly drivers: readonly DriverKind[]
  /** Of `drivers`, those that do not answer now: what runs there is left alone, and nothing new is placed for them. */
  readonly driversAway?: readonly DriverKind[]
  /** Mariposa's version on it. */
  readonly version: string
  readonly bootedAt: Instant
  /** Where its daemon is reached by those of other machines: `https://10.0.0.1:7443`. */
  readonly api?: string
  /** Where programs that share its network are reached from other machines; absent where that is not announced. */
  readonly outside?: string
  /** Its daemon never leads (`--no-engine`). */
  readonly engine?: false
  /** What its daemon shows to others; absent where it shows none. */
  readonly certificates?: readonly ShownCertificate[]
  /** The keys of the secrets that it has; absent where its daemon does not say. */
  readonly secretKeys?: SecretKeysHere
  /** Absent where it runs no entry. */
  readonly entry?: MachineEntry
  /** Its daemon was stopped on purpose: what runs there goes on running, and is not to be started elsewhere for now. */
  readonly away?: Away
  /** Since when it has been up without interruption; absent if its daemon does not report it. */
  readonly upSince?: Instant
}

/** The entry of a machine, at these addresses (`[ADDRESS]:PORT`). */
interface MachineEntry {
  readonly http: string
  readonly https: string
  /** Also for what is not HTTP. */
  readonly tcp?: boolean
  /** The ports that the machine needs itself, with what each is for; absent where its daemon does not say. */
  readonly ownPorts?: Readonly<Record<string, string>>
}

/** A certificate that a daemon shows: to callers of its API, or to etcd. */
export interface ShownCertificate {
  readonly use: 'api' | 'etcd'
  readonly expiresAt: Instant
}

/** `no-key`: it has none. `wrong-key`: it has others than the one that the cluster's secrets are sealed with. */
export type KeyProblem = 'no-key' | 'wrong-key'

/** The keys that a machine has for secrets. */
export interface SecretKeysHere {
  /** The newest last. A fingerprint tells keys apart, and nothing of them. */
  readonly fingerprints: readonly string[]
  /** Why it cannot open the cluster's secrets; absent where it can, and where there are none. */
  readonly problem?: KeyProblem
}

interface Away {
  readonly since: Instant
  /** When it counts as lost, unless its daemon is back. */
  readonly until: Instant
}

/** A machine as its daemon announced it last; outlives its presence, so that one that is down is not forgotten. */
export interface KnownMachine extends Machine {
  /** Since when it is down, as whoever leads has noted it; absent while it is there. */
  readonly downSince?: Instant
}

/** What an operator asked of a machine; outlives its presence. */
export interface MachineSettings {
  readonly id: MachineId
  readonly cordoned: boolean
  /** Metadata set while the machine runs, over what its daemon announces; an empty value takes a key away. */
  readonly metadata?: Readonly<Record<string, string>>
  /** All that can be elsewhere is to leave it; it is cordoned as long as this stands. */
  readonly drain?: DrainOrder
}

/** How a machine is drained. */
export interface DrainOrder {
  readonly since: Instant
  /** How many instances of one service are replaced at a time. */
  readonly parallel: number
}

/** A machine with the metadata that it has in effect. */
export function withOrderedMetadata(machine: Machine, order: MachineSettings | undefined): Machine {
  return order?.metadata === undefined
    ? machine
    : { ...machine, metadata: metadataInEffect(machine.metadata, order) }
}

/** What a machine says of itself, with what is ordered of it over that. */
export function metadataInEffect(
  own: Readonly<Record<string, string>>,
  order: MachineSettings | undefined,
): Readonly<Record<string, string>> {
  const ordered = order?.metadata ?? {}
  const announced = Object.entries(own).filter(([key]) => !Object.hasOwn(ordered, key))
  const set = Object.entries(ordered).filter(([, value]) => value !== '')
  return Object.fromEntries([...announced, ...set])
}
