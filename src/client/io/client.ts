// The typed client of Mariposa's API: one method per path of the contract, by subject in `calls/`. Every method throws
// ClientError.
import { ClientError } from '../client-error.js'
import { type Endpoint, parseEndpoint } from '../endpoint.js'
import { type DaemonCalls, daemonCalls } from './calls/daemon.js'
import { type DiscoveryCalls, discoveryCalls } from './calls/discovery.js'
import { type InstanceCalls, instanceCalls } from './calls/instances.js'
import { type MachineCalls, machineCalls } from './calls/machines.js'
import { type MetaCalls, metaCalls } from './calls/meta.js'
import { type ProjectCalls, projectCalls } from './calls/projects.js'
import { type RecordCalls, recordCalls } from './calls/records.js'
import { type RegistryCalls, registryCalls } from './calls/registries.js'
import { type ServiceCalls, serviceCalls } from './calls/services.js'
import { type TaskCalls, taskCalls } from './calls/tasks.js'
import { type UnitCalls, unitCalls } from './calls/units.js'
import { type VolumeCalls, volumeCalls } from './calls/volumes.js'
import { type WebhookCalls, webhookCalls } from './calls/webhooks.js'
import type { Credentials } from './http.js'
import { requestsTo } from './requests.js'

/** The API of a daemon, as methods. */
export interface Client
  extends DaemonCalls,
    DiscoveryCalls,
    InstanceCalls,
    MachineCalls,
    MetaCalls,
    ProjectCalls,
    RecordCalls,
    RegistryCalls,
    ServiceCalls,
    TaskCalls,
    UnitCalls,
    VolumeCalls,
    WebhookCalls {
  readonly endpoint: Endpoint
}

/**
 * A client of the daemon at `at`: `unix:///path`, `http://host:port` or `https://host:port`. Connects with each call, not
 * before. Throws ClientError for another address.
 */
export function connect(at: string | Endpoint, credentials: Credentials = {}): Client {
  const endpoint = typeof at === 'string' ? endpointOf(at) : at
  const requests = requestsTo(endpoint, credentials)
  return {
    endpoint,
    ...daemonCalls(requests),
    ...discoveryCalls(requests),
    ...instanceCalls(requests),
    ...machineCalls(requests),
    ...metaCalls(requests),
    ...projectCalls(requests),
    ...recordCalls(requests),
    ...registryCalls(requests),
    ...serviceCalls(requests),
    ...taskCalls(requests),
    ...unitCalls(requests),
    ...volumeCalls(requests),
    ...webhookCalls(requests),
  }
}

function endpointOf(text: string): Endpoint {
  const endpoint = parseEndpoint(text)
  if (endpoint !== null) return endpoint
  throw new ClientError(null, {
    code: 'client/bad-endpoint',
    message: `"${text}" is not an endpoint`,
    hint: 'give unix:///path, http://host:port or https://host:port',
    details: [],
  })
}
