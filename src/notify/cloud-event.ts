// What a receiver is told of an event: CloudEvents 1.0 as JSON (docs/webhooks.md).
import { uuidOf } from '../lib/hash.js'
import { type Instant, toIso } from '../lib/time.js'
import type { HistoryEvent } from '../model/event.js'
import type { Instance, Service } from '../model/service.js'
import type { TaskKind } from '../model/task.js'
import type { WebhookEvent } from '../model/webhook.js'
import { type ClusterView, serviceKey } from '../store/view.js'

/** An event as it is told to receivers. */
interface Telling {
  readonly id: string
  readonly event: WebhookEvent
  readonly subject: string
  readonly body: string
}

/** Types are those of Standard Webhooks too: dot-separated words. */
const eventTypes: Readonly<Record<WebhookEvent | 'test', string>> = {
  start: 'io.mariposa.instance.start',
  stop: 'io.mariposa.instance.stop',
  health: 'io.mariposa.instance.health',
  scale: 'io.mariposa.service.scale',
  deploy: 'io.mariposa.service.deploy',
  autoscale: 'io.mariposa.service.autoscale',
  test: 'io.mariposa.webhook.test',
}

const rollouts: ReadonlySet<TaskKind> = new Set<TaskKind>(['deploy', 'revert', 'reprovision'])

/**
 * What a webhook calls an event of the history; null for what it tells nobody. As in CNS, `start` and `stop` follow what
 * runs, however it came to that: a program that ends and is restarted stops and starts, and a machine that is lost stops
 * its instances.
 */
export function webhookEventOf({ kind, data }: HistoryEvent): WebhookEvent | null {
  switch (kind) {
    case 'instance-started':
    case 'instance-returned':
      return 'start'
    case 'instance-exited':
    case 'instance-lost':
      return 'stop'
    case 'health':
      return data?.health === 'unhealthy' ? 'health' : null
    case 'scale':
      return 'scale'
    case 'autoscale':
      return 'autoscale'
    case 'deploy':
    case 'revert':
    case 'reprovision':
      return 'deploy'
    case 'task-completed':
    case 'task-failed':
    case 'task-terminated':
      return data?.task !== undefined && rollouts.has(data.task.kind) ? 'deploy' : null
    default:
      return null
  }
}

/** Tells an event. What has gone since, an instance or its machine, is told by its name alone. */
export function tell(event: HistoryEvent, as: WebhookEvent, view: ClusterView, cluster: string): Telling {
  const { project, service, instance } = event
  const subject = [project, service, instance].filter((part) => part !== null).join('/')
  const id = `evt_${event.id}`
  const body = envelope({ id, type: eventTypes[as], subject, at: event.at, cluster }, dataOf(event, as, view))
  return { id, event: as, subject, body }
}

/** The body of a delivery that only tries the way. */
export function tellTest(
  { id, project, service, cluster }: { id: string; project: string; service: string; cluster: string },
  now: Instant,
): string {
  const subject = `${project}/${service}`
  const data = { event: 'test', project, service: { name: service }, message: 'this is a test' }
  return envelope({ id, type: eventTypes.test, subject, at: now, cluster }, data)
}

interface Envelope {
  readonly id: string
  readonly type: string
  readonly subject: string
  readonly at: Instant
  readonly cluster: string
}

/** `timestamp` repeats `time` under the name that Standard Webhooks gives it. */
function envelope({ id, type, subject, at, cluster }: Envelope, data: object): string {
  const time = toIso(at)
  const source = `urn:mariposa:cluster:${cluster}`
  const attributes = { specversion: '1.0', id, source, type, subject, time }
  return JSON.stringify({ ...attributes, datacontenttype: 'application/json', timestamp: time, data })
}

function dataOf(event: HistoryEvent, as: WebhookEvent, view: ClusterView): object {
  const { project, message, data = {} } = event
  const key = serviceKey(project ?? '', event.service ?? '')
  const service = view.services.get(key)
  const instance = view.allInstancesOf(key).find(({ name }) => name === event.instance)
  const { exit, health, task } = data
  return {
    event: as,
    project,
    service: serviceData(event, service, view),
    ...(event.instance !== null && { instance: instanceData(event.instance, instance, service) }),
    ...machineData(event, instance, view),
    ...(exit !== undefined && { exit: { code: exit.code, signal: exit.signal, oom: exit.oom } }),
    ...(health !== undefined && { health: { status: health, output: data.reason ?? null } }),
    ...(data.cause !== undefined && { cause: data.cause }),
    ...(data.reason !== undefined && { reason: data.reason }),
    ...(task !== undefined && { task }),
    ...(data.scale !== undefined && { scale: data.scale }),
    message,
  }
}

function serviceData(event: HistoryEvent, service: Service | undefined, view: ClusterView): object {
  if (service === undefined) return { name: event.service }
  const { name, uuid, current, scale } = service
  return { name, uuid, version: current, ordinal: view.versions.get(current)?.ordinal ?? null, scale }
}

/** Names end in the number of the instance, which its uuid derives from. */
function instanceData(name: string, instance: Instance | undefined, service: Service | undefined): object {
  if (instance !== undefined) {
    const { uuid, n, version, ordinal } = instance
    return { name, uuid, index: n, version, ordinal }
  }
  const n = /-(\d+)$/.exec(name)?.[1]
  if (n === undefined || service === undefined) return { name }
  return { name, uuid: uuidOf('instance', service.uuid, n), index: Number(n) }
}

function machineData(event: HistoryEvent, instance: Instance | undefined, view: ClusterView): object {
  const placement = instance === undefined ? undefined : view.placements.get(instance.unit)
  const id = event.machine ?? placement?.machine ?? null
  if (id === null) return {}
  // Looked up by text: the event's machine is the id as it was written.
  const machine = [...view.machines.values()].find((one) => one.id === id)
  const known = machine && { hostname: machine.hostname, ip: machine.ip, metadata: machine.metadata }
  const ports = placement?.ports ?? []
  const endpoints = machine === undefined ? [] : ports.map(({ host }) => ({ ip: machine.ip, port: host }))
  return {
    machine: { id, ...known },
    ...(instance !== undefined && { unit: instance.unit }),
    ...(endpoints.length > 0 && { endpoints }),
  }
}
