// Slots that stay empty while something is done with their volumes: who holds one, and until when. All volumes of a slot
// are held together, as its instance has all of them.
import type { Problem } from '../changes/problem.js'
import { refusalOf } from '../changes/services.js'
import type { VolumeBody } from '../contract/contract.js'
import type { MachineId } from '../model/machine.js'
import { type VolumeHold, type VolumeRecord, type VolumeWork, volumeKey } from '../model/volume.js'
import { keys, putOf } from '../store/records.js'
import type { Op } from '../store/store.js'
import { type ClusterView, serviceKey } from '../store/view.js'

/** A slot of a service. */
export interface Slot {
  readonly project: string
  readonly service: string
  readonly slot: number
}

/** The volumes of a slot that are somewhere, in the order of their names. */
export function volumesOfSlot(
  view: Pick<ClusterView, 'volumesOf'>,
  { project, service, slot }: Slot,
): readonly VolumeRecord[] {
  return [...view.volumesOf(serviceKey(project, service)).values()]
    .filter((one) => one.slot === slot && one.machine !== null)
    .sort((a, b) => (a.name < b.name ? -1 : 1))
}

/**
 * The writes that hold the slot of a volume; refused where that is not what the slot has, something holds it already, or its
 * service is frozen or deleted: nobody would stop its instance.
 */
export function heldFor(
  view: ClusterView,
  volume: VolumeBody & { readonly slot: number },
  hold: VolumeHold,
): { readonly ops: readonly Op[] } | Problem {
  const { project, service } = volume
  const refusal = refusalOf(view, project, service, view.services.get(serviceKey(project, service)) ?? null)
  if (refusal !== null) return refusal
  const records = volumesOfSlot(view, volume)
  const own = records.find(({ name }) => name === volume.name)
  if (own?.machine !== volume.machine || own.generation !== volume.generation) return notOfNow(volume)
  const busy = records.find((one) => one.hold !== undefined)
  if (busy?.hold !== undefined) return isHeld(busy, busy.hold.work)
  return { ops: records.map((record) => putOf('volume', { ...record, hold })) }
}

/** The writes that end a hold; none where it is over. */
export function releasedFrom(view: ClusterView, slot: Slot, id: string): readonly Op[] {
  return volumesOfSlot(view, slot).flatMap((record) => {
    if (record.hold?.id !== id) return []
    const { hold: _hold, ...rest } = record
    return [putOf('volume', rest)]
  })
}

/** What the decision to hold a slot is held to. */
export function decidesOnHold(view: ClusterView, slot: Slot): readonly string[] {
  return [keys.freezes(slot.project), keys.service(slot.project, slot.service), ...decidesOnSlot(view, slot)]
}

/** What a decision on the volumes of a slot is held to. */
export function decidesOnSlot(view: ClusterView, slot: Slot): readonly string[] {
  return volumesOfSlot(view, slot).map((one) => keys.volume(one.project, one.service, one.name, one.slot))
}

/** Holds of a machine for work that its daemon of now knows nothing of: an earlier one has not come to its end. */
export function forgottenHolds(
  view: ClusterView,
  machine: MachineId,
  isKnown: (id: string) => boolean,
): readonly (Slot & { readonly id: string; readonly work: VolumeWork })[] {
  const found = new Map<string, Slot & { readonly id: string; readonly work: VolumeWork }>()
  for (const service of view.servicesWithVolumes())
    for (const { project, service: name, slot, hold } of view.volumesOf(service).values())
      if (hold !== undefined && hold.by === machine && !isKnown(hold.id))
        found.set(hold.id, { project, service: name, slot, id: hold.id, work: hold.work })
  return [...found.values()]
}

/** Whether an instance may still run with the volumes of a slot, as far as the store tells. */
export function hasInstance(view: ClusterView, { project, service, slot }: Slot): boolean {
  return view
    .instancesOf(serviceKey(project, service))
    .some((one) => one.slot === slot && one.retired === null)
}

function isHeld(record: VolumeRecord, work: VolumeWork): Problem {
  return {
    status: 409,
    code: 'volume/held',
    message: `the volume ${volumeKey(record)} is held for a ${work}`,
    hint: 'wait until that is over: mariposa volume list shows it',
  }
}

function notOfNow(volume: VolumeBody): Problem {
  return {
    status: 409,
    code: 'volume/not-of-now',
    message: `the volume ${volumeKey(volume)} on ${volume.hostname} is not what its slot has now`,
    hint: 'mariposa volume list shows which one that is',
  }
}
