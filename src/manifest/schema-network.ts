// Ports, DNS and networks of an instance.

import * as Type from 'typebox'
import { greatestPort } from '../lib/port.js'
import { longestTtl } from '../model/cns-labels.js'
import { networkName } from '../model/network.js'
import { listOrOne, oneOf, portNumber } from './schema-words.js'

/** A host name, or a domain of them. */
const domain =
  '^(?=.{1,253}$)[A-Za-z0-9_]([A-Za-z0-9_-]{0,62}[A-Za-z0-9_])?(\\.[A-Za-z0-9_]([A-Za-z0-9_-]{0,62}[A-Za-z0-9_])?)*\\.?$'

const port = Type.Object(
  {
    ip: Type.Optional(
      Type.String({ description: 'Host address to publish on; default: all addresses. Only for `docker`.' }),
    ),
    host: Type.Optional(
      Type.Integer({
        ...portNumber,
        minimum: 0,
        description: 'Host port; with 0, or without a host port for `docker`, the engine chooses one.',
      }),
    ),
    container: Type.Integer({
      ...portNumber,
      minimum: 1,
      description: 'The port that the program listens on.',
    }),
    protocol: oneOf(['tcp', 'udp'], { default: 'tcp' }),
  },
  {
    additionalProperties: false,
    needs: ['container'],
    expected: 'a port such as 8080, "80:8080", "127.0.0.1:80:8080", "53/udp" or "8000-8003"',
    loose: [
      { type: 'integer', minimum: 1, maximum: greatestPort },
      { type: 'string', pattern: '^[^\\s]+$' },
    ],
  },
)

export const ports = Type.Array(port, {
  maxItems: 1_000,
  expected: 'a list of ports, at most 1000',
  title: 'Ports',
  description:
    'Ports of the program. For `docker`, `8080` is a port of the container that gets a free host port, and `"80:8080"` fixes the host port. For `process`, `8080` means that the program listens on that host port; with `"0:8080"` the engine chooses the port, and the program reads it from `PORT` and `PORT_8080`.',
  default: [],
  examples: [[8500], ['80:8080', '53/udp', '127.0.0.1:9000-9003:9000-9003']],
  loose: [
    { type: 'integer', minimum: 1, maximum: greatestPort },
    { type: 'string', pattern: '^[^\\s]+$' },
  ],
})

export const dns = listOrOne(Type.String({ minLength: 2, expected: 'an IPv4 or IPv6 address' }), {
  maxItems: 10,
  expected: 'a list of at most 10 addresses',
  title: 'DNS resolvers',
  description:
    'Addresses of the DNS resolvers to use. Default: the daemon, which knows the names of services, followed by the resolvers of the machine.',
  examples: [['8.8.8.8', '8.8.4.4']],
})

export const dnsSearch = listOrOne(
  Type.String({ pattern: domain, expected: 'a domain such as example.com' }),
  {
    maxItems: 32,
    expected: 'a list of at most 32 domains',
    title: 'DNS search',
    description:
      'Domains in which short host names are looked up. Default, if `dns` is not set either: the services of the project, then the domains of the machine. `dns_search` is the same key.',
    examples: [['svc.example.com', 'example.com']],
  },
)

export const cns = Type.Object(
  {
    services: Type.Optional(
      listOrOne(Type.String({ minLength: 1, expected: 'a name such as web:8080' }), {
        maxItems: 100,
        expected: 'a list of at most 100 names such as web:8080:priority=1:weight=20',
        description:
          'Additional names: label, then port of the program, priority and weight for SRV records. Give the name of the service itself to change its port or weight.',
      }),
    ),
    ttl: Type.Optional(
      Type.Integer({
        minimum: 0,
        maximum: longestTtl,
        expected: `whole seconds from 0 to ${longestTtl}`,
        description: 'Time to live of DNS answers, in seconds; default 5.',
      }),
    ),
    hysteresis: Type.Optional(
      Type.Boolean({
        expected: 'true or false',
        description:
          'Whether instances that are out of service for a temporary reason leave the DNS answers gradually: a third of the instances, at least one, per minute; the last one after ten minutes.',
      }),
    ),
    disable: Type.Optional(
      Type.Boolean({
        expected: 'true or false',
        description: 'Whether the service has no DNS names at all.',
      }),
    ),
  },
  {
    additionalProperties: false,
    needs: [],
    expected: 'a map with services, ttl, hysteresis and disable',
    title: 'Names',
    description: 'DNS names of the instances (docs/dns.md). The labels `triton.cns.…` mean the same.',
    examples: [{ services: ['entry:8080', 'api:9000:weight=20'], ttl: 30 }],
  },
)

export const network = Type.String({
  minLength: 1,
  maxLength: 64,
  pattern: networkName.source,
  expected: 'the name or uuid of a network',
  description:
    'Name or uuid of the network; `public` means the usual addresses of the instances. With another network, instances are placed on machines with `network.<name>=ADDRESS` in their metadata.',
})

export const containerpilot = Type.Object(
  {
    network: Type.Optional(network),
    port: Type.Integer({
      ...portNumber,
      minimum: 1,
      default: 9090,
      description: 'Port of the telemetry interface.',
    }),
  },
  {
    additionalProperties: false,
    needs: [],
    expected: 'a map with network and port',
    title: 'ContainerPilot',
    description:
      "Address of ContainerPilot's telemetry interface in the instances. Its health checks and metrics are used in addition to those of this manifest. A map, a list of single-key maps, or `true` for the defaults.",
    examples: [{ network: 'public', port: 9090 }],
    loose: [
      { type: 'boolean' },
      {
        type: 'array',
        items: { anyOf: [{ type: 'object', maxProperties: 1 }, { enum: ['network', 'port'] }] },
      },
    ],
  },
)
