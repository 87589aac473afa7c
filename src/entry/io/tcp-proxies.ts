// The proxies for what is not HTTP, as the keeper has them: one for each port, started again when it ends, and told who serves.
import { systemClock } from '../../lib/io/clock.js'
import { describeError, type Log } from '../../lib/io/log.js'
import { type Loop, startLoop } from '../../lib/io/loop.js'
import { type TcpListen, tcpServers } from '../haproxy.js'
import type { UpstreamTable } from '../upstreams.js'
import { closeOrphan, HaProxy, portsIn, proxiesByPort, removeFiles } from './haproxy.js'
import { type KeptWriter, keptFiles, keptListens } from './kept-files.js'
import { refuseTaken } from './refuse-taken.js'

/** What failed is tried again, and who has gone is forgotten. */
const lookEveryMs = 2000

interface TcpProxiesParts {
  readonly dir: string
  readonly log: Log
  /** Who serves now. */
  readonly table: () => UpstreamTable
  readonly kept: Pick<KeptWriter, 'write'>
}

export class TcpProxies {
  readonly #dir: string
  readonly #log: Log
  readonly #table: () => UpstreamTable
  readonly #kept: Pick<KeptWriter, 'write'>
  #wanted: readonly TcpListen[]
  #running: readonly HaProxy[] = []
  /** Those that listen no more, and have connections left. */
  #retired: readonly HaProxy[] = []
  readonly #problems = new Map<number, string>()
  /** What is being done at each port, and where something has changed since that began. */
  readonly #atWork = new Map<number, Promise<void>>()
  readonly #changedSince = new Set<number>()
  /** The numbers of those of a keeper of before that are neither taken over nor closed yet, by port. */
  readonly #before: Map<number, readonly number[]>
  readonly #loop: Loop

  /** Begins with what was to be served last. */
  constructor({ dir, log, table, kept }: TcpProxiesParts) {
    this.#dir = dir
    this.#log = log
    this.#table = table
    this.#kept = kept
    this.#wanted = keptListens(dir)
    this.#before = new Map(proxiesByPort(dir))
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
  serve(text: string): void {
    this.#wanted = JSON.parse(text) as readonly TcpListen[]
    this.#loop.wake()
    this.#kept.write(keptFiles.tcp, text)
  }

  /** To be called when others serve. */
  changed(): void {
    this.#loop.wake()
  }

  /** Why a port is not served, by the port. */
  problems(): Readonly<Record<string, string>> {
    return Object.fromEntries(this.#problems)
  }

  /** The group that each port leads to. */
  served(): Readonly<Record<string, string>> {
    const alive = this.#running.filter(({ hasEnded }) => !hasEnded)
    return Object.fromEntries(alive.map(({ listen }) => [listen.port, listen.group]))
  }

  /** How many connections each server has, in the words of Caddy. */
  async underWay(): Promise<readonly { readonly address: string; readonly num_requests: number }[]> {
    if (this.#before.size > 0) throw new Error('what another process kept is still being taken over')
    const alive = this.#running.filter(({ hasEnded }) => !hasEnded)
    const known = await Promise.all(alive.map((proxy) => proxy.servers()))
    // One that may still get a new connection is at work, whatever it has.
    const running = known
      .flat()
      .map(({ name, open, isOut }) => ({ address: name, num_requests: isOut ? open : open + 1 }))
    const retired = this.#retired.flatMap(({ names }) => names)
    return [...running, ...retired.map((name) => ({ address: name, num_requests: 1 }))]
  }

  async close(): Promise<void> {
    await this.#loop.stop()
    await Promise.all(this.#atWork.values())
    for (const proxy of this.#running) await this.#take(proxy, () => proxy.end())
  }

  async #pass(): Promise<void> {
    const wanted = this.#wanted
    for (const proxy of this.#running)
      if (proxy.hasEnded || !wanted.some((one) => isSame(one, proxy.listen)))
        await this.#take(proxy, () => this.#retire(proxy))
    for (const port of this.#problems.keys())
      if (!wanted.some((one) => one.port === port)) this.#problems.delete(port)
    for (const port of new Set([...this.#before.keys(), ...portsIn(this.#dir)]))
      if (!wanted.some((one) => one.port === port) && !this.#atWork.has(port))
        this.#begin(port, () => this.#clear(port))
    for (const listen of wanted) {
      const { port } = listen
      if (this.#atWork.has(port)) this.#changedSince.add(port)
      else this.#begin(port, () => this.#tryToLead(listen))
    }
  }

  /** Has those of before that have this port listen no more, but for one. */
  async #closeBefore(port: number, kept: HaProxy | null): Promise<void> {
    const pids = (this.#before.get(port) ?? []).filter((pid) => pid !== kept?.pid)
    await Promise.all(pids.map((pid) => closeOrphan(this.#dir, pid)))
    this.#before.delete(port)
  }

  async #takeOver(listen: TcpListen): Promise<HaProxy | null> {
    const { port } = listen
    if (!this.#before.has(port)) return null
    const proxy = await HaProxy.takeOver(this.#dir, listen, () => this.#loop.wake())
    if (proxy !== null) {
      this.#running = [...this.#running, proxy]
      this.#log.info('entry', `haproxy of tcp:${port} taken over`, { pid: proxy.pid ?? 0 })
    }
    // One that does not answer may have the port all the same, and lead to who served long ago.
    await this.#closeBefore(port, proxy)
    return proxy
  }

  /** Of a port that is not to be served. */
  async #clear(port: number): Promise<void> {
    await this.#closeBefore(port, null)
    removeFiles(this.#dir, port)
  }

  /** A proxy that does not answer holds up no other port. */
  #begin(port: number, work: () => Promise<void>): void {
    const begun = work()
      .catch((error: unknown) => this.#log.warn('entry', `tcp:${port}: ${describeError(error)}`))
      .then(() => {
        this.#atWork.delete(port)
        if (this.#changedSince.delete(port)) this.#loop.wake()
      })
    this.#atWork.set(port, begun)
  }

  async #tryToLead(listen: TcpListen): Promise<void> {
    const { port } = listen
    try {
      await this.#lead(listen, this.#table())
      this.#problems.delete(port)
    } catch (error) {
      // One whose port is another's by now, or nobody's, was told to end meanwhile.
      if (!this.#wanted.some((one) => isSame(one, listen))) return
      const why = describeError(error)
      if (this.#problems.get(port) !== why) this.#log.warn('entry', `tcp:${port} is not served: ${why}`)
      this.#problems.set(port, why)
    }
  }

  async #lead(listen: TcpListen, table: UpstreamTable): Promise<void> {
    const servers = tcpServers(table[listen.group] ?? [])
    const running =
      this.#running.find((one) => one.listen.port === listen.port) ?? (await this.#takeOver(listen))
    if (running !== null) return running.leadTo(servers)
    await refuseTaken([listen], [], null)
    const proxy = await HaProxy.start(this.#dir, listen, servers, () => this.#loop.wake())
    this.#running = [...this.#running, proxy]
    this.#log.info('entry', `tcp:${listen.port} is served`)
  }

  #retire(proxy: HaProxy): void {
    proxy.retire()
    this.#retired = [...this.#retired, proxy].filter(({ hasEnded }) => !hasEnded)
  }

  async #take(proxy: HaProxy, how: () => void | Promise<void>): Promise<void> {
    this.#running = this.#running.filter((one) => one !== proxy)
    await how()
    removeFiles(this.#dir, proxy.listen.port)
  }
}

function isSame(one: TcpListen, other: TcpListen): boolean {
  return one.port === other.port && one.host === other.host && one.group === other.group
}
