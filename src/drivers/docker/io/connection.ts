// The connection to a Docker daemon: which version of its API is spoken, and what its errors become.
import Docker from 'dockerode'
import { abortable } from '../../../lib/io/abortable.js'
import { describeError, type Log } from '../../../lib/io/log.js'
import type { Time } from '../../../lib/time.js'
import { DriverError } from '../../../model/driver-error.js'
import { Pulse } from '../../io/pulse.js'
import { startFailure } from '../failure.js'
import { pingDocker } from './detect.js'
import { WatchedAgent } from './watched-agent.js'

export const defaultSocket = '/var/run/docker.sock'

/** The version of the API that this driver is written for (dockerd 20.10 and later). */
const writtenFor = '1.41'

export interface Connection {
  /** While the daemon is silent, every call fails with `docker/unreachable`, and those under way are ended so. */
  readonly docker: Docker
  /** Lets go of all sockets. */
  readonly close: () => void
}

interface ConnectionOptions {
  readonly socketPath: string
  readonly clock: Time
  readonly log: Log
}

/** How long the daemon may take to say which version it speaks. */
const versionWithinMs = 10_000

/** Reaches the daemon and agrees on a version. Throws `docker/unreachable`, `docker/too-old`. */
export async function connectDocker({ socketPath, clock, log }: ConnectionOptions): Promise<Connection> {
  const pulse = new Pulse({
    ask: (signal) => pingDocker(socketPath, signal),
    time: clock,
    onChange: (isSilent) => {
      if (isSilent) log.warn('docker', 'Docker accepts connections but does not answer')
      else log.info('docker', 'Docker answers again')
      if (isSilent) agent.destroy()
    },
  })
  const agent = new WatchedAgent(pulse)
  const close = (): void => {
    pulse.close()
    agent.destroy()
  }
  // dockerode would take host and protocol from DOCKER_HOST, if it is set.
  const options = { socketPath, agent, host: undefined, port: undefined, protocol: 'http' as const }
  try {
    const told = abortable(new Docker(options).version(), AbortSignal.timeout(versionWithinMs))
    const { ApiVersion, MinAPIVersion } = (await told) as VersionAnswer
    if (isOlder(ApiVersion, writtenFor)) {
      throw new DriverError(
        'docker/too-old',
        `Docker speaks version ${ApiVersion} of its API; ${writtenFor} is needed`,
        {
          permanent: true,
        },
      )
    }
    const version =
      MinAPIVersion !== undefined && isOlder(writtenFor, MinAPIVersion) ? MinAPIVersion : writtenFor
    return { docker: new Docker({ ...options, version: `v${version}` }), close }
  } catch (error) {
    close()
    throw asUnanswered(error, `no Docker answers at ${socketPath}`)
  }
}

interface VersionAnswer {
  readonly ApiVersion: string
  readonly MinAPIVersion?: string
}

function isOlder(version: string, than: string): boolean {
  const [major = 0, minor = 0] = version.split('.').map(Number)
  const [thanMajor = 0, thanMinor = 0] = than.split('.').map(Number)
  return major === thanMajor ? minor < thanMinor : major < thanMajor
}

/** The HTTP status that Docker answered an error with; null where it did not answer. */
export function statusOf(error: unknown): number | null {
  const status = (error as { statusCode?: unknown } | null)?.statusCode
  return typeof status === 'number' ? status : null
}

/** Docker's own sentence, without what dockerode puts before it. */
export function sentenceOf(error: unknown): string {
  return describeError(error)
    .replace(/^\(HTTP code \d+\) .*? - /, '')
    .trim()
}

/** What was thrown as a DriverError; `doing` says what did not work. A caller's own abort stays what it is. */
export function asDriverError(error: unknown, doing: string): Error {
  if (error instanceof DriverError) return error
  if (isAbort(error)) return error
  const status = statusOf(error)
  if (status === null) {
    return new DriverError('docker/unreachable', doing, { cause: error })
  }
  const { code, message, permanent } = startFailure(sentenceOf(error))
  // Without the cause: it says the same sentence once more.
  return new DriverError(code, `${doing}: ${message}`, { permanent })
}

/** The same for what was asked with a time limit of our own: to be late is to be out of reach. */
export function asUnanswered(error: unknown, doing: string): Error {
  return isAbort(error)
    ? new DriverError('docker/unreachable', doing, { cause: error })
    : asDriverError(error, doing)
}

function isAbort(error: unknown): error is Error {
  return error instanceof Error && (error.name === 'AbortError' || error.name === 'TimeoutError')
}
