// Routes of the entry, and the instances that serve them.
import { flag, list, machineId, number, optional, orNull, part, shape, text, words } from './words.js'

export const entryBody = shape(
  'EntryBody',
  'A route of a service: its host and path, or its TCP port, and the instances that serve it, as seen by the machine that answers.',
  {
    host: orNull(text(), 'null: any host.'),
    path: orNull(text(), 'null: the route is for TCP connections that are not HTTP.'),
    tcp: orNull(number(), 'Port of the entry for TCP connections that are not HTTP; null for HTTP.'),
    service: text(),
    project: text(),
    port: orNull(number(), 'Port of the program; null: its first TCP port.'),
    redirect: orNull(text(), 'URL that requests are redirected to; null if instances serve them.'),
    canary: orNull(
      part({ header: orNull(text('`NAME: VALUE`.')), cookie: orNull(text('`NAME=VALUE`.')) }),
      'Requests with this header or cookie go to instances of the current version; null if the route defines neither.',
    ),
    tls: words(
      ['auto', 'internal', 'off', 'meta'],
      '`meta`: certificate and key are in the metadata of the project.',
    ),
    certificate: orNull(
      part({ issuer: text(), notAfter: text('RFC 3339.') }),
      'The certificate for the host on the machine that answers; null if it has none.',
    ),
    problem: orNull(text(), 'Why the route is not served, or not as it should be; null if nothing is wrong.'),
    upstreams: list(
      part({
        instance: text(),
        address: orNull(
          text(),
          '`ADDRESS:PORT`, as used by the machine that answers; null if there is none.',
        ),
        state: words(
          ['serving', 'canary', 'out'],
          '`out`: the instance gets no requests. `canary`: it gets only requests that ask for its version.',
        ),
        reason: text('Why the instance gets no requests, or less than its share; empty otherwise.'),
      }),
    ),
    machines: list(
      part({
        machine: machineId,
        hostname: text(),
        http: text(),
        https: text(),
        tcp: optional(flag('It also accepts TCP connections that are not HTTP.')),
        ready: optional(
          flag('It serves the route as it is now, and has an instance for it; absent if that is not known.'),
        ),
        problem: optional(
          text('Why its proxy does not serve what it should; absent if nothing is known to be wrong.'),
        ),
      }),
      'Machines that run the entry, with its addresses there.',
    ),
  },
)
