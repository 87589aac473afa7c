// What volumes of Docker say of whose they are. Those without a name are what an image asks for: Docker makes one for each
// container, and by itself tells of none whose it is. So they are asked for in its stead, with labels that outlive the
// container.

import type { KeptVolume, UnitToRun, VolumeUser } from '../../agent/driver.js'
import { DriverError } from '../../model/driver-error.js'
import { type VolumeName, volumeKey } from '../../model/volume.js'
import type { CreateRequest, ImageConfig } from './api.js'
import { labelPrefix, machineLabel, unitLabel, unitLabels } from './labels.js'

/** The service of a volume, by uuid: another one may come to have its name. */
export const serviceUuidLabel = `${labelPrefix}service-uuid`

/** The name of a volume in its service. */
export const volumeLabel = `${labelPrefix}volume`
const slotLabel = `${labelPrefix}volume-slot`
const generationLabel = `${labelPrefix}volume-generation`
const uuidLabel = `${labelPrefix}volume-uuid`
const createdLabel = `${labelPrefix}volume-created`

/** The labels of a named volume. */
export function namedVolumeLabels(
  volume: VolumeName,
  machine: string,
  { uuid, createdAt }: Pick<KeptVolume, 'uuid' | 'createdAt'>,
): Readonly<Record<string, string>> {
  return {
    ...namingLabels(volume, machine),
    [uuidLabel]: uuid,
    [createdLabel]: new Date(createdAt).toISOString(),
  }
}

function namingLabels(volume: VolumeName, machine: string): Readonly<Record<string, string>> {
  return {
    [machineLabel]: machine,
    [`${labelPrefix}project`]: volume.project,
    [`${labelPrefix}service`]: volume.service,
    [volumeLabel]: volume.name,
    ...(volume.slot !== undefined && {
      [slotLabel]: String(volume.slot),
      [generationLabel]: String(volume.generation ?? 0),
    }),
  }
}

/** The named volume that labels tell of; null where they tell of none. */
export function keptVolume(labels: Labels): KeptVolume | null {
  const of = (key: string): string => labels?.[key] ?? ''
  const [project, service] = [of(`${labelPrefix}project`), of(`${labelPrefix}service`)]
  const createdAt = Date.parse(of(createdLabel))
  if (of(volumeLabel) === '' || of(uuidLabel) === '' || Number.isNaN(createdAt)) return null
  const kept = { project, service, name: of(volumeLabel), uuid: of(uuidLabel), createdAt }
  if (of(slotLabel) === '') return kept
  const generation = Number(of(generationLabel))
  return { ...kept, slot: Number(of(slotLabel)), ...(generation > 0 && { generation }) }
}

/** A container as Docker lists it, as far as volumes are concerned. */
export interface ListedContainer {
  readonly Id: string
  readonly Names: readonly string[]
  readonly Labels: Labels
  readonly Mounts: readonly { readonly Type?: string; readonly Name?: string | undefined }[]
}

/** By the name of a volume, the containers that have it: of ours the unit, of others what they are called. */
export function usersByVolume(
  containers: readonly ListedContainer[],
): ReadonlyMap<string, readonly VolumeUser[]> {
  const users = new Map<string, VolumeUser[]>()
  for (const { Id, Names, Labels, Mounts } of containers) {
    const name = Labels?.[unitLabel] ?? Names[0]?.replace(/^\//, '') ?? Id
    const volumes = Mounts.flatMap(({ Type, Name }) =>
      Type === 'volume' && Name !== undefined ? [Name] : [],
    )
    for (const volume of new Set(volumes))
      users.set(volume, [...(users.get(volume) ?? []), { driver: 'docker', name }])
  }
  return users
}

type Labels = Readonly<Record<string, string>> | null | undefined

/** Refuses what only has the name of a volume of ours: its data are somebody else's. Throws `docker/foreign-volume`. */
export function refuseForeign(volume: VolumeName, machine: string, labels: Labels): void {
  const wanted = namedVolumeLabels(volume, machine, { uuid: 'UUID', createdAt: 0 })
  const naming = Object.entries(namingLabels(volume, machine))
  if (keptVolume(labels) !== null && naming.every(([key, value]) => labels?.[key] === value)) return
  const whose = labels?.[machineLabel] === undefined ? 'without labels of this cluster' : 'of another cluster'
  throw new DriverError(
    'docker/foreign-volume',
    `Docker has a volume ${volumeKey(volume)} already, ${whose}: remove it, or copy it into one with the labels ${Object.keys(wanted).join(', ')} (docs/volumes.md)`,
  )
}

/** The request, with the volumes of the slot in place of what the unit calls them for all slots. */
export function withSlotVolumes(request: CreateRequest, volumes: readonly VolumeName[] = []): CreateRequest {
  const { Binds } = request.HostConfig
  const ofSlot = new Map(
    volumes.flatMap((volume) => {
      const { project, service, name, slot } = volume
      return slot === undefined ? [] : [[volumeKey({ project, service, name }), volumeKey(volume)] as const]
    }),
  )
  if (Binds === undefined || ofSlot.size === 0) return request
  const bound = Binds.map((bind) => {
    const [source = '', ...rest] = bind.split(':')
    return [ofSlot.get(source) ?? source, ...rest].join(':')
  })
  return { ...request, HostConfig: { ...request.HostConfig, Binds: bound } }
}

/** What the volumes of a unit say of whose they are. */
export function volumeLabels(unit: UnitToRun, machine: string): Readonly<Record<string, string>> {
  return {
    ...unitLabels(unit, machine),
    ...(unit.instance !== null && unit.serviceUuid !== undefined && { [serviceUuidLabel]: unit.serviceUuid }),
  }
}

/** The request, with a labelled volume for each path that the image keeps one at and the unit mounts nothing else at. */
export function withLabelledVolumes(
  request: CreateRequest,
  image: ImageConfig,
  labels: Readonly<Record<string, string>>,
): CreateRequest {
  const { Binds = [], Tmpfs = {}, Mounts: mounted = [] } = request.HostConfig
  const taken = new Set(
    [
      ...Binds.map((bind) => bind.split(':')[1] ?? bind),
      ...Object.keys(Tmpfs),
      ...mounted.map(({ Target }) => Target),
    ].map(plain),
  )
  const paths = Object.keys(image.Volumes ?? {}).filter((path) => !taken.has(plain(path)))
  if (paths.length === 0) return request
  const Mounts = paths.map((path) => ({
    Type: 'volume' as const,
    Target: path,
    VolumeOptions: { Labels: labels },
  }))
  return { ...request, HostConfig: { ...request.HostConfig, Mounts: [...mounted, ...Mounts] } }
}

/** A path without what changes nothing about it. */
function plain(path: string): string {
  return path.replace(/\/{2,}/g, '/').replace(/(?<=.)\/$/, '')
}
