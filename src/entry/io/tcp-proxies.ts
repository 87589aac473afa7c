// The proxies for what is not HTTP, as the keeper has them: one for each port, started again when it ends, and told who serves.
import { existsSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { systemClock } from '../../lib/io/clock.js'
import { describeError, type Log } from '../../lib/io/log.js'
import { type Loop, startLoop } from '../../lib/io/loop.js'
import { replaceFile } from '../../lib/io/replace-file.js'
import { readTextFile } from '../../lib/io/text-file.js'
import { type TcpListen, tcpServers, tcpSocket } from '../haproxy.js'
import type { UpstreamTable } from '../upstreams.js'
import { HaProxy } from './haproxy.js'
import { refuseTaken } from './refuse-taken.js'

/** What failed is tried again, and who has gone is forgotten. */
const lookEveryMs = 2000
const fileName = 'tcp.json'

export class TcpProxies {
  readonly #dir: string
  readonly #log: Log
  readonly #table: () => UpstreamTable
  #wanted: readonly TcpListen[]
  #running: readonly HaProxy[] = []
  #problems: ReadonlyMap<number, string> = new Map()
  readonly #loop: Loop

  /** Begins with what was to be served last. `table`: who serves now. */
  constructor(dir: string, log: Log, table: () => UpstreamTable) {
    this.#dir = dir
    this.#log = log
    this.#table = table
    const file = join(dir, fileName)
    this.#wanted = existsSync(file) ? (JSON.parse(readTextFile(file)) as readonly TcpListen[]) : []
    this.#loop = startLoop({
      pass: async () => {
        await this.#pass()
        return { wakeAt: null }
      },
      clock: systemClock,
      intervalMs: lookEveryMs,
      onError: (error) => log.warn('entry', `plain TCP: ${describeError(error)}`),
    })
  }

  /** Serves these ports from now on, and after a start. */
  async serve(text: string): Promise<void> {
    this.#wanted = JSON.parse(text) as readonly TcpListen[]
    this.#loop.wake()
    await replaceFile(join(this.#dir, fileName), text)
  }

  /** To be called when others serve. */
  changed(): void {
    this.#loop.wake()
  }

  /** Why a port is not served, by the port. */
  problems(): Readonly<Record<string, string>> {
    return Object.fromEntries(this.#problems)
  }

  /** How many connections each server has, in the words of Caddy. */
  async underWay(): Promise<readonly { readonly address: string; readonly num_requests: number }[]> {
    const alive = this.#running.filter(({ hasEnded }) => !hasEnded)
    const known = await Promise.all(alive.map((proxy) => proxy.servers()))
    // One that may still get a new connection is at work, whatever it has.
    return known
      .flat()
      .map(({ name, open, isOut }) => ({ address: name, num_requests: isOut ? open : open + 1 }))
  }

  async close(): Promise<void> {
    await this.#loop.stop()
    for (const proxy of this.#running) await this.#take(proxy, () => proxy.end())
  }

  async #pass(): Promise<void> {
    const [wanted, table] = [this.#wanted, this.#table()]
    for (const proxy of this.#running)
      if (proxy.hasEnded || !wanted.some((one) => isSame(one, proxy.listen)))
        await this.#take(proxy, () => proxy.retire())
    const problems = new Map<number, string>()
    for (const listen of wanted) {
      try {
        await this.#lead(listen, table)
      } catch (error) {
        problems.set(listen.port, describeError(error))
      }
    }
    for (const [port, why] of problems)
      if (this.#problems.get(port) !== why) this.#log.warn('entry', `tcp:${port} is not served: ${why}`)
    this.#problems = problems
  }

  async #lead(listen: TcpListen, table: UpstreamTable): Promise<void> {
    const servers = tcpServers(table[listen.group] ?? [])
    const running = this.#running.find((one) => one.listen.port === listen.port)
    if (running !== undefined) return running.leadTo(servers)
    await refuseTaken([listen], [])
    const proxy = await HaProxy.start(this.#dir, listen, servers, () => this.#loop.wake())
    this.#running = [...this.#running, proxy]
    this.#log.info('entry', `tcp:${listen.port} is served`)
  }

  async #take(proxy: HaProxy, how: () => void | Promise<void>): Promise<void> {
    this.#running = this.#running.filter((one) => one !== proxy)
    await how()
    rmSync(join(this.#dir, tcpSocket(proxy.listen.port)), { force: true })
  }
}

function isSame(one: TcpListen, other: TcpListen): boolean {
  return one.port === other.port && one.host === other.host && one.group === other.group
}
