// Caddy as a process: started or found, asked to take a configuration, and ended.
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { steadyClock } from '../../lib/io/clock.js'
import { adminHost } from '../caddy.js'
import { askSocket } from './ask-socket.js'
import { endWithinMs, FoundProxy, lookEveryMs, ProxyProcess, type RunningProxy } from './proxy-process.js'

export const adminSocket = 'admin.sock'
/** What it begins with: nothing is served until it is told what. */
const firstConfig = {
  admin: { listen: `unix/${adminSocket}`, origins: [adminHost], config: { persist: false } },
}

const loadWithinMs = 60_000

export class Caddy {
  readonly #dir: string
  readonly #process: RunningProxy

  private constructor(dir: string, process: RunningProxy) {
    this.#dir = dir
    this.#process = process
  }

  /** Starts it, and resolves when it takes configurations. `onEnd` is called when it has ended, for whatever reason. */
  static async start(dir: string, onEnd: () => void): Promise<Caddy> {
    writeFileSync(join(dir, 'first.json'), JSON.stringify(firstConfig), { mode: 0o600 })
    // Its own files and its configuration are all below the folder.
    const home = { HOME: dir, XDG_DATA_HOME: dir, XDG_CONFIG_HOME: dir }
    const path = process.env['PATH'] ?? '/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin'
    const program = {
      ...{ name: 'caddy', words: ['run', '--config', 'first.json'], dir, env: { PATH: path, ...home } },
      missing: 'there is no program caddy on this machine',
    }
    const started = new ProxyProcess(program, onEnd)
    await started.untilUp(() => answers(dir))
    return new Caddy(dir, started)
  }

  /** Takes over the one that runs in the folder though whoever started it is gone; null where there is none that answers. */
  static async takeOver(dir: string, onEnd: () => void): Promise<Caddy | null> {
    const found = FoundProxy.find('caddy', dir, onEnd)
    if (found === null) return null
    if (await answers(dir)) return new Caddy(dir, found)
    await found.end()
    return null
  }

  get pid(): number | null {
    return this.#process.pid
  }

  get hasEnded(): boolean {
    return this.#process.hasEnded
  }

  /** Has it take a configuration in place of the one before, which it keeps where it takes none. Throws what it says. */
  async load(config: string): Promise<void> {
    const { status, text } = await askSocket({
      ...{ dir: this.#dir, socket: adminSocket, method: 'POST', path: '/load', body: config },
      withinMs: loadWithinMs,
    })
    if (status !== 200) throw new Error(messageOf(text))
  }

  /** What it serves. */
  async config(): Promise<string> {
    const asked = { dir: this.#dir, socket: adminSocket, method: 'GET', path: '/config/' } as const
    const { status, text } = await askSocket({ ...asked, withinMs: loadWithinMs })
    if (status !== 200) throw new Error(messageOf(text))
    return text
  }

  async end(): Promise<void> {
    await this.#process.end()
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
  throw new Error('an earlier caddy does not exit')
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
