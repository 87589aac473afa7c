// A proxy as a child process: watched, waited for until it can be talked to, and ended.
import { type ChildProcess, spawn } from 'node:child_process'
import { setTimeout as sleep } from 'node:timers/promises'
import { steadyClock } from '../../lib/io/clock.js'
import { errorCode } from '../../lib/io/error-code.js'

const startWithinMs = 20_000
/** How long what is under way may take once it is told to end. */
export const endWithinMs = 10_000
export const lookEveryMs = 20
const saidAtMost = 2000

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

export class ProxyProcess {
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
