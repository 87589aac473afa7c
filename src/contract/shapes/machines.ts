// Machines, drains, images.
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
    cpus: number('Cores reserved by packages; not a limit.'),
    units: number(),
  }),
  units: number('Number of units placed on the machine.'),
  cordoned: flag(),
  draining: flag('The machine is being drained: every unit that another machine can run leaves it.'),
  drivers: list(driverKind),
  driversAway: list(driverKind, 'Drivers of `drivers` that do not answer now.'),
  version: text(),
  leader: flag(),
  clock: orNull(
    part({
      aheadMs: number('Milliseconds ahead; negative: behind.'),
      barsLead: flag('The machine does not lead while another machine can.'),
    }),
    'Difference of its clock from the clocks of the other machines; null: at most a second, as far as is known.',
  ),
  certificates: list(
    part({
      use: words(['api', 'etcd'], 'Who the certificate is presented to: callers of the API, or etcd.'),
      expiresAt: text('RFC 3339.'),
    }),
    'Certificates of its daemon.',
  ),
  secretKeys: orNull(
    part({
      fingerprints: list(text(), 'Fingerprints of its keys, the newest last.'),
      problem: orNull(
        words(['no-key', 'wrong-key']),
        'Why the machine cannot decrypt the secrets of the cluster; null if it can.',
      ),
    }),
    'Keys for the secrets of the cluster; null: its daemon does not report them.',
  ),
  state: words(
    ['up', 'away', 'down'],
    '`away`: its daemon was stopped on purpose, see `awayUntil`. `down`: the machine has no lease any more and was not removed.',
  ),
  since: orNull(text(), 'RFC 3339: since when the machine is in its state; null if that is not recorded.'),
  downSince: orNull(text(), 'RFC 3339; null if the machine is not down, or the time is not recorded yet.'),
  awayUntil: orNull(
    text(),
    'RFC 3339: its daemon was stopped on purpose, and its units are not started on other machines before this time. null if the machine is not away.',
  ),
})

export const machineUnitBody = shape('MachineUnitBody', null, {
  name: text(),
  active: orNull(either([activeState, words(['unknown'])])),
  sub: orNull(text()),
})

export const machineDetails = shape(
  'MachineDetails',
  'One machine of the cluster, from `GET /v1/machines/ID`; an id may be shortened as long as it is unambiguous.',
  {
    ...machineBody.properties,
    placed: list(machineUnitBody, 'Units placed on the machine.'),
  },
)

export const machineAdoptBody = shape(
  'MachineAdoptBody',
  'Units that run on a machine and that its cluster does not know.',
  {
    machine: machineId,
    hostname: text(),
    unknown: list(text(), 'Names of these units; the daemon leaves them alone.'),
  },
)

export const machineImageBody = shape('MachineImageBody', null, {
  id: text(),
  names: list(text(), 'Names of the image, without the tags that the daemon sets to keep it.'),
  bytes: number(),
  state: words(
    ['needed', 'used', 'others', 'idle'],
    '`needed`: a version or a unit names the image. `used`: a container uses it. `others`: nothing needs it, and the daemon never removes it because it did not pull it. `idle`: it is removed when it exceeds a limit.',
  ),
  beyond: orNull(words(['age', 'number', 'disk']), 'The limit that the image exceeds now; null if none.'),
  idleSince: orNull(
    text(),
    'Since when nothing needs the image; null if it is needed, or if this is not tracked.',
  ),
  goesAt: orNull(text(), 'When the image reaches the age limit; null if never, or if that time has passed.'),
  reason: text('Why the image is kept, or when it is removed, in one line.'),
})

export const machineImagesBody = shape(
  'MachineImagesBody',
  'Images that the daemon of a machine keeps for the cluster, or has pulled.',
  {
    machine: machineId,
    hostname: text(),
    images: list(machineImageBody),
  },
)

export const prefetchBody = shape('PrefetchBody', 'Progress of a machine that pulls an image in advance.', {
  machine: machineId,
  hostname: text(),
  image: text(),
  state: words(
    ['pulling', 'present', 'fetched', 'failed', 'skipped'],
    '`present`: the image was there already. `skipped`: the machine, or Docker on it, does not answer.',
  ),
  layers: number('Number of layers that the pull has begun.'),
  layersDone: number(),
  bytes: number(),
  totalBytes: number('Size of the layers begun so far: the size of a layer is known once it is begun.'),
  reason: text('Why the pull failed or was skipped; empty otherwise.'),
})

export const drainedBody = shape('DrainedBody', null, {
  name: text('Name of the instance, or of the unit if there is no instance.'),
  project: orNull(text(), 'Project of the instance; null for a unit without an instance.'),
  unit: text(),
  state: words(
    ['moving', 'ending', 'stuck', 'stays'],
    '`ending`: it is stopping, or runs to its end. `stuck`: it cannot leave the machine now. `stays`: it belongs to this machine, and the drain does not wait for it.',
  ),
  reason: text(),
})

export const drainBody = shape('DrainBody', 'Progress of a drain.', {
  ...looked.properties,
  machine: machineId,
  hostname: text(),
  state: words(
    ['going', 'done', 'stuck', 'off'],
    '`done`: no unit is left that another machine could run. `stuck`: the units that are left cannot leave the machine now. `off`: the drain was ended.',
  ),
  left: list(drainedBody, 'Instances and units that are still on the machine, by name.'),
})

export const policyBody = shape('PolicyBody', 'Rights that the operator of a machine grants to units.', {
  policy: orNull(
    part({
      drivers: orNull(list(driverKind)),
      root: flag('Whether programs may run as root.'),
      hostPaths: orNull(list(text())),
      hostNetwork: flag('Whether containers may share the network of the host or of another container.'),
      capabilities: orNull(list(text(), 'Without `CAP_`.')),
      devices: orNull(list(text())),
      privileged: optional(flag('Whether containers may be privileged.')),
      sysctls: optional(orNull(list(text()))),
      images: orNull(list(text(), 'Allowed prefixes of image names.')),
    }),
    "null, for the policy or for one of its lists: everything is allowed, except that containers get no devices and no capabilities besides Docker's default ones.",
  ),
  asRoot: flag('Programs of the host run as root if their unit names no user.'),
})

export const healthBody = part({
  status: text('`ok`, or why the daemon cannot do all of its work.'),
  unreadable: optional(number('Number of records that cannot be read.')),
})

export const versionBody = shape('VersionBody', null, {
  version: text(),
  machine: machineId,
  leader: orNull(machineId),
})

export const unitUse = shape(
  'UnitUse',
  'Resource use of a unit at one moment; null if its host does not report a value.',
  {
    unit: text(),
    project: orNull(text()),
    service: orNull(text(), 'null for a unit without an instance.'),
    instance: orNull(text()),
    machine: machineId,
    at: text(),
    startedAt: orNull(text()),
    restarts: number('Restarts by the restart policy since the start.'),
    cpuNs: orNull(number('CPU time used in total, in nanoseconds of one core.')),
    memoryBytes: orNull(number()),
    memoryLimitBytes: orNull(number()),
  },
)

export const useBody = shape('UseBody', 'Resource use of the units on all machines.', {
  units: list(unitUse),
  machines: list(
    part({ machine: machineId, hostname: text(), cpus: number(), memoryMb: number() }),
    'Machines that have answered.',
  ),
  silent: list(
    part({ machine: machineId, hostname: text(), reason: text() }),
    'Machines that have not answered, and why.',
  ),
})
