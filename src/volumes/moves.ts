// Moves of the volumes of a slot to another machine: which one may take them, what the store says at each point, and what is
// left behind. Until the last write the slot is where it was; with it, it is on the other machine, and the old copy is
// nobody's. A copy bears the next generation of the slot: what lies anywhere under the name of the old one is never used again.

import type { KeptVolume } from '../agent/driver.js'
import { findMachine } from '../changes/machines.js'
import type { Problem } from '../changes/problem.js'
import { describeRefusal } from '../engine/describe.js'
import type { Explainer } from '../engine/explain.js'
import { uuidOf } from '../lib/hash.js'
import { byKeys } from '../lib/sort.js'
import type { Machine, MachineId } from '../model/machine.js'
import type { DesiredUnit } from '../model/unit.js'
import { type VolumeHold, type VolumeName, type VolumeRecord, volumeKey } from '../model/volume.js'
import { keys, putOf } from '../store/records.js'
import type { Op } from '../store/store.js'
import { unreadableOf } from '../store/unreadable.js'
import { type ClusterView, serviceKey } from '../store/view.js'
import { withInstance } from '../unit/name.js'
import { type Slot, volumesOfSlot } from './holds.js'

/** The volumes of a slot on their way to a machine. */
export interface Move extends Slot {
  readonly id: string
  /** Of the first of them. */
  readonly from: MachineId
  readonly to: MachineId
  readonly records: readonly VolumeRecord[]
}

/** The machine that volumes of a slot move to: the one that is named, or the emptiest that takes their instance. */
export function moveTarget(
  view: ClusterView,
  explainer: Explainer,
  slot: Slot,
  word: string | null,
): Machine | Problem {
  const records = volumesOfSlot(view, slot)
  const isThere = ({ id }: Machine): string | null =>
    records.every(({ machine }) => machine === id) ? 'it has the volumes already' : null
  const chosen = machineFor(view, explainer, slot, word, isThere)
  return typeof chosen === 'string' ? cannotMove(slot, chosen) : chosen
}

/**
 * The machine for volumes of a slot: the one that is named, or the emptiest that takes their instance. What is told in place
 * of one is why there is none. `alsoNot` says why one is out of the question besides.
 */
export function machineFor(
  view: ClusterView,
  explainer: Explainer,
  slot: Slot,
  word: string | null,
  alsoNot: (machine: Machine) => string | null,
): Machine | Problem | string {
  const named = word === null ? null : findMachine(view, word)
  if (named !== null && 'status' in named) return named
  const refusals = refusalsOf(view, explainer, slot)
  const why = (machine: Machine): string | null => {
    const first = alsoNot(machine)
    if (first !== null) return first
    if (view.orders.get(machine.id)?.cordoned === true) return 'it is cordoned'
    return refusals.get(machine.id) ?? null
  }
  if (named !== null) {
    const reason = why(named)
    return reason === null ? named : `${named.hostname} cannot take it: ${reason}`
  }
  const all = [...view.machines.values()]
  const [best] = all
    .filter((machine) => why(machine) === null)
    .sort(
      byKeys(
        ({ id }) => String(view.placedOn(id).size).padStart(9, '0'),
        ({ hostname }) => hostname,
      ),
    )
  if (best !== undefined) return best
  const reasons = all.map((machine) => `${machine.hostname}: ${why(machine) ?? ''}`)
  return `no machine can take it: ${reasons.join('; ')}`
}

/** Why machines do not take the instance of a slot, wherever its volumes are. */
function refusalsOf(
  view: ClusterView,
  explainer: Explainer,
  { project, service, slot }: Slot,
): ReadonlyMap<MachineId, string> {
  const instance = view
    .instancesOf(serviceKey(project, service))
    .find((one) => one.slot === slot && one.retired === null)
  const known = instance === undefined ? undefined : view.units.get(instance.unit)
  const unit = known ?? nextUnitOf(view, { project, service, slot })
  if (unit === null) return new Map()
  return new Map(
    [...explainer.explain(unit)].flatMap(([machine, refusals]) => {
      const [first] = refusals.filter(({ kind }) => kind !== 'volume-elsewhere')
      return first === undefined ? [] : [[machine, describeRefusal(first)] as const]
    }),
  )
}

/** The unit of an instance that the slot may have later, as the service is stopped now; null where there is no service. */
export function nextUnitOf(view: ClusterView, { project, service: name, slot }: Slot): DesiredUnit | null {
  const service = view.services.get(serviceKey(project, name))
  const version = view.versions.get(service?.current ?? '')
  if (service === undefined || version === undefined) return null
  const { hash, template, uuid } = version
  const n = service.lastInstance + 1
  const instance = {
    project,
    service: name,
    name: `${name}-${n}`,
    n,
    uuid: service.uuid,
    version: uuid,
    slot,
  }
  return { name: withInstance(template, String(n)), hash, desired: 'launched', instance, createdAt: 0 }
}

