// A volume of a slot that is to be made for what comes into it, before an instance has it: which one a word stands for, and on
// which machine it is to be.
import { isProblem, type Problem } from '../changes/problem.js'
import type { Explainer } from '../engine/explain.js'
import { maxScale, type Service } from '../model/service.js'
import { parseVolumeKey } from '../model/volume.js'
import { hostnameOf } from '../store/hostname.js'
import { keys } from '../store/records.js'
import { type ClusterView, serviceKey } from '../store/view.js'
import { parseUnit } from '../unit/parse.js'
import { sizedVolumesOf } from '../unit/volumes.js'
import { type VolumeToMake, volumesOfSlot } from './holds.js'
import { machineFor } from './moves.js'

/** Which volume is to be made, as it was asked for. */
interface VolumeAsked {
  /** `SERVICE.NAME.SLOT`, also with the project before it, or `SERVICE.NAME` of a service that has one slot. */
  readonly word: string
  readonly project: string
  /** The machine that it is to be on; null: the emptiest that takes the instance. */
  readonly machine: string | null
}

/**
 * The volume to make for a word that stands for none yet: of a service that is there, which names it in its current version.
 * Where its slot has volumes, it is on their machine. Null where the word stands for nothing of the sort.
 */
export function volumeToMake(
  view: ClusterView,
  explainer: Explainer,
  { word, project: own, machine }: VolumeAsked,
): VolumeToMake | Problem | null {
  const named = parseVolumeKey(`${own}.${word}`) ?? parseVolumeKey(word)
  if (named === null || named.generation !== undefined) return null
  const { project, service: serviceName, name } = named
  const service = view.services.get(serviceKey(project, serviceName))
  const version = view.versions.get(service?.current ?? '')
  if (service === undefined || version === undefined) return null
  if (version.slotVolumes?.some((one) => one.name === name) !== true) return null
  const slot = named.slot ?? onlySlotOf(service)
  if (slot === null) return whichSlot(service, name)
  if (slot >= maxScale) return null
  const at = { project, service: serviceName, slot }
  const home = homeOf(view, at, name)
  const isElsewhere = ({ id }: { readonly id: string }): string | null =>
    home === null || id === home ? null : `volumes of its slot are on ${hostnameOf(view, home)}`
  const chosen = machineFor(view, explainer, at, machine ?? home, isElsewhere)
  if (typeof chosen === 'string') return cannotMake(at, name, chosen)
  if (isProblem(chosen)) return chosen
  const { file } = parseUnit(view.files.get(version.hash) ?? '')
  const sizes = sizedVolumesOf(file, { name: version.template, machine: null })
  const size = sizes.find((one) => one.name === name)
  return { ...at, name, machine: chosen.id, ...(size !== undefined && { sizeMb: size.sizeMb }) }
}

/** Where the slot has to have it: it has been there, or another volume of the slot is there. */
function homeOf(view: ClusterView, slot: { project: string; service: string; slot: number }, name: string) {
  const key = serviceKey(slot.project, slot.service)
  const own = view.volumesOf(key).get(keys.volume(slot.project, slot.service, name, slot.slot))
  return own?.machine ?? volumesOfSlot(view, slot)[0]?.machine ?? null
}

/** Also of a service that is stopped. */
function onlySlotOf({ scale, stoppedFrom }: Service): number | null {
  return Math.max(scale, stoppedFrom ?? 0) <= 1 ? 0 : null
}

function whichSlot({ name, scale }: Service, volume: string): Problem {
  return {
    status: 409,
    code: 'volume/ambiguous',
    message: `each of the ${scale} slots of ${name} has a volume ${volume}`,
    hint: `name the slot: ${name}.${volume}.0`,
  }
}

function cannotMake(slot: { service: string; slot: number }, name: string, why: string): Problem {
  return {
    status: 409,
    code: 'volume/cannot-make',
    message: `the volume ${name} of slot ${slot.slot} of ${slot.service} cannot be created: ${why}`,
    hint: `mariposa service explain ${slot.service} shows why machines refuse its instances`,
  }
}
