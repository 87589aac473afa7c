// Finds the supervisor of a folder, or starts it.
import { type ChildProcess, spawn } from 'node:child_process'
import { closeSync, openSync, readFileSync } from 'node:fs'
import { setTimeout as sleep } from 'node:timers/promises'
import { steadyClock } from '../../../lib/io/clock.js'
import { isDiskFull } from '../../../lib/io/disk-full.js'
import type { Log } from '../../../lib/io/log.js'
import { DriverError } from '../../../model/driver-error.js'
import { fileError, type Home } from '../../../supervisor/io/home.js'
import { supervisorVariable } from '../../../supervisor/marker.js'
import { protocolVersion } from '../../../supervisor/protocol.js'
import { type Connection, type DialOptions, dial } from './supervisor-connection.js'

interface FindOptions extends DialOptions {
  readonly home: Home
  readonly log: Log
  /** Starts the supervisor of this folder. */
  readonly command: readonly string[]
}

interface StartLimits {
  /** For how long one is started again that ends. */
  readonly triesForMs: number
  /** How long one may take to be there that lives: on a machine that has too much to do, as after its start, that is long. */
  readonly livesForMs: number
}

const startLimits: StartLimits = { triesForMs: 10_000, livesForMs: 180_000 }
const lookEveryMs = 10

/**
 * Connects to the supervisor of a folder, which is started where there is none. One that is there and hangs is waited for,
 * until it says hello or is gone. Throws DriverError.
 */
export async function findOrStart(
  options: FindOptions,
  signal: AbortSignal,
  limits = startLimits,
): Promise<Connection> {
  let starting: ChildProcess | null = null
  let from = steadyClock.now()
  const isInTime = (): boolean => {
    const lives = starting !== null && !hasEnded(starting)
    return steadyClock.now() - from < (lives ? limits.livesForMs : limits.triesForMs)
  }
  for (; isInTime(); await sleep(lookEveryMs)) {
    const dialledAt = steadyClock.now()
    const found = await dial(options, signal)
    from += steadyClock.now() - dialledAt
    if (signal.aborted) throw new DriverError('process/closed', 'the driver is closed')
    if (found !== null && found.protocol === protocolVersion) return found
    if (found !== null) await replaceOld(found.pid, options.log)
    // One that found another at work, or could not lock what a dying one still held, has ended: start the next.
    if (starting === null || hasEnded(starting)) starting = startSupervisor(options)
  }
  const why = lastLines(options.home.paths.log)
  throw new DriverError('process/supervisor-failed', `the process supervisor does not start: ${why}`)
}

function hasEnded({ exitCode, signalCode }: ChildProcess): boolean {
  return exitCode !== null || signalCode !== null
}

/** A supervisor of another version steps down; what it runs goes on, and the next one takes it over. */
async function replaceOld(pid: number, log: Log): Promise<void> {
  log.info('process', 'replacing a supervisor of another version', { pid })
  process.kill(pid, 'SIGTERM')
  await sleep(lookEveryMs)
}

function startSupervisor({ home, command }: FindOptions): ChildProcess {
  const [program, ...words] = command
  if (program === undefined)
    throw new DriverError('process/supervisor-failed', 'there is no command for the supervisor')
  const log = openLog(home.paths.log)
  try {
    const child = spawn(program, words, {
      cwd: '/',
      detached: true,
      // One thread beside its own is enough for it, and what it holds in memory every start of a program pays for.
      env: { ...inherited(), [supervisorVariable]: home.id, UV_THREADPOOL_SIZE: '1' },
      stdio: ['ignore', log, log],
    })
    child.on('error', () => {})
    if (child.pid === undefined)
      throw new DriverError('process/supervisor-failed', `${program} cannot be started`)
    child.unref()
    return child
  } finally {
    closeSync(log)
  }
}

function openLog(path: string): number {
  try {
    return openSync(path, 'a', 0o600)
  } catch (error) {
    // What it says is lost then; what it does is not.
    if (isDiskFull(error)) return openSync('/dev/null', 'a')
    throw fileError('process/home-unusable', `${path} cannot be opened`, error)
  }
}

/** What of the daemon's environment the supervisor gets. Units get nothing of it. */
function inherited(): Readonly<Record<string, string>> {
  const names = ['PATH', 'HOME', 'LANG', 'TZ']
  return Object.fromEntries(
    names.flatMap((name) => (process.env[name] === undefined ? [] : [[name, process.env[name]]])),
  )
}

function lastLines(path: string): string {
  try {
    return readFileSync(path, 'utf8').trim().split('\n').slice(-3).join('; ') || 'its log is empty'
  } catch {
    return 'it left no log'
  }
}
