// Shapes of what other software finds its targets by.
import { flag, list, mapOf, number, optional, part, shape, text } from './words.js'

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
