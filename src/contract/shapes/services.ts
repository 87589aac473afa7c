// Services, their versions and instances, and projects.
import {
  either,
  flag,
  health,
  instanceState,
  list,
  machineId,
  mapOf,
  number,
  optional,
  orNull,
  serviceType,
  shape,
  text,
  told,
  words,
} from './words.js'

export const instanceBody = shape('InstanceBody', 'An instance.', {
  name: text(),
  uuid: text(),
  service: text(),
  project: text(),
  version: text(),
  ordinal: number(),
  unit: text(),
  machine: orNull(machineId),
  state: instanceState,
  health: health,
  createdAt: text(),
  startedAt: orNull(
    text('Start of the run that goes on, or of the last one if it has ended; null before the first.'),
  ),
  address: orNull(text()),
  ports: list(text(), 'Published ports as `host:container/protocol`.'),
  slot: orNull(
    number(),
    'Slot of the service, from 0 on, whose volumes the instance has; null if the service has no volumes per instance.',
  ),
  pid: orNull(number()),
  container: orNull(text()),
  restarts: number(),
  nextTryAt: orNull(text(), 'When it is restarted, or the next attempt to start it; null if neither is due.'),
  drifted: optional(
    list(
      text(),
      'Metadata keys (`meta.color`) whose values have changed since the instance was made from them; absent if there are none.',
    ),
  ),
  reason: text('Why it is not up, or how it last ended; empty if all is well.'),
})

export const serviceStatus = words(
  ['running', 'idle', 'deploying', 'degraded', 'failing', 'stopped', 'stopping'],
  '`idle`: no instance runs and none should, for services that are not continuous. `failing`: the last change failed, or no instance stays up. `degraded`: some instances are not as they should be.',
)

export const serviceBody = shape('ServiceBody', 'A service.', {
  name: text(),
  uuid: text(),
  project: text(),
  type: serviceType,
  scale: number(),
  running: number(),
  healthy: number(),
  version: text(),
  ordinal: number(),
  image: text(),
  status: serviceStatus,
  frozen: flag('Whether the service or its whole project is frozen.'),
  autoscaled: flag('Whether triggers change its scale; triggers that only notify do not.'),
  reason: text('The reason for the status, in one line; empty if all is well.'),
  restarts: number('Number of local restarts of its present instances, in total.'),
  nextTryAt: orNull(
    text(),
    'Time of the earliest next attempt to start an instance that does not run; null if none is due.',
  ),
  drifted: optional(
    list(
      text(),
      'Metadata keys (`meta.color`) whose values have changed since the service or one of its instances was made from them; absent if there are none.',
    ),
  ),
  restartHeld: optional(
    text(
      'Why not all instances are restarted after a change of metadata although `on_change: restart` asks for it; absent if nothing prevents it.',
    ),
  ),
})

export const triggerUrlBody = shape(
  'TriggerUrlBody',
  'A URL that starts, stops or scales the service. The caller needs its secret.',
  {
    name: text(),
    action: text('`start`, `stop`, `scale 3`, `scale +1`.'),
    body: optional(
      words(
        ['file', 'variables'],
        'How a run started by the URL gets the body of the call; absent: it does not get it.',
      ),
    ),
    path: text(),
    url: orNull(text(), 'Full URL on the daemon that answers; null if that daemon serves no trigger URLs.'),
    calls: number('Number of calls that took effect.'),
    lastCalledAt: orNull(text()),
  },
)

export const metricTriggerBody = shape(
  'MetricTriggerBody',
  'A trigger that watches a metric, with the present values.',
  {
    name: text(),
    metric: text('`containermonitor.cpu_used`.'),
    aggregate: words(['avg', 'min', 'max', 'sum', 'p90'], 'How the values of the instances are combined.'),
    value: orNull(
      number('The present combined value, regardless of the window; null if no instance has a value.'),
    ),
    operator: words(['<', '<=', '>', '>=', '==', '!=']),
    threshold: number(),
    percent: flag('Whether value and threshold are percentages of the limit of an instance.'),
    windowMs: number('How long the condition has to hold before the trigger fires.'),
    action: words(['increment', 'decrement']),
    instances: number('Number of instances that it adds or removes.'),
    met: orNull(flag(), 'Whether the condition holds now; null if too few values are known.'),
    since: text('When `met` last changed, as far as the daemon that answers has seen.'),
    known: number('Number of instances with a value.'),
    missing: number(
      'Number of instances without a value; for a metric of the entry, number of machines with an entry that have reported nothing.',
    ),
  },
)

export const triggerCallResponse = shape('TriggerCallResponse', 'The answer to a call of a trigger URL.', {
  trigger: text(),
  task: text('uuid of the task that the call began; empty if there was nothing to do.'),
  repeated: flag('Whether the same call took effect before; it did nothing this time.'),
})

export const versionOfService = shape('VersionOfService', null, {
  uuid: text(),
  ordinal: number(),
  current: flag(),
  createdAt: text(),
  sha1: text(),
})

export const versionDetails = shape('VersionDetails', 'GET one version.', {
  ...versionOfService.properties,
  service: text(),
  project: text(),
  image: text(),
  pinned: orNull(
    text(),
    'Digest or id of the image when the version was made; null if unknown, or for a program.',
  ),
  file: text(),
  manifest: text('The manifest as submitted.'),
  instances: number('Number of instances of the version that are not retired.'),
})

export const serviceDetails = shape('ServiceDetails', 'GET one service.', {
  ...serviceBody.properties,
  createdAt: text(),
  manifest: text('The manifest as submitted, without the secrets of trigger URLs in it.'),
  file: text(),
  versions: list(versionOfService),
  instances: list(instanceBody),
  triggerUrls: optional(list(triggerUrlBody, 'Absent if it has none.')),
  triggers: optional(
    list(
      metricTriggerBody,
      'Triggers that watch a metric; absent if there are none, and before their first evaluation.',
    ),
  ),
})

export const projectStatus = either([serviceStatus, words(['empty'])])

export const projectBody = shape('ProjectBody', 'A project as a whole.', {
  name: text(),
  uuid: text('Made of the name, so that it is always the same.'),
  status: told(projectStatus, 'Status of the service in the worst state.'),
  serviceCount: number(),
  scale: number('Total scale of all its services.'),
  running: number(),
  healthy: number(),
  tags: mapOf(text(), 'Tags from the manifest of the project.'),
  frozen: flag('Whether the whole project is frozen.'),
  createdAt: orNull(text(), 'null for a project that has only metadata.'),
  reason: text('Which service is in the worst state, and why; empty if all is well.'),
})

export const projectDetails = shape('ProjectDetails', 'GET one project.', {
  ...projectBody.properties,
  services: list(serviceBody),
  meta: number('Number of metadata keys.'),
})
