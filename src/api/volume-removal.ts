// Whether a named volume may be deleted, and what the history says of that.

import { isProblem, noSuchService, type Problem } from '../changes/problem.js'
import type { VolumeBody, VolumesBody } from '../contract/contract.js'
import type { EventDraft } from '../model/event.js'
import { volumeKey } from '../model/volume.js'
import { keys } from '../store/records.js'
import { type ClusterView, type ServiceKey, serviceKey } from '../store/view.js'
import { parseUnit } from '../unit/parse.js'
import { namedVolumesOf } from '../unit/volumes.js'
import { describeVolumeOf, findVolume } from './volumes.js'

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
  const volume = findVolume(told, project, word)
  if (isProblem(volume)) return volume
  return (
    unsure(volume, word, told.silent) ??
    inUse(volume) ??
    stillNamed(view, volume) ??
    (force ? volume : notForced(volume))
  )
}

/** The keys that say whether a volume is named: who deletes it holds that to them. */
export function decidesOnVolume({ project, service }: VolumeBody): readonly string[] {
  return [keys.service(project, service)]
}

/** What becomes of a volume. */
export function volumeEvent(volume: VolumeBody, what: string): EventDraft {
  const { project, service, name, uuid, machine, hostname } = volume
  const message = `the volume ${service}.${name} (${uuid}) on ${hostname} ${what}`
  return { kind: 'delete', project, service, instance: null, machine, message }
}

/** Where a machine does not tell, a name may stand for a volume there as well. */
function unsure({ uuid }: VolumeBody, word: string, silent: VolumesBody['silent']): Problem | null {
  const [first] = silent
  if (first === undefined || uuid.startsWith(word)) return null
  return {
    status: 409,
    code: 'volume/ambiguous',
    message: `"${word}" may stand for another volume on ${first.hostname}, which does not tell: ${first.reason}`,
    hint: `give the uuid: ${uuid}`,
  }
}

function inUse(volume: VolumeBody): Problem | null {
  const { state, instances, others, service } = volume
  if (state === 'unused') return null
  const by = [...instances, ...others].join(', ')
  return volumeInUse(
    `the volume ${volumeKey(volume)} is in use by ${by}`,
    instances.length > 0
      ? `deploy ${service} without it, or delete the service: mariposa service delete ${service}`
      : 'remove what uses it',
  )
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
  if (!mayName(view, key, name)) return null
  return {
    status: 409,
    code: 'volume/named',
    message: `the volume ${volumeKey(volume)} is unused now, and ${service} names it: its next instance there would miss its data`,
    hint: `deploy ${service} without it, or delete the service: mariposa service delete ${service} --volumes deletes its volumes on every machine`,
  }
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
    message: `${describeVolumeOf(volume)} holds data, which would be gone for good`,
    hint: 'add --force',
  }
}
