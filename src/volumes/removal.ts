// Whether a named volume may be deleted, and what the history says of that.

import { isProblem, noSuchService, type Problem } from '../changes/problem.js'
import type { VolumeBody, VolumesBody } from '../contract/contract.js'
import type { EventDraft } from '../model/event.js'
import { nameWithSlot, volumeKey } from '../model/volume.js'
import { forgotten } from '../service/forget-volume.js'
import { keys } from '../store/records.js'
import type { Op } from '../store/store.js'
import { type ClusterView, type ServiceKey, serviceKey } from '../store/view.js'
import { parseUnit } from '../unit/parse.js'
import { namedVolumesOf } from '../unit/volumes.js'
import { describeVolumeOf, findVolumeOn } from './bodies.js'
import { decidesOnSlot, releasedFrom } from './holds.js'

/** What is to be deleted, as it was asked for. */
export interface VolumeDeletion {
  readonly word: string
  readonly project: string
  readonly force: boolean
}

/**
 * The volume to delete: one that nothing has, that no version of its service which counts names, and that the word stands
 * for whatever machines have not been asked.
 */
export function volumeToDelete(
  view: ClusterView,
  told: VolumesBody,
  { word, project, force }: VolumeDeletion,
): VolumeBody | Problem {
  const volume = findVolumeOn(view, told, project, word)
  if (isProblem(volume)) return volume
  return (
    unsure(volume, word, told.silent) ??
    inUse(volume) ??
    held(volume) ??
    stillNamed(view, volume) ??
    (force ? volume : notForced(volume))
  )
}

/** The keys that say whether a volume is named: who deletes it holds that to them. */
export function decidesOnVolume(
  view: ClusterView,
  { project, service, name, slot, incomplete }: VolumeBody,
): readonly string[] {
  const own = slot === null ? [] : [keys.volume(project, service, name, slot)]
  const others = slot === null || !incomplete ? [] : decidesOnSlot(view, { project, service, slot })
  return [...new Set([keys.service(project, service), ...own, ...others])]
}

/**
 * What forgets where the volume of a slot is that has been deleted, or that is given up with its machine; nothing where the
 * slot has another one by now, or an instance that is to have this one. What lies on a machine that is away is never taken
 * for the volume of that slot again.
 */
export function forgetVolume(view: ClusterView, volume: VolumeBody): readonly Op[] {
  const { project, service, name, slot, machine, generation, state } = volume
  if (slot === null) return []
  const key = keys.volume(project, service, name, slot)
  const known = view.volumesOf(serviceKey(project, service)).get(key)
  if (known?.machine !== machine || known.generation !== generation) return []
  const isLost = state === 'lost'
  const isTaken = view
    .instancesOf(serviceKey(project, service))
    .some((one) => one.slot === slot && view.placements.get(one.unit)?.machine === machine)
  if (isTaken && !isLost) return []
  const { hold, incomplete } = known
  // What the slot was to be filled with goes: nothing holds it any more.
  const free =
    hold === undefined || incomplete !== true
      ? []
      : releasedFrom(view, { project, service, slot }, hold.id, name)
  const ofOthers = free.filter((op) => !('key' in op) || op.key !== key)
  return [...ofOthers, forgotten(known, isLost)]
}

/** What becomes of a volume. */
export function volumeEvent(volume: VolumeBody, what: string): EventDraft {
  const { project, service, uuid, machine, hostname } = volume
  const message = `the volume ${service}.${nameWithSlot(volume)} (${uuid}) on ${hostname} ${what}`
  return { kind: 'delete', project, service, instance: null, machine, message }
}

/** Where a machine does not tell, a name may stand for a volume there as well. */
function unsure({ uuid }: VolumeBody, word: string, silent: VolumesBody['silent']): Problem | null {
  const [first] = silent
  if (first === undefined || uuid.startsWith(word)) return null
  return {
    status: 409,
    code: 'volume/ambiguous',
    message: `"${word}" may also match a volume on ${first.hostname}, which does not answer: ${first.reason}`,
    hint: `give the uuid: ${uuid}`,
  }
}

