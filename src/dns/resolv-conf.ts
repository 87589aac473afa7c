// The resolvers that a host names in /etc/resolv.conf (resolv.conf(5)).
import { isAddress, plainAddress } from '../lib/address.js'
import { isLoopback } from '../lib/loopback.js'

/** Where a resolver or a server is. */
export interface DnsAddress {
  readonly host: string
  readonly port: number
}

/** The addresses of `nameserver` lines, as many as glibc asks. */
export function resolversIn(text: string): readonly DnsAddress[] {
  const hosts = text.split('\n').flatMap((line) => /^nameserver\s+(\S+)/.exec(line)?.[1] ?? [])
  const usable = hosts.filter((host) => isAddress(host.replace(/%.*$/, '')))
  return usable.slice(0, 3).map((host) => ({ host, port: 53 }))
}

/** The domains that are tried for short names: the last `search` or `domain` line says. */
export function searchIn(text: string): readonly string[] {
  const lines = text.split('\n').flatMap((line) => /^(?:search|domain)\s+(.*)$/.exec(line)?.[1] ?? [])
  return (lines.at(-1) ?? '').split(/\s+/).filter((domain) => domain !== '' && domain !== '.')
}

/** The resolvers that containers reach: on the usual port, and not on the loopback of their host. */
export function fromContainers(resolvers: readonly DnsAddress[]): readonly string[] {
  return resolvers.flatMap(({ host, port }) =>
    port === 53 && !isLoopback(host) && !host.includes('%') ? [host] : [],
  )
}

/** Those of them that are not ourselves: to ask ourselves would never end. */
export function othersOf(
  resolvers: readonly DnsAddress[],
  ours: readonly DnsAddress[],
  isOwn: (host: string) => boolean,
): readonly DnsAddress[] {
  return resolvers.filter(
    ({ host, port }) => !ours.some((one) => one.port === port && reaches(host, one.host, isOwn)),
  )
}

function reaches(asked: string, listening: string, isOwn: (host: string) => boolean): boolean {
  if (listening === '0.0.0.0' || listening === '::') return isOwn(asked)
  return (plainAddress(asked) ?? asked) === (plainAddress(listening) ?? listening)
}
