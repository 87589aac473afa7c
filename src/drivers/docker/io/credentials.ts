// Who a registry is asked as: what the user's Docker configuration says, or the helper that it names.
import { execFile } from 'node:child_process'
import { readFile } from 'node:fs/promises'
import { homedir } from 'node:os'
import { join } from 'node:path'
import type { RegistryLogins } from '../../../agent/driver.js'
import {
  type Credentials,
  credentialsFor,
  credentialsOf,
  helperAnswer,
  helperFor,
  registryOf,
} from '../credentials.js'

/** How long a helper may take: some ask a key store, or a service that is away. */
const helperAnswersWithinMs = 10_000
/** What credentials may have in length; who writes more is no helper. */
const answerAtMostBytes = 64 * 1024

/** What an image's registry is asked with; null for nobody in particular. */
interface FoundCredentials {
  readonly credentials: Credentials | null
  /** Why the helper of the registry gave none; never what it wrote. Null where it did, or where there is no helper. */
  readonly problem: string | null
}

/** Of the login that the cluster keeps for the registry; where there is none, or none that opens, of this machine's own. */
export async function readCredentials(
  image: string,
  logins: RegistryLogins,
  signal?: AbortSignal,
): Promise<FoundCredentials> {
  const login = logins(image)
  if (login === null) return await ownCredentials(image, signal)
  if (!('problem' in login)) return { credentials: credentialsOf(login), problem: null }
  const own = await ownCredentials(image, signal)
  return { credentials: own.credentials, problem: login.problem }
}

/** From the user's `~/.docker/config.json`, and where it names a program that keeps them, from that. */
async function ownCredentials(image: string, signal?: AbortSignal): Promise<FoundCredentials> {
  const dir = process.env['DOCKER_CONFIG'] ?? join(homedir(), '.docker')
  const config = await readFile(join(dir, 'config.json'), 'utf8').catch(() => null)
  if (config === null) return { credentials: null, problem: null }
  const registry = registryOf(image)
  const helper = helperFor(registry, config)
  const stored = credentialsFor(registry, config)
  if (helper === null) return { credentials: stored, problem: null }
  if ('problem' in helper) return { credentials: stored, problem: helper.problem }
  const { output, problem } = await askHelper(helper.program, registry, signal)
  const read = problem === null ? helperAnswer(registry, output) : { credentials: null, problem }
  return {
    credentials: read.credentials ?? stored,
    problem: read.problem === null ? null : `the credential helper ${helper.program} ${read.problem}`,
  }
}

interface HelperRun {
  readonly output: string
  readonly problem: string | null
}

/** Runs a helper as Docker does: `get`, the registry on its standard input, no shell. */
function askHelper(program: string, registry: string, signal?: AbortSignal): Promise<HelperRun> {
  return new Promise((resolve) => {
    const options = {
      timeout: helperAnswersWithinMs,
      killSignal: 'SIGKILL' as const,
      maxBuffer: answerAtMostBytes,
      env: withoutOwn(process.env),
      ...(signal !== undefined && { signal }),
    }
    const child = execFile(program, ['get'], options, (error, output) => {
      resolve({ output, problem: error === null || isNone(output) ? null : describe(error) })
    })
    // One that does not read its input has its answer without it.
    child.stdin?.on('error', () => {})
    child.stdin?.end(`${registry}\n`)
  })
}

/** What a helper writes, by its protocol, that has nothing for a registry; it ends with 1 then. */
function isNone(output: string): boolean {
  return output.trim() === 'credentials not found in native keychain'
}

/** How a run failed, without a word of what the program wrote. */
function describe(error: Error & { code?: unknown; killed?: boolean }): string {
  if (error.code === 'ENOENT') return 'is not installed'
  if (error.code === 'EACCES') return 'may not be run'
  if (error.code === 'ERR_CHILD_PROCESS_STDIO_MAXBUFFER') return 'wrote too much'
  if (error.killed === true) return `did not answer in ${helperAnswersWithinMs / 1000} s`
  return typeof error.code === 'number' ? `ended with status ${error.code}` : 'could not be run'
}

/** Our own settings may hold secrets, and are nothing to a helper. */
function withoutOwn(env: NodeJS.ProcessEnv): NodeJS.ProcessEnv {
  return Object.fromEntries(Object.entries(env).filter(([name]) => !name.startsWith('MARIPOSA_')))
}
