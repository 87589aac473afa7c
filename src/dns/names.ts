// What a name asks for: which service or instance of which project, on which network (docs/dns.md).
import { greatestPort } from '../lib/port.js'
import type { CnsSuffixes } from '../manifest/cns.js'

/** A domain that we answer for. */
export interface Zone {
  readonly suffix: string
  /** Where its names lead to. */
  readonly network: 'public' | 'private'
}

type Target =
  /** Others know it. */
  | { readonly kind: 'foreign' }
  | { readonly kind: 'apex'; readonly zone: Zone }
  /** What the NS record of a zone leads to. */
  | { readonly kind: 'server'; readonly zone: Zone }
  /** There is nothing at it, but there may be below: all of a project, or of its services. */
  | { readonly kind: 'branch'; readonly zone: Zone; readonly project: string }
  | ServiceTarget
  | InstanceTarget
  /** Of an address, as `plainAddress` has it. */
  | { readonly kind: 'reverse'; readonly address: string }
  /** In a zone of ours, and of no form that a name of ours has. */
  | { readonly kind: 'nothing'; readonly zone: Zone }

export interface ServiceTarget {
  readonly kind: 'service'
  readonly zone: Zone
  readonly project: string
  readonly label: string
  /** The label of a network in front; null where there is none. */
  readonly network: string | null
  /** Only those on the machine that is asked, where there are any. */
  readonly nearest: boolean
  readonly ask: Ask
}

export interface InstanceTarget {
  readonly kind: 'instance'
  readonly zone: Zone
  readonly project: string
  /** Its name or its uuid. */
  readonly label: string
  readonly network: string | null
  readonly ask: Ask
}

/** What of it: itself, one of its ports (RFC 2782), its challenges, or nothing but what is below. */
type Ask =
  | { readonly kind: 'itself' }
  | { readonly kind: 'port'; readonly port: number; readonly protocol: 'tcp' | 'udp' }
  | { readonly kind: 'challenge' }
  | { readonly kind: 'branch' }

/** The first label of what answers for a zone. */
export const serverLabel = 'ns'

/** In front of a service's name. */
const nearestLabel = 'nearest'

const challengeLabel = '_acme-challenge'

/** Reads a name in any case, with or without the dot at its end. */
export function targetOf(name: string, suffixes: CnsSuffixes): Target {
  const asked = name.toLowerCase().replace(/\.$/, '')
  const zone = zoneOf(asked, suffixes)
  if (zone === null) {
    const address = reversedAddress(asked)
    return address === null ? { kind: 'foreign' } : { kind: 'reverse', address }
  }
  if (asked === zone.suffix) return { kind: 'apex', zone }
  const labels = asked.slice(0, -zone.suffix.length - 1).split('.')
  const [project = '', kind, label, ...front] = labels.reverse()
  if (kind === undefined) {
    return project === serverLabel ? { kind: 'server', zone } : { kind: 'branch', zone, project }
  }
  if (kind !== 'svc' && kind !== 'inst') return { kind: 'nothing', zone }
  if (label === undefined) return { kind: 'branch', zone, project }
  const named = readFront(front)
  if (named === null) return { kind: 'nothing', zone }
  const { network, ask } = named
  if (kind === 'inst') {
    const isPort = ask.kind === 'port' || ask.kind === 'branch'
    if (isPort || network === nearestLabel) return { kind: 'nothing', zone }
    return { kind: 'instance', zone, project, label, network, ask }
  }
  const nearest = network === nearestLabel
  return { kind: 'service', zone, project, label, network: nearest ? null : network, nearest, ask }
}

/** The longest suffix that a name ends in: one may be part of the other. */
function zoneOf(name: string, suffixes: CnsSuffixes): Zone | null {
  const zones: readonly Zone[] = [
    { suffix: suffixes.public, network: 'public' },
    { suffix: suffixes.private, network: 'private' },
  ]
  const [zone = null] = zones
    .filter(({ suffix }) => name === suffix || name.endsWith(`.${suffix}`))
    .sort((one, other) => other.suffix.length - one.suffix.length)
  return zone
}

/** The labels in front of a service or an instance, from right to left. */
function readFront(front: readonly string[]): { readonly network: string | null; readonly ask: Ask } | null {
  const [first] = front
  const hasNetwork = first !== undefined && !first.startsWith('_')
  const [outer, port, ...more] = hasNetwork ? front.slice(1) : front
  const network = hasNetwork ? first : null
  if (more.length > 0) return null
  if (outer === undefined) return { network, ask: { kind: 'itself' } }
  if (outer === challengeLabel && port === undefined) return { network, ask: { kind: 'challenge' } }
  const protocol = outer === '_tcp' ? 'tcp' : outer === '_udp' ? 'udp' : null
  if (protocol === null) return null
  if (port === undefined) return { network, ask: { kind: 'branch' } }
  const number = /^_[1-9]\d{0,4}$/.test(port) ? Number(port.slice(1)) : 65_536
  return number > greatestPort ? null : { network, ask: { kind: 'port', port: number, protocol } }
}

/** The address that a name below `in-addr.arpa` or `ip6.arpa` is about; null for any other name. */
function reversedAddress(name: string): string | null {
  const four = /^(\d{1,3})\.(\d{1,3})\.(\d{1,3})\.(\d{1,3})\.in-addr\.arpa$/.exec(name)
  if (four !== null) return four.slice(1).reverse().join('.')
  if (!/^([0-9a-f]\.){32}ip6\.arpa$/.test(name)) return null
  const digits = name.split('.').slice(0, 32).reverse().join('')
  return (digits.match(/.{4}/g) ?? []).map((group) => Number.parseInt(group, 16).toString(16)).join(':')
}
