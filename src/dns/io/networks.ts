// Who may ask: this machine, its own networks of private addresses, and who is listed.
import { BlockList, isIPv6 } from 'node:net'
import { networkInterfaces } from 'node:os'
import { isPublicAddress } from '../../lib/address.js'
import type { Clock } from '../../lib/time.js'

/** `10.0.0.0/8` or one address. */
export interface Cidr {
  readonly address: string
  readonly bits: number
}

interface Known {
  readonly at: number
  readonly list: BlockList
  readonly own: ReadonlySet<string>
  /** What was found of addresses that have asked: to look takes longer than to answer. */
  readonly found: Map<string, boolean>
}

const foundAtMost = 1000

/** How long the networks of the machine are taken to be as they were. */
const lookAgainMs = 5000

/** The networks that a machine is on, looked at anew now and then: Docker's come with its first container. */
export class OurNetworks {
  readonly #allow: Cidr[]
  readonly #clock: Clock
  #known: Known | null = null

  constructor(allow: readonly Cidr[], clock: Clock) {
    this.#allow = [...allow]
    this.#clock = clock
  }

  /** Lets in a network that the machine is on, before it shows. */
  add(network: Cidr): void {
    if (this.#allow.some(({ address, bits }) => address === network.address && bits === network.bits)) return
    this.#allow.push(network)
    this.#known = null
  }

  mayAsk(address: string): boolean {
    const { list, found } = this.#look()
    const known = found.get(address)
    if (known !== undefined) return known
    const plain = plainOf(address)
    const mayAsk = list.check(plain, isIPv6(plain) ? 'ipv6' : 'ipv4')
    if (found.size < foundAtMost) found.set(address, mayAsk)
    return mayAsk
  }

  /** Whether an address is this machine's own. */
  isOwn(address: string): boolean {
    return this.#look().own.has(plainOf(address))
  }

  #look(): Known {
    const now = this.#clock.now()
    if (this.#known !== null && now - this.#known.at < lookAgainMs && now >= this.#known.at)
      return this.#known
    const list = new BlockList()
    for (const { address, bits } of [...loopback, ...this.#allow])
      list.addSubnet(address, bits, isIPv6(address) ? 'ipv6' : 'ipv4')
    const own = new Set<string>()
    for (const { address, family, cidr } of Object.values(networkInterfaces()).flatMap((all) => all ?? [])) {
      own.add(address)
      const bits = Number(cidr?.split('/')[1] ?? Number.NaN)
      if (isPublicAddress(address) === false && Number.isInteger(bits))
        list.addSubnet(address, bits, family === 'IPv6' ? 'ipv6' : 'ipv4')
    }
    this.#known = { at: now, list, own, found: new Map() }
    return this.#known
  }
}

const loopback: readonly Cidr[] = [
  { address: '127.0.0.0', bits: 8 },
  { address: '::1', bits: 128 },
]

/** Without the interface, and an IPv4 address as what it is. */
function plainOf(address: string): string {
  return address.replace(/%.*$/, '').replace(/^::ffff:(?=\d+\.)/i, '')
}
