// A proxy as a process: watched, waited for until it can be talked to, and ended. It is a child, or was one of who is gone.
import { type ChildProcess, spawn } from 'node:child_process'
import { readdirSync, readFileSync, readlinkSync, realpathSync } from 'node:fs'
import { setTimeout as sleep } from 'node:timers/promises'
import { steadyClock } from '../../lib/io/clock.js'
import { errorCode } from '../../lib/io/error-code.js'

const startWithinMs = 20_000
/** How long what is under way may take once it is told to end. */
export const endWithinMs = 10_000
export const lookEveryMs = 20
const saidAtMost = 2000
/** How often one that is no child is looked for: nobody tells of its end. */
const watchEveryMs = 100

export interface RunningProxy {
  readonly pid: number | null
  readonly hasEnded: boolean
  signal(how: NodeJS.Signals): void
  end(): Promise<void>
}

interface ProxyProgram {
  readonly name: string
  readonly words: readonly string[]
  /** Where it runs; its own files are below. */
  readonly dir: string
  readonly env: Readonly<Record<string, string>>
  /** What is said where this machine does not have it. */
  readonly missing: string
  /** Finds in the end of what it wrote why it ended; without it what it writes goes where we write. */
  readonly whyOf?: (said: string) => string
}

export class ProxyProcess implements RunningProxy {
  readonly #name: string
  readonly #child: ChildProcess
  readonly #ended: Promise<void>
  readonly #why: () => string
  #failure: string | null = null

  /** Starts it. `onEnd` is called when it has ended, for whatever reason. */
  constructor({ name, words, dir, env, missing, whyOf }: ProxyProgram, onEnd: () => void) {
    this.#name = name
    this.#child = spawn(name, words, {
      cwd: dir,
      env,
      stdio: ['ignore', 'ignore', whyOf === undefined ? 'inherit' : 'pipe'],
    })
    let said = ''
    this.#child.stderr?.setEncoding('utf8').on('data', (text: string) => {
      said = (said + text).slice(-saidAtMost)
    })
    this.#why = () => whyOf?.(said) ?? ''
    this.#ended = new Promise((resolve) => {
      const end = (why: string): void => {
        this.#failure ??= why
        resolve()
        onEnd()
      }
      this.#child.once('error', (error) => end(errorCode(error) === 'ENOENT' ? missing : error.message))
      this.#child.once('exit', (code, signal) =>
        end(`${name} has ended (${signal ?? `status ${String(code)}`})${this.#why()}`),
      )
    })
  }

  get pid(): number | null {
    return this.#child.pid ?? null
  }

  get hasEnded(): boolean {
    return this.#failure !== null
  }

  /** Resolves when it can be talked to; ends it, and throws what is known of why, where that takes too long. */
  async untilUp(isUp: () => Promise<boolean>): Promise<void> {
    for (
      const until = steadyClock.now() + startWithinMs;
      steadyClock.now() < until;
      await sleep(lookEveryMs)
    ) {
      if (this.#failure !== null) throw new Error(this.#failure)
      if (await isUp()) return
    }
    await this.end()
    throw new Error(`${this.#name} does not come up${this.#why()}`)
  }

  signal(how: NodeJS.Signals): void {
    this.#child.kill(how)
  }

  async end(): Promise<void> {
    this.#child.kill('SIGTERM')
    await Promise.race([this.#ended, sleep(endWithinMs, null, { ref: false })])
    this.#child.kill('SIGKILL')
    await this.#ended
  }
}

/** One that runs in the folder though whoever started it is gone. */
export class FoundProxy implements RunningProxy {
  readonly pid: number
  readonly #isThere: () => boolean
  readonly #ended: Promise<void>
  hasEnded = false

  /** `onEnd` is called when it has ended. */
  private constructor(pid: number, isThere: () => boolean, onEnd: () => void) {
    this.pid = pid
    this.#isThere = isThere
    this.#ended = new Promise((resolve) => {
      const watch = setInterval(() => {
        if (isThere()) return
        clearInterval(watch)
        this.hasEnded = true
        resolve()
        onEnd()
      }, watchEveryMs)
    })
  }

  /** The only one of that name there; null where it is not one. */
  static find(name: string, dir: string, onEnd: () => void): FoundProxy | null {
    const [pid, other] = proxiesIn(dir, name)
    if (pid === undefined || other !== undefined) return null
    return FoundProxy.of(pid, name, dir, onEnd)
  }

  /** The one whose number that is. */
  static of(pid: number, name: string, dir: string, onEnd: () => void): FoundProxy {
    const home = realpathSync(dir)
    return new FoundProxy(pid, () => runsIn(`${pid}`, name, home), onEnd)
  }

  async end(): Promise<void> {
    this.signal('SIGTERM')
    await Promise.race([this.#ended, sleep(endWithinMs, null, { ref: false })])
    this.signal('SIGKILL')
    await this.#ended
  }

  /** Its number may be another's by now. */
  signal(how: NodeJS.Signals): void {
    if (this.#isThere()) process.kill(this.pid, how)
  }
}

/** The numbers of all of that name that run in the folder, whoever started them. */
export function proxiesIn(dir: string, name: string): readonly number[] {
  const home = realpathSync(dir)
  const pids = readdirSync('/proc').filter((pid) => /^\d+$/.test(pid) && runsIn(pid, name, home))
  return pids.map(Number)
}

/** Its number may be another's by now. */
export function signalIn(dir: string, name: string, pid: number, how: NodeJS.Signals): void {
  if (runsIn(`${pid}`, name, realpathSync(dir))) process.kill(pid, how)
}

function runsIn(pid: string, name: string, dir: string): boolean {
  try {
    return (
      readFileSync(`/proc/${pid}/comm`, 'utf8').trim() === name && readlinkSync(`/proc/${pid}/cwd`) === dir
    )
  } catch {
    return false
  }
}
