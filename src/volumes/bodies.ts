// Named volumes as JSON, and the one that a word stands for.
import type { VolumeInUse, VolumeUser } from '../agent/driver.js'
import { isProblem, noSuchService, type Problem } from '../changes/problem.js'
import { unknownProject } from '../changes/projects.js'
import type { VolumeBody, VolumesBody } from '../contract/contract.js'
import { mayBeUuid } from '../lib/hash.js'
import { byKeys } from '../lib/sort.js'
import { toIso } from '../lib/time.js'
import type { Machine, MachineId } from '../model/machine.js'
import type { UnitName } from '../model/unit.js'
import { nameWithSlot, type VolumeRecord, volumeKey } from '../model/volume.js'
import { hostnameOf } from '../store/hostname.js'
import { keys } from '../store/records.js'
import { type ClusterView, serviceKey } from '../store/view.js'
import { type SizeView, sizeOfVolume } from './sizes.js'

/** What the daemon of its machine knows of a volume: what has been sent elsewhere, and how large it is. */
interface KnownOfVolume {
  readonly movedBytes?: number | null
  readonly usedBytes?: number | null
}

/** A volume on a machine, with the instances that have it. */
export function volumeBodyOf(
  view: Pick<ClusterView, 'units' | 'instances' | 'machines' | 'knownMachines'> & SizeView,
  { id, hostname }: Machine,
  volume: VolumeInUse,
  { movedBytes = null, usedBytes = null }: KnownOfVolume = {},
): VolumeBody {
  const { uuid, name, project, service, slot, generation = 0, createdAt, users } = volume
  const instanceOf = (user: VolumeUser): string | null =>
    view.units.get(user.name as UnitName)?.instance?.name ?? null
  const instances = users.flatMap((user) => instanceOf(user) ?? [])
  const others = users.flatMap((user) => (instanceOf(user) === null ? [user.name] : []))
  return {
    ...{ uuid, name, project, service, machine: id, hostname },
    ...{
      scope: slot === undefined ? 'service' : 'instance',
      slot: slot ?? null,
      generation,
      sizeBytes: sizeOfVolume(view, id, volume),
      usedBytes,
    },
    instances: instances.sort(),
    instance: users.flatMap((user) => runningOf(view, user.name as UnitName) ?? [])[0] ?? null,
    others: others.sort(),
    ...workOf(view, id, volume, movedBytes, users.length === 0 ? 'unused' : 'in-use'),
    createdAt: toIso(createdAt),
  }
}

/** What is done with a volume, as the store says. */
function workOf(
  view: Pick<ClusterView, 'volumesOf' | 'machines' | 'knownMachines'>,
  machine: MachineId,
  { project, service, name, slot, generation = 0 }: VolumeInUse,
  movedBytes: number | null,
  otherwise: 'unused' | 'in-use',
): Pick<VolumeBody, 'state' | 'current' | 'work' | 'to' | 'movedBytes' | 'incomplete'> {
  const idle = { state: otherwise, work: null, to: null, movedBytes: null, incomplete: false }
  if (slot === undefined) return { ...idle, current: true }
  const key = keys.volume(project, service, name, slot)
  const known = view.volumesOf(serviceKey(project, service)).get(key)
  const current = known?.machine === machine && known.generation === generation
  if (!current || known.hold === undefined) return { ...idle, current }
  const { work, by, failed = false } = known.hold
  const incomplete = known.incomplete === true
  if (work !== 'move') return { ...idle, current, incomplete, work: failed ? null : work }
  return { ...idle, state: 'moving', current, work, to: hostnameOf(view, by), movedBytes }
}

function runningOf({ instances }: Pick<ClusterView, 'instances'>, unit: UnitName): string | null {
  const instance = instances.get(unit)
  return instance?.retired === null ? instance.name : null
}

/** The volumes of slots that are on a machine which is away, and cannot tell of them. */
export function lostVolumes(view: ClusterView): readonly VolumeBody[] {
  return recordedVolumes(view, 'lost', ({ machine }) => !view.machines.has(machine))
}

/** The volumes that move, as the store says it: without asking the machines that have them. */
export function movingVolumes(view: ClusterView): readonly VolumeBody[] {
  return recordedVolumes(view, 'moving', ({ hold }) => hold?.work === 'move')
}

type PlacedRecord = VolumeRecord & { readonly machine: MachineId }

function recordedVolumes(
  view: ClusterView,
  state: VolumeBody['state'],
  isWanted: (record: PlacedRecord) => boolean,
): readonly VolumeBody[] {
  return [...view.servicesWithVolumes()].flatMap((service) =>
    [...view.volumesOf(service).values()].flatMap((volume) => {
      const { machine, uuid, name, project, slot, generation, createdAt } = volume
      if (machine === null || !isWanted({ ...volume, machine })) return []
      const having = view
        .instancesOf(service)
        .filter((one) => one.slot === slot && view.placements.get(one.unit)?.machine === machine)
      return [
        {
          ...{ uuid, name, project, service: volume.service, machine, hostname: hostnameOf(view, machine) },
          ...{ scope: 'instance' as const, slot, generation, usedBytes: null },
          sizeBytes: sizeOfVolume(view, machine, volume),
          instances: having.map((one) => one.name).sort(),
          instance: having.find(({ retired }) => retired === null)?.name ?? null,
          others: [],
          state,
          ...{ current: true, work: volume.hold?.work ?? null, to: null, movedBytes: null },
          incomplete: volume.incomplete === true,
          createdAt: toIso(createdAt),
        },
      ]
    }),
  )
}

