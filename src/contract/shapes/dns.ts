// DNS names of instances, and answers to DNS queries.
import { flag, list, number, orNull, part, shape, text, words } from './words.js'

export const dnsInstance = shape(
  'DnsInstanceBody',
  'An instance and its DNS names, as seen by the machine that answers. Query: `service`.',
  {
    name: text(),
    uuid: text(),
    service: text(),
    project: text(),
    machine: orNull(text()),
    listed: flag('Whether DNS answers for its services contain the instance.'),
    reason: text(
      'Why the instance is not listed, or is listed only because no other instance is; empty otherwise.',
    ),
    names: list(text(), 'Service names that resolve to the private address of the instance.'),
    privateAddress: orNull(text()),
    publicAddress: orNull(text()),
    ports: list(text(), 'Published ports as `host:container/protocol`.'),
  },
)

export const dnsLookup = shape('DnsLookupBody', 'The answer to a DNS query. Query: `type`.', {
  name: text(),
  type: text(),
  code: words(
    ['NOERROR', 'NXDOMAIN', 'FORWARDED'],
    '`FORWARDED`: the name is outside the zones of the daemon, and the query goes to the upstream resolvers.',
  ),
  answers: list(part({ name: text(), type: text(), ttl: number('Seconds.'), data: text() })),
  upstream: list(text(), 'Upstream resolvers for all other names.'),
  endpoints: list(text(), 'Addresses where this daemon answers DNS queries now.'),
  instances: list(dnsInstance, 'Instances behind the name, listed or not.'),
})
