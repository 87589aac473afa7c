import { type Bodies, instanceBodyOf, serviceBodyOf } from '../../src/api/bodies.js'
import type { Instant } from '../../src/lib/time.js'
import type { ClusterView } from '../../src/store/view.js'

/** Bodies that are made from the view as it is, with nothing kept. */
export function bodiesOf(view: ClusterView, now: Instant): Bodies {
  return {
    instance: (instance) => instanceBodyOf(view, instance, now),
    service: (service) => serviceBodyOf(view, service, now),
  }
}
