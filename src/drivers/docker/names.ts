// How a container comes to ask its machine's daemon for names.
import type { HostConfig } from './api.js'

/** The host's side of a network of containers. */
export interface Gateway {
  readonly address: string
  /** The addresses of its containers, `172.17.0.0/16`. */
  readonly subnet: string
}

/** Answers names on gateways. */
export interface ContainerNames {
  /** Begins to answer there; null where that cannot be had. */
  at(gateway: Gateway): Promise<ContainerResolver | null>
}

/** What containers behind a gateway ask. */
export interface ContainerResolver {
  /** The daemon, and behind it those of the host: what is not ours is found while the daemon is away, too. */
  readonly nameservers: readonly string[]
  /** Domains that the host tries for short names. */
  readonly search: readonly string[]
}

/** A network as `GET /networks/{name}` shows it. */
export interface ShownNetwork {
  readonly Driver?: string
  readonly IPAM?: {
    readonly Config?: readonly { readonly Subnet?: string; readonly Gateway?: string }[] | null
  }
}

/** The gateway of a bridge, which is an address of the host; null for other networks. */
export function gatewayOf({ Driver, IPAM }: ShownNetwork): Gateway | null {
  if (Driver !== 'bridge') return null
  for (const { Subnet, Gateway } of IPAM?.Config ?? []) {
    if (Subnet === undefined || Gateway === undefined || Gateway.includes(':')) continue
    return { address: Gateway.replace(/\/.*$/, ''), subnet: Subnet }
  }
  return null
}

/** The network whose gateway a container asks; null where it asks whom its host asks, or whom its unit says. */
export function askingNetwork(names: readonly string[] | null, host: Partial<HostConfig>): string | null {
  if (names === null || (host.Dns ?? []).length > 0) return null
  const mode = host.NetworkMode ?? 'bridge'
  if (mode === 'host' || mode === 'none' || mode.startsWith('container:')) return null
  return mode === 'default' ? 'bridge' : mode
}

/** The settings of a container's resolver. */
export function resolverSettings(
  names: readonly string[],
  host: Partial<HostConfig>,
  { nameservers, search }: ContainerResolver,
): Pick<HostConfig, 'Dns' | 'DnsSearch'> {
  const own = host.DnsSearch ?? []
  return { Dns: nameservers, DnsSearch: own.length > 0 ? own : [...new Set([...names, ...search])] }
}
