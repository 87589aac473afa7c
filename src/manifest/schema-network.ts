// How an instance is reached, and what it reaches.
import * as Type from 'typebox'
import { longestTtl } from '../model/cns-labels.js'
import { networkName } from '../model/network.js'
import { listOrOne, oneOf, portNumber } from './schema-words.js'

/** A host name, or a domain of them. */
const domain =
  '^(?=.{1,253}$)[A-Za-z0-9_]([A-Za-z0-9_-]{0,62}[A-Za-z0-9_])?(\\.[A-Za-z0-9_]([A-Za-z0-9_-]{0,62}[A-Za-z0-9_])?)*\\.?$'

const port = Type.Object(
  {
    ip: Type.Optional(
      Type.String({ description: 'Host address to publish on; every address without it. Docker only.' }),
    ),
    host: Type.Optional(
      Type.Integer({
        ...portNumber,
        minimum: 0,
        description: 'Host port; 0, or no host port for docker: chosen by the engine.',
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
      { type: 'integer', minimum: 1, maximum: 65_535 },
      { type: 'string', pattern: '^[^\\s]+$' },
    ],
  },
)

export const ports = Type.Array(port, {
  maxItems: 1_000,
  expected: 'a list of ports, at most 1000',
  title: 'Ports',
  description:
    'Ports of the program. For `docker`, `8080` is a port of the container that gets a free host port, `"80:8080"` fixes the host port. For `process`, `8080` says that the program listens on that host port; `"0:8080"` lets the engine choose the port, which the program finds in `PORT` and `PORT_8080`.',
  default: [],
  examples: [[8500], ['80:8080', '53/udp', '127.0.0.1:9000-9003:9000-9003']],
  loose: [
    { type: 'integer', minimum: 1, maximum: 65_535 },
    { type: 'string', pattern: '^[^\\s]+$' },
  ],
})

export const dns = listOrOne(Type.String({ minLength: 2, expected: 'an IPv4 or IPv6 address' }), {
  maxItems: 10,
  expected: 'a list of at most 10 addresses',
  title: 'DNS resolvers',
  description:
    'Addresses of the resolvers to use. Without it the daemon, which knows the names of services, and behind it those of the machine.',
  examples: [['8.8.8.8', '8.8.4.4']],
})

export const dnsSearch = listOrOne(
  Type.String({ pattern: domain, expected: 'a domain such as example.com' }),
  {
    maxItems: 32,
    expected: 'a list of at most 32 domains',
    title: 'DNS search',
    description:
      'Domains in which short host names are looked up. Without it, and without `dns`: the services of the project, then the domains of the machine. `dns_search` is the same key.',
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
          'Further names: label, then port of the program, priority and weight of SRV records. The name of the service itself is given to change its port or weight.',
      }),
    ),
    ttl: Type.Optional(
      Type.Integer({
        minimum: 0,
        maximum: longestTtl,
        expected: `whole seconds from 0 to ${longestTtl}`,
        description: 'How long answers may be remembered; 5 seconds without it.',
      }),
    ),
    hysteresis: Type.Optional(
      Type.Boolean({
        expected: 'true or false',
        description:
          'What is out for a reason that may pass leaves the answers little by little: a third of the instances, and at least one, a minute; the last after ten minutes.',
      }),
    ),
    disable: Type.Optional(
      Type.Boolean({ expected: 'true or false', description: 'The service has no names at all.' }),
    ),
  },
  {
    additionalProperties: false,
    needs: [],
    expected: 'a map with services, ttl, hysteresis and disable',
    title: 'Names',
    description:
      'By which names instances are found (docs/dns.md). It says the same as the labels `triton.cns.…`.',
    examples: [{ services: ['entry:8080', 'api:9000:weight=20'], ttl: 30 }],
  },
)

export const network = Type.String({
  minLength: 1,
  maxLength: 64,
  pattern: networkName.source,
  expected: 'the name or uuid of a network',
  description:
    'The name or uuid of the network; `public` is where the instances answer by themselves. Instances go to machines that have `network.<name>=ADDRESS` in their metadata.',
})

export const containerpilot = Type.Object(
  {
    network: Type.Optional(network),
    port: Type.Integer({
      ...portNumber,
      minimum: 1,
      default: 9090,
      description: 'The port of its telemetry interface.',
    }),
  },
  {
    additionalProperties: false,
    needs: [],
    expected: 'a map with network and port',
    title: 'ContainerPilot',
    description:
      "How to connect to ContainerPilot's telemetry interface inside the instances; its health checks and metrics are used beside those of this manifest. A map, a list of single-key maps, or `true` for the defaults.",
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
