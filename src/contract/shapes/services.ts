// Shapes of services, their versions and instances, and of projects.
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

export const instanceBody = shape('InstanceBody', "The contract's JSON for instances.", {
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
  startedAt: orNull(text()),
  address: orNull(text()),
  ports: list(text(), 'Published ports as `host:container/protocol`.'),
  slot: orNull(
    number(),
    'The place of its service that it has, from 0 on, and whose volumes; null where it has none of its own.',
  ),
  pid: orNull(number()),
  container: orNull(text()),
  restarts: number(),
  nextTryAt: orNull(text(), 'When it is restarted, or started once more; null where neither is due.'),
  drifted: optional(
    list(
      text(),
      'The keys of metadata (`meta.color`) whose values are others by now than those that it was made of; absent for none.',
    ),
  ),
  reason: text('Why it is not up, or how it last ended; empty when all is well.'),
})

export const serviceStatus = words(
  ['running', 'idle', 'deploying', 'degraded', 'failing', 'stopped', 'stopping'],
  'Idle: none of its instances runs, and none is to, as one that is not continuous; failing: its last change failed, or nothing of it stays up; degraded: not all is as it should be.',
)

export const serviceBody = shape('ServiceBody', "The contract's JSON for services.", {
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
  frozen: flag('Whether it, or all of its project, is frozen.'),
  autoscaled: flag('Whether its triggers change its scale; those that only tell do not.'),
  reason: text('Why the status is what it is, in one line; empty when all is well.'),
  restarts: number('Local restarts of the instances that it has now, together.'),
  nextTryAt: orNull(
    text(),
    'When something that does not run is tried again, the soonest; null where nothing is due.',
  ),
  drifted: optional(
    list(
      text(),
      'The keys of metadata (`meta.color`) whose values are others by now than those that it, or an instance that it has, was made of; absent for none.',
    ),
  ),
  restartHeld: optional(
    text(
      'Why its instances are not restarted, or not all, for what has changed of the metadata, as `on_change: restart` asks; absent where nothing holds it.',
    ),
  ),
})

export const triggerUrlBody = shape(
  'TriggerUrlBody',
  'A URL that starts, stops or scales the service for who knows its secret.',
  {
    name: text(),
    action: text('`start`, `stop`, `scale 3`, `scale +1`.'),
    body: optional(
      words(
        ['file', 'variables'],
        'How a run that it starts gets the body of the call; absent: it does not.',
      ),
    ),
    path: text(),
    url: orNull(text(), 'Where the daemon that was asked serves it; null where it serves none.'),
    calls: number('Calls that took effect.'),
    lastCalledAt: orNull(text()),
  },
)

export const metricTriggerBody = shape(
  'MetricTriggerBody',
  'A trigger that watches a metric, with what it sees now.',
  {
    name: text(),
    metric: text('`containermonitor.cpu_used`.'),
    aggregate: words(['avg', 'min', 'max', 'sum', 'p90'], 'How the values of the instances become one.'),
    value: orNull(
      number('What it sees now, before the window is asked about; null where no instance has a value.'),
    ),
    operator: words(['<', '<=', '>', '>=', '==', '!=']),
    threshold: number(),
    percent: flag('Value and threshold are percentages of the limit of an instance.'),
    windowMs: number('For how long its condition has to hold.'),
    action: words(['increment', 'decrement']),
    instances: number('How many it adds or takes away.'),
    met: orNull(flag(), 'Whether its condition holds now; null where too little is known to say.'),
    since: text('Since when `met` is what it is, as far as the daemon that was asked has seen.'),
    known: number('Instances that have a value.'),
    missing: number(
      'Instances that have none; of what the entry counts, machines with an entry that have said nothing.',
    ),
  },
)

export const triggerCallResponse = shape(
  'TriggerCallResponse',
  'What a call of a trigger URL is answered with.',
  {
    trigger: text(),
    task: text('The task that it began; empty where nothing was to be done.'),
    repeated: flag('The same call took effect before, and did nothing now.'),
  },
)

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
    'The image by its digest or id, as it was when the version was made; null where nobody knew, or for a program.',
  ),
  file: text(),
  manifest: text('The manifest as submitted.'),
  instances: number('Instances of it that are not retired.'),
})

export const serviceDetails = shape('ServiceDetails', 'GET one service.', {
  ...serviceBody.properties,
  createdAt: text(),
  manifest: text('The manifest as submitted, but for secrets of trigger URLs that stand in it.'),
  file: text(),
  versions: list(versionOfService),
  instances: list(instanceBody),
  triggerUrls: optional(list(triggerUrlBody, 'Absent where it has none.')),
  triggers: optional(
    list(
      metricTriggerBody,
      'Those that watch a metric; absent where it has none, and before the first look.',
    ),
  ),
})

export const projectStatus = either([serviceStatus, words(['empty'])])

export const projectBody = shape('ProjectBody', 'A project as a whole.', {
  name: text(),
  status: told(projectStatus, 'That of the service which is worst off.'),
  serviceCount: number(),
  scale: number('Instances of all its services together.'),
  running: number(),
  healthy: number(),
  tags: mapOf(text(), 'As its manifest writes them.'),
  frozen: flag('Whether all of it is frozen.'),
  createdAt: orNull(text(), 'null for one that has nothing but metadata.'),
  reason: text('Which service is worst off and why; empty when all is well.'),
})

export const projectDetails = shape('ProjectDetails', 'GET one project.', {
  ...projectBody.properties,
  services: list(serviceBody),
  meta: number('How many keys of metadata it has.'),
})
