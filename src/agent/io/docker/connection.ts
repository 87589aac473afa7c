// The connection to a Docker daemon: which version of its API is spoken, and what its errors become.
import { Agent } from 'node:http'
import { inspect } from 'node:util'
import type Docker from 'dockerode'
import { describeError } from '../../../lib/io/log.js'
import { startFailure } from '../../docker/failure.js'
import { DriverError } from '../../driver.js'

export const defaultSocket = '/var/run/docker.sock'

/** The version of the API that this driver is written for (dockerd 20.10 and later). */
const writtenFor = '1.41'

export interface Connection {
  readonly docker: Docker
  /** Lets go of idle sockets; calls under way come to their end. */
  readonly close: () => void
}

/** Reaches the daemon and agrees on a version. Throws `docker/unreachable`, `docker/too-old`. */
export async function connectDocker(socketPath: string): Promise<Connection> {
  // Loading it takes a tenth of a second, so that it is left to those who have a Docker.
  const { default: Dockerode } = await import('dockerode')
  const agent = createAgent()
  // dockerode would take host and protocol from DOCKER_HOST, if it is set.
  const options = { socketPath, agent, host: undefined, port: undefined, protocol: 'http' as const }
  try {
    const { ApiVersion, MinAPIVersion } = (await new Dockerode(options).version()) as VersionAnswer
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
    return { docker: new Dockerode({ ...options, version: `v${version}` }), close: () => agent.destroy() }
  } catch (error) {
    agent.destroy()
    throw asDriverError(error, `no Docker answers at ${socketPath}`)
  }
}

/**
 * docker-modem describes every request for its debug output, whether anybody reads it or not, with all that the agent
 * holds: that took more time than the requests themselves. So the agent describes itself in a word.
 */
function createAgent(): Agent {
  return Object.assign(new Agent({ keepAlive: true }), { [inspect.custom]: () => 'Agent' })
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

function isAbort(error: unknown): error is Error {
  return error instanceof Error && (error.name === 'AbortError' || error.name === 'TimeoutError')
}
