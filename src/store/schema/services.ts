// Records about services: what is to run, what of it there is, and what is done to it.
import { Type } from 'typebox'
import { conditions } from '../../model/after.js'
import { maxScale, retireCauses } from '../../model/service.js'
import { scheduledConsistencies, volumeWorks } from '../../model/volume.js'
import {
  count,
  either,
  flag,
  instant,
  kindOf,
  machineId,
  namedBody,
  orNull,
  rolloutScope,
  said,
  text,
  texts,
  unitName,
  words,
} from './words.js'

const type = words('continuous', 'scheduled', 'event')

/** A file of the directory that a version was deployed from. */
const sourced = Type.Object({ path: text, data: text })

/** What nobody could have asked for is set aside, as what is damaged. */
const scale = Type.Integer({ minimum: 0, maximum: maxScale })

const slot = Type.Integer({ minimum: 0, maximum: maxScale })

/** Where the volume of a slot is. */
export const volume = Type.Object({
  uuid: text,
  project: text,
  service: text,
  name: text,
  slot,
  machine: orNull(machineId),
  generation: count,
  createdAt: instant,
  sizeMb: Type.Optional(count),
  hold: Type.Optional(
    Type.Object({
      id: text,
      work: words(...volumeWorks),
      by: machineId,
      at: instant,
      failed: Type.Optional(said),
    }),
  ),
  incomplete: Type.Optional(said),
  left: Type.Optional(Type.Object({ machine: machineId, generation: count, uuid: text })),
})

export const service = Type.Object({
  uuid: text,
  project: text,
  name: text,
  type,
  scale,
  stoppedFrom: orNull(scale),
  current: text,
  lastOrdinal: count,
  lastInstance: count,
  passedOver: Type.Optional(Type.Array(count)),
  createdAt: instant,
  starts: count,
  inputs: Type.Optional(Type.Array(Type.Object({ n: count, set: texts, body: Type.Optional(namedBody) }))),
  stopping: orNull(text),
  deleting: flag,
  deleteVolumes: said,
  handsOver: Type.Optional(Type.Array(text)),
  yields: said,
  rollout: orNull(
    Type.Object({
      parallel: count,
      startedAt: instant,
      ...rolloutScope,
      deadlineMs: count,
      revertTo: orNull(text),
      values: Type.Optional(texts),
    }),
  ),
  heldRestart: Type.Optional(Type.Object({ values: texts, reason: text })),
  leftUpTo: Type.Optional(count),
  askedOnly: Type.Optional(Type.Array(text)),
  cameUp: Type.Optional(Type.Array(text)),
  failures: orNull(Type.Object({ count, lastAt: instant })),
  blocked: orNull(text),
  waitsForOthers: said,
  releasedAt: orNull(instant),
})

const deferredText = Type.Array(either(Type.Object({ text }), Type.Object({ meta: text })))

/** In the words of the manifest. */
export const webhook = Type.Object({
  url: text,
  events: Type.Array(words('start', 'stop', 'health', 'scale', 'deploy', 'autoscale')),
  secret: orNull(deferredText),
  headers: Type.Record(Type.String(), deferredText),
  allowPrivate: flag,
})

const consistency = words(...scheduledConsistencies)

export const schedule = Type.Object({
  kind: words('interval', 'cron'),
  expression: text,
  epsilonMs: count,
  timezone: orNull(text),
  overlap: words('skip', 'allow', 'replace'),
})

const scaling = Type.Object({
  enable: either(Type.Literal(true), Type.Literal('notify')),
  min: count,
  max: orNull(count),
  retriggerDelayMs: count,
  triggers: Type.Array(
    Type.Object({
      name: text,
      source: Type.Object({
        service: orNull(text),
        providers: Type.Array(words('containermonitor', 'containerpilot')),
        metric: text,
      }),
      operator: words('<', '<=', '>', '>=', '==', '!='),
      value: count,
      percent: flag,
      windowMs: count,
      aggregate: words('avg', 'min', 'max', 'sum', 'p90'),
      action: words('increment', 'decrement'),
      instances: count,
    }),
  ),
})

const triggerUrl = Type.Object({
  name: text,
  action: either(kindOf('start', {}), kindOf('stop', {}), kindOf('scale', { target: either(count, text) })),
  secret: orNull(deferredText),
  body: Type.Optional(words('file', 'variables')),
})

const otherService = Type.Object({
  uuid: text,
  isProcess: flag,
  ports: Type.Array(
    Type.Object({ ip: orNull(text), host: orNull(count), container: count, protocol: words('tcp', 'udp') }),
  ),
})

const headers = Type.Record(Type.String(), text)

const tcpRoute = Type.Object({ tcp: count, port: orNull(count), weight: count, drainMs: count })

const matched = orNull(Type.Object({ name: text, value: text }))

