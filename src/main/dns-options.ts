// Where names are answered: `--dns`, `--dns-upstream` and `--dns-allow`.

import { isIPv6 } from 'node:net'
import type { Cidr } from '../dns/io/networks.js'
import type { DnsOptions } from '../dns/io/server.js'
import type { DnsAddress } from '../dns/resolv-conf.js'
import { isAddress } from '../lib/address.js'
import { greatestPort } from '../lib/port.js'
import type { Diagnostic } from '../model/diagnostic.js'
import { type Setting, type Settings, settingProblem } from './settings.js'

/** As commander hands them over. */
export interface DnsFlags {
  readonly dns?: readonly string[]
  readonly dnsUpstream?: readonly string[]
  readonly dnsAllow?: readonly string[]
}

/** The flags by the names of their settings. */
export function dnsSettings(flags: DnsFlags) {
  return [
    ['dns', flags.dns],
    ['dns-upstream', flags.dnsUpstream],
    ['dns-allow', flags.dnsAllow],
  ] as const
}

const ownAddress: DnsAddress = { host: '127.0.0.1', port: 8053 }

export function readDnsOptions(settings: Settings): {
  readonly dns: DnsOptions
  readonly problems: readonly Diagnostic[]
} {
  const problems: Diagnostic[] = []
  const read = <T>(
    setting: Setting | undefined,
    parse: (text: string) => T | null,
    form: string,
  ): readonly T[] =>
    (setting?.values ?? []).flatMap((text) => {
      const value = parse(text)
      if (value !== null) return [value]
      if (setting !== undefined)
        problems.push(settingProblem(setting, `'${text}' is not of the form ${form}`))
      return []
    })
  const { dns } = settings
  const isOff = dns?.values.includes('none') === true
  if (dns !== undefined && isOff && dns.values.length > 1)
    problems.push(settingProblem(dns, 'none cannot be combined with an address'))
  const asked = isOff ? [] : read(dns, parseDnsAddress(null), 'ADDRESS:PORT, such as 127.0.0.1:8053, or none')
  const upstream = settings['dns-upstream']
  return {
    dns: {
      addresses: dns === undefined ? [ownAddress] : asked,
      isAsked: dns !== undefined,
      upstream:
        upstream === undefined
          ? null
          : read(upstream, parseDnsAddress(53), 'ADDRESS or ADDRESS:PORT of a resolver'),
      allow: read(settings['dns-allow'], parseCidr, 'network, such as 10.0.0.0/8'),
    },
    problems,
  }
}

/** `10.0.0.1:53`, `[::1]:53`; an address alone where there is a port for it. */
function parseDnsAddress(otherwise: number | null): (text: string) => DnsAddress | null {
  return (text) => {
    if (otherwise !== null && isAddress(text)) return { host: text, port: otherwise }
    const [, six, four, digits = ''] = /^(?:\[([^\]]+)\]|([^:]+)):(\d{1,5})$/.exec(text) ?? []
    const host = six ?? four ?? ''
    const port = Number(digits)
    const isRight = isAddress(host) && isIPv6(host) === (six !== undefined) && port <= greatestPort
    return isRight && digits !== '' ? { host, port } : null
  }
}

/** `10.0.0.0/8`, or one address; null for what is neither. */
export function parseCidr(text: string): Cidr | null {
  const [address = '', length, ...more] = text.split('/')
  const most = isIPv6(address) ? 128 : 32
  const bits = length === undefined ? most : /^\d{1,3}$/.test(length) ? Number(length) : -1
  return more.length === 0 && isAddress(address) && bits >= 0 && bits <= most ? { address, bits } : null
}
