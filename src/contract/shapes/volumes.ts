// Named volumes.
import { flag, list, machineId, number, orNull, part, shape, text, words } from './words.js'

export const volumeBody = shape('VolumeBody', 'A named volume: data of a service on one machine.', {
  uuid: text(),
  name: text('Name of the volume in the service.'),
  project: text(),
  service: text('The service that it was made for, which may be deleted by now.'),
  machine: machineId,
  hostname: text('Hostname of the machine.'),
  scope: words(
    ['instance', 'service'],
    '`instance`: the volume belongs to one slot of the service. `service`: the instances of the service on this machine share it.',
  ),
  slot: orNull(number(), 'The slot that it belongs to; null if instances share it.'),
  generation: number(
    'How often the slot was restarted on another machine with an empty volume, without its earlier data.',
  ),
  sizeBytes: orNull(number(), 'Size limit from `size` in the manifest; null if there is none.'),
  usedBytes: orNull(
    number(),
    'Disk space that it used at the last measurement; null if it was not measured yet, or cannot be.',
  ),
  instances: list(text(), 'Instances that have the volume now, by name, whether they run or not.'),
  instance: orNull(text(), 'The instance among them that should run; null if none.'),
  others: list(text(), 'Units and containers that use the volume and are not instances of the cluster.'),
  state: words(
    ['in-use', 'unused', 'lost', 'moving'],
    '`unused`: no instance, unit or container uses the volume. `lost`: its machine is down, so its data cannot be reached. `moving`: it is being moved to another machine.',
  ),
  current: flag(
    'Whether it is the present volume of its slot, or shared by instances; false: the slot used it earlier.',
  ),
  work: orNull(
    words(['backup', 'restore', 'move'], ''),
    'The work that the slot is held for: it has no instance until the work is done; null if none.',
  ),
  to: orNull(text(), 'Hostname of the machine that it moves to.'),
  movedBytes: orNull(number(), 'Bytes that were sent there so far, if its machine knows.'),
  incomplete: flag(
    'Whether the volume was made for a restore that was not completed. Its slot has no instance until the volume is restored again or deleted.',
  ),
  createdAt: text('RFC 3339.'),
})

export const deletedVolume = shape('DeletedVolume', 'A named volume that was deleted.', {
  ...volumeBody.properties,
  going: flag(
    'Whether its data are still being deleted. They can no longer be recovered once the volume is out of the list.',
  ),
})

export const volumeRestored = shape('VolumeRestored', 'A named volume with the data of a backup.', {
  ...volumeBody.properties,
  bytes: number('Of the backup.'),
  sha256: text('Of the backup.'),
})

export const volumeCloned = shape('VolumeCloned', 'A named volume with the data of another one.', {
  ...volumeRestored.properties,
  changed: flag('Whether files of the other volume changed while it was read.'),
})

export const volumesBody = shape('VolumesBody', 'Named volumes, by project, service, name and machine.', {
  volumes: list(volumeBody),
  silent: list(
    part({ machine: machineId, hostname: text(), reason: text() }),
    'Machines that did not report all of their volumes; there may be more.',
  ),
})
