// Slots that stay empty while something is done with their volumes: who holds one, and until when. All volumes of a slot
// are held together, as its instance has all of them.
import type { Problem } from '../changes/problem.js'
import { refusalOf } from '../changes/services.js'
import type { VolumeBody } from '../contract/contract.js'
import { uuidOf } from '../lib/hash.js'
import type { MachineId } from '../model/machine.js'
import type { Service } from '../model/service.js'
import { type VolumeHold, type VolumeRecord, type VolumeWork, volumeKey } from '../model/volume.js'
import { hostnameOf } from '../store/hostname.js'
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
  const busy = busyWith(records, { name: volume.name, work: hold.work })
  if (busy !== null) return busy
  return { ops: records.map((record) => putOf('volume', { ...record, hold })) }
}

/** What is to be made of a volume that its slot has not yet. */
export interface VolumeToMake extends Slot {
  readonly name: string
  readonly machine: MachineId
  /** In MiB; absent where nobody has said. */
  readonly sizeMb?: number
}

/**
 * The writes that make the record of a volume which is to be filled, and hold its slot for that; also where there is one
 * already, on the same machine, that has never been whole. Refused as in `heldFor`, and where the slot has one that was.
 * @param gone the uuid of a volume whose data are known to be there no more; null for none
 */
export function heldToFill(
  view: ClusterView,
  { sizeMb, ...volume }: VolumeToMake,
  hold: VolumeHold,
  gone: string | null = null,
): { readonly ops: readonly Op[]; readonly record: VolumeRecord } | Problem {
  const { project, service, name, slot } = volume
  const key = serviceKey(project, service)
  const refusal = refusalOf(view, project, service, view.services.get(key) ?? null)
  if (refusal !== null) return refusal
  const others = volumesOfSlot(view, volume)
  const busy = busyWith(others, { name, work: hold.work })
  if (busy !== null) return busy
  const before = view.volumesOf(key).get(keys.volume(project, service, name, slot))
  const isThere = before?.machine === volume.machine
  // Who does not see it at the moment, as its driver does not answer, has not seen that nothing is in it.
  if (isThere && before.incomplete !== true && before.uuid !== gone)
    return hasOne(before, hostnameOf(view, before.machine))
  // What was given up has been counted then.
  const generation =
    before === undefined ? 0 : before.generation + (before.machine === null || isThere ? 0 : 1)
  const words = [project, service, name, String(slot), String(generation), String(hold.at)]
  const made = { uuid: uuidOf('volume', ...words), ...volume, generation, createdAt: hold.at }
  const base = isThere ? before : { ...made, ...(sizeMb !== undefined && { sizeMb }) }
  const record: VolumeRecord = { ...base, incomplete: true, hold }
  const held = others.filter((one) => one.name !== name).map((one) => putOf('volume', { ...one, hold }))
  return { ops: [putOf('volume', record), ...held], record }
}

/** Refuses work on a slot that something holds; one that waits to be filled is held for nothing else. */
function busyWith(
  records: readonly VolumeRecord[],
  { name, work }: { readonly name: string; readonly work: VolumeWork },
): Problem | null {
  const busy = records.find((one) => one.hold !== undefined)
  if (busy?.hold === undefined) return null
  if (busy.hold.failed !== true) return isHeld(busy, busy.hold.work)
  const incomplete = records.find((one) => one.incomplete === true)
  if (incomplete === undefined || (work === 'restore' && incomplete.name === name)) return null
  return incompleteVolume(incomplete)
}

/**
 * The writes that end a hold; none where it is over. `whole`: the volume, by name, that has been filled. While the slot has
 * one that is incomplete, it stays held: nobody works on it any more, and nobody starts with it.
 */
export function releasedFrom(
  view: ClusterView,
  slot: Slot,
  id: string,
  whole: string | null = null,
): readonly Op[] {
  const held = volumesOfSlot(view, slot).filter((record) => record.hold?.id === id)
  const waits = held.some(({ name, incomplete }) => incomplete === true && name !== whole)
  return held.flatMap(({ hold, incomplete, ...rest }) => {
    if (hold === undefined) return []
    const more = incomplete === true && rest.name !== whole ? { incomplete } : {}
    return [putOf('volume', { ...rest, ...more, ...(waits && { hold: { ...hold, failed: true } }) })]
  })
}

/** Why slots of a service below its scale have no instance. */
export function slotsHeld(view: ClusterView, { project, name, scale }: Service): readonly string[] {
  const why = new Map<number, string>()
  for (const record of view.volumesOf(serviceKey(project, name)).values()) {
    const { slot, hold, incomplete } = record
    if (slot >= scale || hold === undefined) continue
    if (hold.failed !== true) why.set(slot, `slot ${slot} is held for a ${hold.work} of its volumes`)
    else if (incomplete === true) why.set(slot, `slot ${slot} waits: its ${incompleteWords(record)}`)
  }
  return [...why].sort(([a], [b]) => a - b).map(([, text]) => text)
}

function incompleteWords({ name }: Pick<VolumeRecord, 'name'>): string {
  return `volume ${name} is incomplete: the restore or copy that was to fill it was interrupted`
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
      if (hold !== undefined && hold.failed !== true && hold.by === machine && !isKnown(hold.id))
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
    hint: 'wait until it is finished: mariposa volume list shows it',
  }
}

/** Refuses to make a volume where the slot has had one that has been whole. */
function hasOne(record: VolumeRecord, hostname: string): Problem {
  return {
    status: 409,
    code: 'volume/cannot-make',
    message: `the volume ${volumeKey(record)} cannot be created: its slot has one on ${hostname}, where it is not listed at the moment`,
    hint: 'mariposa volume list names machines that do not answer; try again once the volume is listed',
  }
}

/** Refuses a volume that has never been whole. */
export function incompleteVolume(record: Pick<VolumeBody, 'name' | 'service' | 'slot'>): Problem {
  return {
    status: 409,
    code: 'volume/incomplete',
    message: `slot ${record.slot} of ${record.service} waits: its ${incompleteWords(record)}`,
    hint: incompleteHint,
  }
}

const incompleteHint = 'restore into it again, or delete it: mariposa volume rm VOLUME --force'

function notOfNow(volume: VolumeBody): Problem {
  return {
    status: 409,
    code: 'volume/not-of-now',
    message: `the volume ${volumeKey(volume)} on ${volume.hostname} is not the current volume of its slot`,
    hint: 'mariposa volume list shows the current one',
  }
}
