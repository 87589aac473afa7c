// What a unit asks of the machine that runs it, read from its text.
import type { DriverKind } from '../model/unit.js'

/** A port that a unit publishes. */
export interface PortNeed {
  readonly ip: string | null
  /** A fixed host port is a resource (contract §4); null: the engine chooses one. */
  readonly host: number | null
  readonly container: number
  readonly protocol: 'tcp' | 'udp'
}

export interface Requirements {
  /** The unit can run under any of these. */
  readonly drivers: readonly DriverKind[]
  readonly memoryMb: number
  readonly ports: readonly PortNeed[]
}
