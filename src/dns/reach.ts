// Where an instance is reached, by the network that a name is on.
import { isAddress } from '../lib/address.js'
import { isLoopback } from '../lib/loopback.js'
import { dnsify } from '../manifest/cns.js'
import type { CnsService } from '../model/cns-labels.js'
import type { Machine } from '../model/machine.js'
import { addressOn, networkNames } from '../model/network.js'
import type { PortBinding, UnitReport } from '../model/unit.js'

/** What is known of where an instance answers. */
export interface Whereabouts {
  /** The machine that it is placed on; null where it is not there. */
  readonly machine: Machine | null
  /** Whether that is the machine that answers. */
  readonly isHere: boolean
  /** Its own address, which other machines do not reach; null where it shares the network of its machine. */
  readonly own: string | null
  /** In the order of its manifest. */
  readonly ports: readonly PortBinding[]
}

/** An address of an instance, and the ports that answer there. */
export interface Reach {
  readonly address: string
  readonly family: 'A' | 'AAAA'
  /** Whether what it publishes is reached there, or its own ports. */
  readonly published: boolean
}

export function whereaboutsOf(
  machine: Machine | undefined,
  isHere: boolean,
  report: UnitReport | null,
  ports: readonly PortBinding[],
): Whereabouts {
  const own = report?.address ?? null
  return { machine: machine ?? null, isHere, own: own === null || isLoopback(own) ? null : own, ports }
}

/** Where it is reached on a network: `public`, `private`, or by the label of one that machines say an address on. */
export function reachOf({ machine, isHere, own, ports }: Whereabouts, network: string): Reach | null {
  if (machine === null) return null
  if (network !== 'public' && network !== 'private') {
    const name = networkNames(machine.metadata).find((one) => dnsify(one) === network)
    return name === undefined ? null : published(addressOn(name, machine.metadata))
  }
  if (network === 'private' && own !== null && isHere) return { ...family(own), published: false }
  const [first] = ports
  const bound = first !== undefined && ports.every(({ ip }) => ip === first.ip) ? first.ip : null
  if (bound === null || isUnspecified(bound)) return published(machine.outside ?? machine.ip)
  // What listens on the loopback alone answers nobody elsewhere.
  return isLoopback(bound) && !isHere ? null : published(bound)
}

function published(address: string | null): Reach | null {
  return address !== null && isAddress(address) ? { ...family(address), published: true } : null
}

function family(address: string): Pick<Reach, 'address' | 'family'> {
  return { address, family: address.includes(':') ? 'AAAA' : 'A' }
}

function isUnspecified(ip: string): boolean {
  return ip === '0.0.0.0' || ip === '::'
}

/** The port that answers for a port of the program; null where none does. */
export function portAt(
  { ports, own }: Whereabouts,
  reach: Reach,
  port: number,
  protocol: 'tcp' | 'udp' | null,
): number | null {
  if (!reach.published) {
    const has = protocol === null || ports.some((one) => one.container === port && one.protocol === protocol)
    return has ? port : null
  }
  const binding = ports.find(
    (one) => one.container === port && (protocol ?? one.protocol) === one.protocol && answersAt(one, reach),
  )
  if (binding !== undefined) return binding.host
  // What shares the network of its machine may listen on more than its manifest says.
  return own === null && protocol === null && !ports.some(({ container }) => container === port) ? port : null
}

/** The port that a name of a service leads to: the one that its label says, else the first. */
export function portOfService(where: Whereabouts, reach: Reach, { port }: CnsService): number | null {
  if (port !== null) return portAt(where, reach, port, null)
  const [first] = where.ports.filter((one) => !reach.published || answersAt(one, reach))
  if (first === undefined) return null
  return reach.published ? first.host : first.container
}

/** Whether a port that is published at `ip` answers at the address. */
export function answersAt({ ip }: PortBinding, { address }: Reach): boolean {
  return ip === null || isUnspecified(ip) || ip === address
}

/** An address and a port at which an instance answers. */
export interface Answering {
  readonly reach: Reach
  readonly port: number
  /** `address:port`, as URLs have it. */
  readonly host: string
}

/**
 * Where others reach an instance, else, for a container of this machine that publishes nothing, where this machine does:
 * the first of `networks` with an address at which `portOf` finds a port.
 */
export function answeringAt(
  where: Whereabouts,
  portOf: (reach: Reach) => number | null,
  networks: readonly string[] = ['public', 'private'],
): Answering | null {
  for (const network of networks) {
    const reach = reachOf(where, network)
    const port = reach === null ? null : portOf(reach)
    if (reach === null || port === null) continue
    const host = `${reach.family === 'AAAA' ? `[${reach.address}]` : reach.address}:${port}`
    return { reach, port, host }
  }
  return null
}
