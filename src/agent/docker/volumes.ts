// Volumes without a name that an image asks for: Docker makes one for each container, and by itself tells of none whose it
// is. So they are asked for in its stead, with labels that outlive the container.
import type { UnitToRun } from '../driver.js'
import type { CreateRequest, ImageConfig } from './api.js'
import { labelPrefix, unitLabels } from './labels.js'

/** The service of a volume, by uuid: another one may come to have its name. */
export const serviceUuidLabel = `${labelPrefix}service-uuid`

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
  const { Binds = [], Tmpfs = {} } = request.HostConfig
  const taken = new Set(
    [...Binds.map((bind) => bind.split(':')[1] ?? bind), ...Object.keys(Tmpfs)].map(plain),
  )
  const paths = Object.keys(image.Volumes ?? {}).filter((path) => !taken.has(plain(path)))
  if (paths.length === 0) return request
  const Mounts = paths.map((path) => ({
    Type: 'volume' as const,
    Target: path,
    VolumeOptions: { Labels: labels },
  }))
  return { ...request, HostConfig: { ...request.HostConfig, Mounts } }
}

/** A path without what changes nothing about it. */
function plain(path: string): string {
  return path.replace(/\/{2,}/g, '/').replace(/(?<=.)\/$/, '')
}
