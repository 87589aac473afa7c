// Shapes of the entry: what the world reaches, and who serves it.
import { flag, list, machineId, number, optional, orNull, part, shape, text, words } from './words.js'

export const entryBody = shape(
  'EntryBody',
  'A route of a service: requests for its host and path, or connections to its port, and who serves them, as the machine that is asked sees it.',
  {
    host: orNull(text(), 'null: any.'),
    path: orNull(text(), 'null: the route is for connections that are not HTTP.'),
    tcp: orNull(number(), 'The port of the entry for connections that are not HTTP; null for HTTP.'),
    service: text(),
    project: text(),
    port: orNull(number(), 'Of the program; null: the first for TCP that it has.'),
    redirect: orNull(text(), 'Where requests are sent to in place of an instance.'),
    canary: orNull(
      part({ header: orNull(text('`NAME: VALUE`.')), cookie: orNull(text('`NAME=VALUE`.')) }),
      'Requests with either are led to instances of the current version; null where none ask for it.',
    ),
    tls: words(
      ['auto', 'internal', 'off', 'meta'],
      '`meta`: certificate and key are values of the metadata of the project.',
    ),
    certificate: orNull(
      part({ issuer: text(), notAfter: text('RFC 3339.') }),
      'The one that the machine which is asked has for the host; null where it has none.',
    ),
    problem: orNull(
      text(),
      'Why the route is not served, or not as it should be; null where nothing is wrong.',
    ),
    upstreams: list(
      part({
        instance: text(),
        address: orNull(text(), '`ADDRESS:PORT`, from the machine that is asked; null where it has none.'),
        state: words(
          ['serving', 'canary', 'out'],
          '`out`: it gets no requests; `canary`: only those that ask for its version.',
        ),
        reason: text('Why it gets none, or not its share; empty where it does.'),
      }),
    ),
    machines: list(
      part({
        machine: machineId,
        hostname: text(),
        http: text(),
        https: text(),
        tcp: optional(flag('It takes connections that are not HTTP as well.')),
      }),
      'Machines that run the entry, with where.',
    ),
  },
)
