// How much of a container's log Docker keeps, where its unit does not say.
import type { HostConfig } from './api.js'

/** How much of a log is kept on a machine. */
export interface LogLimits {
  /** Of one file; null keeps all. */
  readonly maxBytes: number | null
  readonly maxFiles: number
  /** Chosen by the operator of the daemon, and so before what Docker's own configuration says. */
  readonly isChosen: boolean
}

/** As much as the `process` driver keeps; by itself Docker would keep all for ever. */
export const defaultLogLimits: LogLimits = { maxBytes: 10 * 1024 ** 2, maxFiles: 3, isChosen: false }

/** What Docker's operator has said, in its own configuration. */
export interface DockerLogging {
  readonly driver: string
  readonly hasOptions: boolean
}

/** What goes into the request for a container; `problem` where the limits cannot be had. */
export function loggingOf(
  { maxBytes, maxFiles, isChosen }: LogLimits,
  { driver, hasOptions }: DockerLogging,
): { readonly config: Pick<HostConfig, 'LogConfig'>; readonly problem: string | null } {
  const unchanged = { config: {}, problem: null }
  if (maxBytes === null) return unchanged
  const takesLimits = driver === 'json-file' || driver === 'local'
  if (isChosen && !takesLimits)
    return { ...unchanged, problem: `the log driver ${driver} of Docker takes no limits of a size` }
  // What `local` keeps is bounded by itself, and so is what Docker's operator has chosen.
  if (!isChosen && (driver !== 'json-file' || hasOptions)) return unchanged
  const limits = { 'max-size': String(maxBytes), 'max-file': String(maxFiles) }
  return { config: { LogConfig: { Type: driver, Config: limits } }, problem: null }
}
