// Where instances with volumes of their slot go: to the machine in the volume's record. What machines report of their
// volumes comes later, and does not count.
import { uuidOf } from '../lib/hash.js'
import type { MachineId } from '../model/machine.js'
import type { Placement, UnitName } from '../model/unit.js'
import type { VolumeRecord } from '../model/volume.js'
import { hostnameOf } from '../store/hostname.js'
import { keys, putOf } from '../store/records.js'
import type { Op } from '../store/store.js'
import { type ClusterView, type ServiceKey, serviceKey } from '../store/view.js'
import { parseUnit } from '../unit/parse.js'
import { sizedVolumesOf, slotVolumesOf } from '../unit/volumes.js'
import type { MachineIndex } from './state/machines.js'
import type { UnitState } from './state/model.js'
import type { Pin } from './state/placement-group.js'

/** What is needed to find the machines of volumes. */
export interface VolumeLookup {
  readonly view: ClusterView
  readonly machines: MachineIndex
  /** Whether a machine that is gone may only be unreachable. */
  readonly isHeld: (machine: MachineId) => boolean
}

/** Pins a unit to the machines of its volumes; no pins where all are still to be made, or begin anew. */
export function volumePinsOf(
  { view, machines, isHeld }: VolumeLookup,
  { spec, eqClass }: UnitState,
): readonly Pin[] {
  const { instance } = spec
  if (instance?.slot === undefined) return []
  const { project, service, slot: position } = instance
  const known = view.volumesOf(serviceKey(project, service))
  return eqClass.requirements.needs.slotVolumes.flatMap(({ name, fresh }): readonly Pin[] => {
    const home = machineOfVolume(
      view,
      known.get(keys.volume(project, service, name, position)),
      fresh,
      isHeld,
    )
    return home === null
      ? []
      : [{ volume: name, hostname: hostnameOf(view, home), machine: machines.at(home) }]
  })
}

/** The machine where a volume is; null where there is none yet, and where its slot begins anew. */
function machineOfVolume(
  view: Pick<ClusterView, 'machines'>,
  volume: VolumeRecord | undefined,
  fresh: boolean,
  isHeld: (machine: MachineId) => boolean,
): MachineId | null {
  const machine = volume?.machine ?? null
  if (machine === null || view.machines.has(machine)) return machine
  return fresh && !isHeld(machine) ? null : machine
}

/** The machines that are away and that have volumes of the slot of a unit which is placed elsewhere: those begin anew. */
export function abandonedMachines(
  view: ClusterView,
  { unit: name, machine }: Placement,
): readonly MachineId[] {
  const { instance } = view.units.get(name) ?? {}
  if (instance?.slot === undefined) return []
  const known = view.volumesOf(serviceKey(instance.project, instance.service)).values()
  return [...known].flatMap(({ slot, machine: home }) => {
    const isLeft = slot === instance.slot && home !== null && home !== machine
    return isLeft && !view.machines.has(home) ? [home] : []
  })
}

/** The units of a service that wait for a place and have a slot. */
export function* pendingUnitsOf(view: ClusterView, service: ServiceKey): Iterable<UnitName> {
  for (const { unit, slot } of view.instancesOf(service))
    if (slot !== undefined && !view.placements.has(unit)) yield unit
}

/**
 * Where the volumes of the slot are once its instance is placed. Those that are there already are written again: whoever
 * gives one up at this moment is held to what the record was.
 */
export function volumeOps(view: ClusterView, { unit: name, machine, at }: Placement): readonly Op[] {
  const spec = view.units.get(name)
  if (spec?.instance?.slot === undefined) return []
  const { project, service, slot: position } = spec.instance
  const known = view.volumesOf(serviceKey(project, service))
  const { file } = parseUnit(view.files.get(spec.hash) ?? '')
  const sizes = sizedVolumesOf(file, { name, machine: null })
  return slotVolumesOf(file).map(({ name: volume }) => {
    const size = sizes.find((one) => one.name === volume)
    const ofSize = size === undefined ? {} : { sizeMb: size.sizeMb }
    const before = known.get(keys.volume(project, service, volume, position))
    if (before?.machine === machine) {
      const { sizeMb: _sizeMb, ...rest } = before
      return putOf('volume', { ...rest, ...ofSize })
    }
    // What was given up has been counted then.
    const generation = before === undefined ? 0 : before.generation + (before.machine === null ? 0 : 1)
    const made: Omit<VolumeRecord, 'uuid'> = {
      ...{ project, service, name: volume, slot: position, machine, generation },
      createdAt: at,
      ...ofSize,
    }
    const uuid = uuidOf('volume', project, service, volume, String(position), String(generation), String(at))
    return putOf('volume', { uuid, ...made })
  })
}
