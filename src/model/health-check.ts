/** One check of an instance (manifest seed: healthchecks), carried in the unit as `[X-Mariposa] HealthCheck=`. */
export type HealthCheck = HttpCheck | CommandCheck

interface CheckTiming {
  readonly pollMs: number
  readonly timeoutMs: number
  /** Failures in a row until the instance is unhealthy. */
  readonly retries: number
}

export interface HttpCheck extends CheckTiming {
  readonly type: 'http' | 'https'
  /** The port as the manifest names it; where the instance publishes it, that is where the check goes. */
  readonly port: number
  readonly path: string
}

export interface CommandCheck extends CheckTiming {
  readonly type: 'command'
  /** The argument vector; never passed through a shell. */
  readonly argv: readonly string[]
  readonly user: string | null
}