const entryRoute = Type.Object({
  host: orNull(text),
  path: text,
  port: orNull(count),
  tls: either(
    Type.Object({ mode: words('auto', 'internal', 'off') }),
    Type.Object({ mode: words('meta'), cert: text, key: text }),
  ),
  redirect: orNull(text),
  stripPrefix: orNull(text),
  timeoutMs: orNull(count),
  retries: count,
  maxBodyBytes: orNull(count),
  sticky: orNull(text),
  canary: Type.Optional(Type.Object({ header: matched, cookie: matched, isOnly: flag })),
  headers: Type.Object({ request: headers, response: headers }),
  weight: count,
  drainMs: count,
})

export const version = Type.Object({
  uuid: text,
  project: text,
  service: text,
  ordinal: count,
  createdAt: instant,
  sha1: text,
  type,
  text,
  file: text,
  image: text,
  pinned: Type.Optional(text),
  template: unitName,
  hash: text,
  meta: Type.Array(text),
  madeOf: Type.Optional(texts),
  restartOn: Type.Optional(Type.Record(Type.String(), count)),
  services: Type.Optional(Type.Record(Type.String(), otherService)),
  scale: count,
  preserve: words('on-failure', 'no', 'always'),
  checked: flag,
  webhooks: Type.Optional(Type.Array(webhook)),
  schedule: Type.Optional(schedule),
  scaling: Type.Optional(scaling),
  entry: Type.Optional(Type.Array(entryRoute)),
  tcpEntry: Type.Optional(Type.Array(tcpRoute)),
  triggerUrls: Type.Optional(Type.Array(triggerUrl)),
  slotVolumes: Type.Optional(Type.Array(Type.Object({ name: text, fresh: flag }))),
  volumeBackups: Type.Optional(
    Type.Array(
      Type.Object({
        name: text,
        before: Type.Optional(Type.Object({ argv: Type.Array(text), timeoutMs: count })),
        plan: Type.Optional(
          Type.Object({ schedule, to: text, keep: count, consistency, credentials: Type.Optional(text) }),
        ),
      }),
    ),
  ),
  concurrency: Type.Optional(count),
  runTimeoutMs: Type.Optional(count),
  sources: Type.Optional(Type.Array(sourced)),
  after: Type.Optional(Type.Array(Type.Object({ service: text, condition: words(...conditions) }))),
})

export const instance = Type.Object({
  uuid: text,
  name: text,
  n: count,
  project: text,
  service: text,
  version: text,
  ordinal: count,
  unit: unitName,
  createdAt: instant,
  retired: orNull(
    Type.Object({
      cause: words(...retireCauses),
      at: instant,
      kept: flag,
    }),
  ),
  lost: orNull(Type.Object({ since: instant, backAt: orNull(instant) })),
  madeOf: Type.Optional(texts),
  slot: Type.Optional(slot),
  body: Type.Optional(text),
  oneOff: Type.Optional(Type.Object({ attendedBy: machineId, id: Type.Optional(Type.String()) })),
})

const taskOrder = either(
  kindOf('scale', { target: either(text, count), deadlineMs: Type.Optional(count) }),
  kindOf('start', {
    version: orNull(text),
    deadlineMs: Type.Optional(count),
    inOrder: said,
    set: Type.Optional(texts),
    body: Type.Optional(namedBody),
  }),
  kindOf('stop', { version: orNull(text), inOrder: said }),
  kindOf('delete', { volumes: said, handsOver: Type.Optional(Type.Array(text)) }),
  kindOf('rollout', {
    version: orNull(text),
    scale: orNull(count),
    rolling: orNull(count),
    count: orNull(count),
    filter: Type.Object({
      version: orNull(text),
      image: orNull(text),
      instance: orNull(text),
      machine: orNull(machineId),
    }),
    deadlineMs: count,
    autoRevert: flag,
  }),
)

export const actor = Type.Object({
  user: orNull(text),
  client: orNull(text),
  address: orNull(text),
  certificate: Type.Optional(text),
})

export const task = Type.Object({
  uuid: text,
  project: text,
  service: text,
  kind: words('deploy', 'revert', 'reprovision', 'scale', 'stop', 'start', 'delete', 'replace', 'freeze'),
  state: words('queued', 'active', 'completed', 'failed', 'terminated'),
  target: orNull(Type.Object({ scale: count, version: text })),
  createdAt: instant,
  finishedAt: orNull(instant),
  error: orNull(text),
  replacing: Type.Optional(
    Type.Object({
      after: count,
      picks: orNull(count),
      back: Type.Optional(Type.Object({ to: text, parallel: count, deadlineMs: count })),
    }),
  ),
  reached: Type.Optional(Type.Object({ done: count, total: count })),
  stops: Type.Optional(count),
  instance: Type.Optional(count),
  order: orNull(taskOrder),
  deadlineMs: Type.Optional(count),
  inOrder: said,
  by: orNull(actor),
})

export const project = Type.Object({ name: text, tags: texts, createdAt: instant })

export const meta = Type.Object({
  project: text,
  key: text,
  value: text,
  casId: text,
  valueId: Type.Optional(text),
  secret: flag,
  updatedAt: instant,
})

export const registryLogin = Type.Object({ host: text, username: text, sealed: text, updatedAt: instant })

export const scalingRecord = Type.Object({ project: text, service: text, at: instant })
