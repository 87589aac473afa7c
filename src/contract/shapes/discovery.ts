// Shapes of what other software finds its targets by.
import { list, mapOf, shape, text } from './words.js'

export const prometheusTarget = shape(
  'PrometheusTarget',
  "A group of Prometheus' HTTP service discovery: one instance. Query: `project`.",
  {
    targets: list(text(), 'Where its metrics are, as `address:port`.'),
    labels: mapOf(text()),
  },
)
