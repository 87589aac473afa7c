// Shapes of what other software finds its targets by.
import { heldBody } from './errors.js'
import { flag, list, mapOf, number, optional, orNull, part, shape, text, told } from './words.js'

export const prometheusTarget = shape(
  'PrometheusTarget',
  "A group of Prometheus' HTTP service discovery: one instance. Query: `project`.",
  {
    targets: list(text(), 'Where its metrics are, as `address:port`.'),
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
    servers: optional(list(part({ url: text() }), 'Left out where no instance is listed.')),
    passHostHeader: flag(),
  }),
})

export const traefikConfiguration = shape(
  'TraefikConfiguration',
  "What Traefik's HTTP provider takes. Names begin with their project. Query: `project`.",
  {
    http: optional(
      part(
        { routers: optional(mapOf(traefikRouter)), services: mapOf(traefikService) },
        'Left out for nothing.',
      ),
    ),
  },
)

const discoveredInstance = part({
  name: text(),
  uuid: text(),
  listed: flag('Whether it is among the answers for its service.'),
  reason: text('Why it is not, or only where no other is; empty where it is.'),
  version: orNull(number('The ordinal of its version.')),
  machine: orNull(text()),
  hostname: orNull(text()),
  address: orNull(
    text('Where others reach it; for a container that publishes nothing, where its own machine does.'),
  ),
  port: orNull(number('The first of its ports that answers there.')),
  ports: mapOf(
    number(),
    'What answers there for each port of the program: `8080`, and `53/udp` where it is not TCP.',
  ),
  labels: mapOf(text()),
})

const discoveredService = part({
  name: text(),
  uuid: text(),
  address: text('Its name in the DNS, on private addresses.'),
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
  'What runs in a project, for files made from it. Query: `follow`, which sends it again after each change.',
  {
    project: text(),
    services: list(discoveredService, 'By name.'),
    machines: list(discoveredMachine, 'Those that are there, by hostname.'),
    meta: mapOf(text(), 'The metadata of the project, without its secrets.'),
    held: optional(told(heldBody, 'Why nothing changes now; absent where somebody leads.')),
  },
)
