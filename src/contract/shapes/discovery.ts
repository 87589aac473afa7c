// Answers for service discovery by other software.
import { heldBody } from './errors.js'
import { flag, list, mapOf, number, optional, orNull, part, shape, text, told } from './words.js'

export const prometheusTarget = shape(
  'PrometheusTarget',
  "A target group for Prometheus' HTTP service discovery: one instance. Query: `project`.",
  {
    targets: list(text(), 'Address of its metrics, as `address:port`.'),
    labels: mapOf(text()),
  },
)

const traefikRouter = part({
  rule: text(),
  service: text(),
  entryPoints: optional(list(text())),
  middlewares: optional(list(text())),
  priority: optional(number()),
  tls: optional(part({ certResolver: optional(text()) })),
})

const traefikService = part({
  loadBalancer: part({
    servers: optional(list(part({ url: text() }), 'Absent if no instance is listed.')),
    passHostHeader: flag(),
  }),
})

export const traefikConfiguration = shape(
  'TraefikConfiguration',
  "Configuration for Traefik's HTTP provider. Names begin with the project. Query: `project`.",
  {
    http: optional(
      part(
        { routers: optional(mapOf(traefikRouter)), services: mapOf(traefikService) },
        'Absent if it would be empty.',
      ),
    ),
  },
)

const discoveredInstance = part({
  name: text(),
  uuid: text(),
  listed: flag('Whether DNS answers for its service contain the instance.'),
  reason: text(
    'Why the instance is not listed, or is listed only because no other instance is; empty otherwise.',
  ),
  version: orNull(number('The ordinal of its version.')),
  machine: orNull(text()),
  hostname: orNull(text()),
  address: orNull(
    text(
      'Address for other machines; for a container without published ports, the address for its own machine.',
    ),
  ),
  port: orNull(number('The first port that can be reached at the address.')),
  ports: mapOf(
    number(),
    'Port at the address for each port of the program. Keys are `8080`, or `53/udp` if the protocol is not TCP.',
  ),
  labels: mapOf(text()),
})

const discoveredService = part({
  name: text(),
  uuid: text(),
  address: text('DNS name of the service, which resolves to private addresses.'),
  instances: list(discoveredInstance),
})

const discoveredMachine = part({
  id: text(),
  hostname: text(),
  address: orNull(text()),
  metadata: mapOf(text()),
})

export const discoveryBody = shape(
  'DiscoveryBody',
  'Services, instances and machines of a project, for generating files. Query: `follow`, which sends the answer again after each change.',
  {
    project: text(),
    services: list(discoveredService, 'By name.'),
    machines: list(discoveredMachine, 'Machines that are up or away, by hostname.'),
    meta: mapOf(text(), 'The metadata of the project, without its secrets.'),
    held: optional(told(heldBody, 'Why nothing changes now; absent while a daemon leads.')),
  },
)