/** The moves that a machine is to carry out, as it is where they go to. */
export function movesTo(view: ClusterView, machine: MachineId): readonly Move[] {
  const found = new Map<string, Move>()
  for (const key of view.servicesWithVolumes())
    for (const { project, service, slot, hold } of view.volumesOf(key).values()) {
      if (hold?.work !== 'move' || hold.by !== machine || found.has(hold.id)) continue
      const move = moveOf(view, { project, service, slot }, hold)
      if (move !== null) found.set(hold.id, move)
    }
  return [...found.values()]
}

function moveOf(view: ClusterView, slot: Slot, hold: VolumeHold): Move | null {
  // Volumes of a slot may lie on several machines: those that are there already stay.
  const records = volumesOfSlot(view, slot).filter(
    ({ machine, hold: of }) => of?.id === hold.id && machine !== hold.by,
  )
  const from = records[0]?.machine ?? null
  return from === null ? null : { ...slot, id: hold.id, from, to: hold.by, records }
}

/** What a volume is called on the machine that it moves to. */
export function copyOf(
  { id }: Pick<Move, 'id'>,
  record: VolumeRecord,
): VolumeName & { readonly uuid: string } {
  const { project, service, name, slot, generation } = record
  const uuid = uuidOf('volume', id, project, service, name, String(slot))
  return { project, service, name, slot, generation: generation + 1, uuid }
}

/**
 * The writes with which the slot is on the other machine; null where the move is not to be made any more: it was ended, or
 * one of its volumes was given up.
 */
export function arrived(view: ClusterView, move: Move): readonly Op[] | null {
  const now = volumesOfSlot(view, move)
  const isAsBefore = move.records.every((record) =>
    now.some(
      (one) => one.name === record.name && one.hold?.id === move.id && one.generation === record.generation,
    ),
  )
  if (!isAsBefore) return null
  return now.flatMap((record) => {
    if (record.hold?.id !== move.id || record.machine === null) return []
    const { hold: _hold, machine, generation, uuid, ...rest } = record
    if (machine === move.to) return [putOf('volume', { ...rest, machine, generation, uuid })]
    const copy = copyOf(move, record)
    const left = { machine, generation, uuid }
    return [putOf('volume', { ...rest, machine: move.to, generation: generation + 1, uuid: copy.uuid, left })]
  })
}

/**
 * What is to become of a copy that came to a machine by a move: that goes on, its slot has the copy, or nobody will. Not known while
 * something of its service cannot be read: that may be what says who has it.
 */
export function fateOfCopy(
  view: ClusterView,
  machine: MachineId,
  { project, service, uuid }: Pick<KeptVolume, 'project' | 'service' | 'uuid'>,
  move: string,
): 'coming' | 'here' | 'nobodys' | 'unknown' {
  const key = serviceKey(project, service)
  if (unreadableOf(view, key).length > 0) return 'unknown'
  if (movesTo(view, machine).some(({ id }) => id === move)) return 'coming'
  const isHere = [...view.volumesOf(key).values()].some((one) => one.machine === machine && one.uuid === uuid)
  return isHere ? 'here' : 'nobodys'
}

/** What moves have left on a machine. */
export function leftOn(view: ClusterView, machine: MachineId): readonly VolumeRecord[] {
  return [...view.servicesWithVolumes()].flatMap((service) =>
    [...view.volumesOf(service).values()].filter(({ left }) => left?.machine === machine),
  )
}

/** The write that says that nothing is left any more. */
export function nothingLeft(
  view: ClusterView,
  { project, service, name, slot, left }: VolumeRecord,
): readonly Op[] {
  const known = view.volumesOf(serviceKey(project, service)).get(keys.volume(project, service, name, slot))
  if (known?.left === undefined || known.left.uuid !== left?.uuid) return []
  const { left: _left, ...rest } = known
  return [putOf('volume', rest)]
}

function cannotMove(slot: Slot, why: string): Problem {
  return {
    status: 409,
    code: 'volume/cannot-move',
    message: `the volumes of slot ${slot.slot} of ${slot.service} cannot be moved: ${why}`,
    hint: `mariposa service explain ${slot.service} shows why machines refuse its instances`,
  }
}

/** Whether the volume of a record is the one that a name and a generation stand for. */
export function isCopyInWork(view: ClusterView, machine: MachineId, volume: VolumeName): boolean {
  return movesTo(view, machine).some((move) =>
    move.records.some((record) => volumeKey(copyOf(move, record)) === volumeKey(volume)),
  )
}
