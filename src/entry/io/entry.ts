// The entry of a daemon: follows the view, and tells the process that keeps the proxy what to serve, and who serves it.

import { existsSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { NameIndex } from '../../dns/name-index.js'
import { sha1 } from '../../lib/hash.js'
import { describeError, type Log } from '../../lib/io/log.js'
import { startLoop } from '../../lib/io/loop.js'
import { replaceFile } from '../../lib/io/replace-file.js'
import type { Time } from '../../lib/time.js'
import { claimOf, type EntryServes, leadsNowhere } from '../../model/entry.js'
import type { MachineId } from '../../model/machine.js'
import type { Registry } from '../../store/io/registry.js'
import type { SecretBox } from '../../store/io/secret-box.js'
import { caddyConfig, closedConfig, type EntryListen, leavingFile, servedRoutes } from '../caddy.js'
import { keptWithoutOwn, type OwnPorts, tcpListens, whyOwn } from '../haproxy.js'
import type { KeeperState } from '../keeper-protocol.js'
import { type AnyServed, isServedHttp, isServedTcp, routesHash, routesOf, type ServedTcp } from '../routes.js'
import { probesOf, withoutSilent } from '../silent.js'
import { leavingUpstreams, type UpstreamTable, upstreamTable } from '../upstreams.js'
import { certificateIn, type FoundCertificate, storedCertificate } from './certificates.js'
import type { EntryTraffic } from './entry-traffic.js'
import { IdleWatch, underWayAt } from './idle-watch.js'
import { findOrStartKeeper, stateOfKeeper, tellConfig, tellTcp, tellUpstreams } from './keeper-client.js'
import { keptFiles, keptIn, keptListens } from './kept-files.js'
import { type MetaValue, OwnCertificates } from './own-certificates.js'
import { SilenceWatch } from './silence-watch.js'

interface EntryParts {
  readonly registry: Registry
  readonly names: NameIndex
  readonly machine: MachineId
  readonly secrets: SecretBox
  /** Where the proxy has its files. */
  readonly dir: string
  /** What starts the process that keeps it; the folder is added. */
  readonly command: readonly string[]
  /** How long that may take to come up; as long as a busy machine needs where it is absent. */
  readonly keeperWithinMs?: number
  readonly listen: EntryListen
  /** What is never listened on for plain TCP. */
  readonly ownPorts: OwnPorts
  /** The cluster's own id: all its machines give the same cookies. */
  readonly cluster: string
  /** Counts the requests. */
  readonly traffic: EntryTraffic
  readonly clock: Time
  readonly log: Log
}

/** The entry of a daemon while it runs. */
export interface RunningEntry {
  /** Why it does not serve what it should, or null; as of the last look. */
  problem(): string | null
  /** Why a route is not served; null where it is, as far as that is for its certificate. */
  problemOf(served: AnyServed): string | null
  /** The certificate that the proxy of this machine shows for a route; null for none. */
  certificateOf(served: AnyServed): FoundCertificate | null
  /**
   * Has clients close their connections, listens no more a few seconds later, and finishes what is under way; until `comeBack` is
   * called.
   */
  leave(): void
  comeBack(): void
  /** Whether it has left, and nothing is under way any more. */
  hasLeft(): Promise<boolean>
  /** It follows no more. What is served is served on. */
  stop(): Promise<void>
}

/** Instances come and go by themselves with time alone, as one that is not checked does a second after its start. */
const lookEveryMs = 250
/** A burst of changes is worth a few looks. */
const restMs = 20
/** How long clients have to leave the connections that they keep. */
const listensOnForMs = 5000

/** Starts to follow; what goes wrong is logged, and tried again. */
export function startEntry(parts: EntryParts): RunningEntry {
  const silence = new SilenceWatch({ clock: parts.clock, log: parts.log, onChange: () => loop.wake() })
  const entry = new Entry(parts, silence)
  const loop = startLoop({
    pass: async () => {
      await entry.look()
      return { wakeAt: null }
    },
    clock: parts.clock,
    intervalMs: lookEveryMs,
    restMs,
    onError: (error) =>
      parts.log.warn('entry', `cannot update the proxy configuration: ${describeError(error)}`),
  })
  const unsubscribe = parts.registry.onChange((kinds) => {
    if (kinds.has('service') || kinds.has('version') || kinds.has('meta')) entry.forgetRoutes()
    loop.wake()
  })
  return {
    problem: () => entry.problem,
    problemOf: (served) => entry.problemOf(served),
    certificateOf: (served) => entry.certificateOf(served),
    leave: () => {
      entry.leavingSince = parts.clock.steady()
      loop.wake()
    },
    comeBack: () => {
      entry.leavingSince = null
      loop.wake()
    },
    hasLeft: () => entry.hasLeft(),
    stop: async () => {
      unsubscribe()
      await loop.stop()
      await entry.stop()
      silence.stop()
    },
  }
}

/** What a proxy serves that cannot load the routes as they are now: those of before, or nothing. */
const servesOthers: EntryServes = { routes: '', without: [] }

/** Of a keeper that is not there nothing is asked. */
const nothingUnderWay = { leaving: [], proxies: { http: false, tcp: false } } as const

class Entry {
  readonly #parts: EntryParts
  readonly #idle: IdleWatch
  readonly #own: OwnCertificates
  readonly #silence: SilenceWatch
  #routes: readonly AnyServed[] | null = null
  /** Of the routes: their hash, and the groups of those that the configuration of Caddy has. */
  #hash = ''
  #served: ReadonlySet<string> = new Set()
  #config = ''
  #tcp = '[]'
  #keeper: KeeperState | null = null
  #toldTable: string | null = null
  #toldConfig: string | null = null
  #toldTcp: string | null = null
  #logged: string | null = null
  #toldProblems: Readonly<Record<string, string>> = {}
  problem: string | null = null
  leavingSince: number | null = null
  /** Whether clients have been told. */
  #isLeavingKnown: boolean | null = null

  constructor(parts: EntryParts, silence: SilenceWatch) {
    this.#parts = parts
    this.#silence = silence
    this.#idle = new IdleWatch(parts)
    this.#own = new OwnCertificates({ ...parts, metaValue: (project, key) => this.#metaValue(project, key) })
  }

  forgetRoutes(): void {
    this.#routes = null
  }

  stop(): Promise<void> {
    return this.#idle.stop()
  }

  async look(): Promise<void> {
    const { registry, names, dir } = this.#parts
    // What is known of a part would take away the rest: until all is known, what was served last is.
    if (!registry.isComplete()) {
      if (this.leavingSince === null) await this.#serveKept()
      return
    }
    this.#tellClients()
    await this.#find(this.#knownRoutes())
    // A keeper takes up to 20 s to be found, and this is read after that. Between here and `follow` nothing is read anew: what
    // is told is as of one moment.
    if (!registry.isComplete()) return
    const routes = this.#knownRoutes()
    const upstreams = this.#upstreams(routes)
    const leaving = leavingUpstreams({ view: registry.view, names }, routes)
    const table = JSON.stringify(upstreams)
    const [config, tcp] = this.#isClosed() ? [closedConfig, '[]'] : [this.#config, this.#tcp]
    if (this.#keeper === null) {
      // Routes that are new by now have the next look find one.
      if (routes.length > 0 && this.leavingSince === null) return
      const serves = this.#serves([], upstreams)
      return this.#idle.follow({ ...nothingUnderWay, serves, problem: this.problem })
    }
    const isLoaded = !this.#needsCaddy(routes) || (this.#keeper.isCurrent && this.#toldConfig === config)
    this.#own.warn()
    if (this.#toldTable !== table) await tellUpstreams(dir, table)
    this.#toldTable = table
    if (this.#needsCaddy(routes)) {
      if (this.#toldConfig !== config) await tellConfig(dir, config)
      this.#toldConfig = config
    }
    // One of before knows nothing of it, and is left alone while there is nothing to know.
    if (this.#keeper.tcp !== undefined) {
      if (this.#toldTcp !== tcp) await tellTcp(dir, tcp)
      this.#toldTcp = tcp
    }
    this.#idle.follow({
      leaving,
      proxies: { http: routes.some(isServedHttp), tcp: routes.some(isServedTcp) },
      serves: isLoaded ? this.#serves(routes, upstreams) : this.#servesUnloaded(),
      problem: this.problem,
    })
    await this.#own.keep()
  }

  /** What is served by a proxy that has loaded all; undefined while it leaves. */
  #serves(routes: readonly AnyServed[], table: UpstreamTable): EntryServes | undefined {
    if (this.leavingSince !== null) return undefined
    const isServed = (served: AnyServed): boolean =>
      (isServedTcp(served) ? this.#leadsTcp(served) : this.#served.has(served.group)) &&
      (leadsNowhere(served.route) || (table[served.group] ?? []).length > 0)
    const without = routes.filter((one) => !isServed(one)).map(({ group }) => group)
    return { routes: routes.length > 0 ? this.#hash : routesHash([]), without }
  }

  /** Whether the port is listened on for whom it is. */
  #leadsTcp(served: ServedTcp): boolean {
    if (this.problemOf(served) !== null) return false
    const leads = this.#keeper?.tcpServed
    return leads === undefined || leads[served.route.tcp] === served.group
  }

  /** The same of one that has not; null while nothing prevents it from loading them. */
  #servesUnloaded(): EntryServes | null | undefined {
    if (this.leavingSince !== null) return undefined
    return this.problem === null ? null : servesOthers
  }

  /** After a start of the machine there is no keeper: one begins with what the one before was told. */
  async #serveKept(): Promise<void> {
    const { dir, ownPorts } = this.#parts
    const kept = keptIn(dir)
    if (kept === null) return
    const left = keptWithoutOwn(keptListens(dir), ownPorts)
    if (left !== null) await replaceFile(join(dir, keptFiles.tcp), left)
    this.#heed(await this.#findOrStart(kept.hasTcp))
    // One that runs already may have had a port of the store from a daemon of before, and be what keeps the store away.
    if (left !== null) await tellTcp(dir, left)
  }

  #upstreams(routes: readonly AnyServed[]): UpstreamTable {
    const { registry, names, machine, clock } = this.#parts
    const table = upstreamTable({ view: registry.view, names, now: clock.now() }, routes)
    this.#silence.follow(probesOf(registry.view, machine, routes, table))
    return withoutSilent(table, this.#silence.silent)
  }

  /** A keeper that is another by now knows what it kept: it is told all. Where nothing is served there may be none. */
  async #find(routes: readonly AnyServed[]): Promise<void> {
    this.#heed(
      routes.length > 0 && this.leavingSince === null
        ? await this.#findOrStart(routes.some(isServedTcp))
        : await stateOfKeeper(this.#parts.dir),
    )
  }

  /** Where none comes up, that is the problem until one does. */
  async #findOrStart(needsTcp: boolean): Promise<KeeperState> {
    const { dir, command, keeperWithinMs } = this.#parts
    try {
      return await findOrStartKeeper(dir, command, needsTcp, keeperWithinMs)
    } catch (error) {
      this.#heed(null)
      this.problem = describeError(error)
      this.#idle.follow({ ...nothingUnderWay, serves: servesOthers, problem: this.problem })
      throw error
    }
  }

  #heed(state: KeeperState | null): void {
    const { log } = this.#parts
    if (state?.pid !== this.#keeper?.pid) {
      this.#toldTable = null
      this.#toldConfig = null
      this.#toldTcp = null
    }
    this.#keeper = state
    this.problem = state?.problem ?? null
    if (this.problem !== null && this.problem !== this.#logged) log.warn('entry', this.problem)
    this.#logged = this.problem
    for (const [port, why] of Object.entries(state?.tcp ?? {}))
      if (this.#toldProblems[port] !== why) log.warn('entry', `tcp:${port} is not served: ${why}`)
    this.#toldProblems = state?.tcp ?? {}
  }

  /** Where nothing but plain TCP is served, and was, none is started. */
  #needsCaddy(routes: readonly AnyServed[]): boolean {
    return routes.some(isServedHttp) || this.#toldConfig !== null || this.#keeper?.caddy != null
  }

  #isClosed(): boolean {
    return this.leavingSince !== null && this.#parts.clock.steady() - this.leavingSince >= listensOnForMs
  }

  /** That their connections are to be closed, or no more. */
  #tellClients(): void {
    const isLeaving = this.leavingSince !== null
    if (this.#isLeavingKnown === isLeaving) return
    const file = join(this.#parts.dir, leavingFile)
    if (!isLeaving) rmSync(file, { force: true })
    else if (existsSync(this.#parts.dir)) writeFileSync(file, '', { mode: 0o600 })
    this.#isLeavingKnown = isLeaving
  }

  async hasLeft(): Promise<boolean> {
    const { dir } = this.#parts
    const state = await stateOfKeeper(dir)
    if (state === null) return true
    const isTold = state.caddy === null || (this.#toldConfig === closedConfig && state.isCurrent)
    const isTcpTold = state.tcp === undefined || this.#toldTcp === '[]'
    if (!isTold || !isTcpTold) return false
    const counts = await underWayAt(dir, { http: state.caddy !== null, tcp: state.tcp !== undefined })
    return [...counts.values()].every((count) => count === 0)
  }

  problemOf(served: AnyServed): string | null {
    if (isServedTcp(served)) {
      const { tcp } = served.route
      const own = whyOwn(tcp, this.#parts.ownPorts)
      return own ?? (this.#keeper === null ? this.problem : (this.#keeper.tcp?.[tcp] ?? null))
    }
    return this.#own.problemOf(claimOf(served.route))
  }

  certificateOf(served: AnyServed): FoundCertificate | null {
    if (!isServedHttp(served)) return null
    const { tls, host } = served.route
    if (tls.mode === 'off' || host === null || served.takenBy !== null) return null
    if (tls.mode !== 'meta') return storedCertificate(this.#parts.dir, host)
    const own = this.#own.certificateOf(claimOf(served.route))
    return own === null ? null : certificateIn(own)
  }

  #knownRoutes(): readonly AnyServed[] {
    if (this.#routes !== null) return this.#routes
    const { registry, listen, ownPorts, cluster, traffic } = this.#parts
    const all = routesOf(registry.view)
    const routes = all.filter(isServedHttp)
    const certificates = this.#own.read(routes)
    this.#config = caddyConfig(routes, listen, certificates, sha1(`entry ${cluster}`))
    const served = servedRoutes(routes, certificates)
    traffic.follow(served)
    this.#hash = routesHash(all)
    this.#served = new Set(served.map(({ group }) => group))
    this.#tcp = JSON.stringify(tcpListens(all.filter(isServedTcp), listen.http.host, ownPorts))
    this.#routes = all
    return all
  }

  #metaValue(project: string, key: string): MetaValue {
    const meta = this.#parts.registry.view.metaOf(project).get(key)
    if (meta === undefined)
      return { problem: `there is no ${key} in the metadata of ${project}`, isThere: false }
    if (!meta.secret) return { value: meta.value }
    try {
      return { value: this.#parts.secrets.open(meta.value, `${project}/${key}`) }
    } catch (error) {
      return { problem: `${key} cannot be opened: ${describeError(error)}`, isThere: true }
    }
  }
}
