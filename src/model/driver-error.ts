// What a driver, or the supervisor behind it, could not do.

/** The world failed: a driver could not do its work. */
export class DriverError extends Error {
  override readonly name = 'DriverError'
  /** Stable, listed in docs/errors.md: `docker/image-missing`, `process/not-executable`, … */
  readonly code: string
  /** Trying again without a change is of no use. */
  readonly permanent: boolean
  /** How long whoever refused has asked to be left alone; null for nothing said. */
  readonly retryAfterMs: number | null
  constructor(code: string, message: string, options: DriverErrorOptions = {}) {
    super(message, options)
    this.code = code
    this.permanent = options.permanent ?? false
    this.retryAfterMs = options.retryAfterMs ?? null
  }
}

interface DriverErrorOptions extends ErrorOptions {
  readonly permanent?: boolean
  readonly retryAfterMs?: number | null
}