/** Volumes of slots on a machine that are to be filled, and are not made there yet. */
export function unmadeVolumes(
  view: ClusterView,
  machine: Machine,
  made: ReadonlySet<string>,
): readonly VolumeBody[] {
  return [...view.servicesWithVolumes()].flatMap((service) =>
    [...view.volumesOf(service).values()].flatMap((record) =>
      record.incomplete === true && record.machine === machine.id && !made.has(record.uuid)
        ? [volumeBodyOf(view, machine, { ...record, users: [] })]
        : [],
    ),
  )
}

/** What machines have told, as one answer. */
export function joined(answers: readonly VolumesBody[]): VolumesBody {
  const volumes = answers.flatMap((answer) => answer.volumes)
  return {
    volumes: volumes.sort(
      byKeys<VolumeBody>(
        volumeKey,
        ({ hostname }) => hostname,
        ({ uuid }) => uuid,
      ),
    ),
    silent: answers.flatMap(({ silent }) => silent).sort(byKeys(({ hostname }) => hostname)),
  }
}

/** Which volumes are asked for. */
export interface VolumesOf {
  readonly project?: string
  readonly service?: string
}

/** Those of a project, or of a service in whichever project. One that has none, and that nobody has heard of, is refused. */
export function volumesOf(
  view: ClusterView,
  { volumes, silent }: VolumesBody,
  { project, service }: VolumesOf,
): VolumesBody | Problem {
  const inProject = volumes.filter((volume) => project === undefined || volume.project === project)
  const found = inProject.filter((volume) => service === undefined || volume.service === service)
  if (found.length === 0 && silent.length === 0 && project !== undefined) {
    const problem = inProject.length > 0 ? null : unknownProject(view, project)
    if (problem !== null) return problem
    if (service !== undefined && !view.services.has(serviceKey(project, service)))
      return noSuchService(view, project, service)
  }
  return { volumes: found, silent }
}

/**
 * The volume that a word stands for: a name alone, or behind its service, in a project; with the project before it in any;
 * else the uuid of one, or the beginning of that.
 */
export function findVolume(
  { volumes, silent }: VolumesBody,
  project: string,
  word: string,
): VolumeBody | Problem {
  const isNamed = (volume: VolumeBody): boolean => {
    const { service, name } = volume
    const title = nameWithSlot(volume)
    const words = [name, title, `${service}.${name}`, `${service}.${title}`]
    return (volume.project === project && words.includes(word)) || volumeKey(volume) === word
  }
  /** Without saying how often its slot has begun anew or has moved. */
  const isNamedBySlot = ({ service, name, slot, current, project: own }: VolumeBody): boolean =>
    current &&
    slot !== null &&
    own === project &&
    [`${name}.${slot}`, `${service}.${name}.${slot}`].includes(word)
  const exactly = volumes.filter(isNamed)
  const named = exactly.length > 0 ? exactly : volumes.filter(isNamedBySlot)
  const found =
    named.length > 0 || !mayBeUuid(word) ? named : volumes.filter(({ uuid }) => uuid.startsWith(word))
  const [volume] = found
  if (volume === undefined) return unknownVolume(project, word, silent)
  return found.length === 1 ? volume : ambiguousVolume(word, found)
}

/**
 * The same, where some machines do not tell what they have: of one of theirs that the store knows, it is said where it is,
 * and not that there is none.
 */
export function findVolumeOn(
  view: ClusterView,
  told: VolumesBody,
  project: string,
  word: string,
): VolumeBody | Problem {
  const found = findVolume(told, project, word)
  if (!isProblem(found) || found.code !== 'volume/unknown') return found
  const reasons = new Map(told.silent.map(({ machine, reason }) => [machine, reason]))
  const recorded = recordedVolumes(view, 'in-use', ({ machine }) => reasons.has(machine))
  const there = findVolume({ volumes: recorded, silent: [] }, project, word)
  if (isProblem(there)) return there.code === 'volume/ambiguous' ? there : found
  return {
    status: 502,
    code: 'api/peer-unreachable',
    message: `the volume ${there.uuid} (${volumeKey(there)}) is on ${there.hostname}, which does not answer: ${reasons.get(there.machine) ?? ''}`,
    hint: `mariposa machine show ${there.hostname} shows how it is; try again once its daemon answers`,
  }
}

/** A volume in one phrase. */
export function describeVolumeOf(volume: VolumeBody): string {
  return `${volume.uuid} (${volumeKey(volume)} on ${volume.hostname})`
}

function unknownVolume(project: string, word: string, silent: VolumesBody['silent']): Problem {
  const unasked = silent.map(({ hostname, reason }) => `${hostname} does not answer: ${reason}`)
  const message = `there is no volume "${word}" in ${project}`
  return {
    status: 404,
    code: 'volume/unknown',
    message: unasked.length === 0 ? message : `${message} on the machines that answer; ${unasked.join('; ')}`,
    hint: 'mariposa volume list --all-projects shows all of them',
  }
}

function ambiguousVolume(word: string, found: readonly VolumeBody[]): Problem {
  const names = new Set(found.map(volumeKey))
  return {
    status: 409,
    code: 'volume/ambiguous',
    message: `"${word}" is ambiguous: it matches ${found.length} volumes: ${found.map(describeVolumeOf).join(', ')}`,
    hint: names.size === found.length ? 'give one of these names, or the uuid' : 'give the uuid',
  }
}
