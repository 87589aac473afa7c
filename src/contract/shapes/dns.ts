// Shapes of names: who is listed, and what a question is answered with.
import { flag, list, number, orNull, part, shape, text, words } from './words.js'

export const dnsInstance = shape(
  'DnsInstanceBody',
  'An instance and its names, as the machine that is asked sees them. Query: `service`.',
  {
    name: text(),
    uuid: text(),
    service: text(),
    project: text(),
    machine: orNull(text()),
    listed: flag('Whether it is among the answers for its services.'),
    reason: text('Why it is not, or only where no other is; empty where it is.'),
    names: list(text(), 'Names of services that it stands behind, on private addresses.'),
    privateAddress: orNull(text()),
    publicAddress: orNull(text()),
    ports: list(text(), 'Published ports as `host:container/protocol`.'),
  },
)

export const dnsLookup = shape('DnsLookupBody', 'What a question is answered with. Query: `type`.', {
  name: text(),
  type: text(),
  code: words(
    ['NOERROR', 'NXDOMAIN', 'FORWARDED'],
    '`FORWARDED`: the name is not ours, and others are asked.',
  ),
  answers: list(part({ name: text(), type: text(), ttl: number('Seconds.'), data: text() })),
  upstream: list(text(), 'Who is asked for names that are not ours.'),
  endpoints: list(text(), 'Where this daemon answers names now.'),
  instances: list(dnsInstance, 'Those behind the name, listed or not.'),
})
