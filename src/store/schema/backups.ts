// Records of the backups of volumes by schedule.
import { Type } from 'typebox'
import { scheduledConsistencies } from '../../model/volume.js'
import { scheduleState } from './happenings.js'
import { count, instant, machineId, orNull, said, text, words } from './words.js'

const running = {
  dueAt: instant,
  startedAt: instant,
  machine: machineId,
  to: text,
  consistency: words(...scheduledConsistencies),
  store: Type.Optional(Type.Object({ credentials: text, endpoint: orNull(text) })),
}

export const backup = Type.Object({
  project: text,
  service: text,
  name: text,
  slot: orNull(count),
  machine: orNull(machineId),
  state: orNull(scheduleState),
  due: orNull(Type.Object({ dueAt: instant, failures: count, notBefore: instant })),
  running: orNull(Type.Object({ id: text, ...running })),
  made: Type.Array(
    Type.Object({
      ...running,
      endedAt: instant,
      bytes: count,
      sha256: text,
      changed: Type.Optional(said),
      expired: Type.Optional(said),
      atRest: Type.Optional(Type.Object({ uuid: text, inode: count, serviceUuid: text, instances: count })),
    }),
  ),
  failures: Type.Array(
    Type.Object({
      dueAt: instant,
      at: instant,
      outcome: words('missed', 'failed'),
      count,
      reason: text,
    }),
  ),
  left: Type.Optional(Type.Array(Type.Object({ id: text, ...running }))),
})
