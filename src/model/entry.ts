// What the world reaches of a service: hosts and paths, and what the entry does with requests for them.
import type { MachineId } from './machine.js'
import type { UnitName } from './unit.js'

/** Where a certificate comes from; `meta`: certificate and key are values of the project's metadata, under these keys. */
export type EntryTls =
  | { readonly mode: 'auto' | 'internal' | 'off' }
  | { readonly mode: 'meta'; readonly cert: string; readonly key: string }

/** Which requests ask for the current version of a service while it has older ones as well: those with either. */
export interface CanaryMatch {
  readonly header: { readonly name: string; readonly value: string } | null
  readonly cookie: { readonly name: string; readonly value: string } | null
  /** No other requests are led to it while older ones are there to stay. */
  readonly isOnly: boolean
}

/** A host and path that the world reaches, and what is done with requests for them. */
export interface EntryRoute {
  /** In lower case, or `*.` and a domain; null: any. */
  readonly host: string | null
  /** `/`, or a path without a slash at its end: requests for it, and for all below it. */
  readonly path: string
  /** Of the program; null: the first for TCP that it has. */
  readonly port: number | null
  readonly tls: EntryTls
  /** Where requests are sent to in place of an instance; null: nowhere. */
  readonly redirect: string | null
  /** What is taken away in front of the path; null: nothing. */
  readonly stripPrefix: string | null
  /** How long an instance may take until it begins to answer; null: for ever. */
  readonly timeoutMs: number | null
  readonly retries: number
  readonly maxBodyBytes: number | null
  /** The cookie that leads back to the same instance; null for none. */
  readonly sticky: string | null
  /** Absent where no request asks for a version. */
  readonly canary?: CanaryMatch
  /** Headers that are set, or removed where the value is empty. */
  readonly headers: {
    readonly request: Readonly<Record<string, string>>
    readonly response: Readonly<Record<string, string>>
  }
  /** How much of the requests each instance gets, in proportion to the others. */
  readonly weight: number
  /** How long an instance that is to stop goes on serving what has reached it. */
  readonly drainMs: number
}

/** A port at which the world reaches a service by connections that are not HTTP. */
export interface TcpRoute {
  /** Where the entry listens. */
  readonly tcp: number
  /** Of the program; null: the first for TCP that it has. */
  readonly port: number | null
  /** How many of the connections each instance gets, in proportion to the others. */
  readonly weight: number
  /** How long an instance that is to stop goes on serving the connections that it has. */
  readonly drainMs: number
}

export type AnyRoute = EntryRoute | TcpRoute

export function isTcp(route: AnyRoute): route is TcpRoute {
  return 'tcp' in route
}

/** Whether no requests are led to its version but those that ask for it, while older ones are there to stay. */
export function isOnlyAsked(route: AnyRoute): boolean {
  return !isTcp(route) && route.canary?.isOnly === true
}

/** Whether no instance sees what comes by it. */
export function leadsNowhere(route: AnyRoute): boolean {
  return !isTcp(route) && route.redirect !== null
}

/** All that the world reaches of a version of a service. */
export function routesOfVersion({
  entry = [],
  tcpEntry = [],
}: {
  readonly entry?: readonly EntryRoute[]
  readonly tcpEntry?: readonly TcpRoute[]
}): readonly AnyRoute[] {
  return [...entry, ...tcpEntry]
}

/** The sticky cookie of requests that ask for a version: that of all others leads back to where those were. */
export function canaryCookieOf(sticky: string): string {
  return `${sticky}_canary`
}

/** What two services cannot both have. The proxy compares paths without regard to case. */
export function claimOf(route: Pick<EntryRoute, 'host' | 'path'> | Pick<TcpRoute, 'tcp'>): string {
  return 'tcp' in route ? `tcp:${route.tcp}` : `${route.host ?? '*'}${route.path.toLowerCase()}`
}

/** What the entry of a machine says of itself. Of each machine with an entry; it ends with that machine's lease. */
export interface EntryIdle {
  readonly machine: MachineId
  /** The units that are to stop and for which its proxy has no request under way, nor will have one. */
  readonly units: readonly UnitName[]
  /** Which routes it serves; absent where its daemon does not say. */
  readonly serves?: EntryServes
  /** Why its proxy does not serve what it should; absent where nothing prevents it, and where its daemon does not say. */
  readonly problem?: string
}

/** Which of all routes an entry serves. */
export interface EntryServes {
  /** All routes that there are, as a hash. */
  readonly routes: string
  /** Of those the ones that it does not serve, or has no instance for, by their groups. */
  readonly without: readonly string[]
}
