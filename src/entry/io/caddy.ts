// Caddy as a child process: started, asked to take a configuration, and ended.
import { type ChildProcess, spawn } from 'node:child_process'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { steadyClock } from '../../lib/io/clock.js'
import { errorCode } from '../../lib/io/error-code.js'
import { adminHost } from '../caddy.js'
import { askSocket } from './ask-socket.js'

export const adminSocket = 'admin.sock'
/** What it begins with: nothing is served until it is told what. */
const firstConfig = {
  admin: { listen: `unix/${adminSocket}`, origins: [adminHost], config: { persist: false } },
}

const startWithinMs = 20_000
/** How long what is under way may take once it is told to end. */
const endWithinMs = 10_000
const loadWithinMs = 60_000
const lookEveryMs = 20

export class Caddy {
  readonly #dir: string
  readonly #child: ChildProcess
  readonly #ended: Promise<void>
  #failure: string | null = null

  private constructor(dir: string, onEnd: () => void) {
    this.#dir = dir
    writeFileSync(join(dir, 'first.json'), JSON.stringify(firstConfig), { mode: 0o600 })
    // Its own files and its configuration are all below the folder.
    const home = { HOME: dir, XDG_DATA_HOME: dir, XDG_CONFIG_HOME: dir }
    const path = process.env['PATH'] ?? '/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin'
    this.#child = spawn('caddy', ['run', '--config', 'first.json'], {
      cwd: dir,
      env: { PATH: path, ...home },
      stdio: ['ignore', 'ignore', 'inherit'],
    })
    this.#ended = new Promise((resolve) => {
      const end = (why: string): void => {
        this.#failure ??= why
        resolve()
        onEnd()
      }
      this.#child.once('error', (error) =>
        end(errorCode(error) === 'ENOENT' ? 'there is no program caddy on this machine' : error.message),
      )
      this.#child.once('exit', (code, signal) =>
        end(`caddy has ended (${signal ?? `status ${String(code)}`})`),
      )
    })
  }

  /** Starts it, and resolves when it takes configurations. `onEnd` is called when it has ended, for whatever reason. */
  static async start(dir: string, onEnd: () => void): Promise<Caddy> {
    const caddy = new Caddy(dir, onEnd)
    for (
      const until = steadyClock.now() + startWithinMs;
      steadyClock.now() < until;
      await sleep(lookEveryMs)
    ) {
      if (caddy.#failure !== null) throw new Error(caddy.#failure)
      if (await answers(dir)) return caddy
    }
    await caddy.end()
    throw new Error('caddy does not come up')
  }

  get pid(): number | null {
    return this.#child.pid ?? null
  }

  get hasEnded(): boolean {
    return this.#failure !== null
  }

  /** Has it take a configuration in place of the one before, which it keeps where it takes none. Throws what it says. */
  async load(config: string): Promise<void> {
    const { status, text } = await askSocket({
      ...{ dir: this.#dir, socket: adminSocket, method: 'POST', path: '/load', body: config },
      withinMs: loadWithinMs,
    })
    if (status !== 200) throw new Error(messageOf(text))
  }

  async end(): Promise<void> {
    this.#child.kill('SIGTERM')
    await Promise.race([this.#ended, sleep(endWithinMs, null, { ref: false })])
    this.#child.kill('SIGKILL')
    await this.#ended
  }
}

/** Ends one that runs in the folder though whoever started it is gone: its ports are needed. */
export async function endOrphan(dir: string): Promise<void> {
  for (const until = steadyClock.now() + endWithinMs; steadyClock.now() < until; await sleep(lookEveryMs)) {
    if (!(await answers(dir))) return
    await askSocket({ dir, socket: adminSocket, method: 'POST', path: '/stop', withinMs: 1000 }).catch(
      () => {},
    )
  }
  throw new Error('a caddy of before does not end')
}

async function answers(dir: string): Promise<boolean> {
  try {
    await askSocket({ dir, socket: adminSocket, method: 'GET', path: '/config/admin/listen', withinMs: 5000 })
    return true
  } catch {
    return false
  }
}

function messageOf(text: string): string {
  try {
    const { error } = JSON.parse(text) as { readonly error?: unknown }
    return typeof error === 'string' ? error : text
  } catch {
    return text
  }
}
