// How large volumes are, and how large they are to be: what is asked for, what is measured, and who is told.
import { describeSize } from '../model/pull.js'
import type { VolumeName } from '../model/volume.js'
import { keys } from '../store/records.js'
import { type ClusterView, serviceKey } from '../store/view.js'
import { parseUnit } from '../unit/parse.js'
import { sizedVolumesOf } from '../unit/volumes.js'

/** What is asked for sizes. */
export type SizeView = Pick<ClusterView, 'volumesOf' | 'services' | 'versions' | 'files'>

/**
 * The size that is asked for a volume, in bytes: of a slot as its instance was placed last, of one that instances share as the
 * current version of its service says. Null where nobody says it, and for what a slot has left.
 */
export function sizeOfVolume(view: SizeView, machine: string, volume: VolumeName): number | null {
  const { project, service, name, slot, generation = 0 } = volume
  if (slot === undefined) return sharedSize(view, volume)
  const record = view.volumesOf(serviceKey(project, service)).get(keys.volume(project, service, name, slot))
  const isCurrent = record?.machine === machine && record.generation === generation
  return isCurrent && record.sizeMb !== undefined ? record.sizeMb * mib : null
}

const mib = 1024 ** 2

function sharedSize(view: SizeView, { project, service, name }: VolumeName): number | null {
  const version = view.versions.get(view.services.get(serviceKey(project, service))?.current ?? '')
  const text = version === undefined ? '' : (view.files.get(version.hash) ?? '')
  // To parse the text of every service for what few say takes long.
  if (version === undefined || !text.includes('VolumeSize=')) return null
  const sizes = sizedVolumesOf(parseUnit(text).file, { name: version.template, machine: null })
  const found = sizes.find((one) => one.name === name && !one.perSlot)
  return found === undefined ? null : found.sizeMb * mib
}

/** Whose volumes were found too large, so that each is told of once until it has been smaller for a while. */
export class TooLarge {
  readonly #told = new Set<string>()

  /** Whether people are to hear of it now. */
  isNews(uuid: string, usedBytes: number, sizeBytes: number | null): boolean {
    if (sizeBytes === null || usedBytes < toldAgainBelow * sizeBytes) this.#told.delete(uuid)
    if (sizeBytes === null || usedBytes <= sizeBytes || this.#told.has(uuid)) return false
    this.#told.add(uuid)
    return true
  }
}

/** What goes up and down about its size is told once. */
const toldAgainBelow = 0.9

/** What people are told. */
export function describeTooLarge(usedBytes: number, sizeBytes: number): string {
  return `holds ${describeSize(usedBytes)}, more than its size of ${describeSize(sizeBytes)}`
}

/** How long nothing is measured after that has taken so long: a small part of the time, however large volumes are. */
export function restAfter(spentMs: number): number {
  return Math.max(leastRestMs, spentMs * restPart)
}

const leastRestMs = 60_000
const restPart = 50
