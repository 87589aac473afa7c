// Shapes of named volumes.
import { flag, list, machineId, number, orNull, part, shape, text, words } from './words.js'

export const volumeBody = shape('VolumeBody', 'A named volume: data of a service on one machine.', {
  uuid: text(),
  name: text('Its name in the service.'),
  project: text(),
  service: text('The service that it was made for, which may be gone.'),
  machine: machineId,
  hostname: text('Of the machine.'),
  scope: words(
    ['instance', 'service'],
    '`instance`: one slot of the service has it. `service`: the instances of the service on that machine share it.',
  ),
  slot: orNull(number(), 'The slot that has it; null where instances share it.'),
  generation: number('How often that slot has begun anew elsewhere, without what it had before.'),
  sizeBytes: orNull(
    number(),
    'How large it is to become at the most, as `size` says; null where nobody says it.',
  ),
  usedBytes: orNull(
    number(),
    'What it takes of the disk, as it was measured last; null where it was not yet, or cannot be.',
  ),
  instances: list(text(), 'The instances that have it now, by name, whether they run or not.'),
  instance: orNull(text(), 'The one of them that is to run; null for none.'),
  others: list(text(), 'What else has it: units and containers that are no instances of the cluster.'),
  state: words(
    ['in-use', 'unused', 'lost', 'moving'],
    '`unused`: nothing has it. `lost`: its machine is away, and so is what is in it. `moving`: it goes to another machine.',
  ),
  current: flag(
    'Whether it is what its slot has now, or what instances share; another one is what the slot had before.',
  ),
  work: orNull(
    words(['backup', 'restore', 'move'], ''),
    'What its slot is held for: it has no instance until that is over; null for nothing.',
  ),
  to: orNull(text(), 'The hostname of the machine that it moves to.'),
  movedBytes: orNull(number(), 'How much of it has been sent there, where its machine knows.'),
  incomplete: flag(
    'Whether it was made for a backup that has not come in whole: its slot has no instance until it is restored into again, or deleted.',
  ),
  createdAt: text('RFC 3339.'),
})

export const deletedVolume = shape('DeletedVolume', 'A named volume that is deleted.', {
  ...volumeBody.properties,
  going: flag(
    'Its data are still being deleted; none of them is to be had any more once it is out of the list.',
  ),
})

export const volumeRestored = shape('VolumeRestored', 'A named volume that has what a backup holds.', {
  ...volumeBody.properties,
  bytes: number('Of the backup.'),
  sha256: text('Of the backup.'),
})

export const volumeCloned = shape('VolumeCloned', 'A named volume that has what another one has.', {
  ...volumeRestored.properties,
  changed: flag('Whether something of the other one was changed while it was read.'),
})

export const volumesBody = shape('VolumesBody', 'Named volumes, by project, service, name and machine.', {
  volumes: list(volumeBody),
  silent: list(
    part({ machine: machineId, hostname: text(), reason: text() }),
    'Machines that have not told of all that they keep: there may be more.',
  ),
})
