// Of the daemon itself: whether it runs, what it is, what it measures.
import type { HealthBody, ImageMeaningBody, PolicyBody, VersionBody } from '../../../contract/contract.js'
import { paths } from '../../../contract/contract.js'
import { anything, by } from '../../forms.js'
import type { OpenApiDocument } from '../../queries.js'
import type { Requests } from '../requests.js'
import type { Patience } from '../silence.js'

export interface DaemonCalls {
  /** Whether the daemon runs. */
  health(signal?: AbortSignal): Promise<HealthBody>
  /** Whether it can do all that is asked of it: `ok`, or why not. */
  ready(signal?: AbortSignal): Promise<HealthBody>
  /** The API's own description. */
  openapi(signal?: AbortSignal): Promise<OpenApiDocument>
  /** Of the daemon and of the instances on its machine, in Prometheus' text format. */
  metrics(signal?: AbortSignal): Promise<string>
  instanceMetrics(uuid: string, signal?: AbortSignal): Promise<string>
  version(signal?: AbortSignal, patience?: Patience): Promise<VersionBody>
  policy(signal?: AbortSignal): Promise<PolicyBody>
  /** What the Docker of the machine that is asked says that an image means. */
  imageMeaning(name: string, signal?: AbortSignal): Promise<ImageMeaningBody>
}

export function daemonCalls({ json, get, text }: Requests): DaemonCalls {
  return {
    health: (signal) => get(by('status'), paths.health, signal),
    ready: (signal) =>
      json(by('status'), { method: 'GET', path: paths.ready, unavailableIsAnswer: true }, signal),
    openapi: (signal) => get(by('openapi'), paths.openapi, signal),
    metrics: (signal) => text(paths.metrics, signal),
    instanceMetrics: (uuid, signal) => text(paths.instanceMetrics(uuid), signal),
    version: (signal, patience) =>
      json(
        by('version'),
        { method: 'GET', path: paths.version, ...(patience !== undefined && { patience }) },
        signal,
      ),
    policy: (signal) => get(by('policy'), paths.policy, signal),
    imageMeaning: (name, signal) => get(anything, paths.imageMeaning, signal, { name }),
  }
}
