// What the proxy is told when it asks who serves a route: SRV records of the group, and the addresses of their targets. A
// target says its address itself, so that nothing has to be remembered between the two questions.
import type { DnsRecord } from '../dns/records.js'
import { ownOf } from '../lib/own-property.js'
import { addressOf, isSix, targetOf } from './target.js'
import type { Upstream, UpstreamTable } from './upstreams.js'

interface EntryReply {
  readonly code: 'NOERROR' | 'NXDOMAIN'
  readonly answers: readonly DnsRecord[]
}

/** Nothing of it is to be remembered by anybody but the proxy, which has a time of its own for that. */
const ttl = 0

/** The answer to one question; `name` without a dot at its end. */
export function replyTo(table: UpstreamTable, name: string, type: string): EntryReply {
  const known = name.toLowerCase()
  const upstreams = ownOf(table, known)
  if (upstreams !== undefined) {
    return {
      code: 'NOERROR',
      answers: type === 'SRV' ? upstreams.flatMap((one) => serviceOf(name, one)) : [],
    }
  }
  const address = addressOf(known)
  if (address === null) return { code: 'NXDOMAIN', answers: [] }
  const kind = isSix(known) ? 'AAAA' : 'A'
  return { code: 'NOERROR', answers: type === kind ? [{ name, type: kind, ttl, data: address }] : [] }
}

function serviceOf(name: string, { address, port, copies }: Upstream): readonly DnsRecord[] {
  const target = targetOf(address)
  if (target === null) return []
  const record: DnsRecord = { name, type: 'SRV', ttl, data: { priority: 0, weight: 10, port, target } }
  return Array.from({ length: copies }, () => record)
}