function inUse(volume: VolumeBody): Problem | null {
  const { state, instances, others, service } = volume
  if (state !== 'in-use') return null
  const by = [...instances, ...others].join(', ')
  return volumeInUse(
    `the volume ${volumeKey(volume)} is in use by ${by}`,
    instances.length > 0
      ? `deploy ${service} without it, or delete the service: mariposa service delete ${service}`
      : 'remove what uses it',
  )
}

function held(volume: VolumeBody): Problem | null {
  if (volume.work === null || volume.state === 'lost') return null
  return {
    status: 409,
    code: 'volume/held',
    message: `the volume ${volumeKey(volume)} is held for a ${volume.work}`,
    hint: 'wait until it is finished: mariposa volume list shows it',
  }
}

/** Refuses to delete what something has. */
export function volumeInUse(message: string, hint = 'stop and remove what uses it'): Problem {
  return { status: 409, code: 'volume/in-use', message, hint }
}

function stillNamed(view: ClusterView, volume: VolumeBody): Problem | null {
  const { project, service, name } = volume
  const key = serviceKey(project, service)
  if (!view.services.has(key))
    return view.unreadable.has(keys.service(project, service)) ? noSuchService(view, project, service) : null
  if (!isOfNow(view, volume) || !mayName(view, key, name)) return null
  return {
    status: 409,
    code: 'volume/named',
    message: `the volume ${volumeKey(volume)} is unused now, but ${service} names it: its next instance there would start without the data`,
    hint: `deploy ${service} without it, or delete the service: mariposa service delete ${service} --volumes deletes its volumes on every machine`,
  }
}

/** Whether an instance may come to have it: the volume of a slot is of no use once that is above the scale, or has begun anew. */
function isOfNow(view: ClusterView, volume: VolumeBody): boolean {
  const { project, service, name, slot, machine, generation, state } = volume
  if (slot === null) return true
  // Who gives up what is lost, or was never whole, has said so, and its slot begins anew.
  if (state === 'lost' || volume.incomplete) return false
  const key = serviceKey(project, service)
  const known = view.volumesOf(key).get(keys.volume(project, service, name, slot))
  if (known !== undefined && (known.machine !== machine || known.generation !== generation)) return false
  const { scale = 0, stoppedFrom = null } = view.services.get(key) ?? {}
  return slot < Math.max(scale, stoppedFrom ?? 0) || view.instancesOf(key).some((one) => one.slot === slot)
}

/**
 * Whether the current version of a service, or a unit of its instances, names a volume. While a task goes on or waits, any
 * version may come to be current again. What cannot be read may name it.
 */
function mayName(view: ClusterView, key: ServiceKey, name: string): boolean {
  const current = view.versions.get(view.services.get(key)?.current ?? '')
  if (current === undefined) return true
  const isBusy = view.tasksOf(key).some(({ finishedAt }) => finishedAt === null)
  const versions = isBusy ? view.versionsOf(key) : [current]
  const templates = versions.map(({ template, hash }) => ({ name: template, hash }))
  const units = view.instancesOf(key).flatMap(({ unit }) => view.units.get(unit) ?? [])
  // Units of one text name the same volumes.
  const byText = new Map([...templates, ...units].map((unit) => [unit.hash, unit]))
  return [...byText.values()].some((unit) => {
    const text = view.files.get(unit.hash)
    if (text === undefined) return true
    const { volumes } = namedVolumesOf(parseUnit(text).file, { name: unit.name, machine: null })
    return volumes.some((volume) => volume.name === name)
  })
}

function notForced(volume: VolumeBody): Problem {
  return {
    status: 409,
    code: 'volume/not-forced',
    message:
      volume.state === 'lost'
        ? `${describeVolumeOf(volume)} is on a machine that is away: its data are lost if it is deleted, and its slot starts with empty volumes on another machine`
        : `${describeVolumeOf(volume)} holds data, which would be lost for good`,
    hint: 'add --force',
  }
}
