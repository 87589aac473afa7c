// Which volumes a unit has that only its slot has: what the store says of where they are is what counts.
import { DriverError } from '../model/driver-error.js'
import type { MachineId } from '../model/machine.js'
import type { DesiredUnit } from '../model/unit.js'
import { keys } from '../store/records.js'
import { type ClusterView, serviceKey } from '../store/view.js'
import type { NamedVolume } from '../unit/volumes.js'

/**
 * The volumes of a unit, those of its slot with what tells them from those of others. Throws DriverError `volume/elsewhere`
 * where the store does not say that one is on this machine.
 */
export function withSlots(
  view: Pick<ClusterView, 'volumesOf'>,
  machine: MachineId,
  { instance }: DesiredUnit,
  volumes: readonly NamedVolume[],
): readonly NamedVolume[] {
  return volumes.map((volume) => {
    if (volume.perSlot !== true) return volume
    const { project, service, name } = volume
    const slot = instance?.slot
    if (slot === undefined)
      throw new DriverError(
        'volume/elsewhere',
        `its volume ${name} belongs to a slot, but the unit has no slot`,
      )
    const known = view.volumesOf(serviceKey(project, service)).get(keys.volume(project, service, name, slot))
    if (known?.machine !== machine)
      throw new DriverError('volume/elsewhere', `its volume ${name} of slot ${slot} is not on this machine`)
    if (known.hold !== undefined)
      throw new DriverError(
        'volume/held',
        known.hold.failed === true
          ? `slot ${slot} waits, because one of its volumes is incomplete: the ${known.hold.work} that was to fill it was interrupted`
          : `its volume ${name} of slot ${slot} is held for a ${known.hold.work}`,
      )
    const generation = known.generation === 0 ? {} : { generation: known.generation }
    return { ...volume, slot, ...generation, uuid: known.uuid }
  })
}
