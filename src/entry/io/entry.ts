// The entry of a daemon: follows the view, and tells the process that keeps the proxy what to serve, and who serves it.

import { createPrivateKey, X509Certificate } from 'node:crypto'
import { existsSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { NameIndex } from '../../dns/name-index.js'
import { sha1 } from '../../lib/hash.js'
import { describeError, type Log } from '../../lib/io/log.js'
import { startLoop } from '../../lib/io/loop.js'
import type { Time } from '../../lib/time.js'
import { claimOf } from '../../model/entry.js'
import type { MachineId } from '../../model/machine.js'
import type { Registry } from '../../store/io/registry.js'
import type { SecretBox } from '../../store/io/secret-box.js'
import { caddyConfig, closedConfig, type EntryListen, leavingFile, servedRoutes } from '../caddy.js'
import { tcpListens } from '../haproxy.js'
import type { KeeperState } from '../keeper-protocol.js'
import { type AnyServed, isServedHttp, isServedTcp, routesOf, type ServedRoute } from '../routes.js'
import { upstreamTable } from '../upstreams.js'
import { certificateIn, type FoundCertificate, storedCertificate } from './certificates.js'
import type { EntryTraffic } from './entry-traffic.js'
import { IdleWatch, underWayAt } from './idle-watch.js'
import { findOrStartKeeper, stateOfKeeper, tellConfig, tellTcp, tellUpstreams } from './keeper-client.js'

interface EntryParts {
  readonly registry: Registry
  readonly names: NameIndex
  readonly machine: MachineId
  readonly secrets: SecretBox
  /** Where the proxy has its files. */
  readonly dir: string
  /** What starts the process that keeps it; the folder is added. */
  readonly command: readonly string[]
  readonly listen: EntryListen
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
  const entry = new Entry(parts)
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
    },
  }
}

class Entry {
  readonly #parts: EntryParts
  readonly #idle: IdleWatch
  #routes: readonly AnyServed[] | null = null
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
  /** What is wrong with the certificates of routes, by what they claim. */
  badCertificates: ReadonlyMap<string, string> = new Map()

  constructor(parts: EntryParts) {
    this.#parts = parts
    this.#idle = new IdleWatch(parts)
  }

  forgetRoutes(): void {
    this.#routes = null
  }

  async look(): Promise<void> {
    const { registry, names, dir, clock } = this.#parts
    // What is known of a part would take away the rest.
    if (!registry.isComplete()) return
    const routes = this.#knownRoutes()
    const table = JSON.stringify(upstreamTable({ view: registry.view, names, now: clock.now() }, routes))
    this.#tellClients()
    const [config, tcp] = this.#isClosed() ? [closedConfig, '[]'] : [this.#config, this.#tcp]
    await this.#find(routes)
    if (this.#keeper === null) return
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
    await this.#idle.look(routes)
  }

  /** A keeper that is another by now knows what it kept: it is told all. Where nothing is served there may be none. */
  async #find(routes: readonly AnyServed[]): Promise<void> {
    const { dir, command, log } = this.#parts
    const state =
      routes.length > 0 && this.leavingSince === null
        ? await findOrStartKeeper(dir, command, routes.some(isServedTcp))
        : await stateOfKeeper(dir)
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
    if (isServedTcp(served)) return this.#keeper?.tcp?.[served.route.tcp] ?? null
    return this.badCertificates.get(claimOf(served.route)) ?? null
  }

  certificateOf(served: AnyServed): FoundCertificate | null {
    if (!isServedHttp(served)) return null
    const { tls, host } = served.route
    if (tls.mode === 'off' || host === null || served.takenBy !== null) return null
    if (tls.mode !== 'meta') return storedCertificate(this.#parts.dir, host)
    const own = this.#certificateOf(served)
    return own === null || typeof own === 'string' ? null : certificateIn(own.cert)
  }

  #knownRoutes(): readonly AnyServed[] {
    if (this.#routes !== null) return this.#routes
    const { registry, listen, cluster, traffic, log } = this.#parts
    const all = routesOf(registry.view)
    const routes = all.filter(isServedHttp)
    const certificates = new Map<string, { readonly cert: string; readonly key: string }>()
    const bad = new Map<string, string>()
    for (const served of routes) {
      const found = served.takenBy === null ? this.#certificateOf(served) : null
      if (typeof found === 'string') bad.set(claimOf(served.route), found)
      else if (found !== null) certificates.set(claimOf(served.route), found)
    }
    for (const [claim, why] of bad)
      if (this.badCertificates.get(claim) !== why) log.warn('entry', `${claim} is not served: ${why}`)
    this.badCertificates = bad
    this.#config = caddyConfig(routes, listen, certificates, sha1(`entry ${cluster}`))
    traffic.follow(servedRoutes(routes, certificates))
    this.#tcp = JSON.stringify(tcpListens(all.filter(isServedTcp), listen.http.host))
    this.#routes = all
    return all
  }

  /** Its own certificate from the metadata; null where it has none of its own. A text says what is wrong with it. */
  #certificateOf({
    project,
    route,
  }: ServedRoute): { readonly cert: string; readonly key: string } | string | null {
    if (route.tls.mode !== 'meta') return null
    const [cert, key] = [this.#metaValue(project, route.tls.cert), this.#metaValue(project, route.tls.key)]
    if ('problem' in cert) return cert.problem
    if ('problem' in key) return key.problem
    const problem = certificateProblem(cert.value, key.value)
    return problem ?? { cert: cert.value, key: key.value }
  }

  #metaValue(project: string, key: string): { readonly value: string } | { readonly problem: string } {
    const meta = this.#parts.registry.view.metaOf(project).get(key)
    if (meta === undefined) return { problem: `there is no ${key} in the metadata of ${project}` }
    if (!meta.secret) return { value: meta.value }
    try {
      return { value: this.#parts.secrets.open(meta.value, `${project}/${key}`) }
    } catch (error) {
      return { problem: `${key} cannot be opened: ${describeError(error)}` }
    }
  }
}

/** One that does not fit would keep the proxy from taking anything new at all. */
function certificateProblem(cert: string, key: string): string | null {
  try {
    const read = new X509Certificate(cert)
    return read.checkPrivateKey(createPrivateKey(key)) ? null : 'the key is not that of the certificate'
  } catch (error) {
    return `certificate or key cannot be read: ${describeError(error)}`
  }
}
