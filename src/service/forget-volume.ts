// What is left in the store of the volume of a slot that is deleted, or given up.
import type { VolumeRecord } from '../model/volume.js'
import { keys, putOf } from '../store/records.js'
import type { Op } from '../store/store.js'

/**
 * The write that forgets where the volume of a slot is. `isLost`: its machine is away, and has it still. Such a one, and what
 * the slot had before it, may lie on machines that nobody has asked: what the slot has next bears another name.
 */
export function forgotten(record: VolumeRecord, isLost: boolean): Op {
  const { hold: _hold, left: _left, incomplete: _incomplete, ...rest } = record
  const { project, service, name, slot, generation } = rest
  return generation === 0 && !isLost
    ? { op: 'delete', key: keys.volume(project, service, name, slot) }
    : putOf('volume', { ...rest, machine: null, generation: generation + 1 })
}
