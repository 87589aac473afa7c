/** One check of an instance (manifest seed: healthchecks), carried in the unit as `[X-Mariposa] HealthCheck=`. */
export type HealthCheck = HttpCheck | TcpCheck | CommandCheck | TelemetryCheck

interface CheckTiming {
  readonly pollMs: number
  readonly timeoutMs: number
  /** Failures in a row until the instance is unhealthy. */
  readonly retries: number
  /** How long failures of a new run do not count; absent: as long as `retries` of them take, and 10 s at least. */
  readonly startPeriodMs?: number
  /** How often it is probed meanwhile; absent: soon, and then ever more slowly. */
  readonly startIntervalMs?: number
}

/** A health check that asks by HTTP. */
export interface HttpCheck extends CheckTiming {
  readonly type: 'http' | 'https'
  /** The port as the manifest names it; where the instance publishes it, that is where the check goes. */
  readonly port: number
  readonly path: string
  /** The network on which it is asked; absent: where the instance answers by itself. */
  readonly network?: string
  /** How many redirects within the instance are followed; absent: none. */
  readonly redirects?: number
  /** For `https`: the certificate is to be one that this machine trusts. */
  readonly verify?: true
  /** The host that is asked for, and that a certificate which is checked has to name; absent: the address. */
  readonly serverName?: string
}

/** Whether it takes a connection. */
export interface TcpCheck extends CheckTiming {
  readonly type: 'tcp'
  /** As for `HttpCheck`. */
  readonly port: number
  readonly network?: string
}

/** A health check that runs a command. */
export interface CommandCheck extends CheckTiming {
  readonly type: 'command'
  /** The argument vector; never passed through a shell. */
  readonly argv: readonly string[]
  readonly user: string | null
}

/** The health of ContainerPilot's own jobs, read from its telemetry (manifest seed: containerpilot). */
export interface TelemetryCheck extends CheckTiming {
  readonly type: 'containerpilot'
  readonly port: number
  /** As for `HttpCheck`. */
  readonly network?: string
}
