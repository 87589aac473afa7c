// Shapes of machines, draining, images.
import { looked } from './errors.js'
import { capacity } from './model.js'
import {
  activeState,
  driverKind,
  either,
  flag,
  list,
  machineId,
  mapOf,
  number,
  optional,
  orNull,
  part,
  shape,
  text,
  words,
} from './words.js'

export const machineBody = shape('MachineBody', null, {
  id: machineId,
  hostname: text(),
  ip: text(),
  metadata: mapOf(text()),
  capacity: capacity,
  allocated: part({
    memoryMb: number(),
    cpus: number('Cores that packages reserve; no limit.'),
    units: number(),
  }),
  units: number('How many units are placed on it.'),
  cordoned: flag(),
  draining: flag('Everything that can be elsewhere is to leave it.'),
  drivers: list(driverKind),
  driversAway: list(driverKind, 'Of `drivers`, those that do not answer now.'),
  version: text(),
  leader: flag(),
  clock: orNull(
    part({
      aheadMs: number('Negative: it is behind.'),
      barsLead: flag('It does not lead while another machine can.'),
    }),
    'How far its clock is off those of the other machines; null: by no more than a second, as far as is known.',
  ),
  certificates: list(
    part({
      use: words(['api', 'etcd'], 'To whom it is shown: callers of the API, or etcd.'),
      expiresAt: text('RFC 3339.'),
    }),
    'The certificates that its daemon shows.',
  ),
  secretKeys: orNull(
    part({
      fingerprints: list(text(), 'Of the keys that it has, the newest last.'),
      problem: orNull(
        words(['no-key', 'wrong-key']),
        'Why it cannot open the secrets of the cluster; null where it can.',
      ),
    }),
    'null: its daemon does not say.',
  ),
  state: words(['up', 'away', 'down'], '`down`: it was there, and is not removed or forgotten.'),
  downSince: orNull(text(), 'RFC 3339; null where it is not down, or that is not noted yet.'),
  awayUntil: orNull(
    text(),
    'RFC 3339: its daemon was stopped on purpose, and what runs there is not started elsewhere until then; null: it is there.',
  ),
})

export const machineUnitBody = shape('MachineUnitBody', null, {
  name: text(),
  active: orNull(either([activeState, words(['unknown'])])),
  sub: orNull(text()),
})

export const machineDetails = shape(
  'MachineDetails',
  'One machine of the cluster, by `GET /v1/machines/ID`; an id may be shortened while it names one machine alone.',
  {
    ...machineBody.properties,
    placed: list(machineUnitBody, 'What is placed on it.'),
  },
)

export const machineAdoptBody = shape(
  'MachineAdoptBody',
  'What runs on a machine that its cluster knows nothing of.',
  {
    machine: machineId,
    hostname: text(),
    unknown: list(text(), 'Names of units that are left as they are.'),
  },
)

export const machineImageBody = shape('MachineImageBody', null, {
  id: text(),
  names: list(text(), 'Without the tags by which the daemon holds it.'),
  bytes: number(),
  state: words(
    ['needed', 'used', 'others', 'idle'],
    '`needed`: a version or a unit names it. `used`: a container is made of it. `others`: nothing needs it, but the daemon has not fetched it, and never removes it. `idle`: it goes when it is beyond a limit.',
  ),
  beyond: orNull(words(['age', 'number', 'disk']), 'The limit that it is beyond now; null for none.'),
  idleSince: orNull(
    text(),
    'Since when nothing needs it; null where something does, and where that is not followed.',
  ),
  goesAt: orNull(text(), 'When it comes of age; null for never, and where that is over.'),
  reason: text('Why it is kept, or when it goes, in one line.'),
})

export const machineImagesBody = shape(
  'MachineImagesBody',
  'The images that the daemon of a machine holds for the cluster, or has fetched.',
  {
    machine: machineId,
    hostname: text(),
    images: list(machineImageBody),
  },
)

export const prefetchBody = shape(
  'PrefetchBody',
  'How far a machine is with an image that it is to have before something needs it.',
  {
    machine: machineId,
    hostname: text(),
    image: text(),
    state: words(
      ['pulling', 'present', 'fetched', 'failed', 'skipped'],
      '`present`: it was there already. `skipped`: the machine is away, or its Docker is.',
    ),
    layers: number('How many layers the pull has begun.'),
    layersDone: number(),
    bytes: number(),
    totalBytes: number('Sizes of layers are known as they are begun.'),
    reason: text('Why it failed, or was skipped; empty otherwise.'),
  },
)

export const drainedBody = shape('DrainedBody', null, {
  name: text("The instance's, or else the unit's."),
  project: orNull(text(), "The instance's; null for a unit that is none."),
  unit: text(),
  state: words(
    ['moving', 'ending', 'stuck', 'stays'],
    '`ending`: it goes by itself, as it stops or has run to its end. `stays`: it belongs here, and nothing waits for it.',
  ),
  reason: text(),
})

export const drainBody = shape('DrainBody', 'How far a machine is with being drained.', {
  ...looked.properties,
  machine: machineId,
  hostname: text(),
  state: words(
    ['going', 'done', 'stuck', 'off'],
    '`done`: nothing is left that could be elsewhere. `stuck`: what is left can go nowhere, as things are. `off`: it is not being drained any more.',
  ),
  left: list(drainedBody, 'What is still on it, by name.'),
})

export const policyBody = shape('PolicyBody', 'What the operator of a machine lets units do.', {
  policy: orNull(
    part({
      drivers: orNull(list(driverKind)),
      root: flag('Whether programs may run as root.'),
      hostPaths: orNull(list(text())),
      hostNetwork: flag('Whether containers may share the network of the host, or of another container.'),
      capabilities: orNull(list(text(), 'Without `CAP_`.')),
      devices: orNull(list(text())),
      privileged: optional(flag('Whether containers may be privileged.')),
      sysctls: optional(orNull(list(text()))),
      images: orNull(list(text(), 'What the names of images begin with.')),
    }),
    'null, here and of its lists: anything, but of containers no device and no capability beside those of Docker.',
  ),
  asRoot: flag('Programs of the host run as root where their unit names no user.'),
})

export const healthBody = part({
  status: text('`ok`, or why it cannot do all that is asked of it.'),
  unreadable: optional(number('Records that cannot be read.')),
})

export const versionBody = shape('VersionBody', null, {
  version: text(),
  machine: machineId,
  leader: orNull(machineId),
})

export const unitUse = shape('UnitUse', 'What a unit uses at a moment; null where its host does not tell.', {
  unit: text(),
  project: orNull(text()),
  service: orNull(text(), 'Null for a unit that is no instance.'),
  instance: orNull(text()),
  machine: machineId,
  at: text(),
  startedAt: orNull(text()),
  restarts: number('By the restart policy, since it was started.'),
  cpuNs: orNull(number('The time of a core that it has used, all in all.')),
  memoryBytes: orNull(number()),
  memoryLimitBytes: orNull(number()),
})

export const useBody = shape('UseBody', 'What runs on all machines uses.', {
  units: list(unitUse),
  machines: list(
    part({ machine: machineId, hostname: text(), cpus: number(), memoryMb: number() }),
    'Those that have answered.',
  ),
  silent: list(part({ machine: machineId, hostname: text(), reason: text() }), 'Those that have not.'),
})
