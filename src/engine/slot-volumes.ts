// Where instances go that have volumes of their own slot: to the machine that the store names for each of those. What
// machines tell of their volumes comes later, and is not asked.
import { uuidOf } from '../lib/hash.js'
import type { MachineId } from '../model/machine.js'
import type { Placement, UnitName } from '../model/unit.js'
import type { VolumeRecord } from '../model/volume.js'
import { hostnameOf } from '../store/hostname.js'
import { keys, putOf } from '../store/records.js'
import type { Op } from '../store/store.js'
import { type ClusterView, type ServiceKey, serviceKey } from '../store/view.js'
import { parseUnit } from '../unit/parse.js'
import { slotVolumesOf } from '../unit/volumes.js'
import type { Seating } from './state/machines.js'
import type { Tenant } from './state/model.js'
import type { Pin } from './state/placement-group.js'

/** Where machines and volumes are found. */
export interface Land {
  readonly view: ClusterView
  readonly seating: Seating
  /** Whether a machine that is gone may only be out of our sight. */
  readonly isHeld: (machine: MachineId) => boolean
}

/** The machines of the volumes of a tenant; none where all are still to be made, or begin anew. */
export function homesOf({ view, seating, isHeld }: Land, { unit, kind }: Tenant): readonly Pin[] {
  const { instance } = unit
  if (instance?.slot === undefined) return []
  const { project, service, slot } = instance
  const known = view.volumesOf(serviceKey(project, service))
  return kind.profile.needs.slotVolumes.flatMap(({ name, fresh }): readonly Pin[] => {
    const home = homeOf(view, known.get(keys.volume(project, service, name, slot)), fresh, isHeld)
    return home === null ? [] : [{ volume: name, hostname: hostnameOf(view, home), seat: seating.at(home) }]
  })
}

/** The machine where a volume is; null where there is none yet, and where its slot begins anew. */
export function homeOf(
  view: Pick<ClusterView, 'machines'>,
  volume: VolumeRecord | undefined,
  fresh: boolean,
  isHeld: (machine: MachineId) => boolean,
): MachineId | null {
  const machine = volume?.machine ?? null
  if (machine === null || view.machines.has(machine)) return machine
  return fresh && !isHeld(machine) ? null : machine
}

/** The units of a service that wait for a place and have a slot. */
export function* waitingOf(view: ClusterView, service: ServiceKey): Iterable<UnitName> {
  for (const { unit, slot } of view.instancesOf(service))
    if (slot !== undefined && !view.placements.has(unit)) yield unit
}

/**
 * Where the volumes of the slot are once its instance is placed. Those that are there already are written again: whoever
 * gives one up at this moment is held to what the record was.
 */
export function volumeOps(view: ClusterView, { unit: name, machine, at }: Placement): readonly Op[] {
  const unit = view.units.get(name)
  if (unit?.instance?.slot === undefined) return []
  const { project, service, slot } = unit.instance
  const known = view.volumesOf(serviceKey(project, service))
  return slotVolumesOf(parseUnit(view.files.get(unit.hash) ?? '').file).map(({ name: volume }) => {
    const before = known.get(keys.volume(project, service, volume, slot))
    if (before?.machine === machine) return putOf('volume', before)
    // What was given up has been counted then.
    const generation = before === undefined ? 0 : before.generation + (before.machine === null ? 0 : 1)
    const made: Omit<VolumeRecord, 'uuid'> = {
      ...{ project, service, name: volume, slot, machine, generation },
      createdAt: at,
    }
    const uuid = uuidOf('volume', project, service, volume, String(slot), String(generation), String(at))
    return putOf('volume', { uuid, ...made })
  })
}
