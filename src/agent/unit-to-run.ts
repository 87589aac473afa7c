// Fills in what placement decides, and hands the unit over in the form that drivers take.
import { sha1 } from '../lib/hash.js'
import { type FileDirectories, filesVariable, secretsVariable } from '../model/arriving-file.js'
import type { DesiredUnit, Placement } from '../model/unit.js'
import { volumeVariable } from '../model/volume.js'
import type { UnitFile } from '../unit/parse.js'
import type { NamedVolume } from '../unit/volumes.js'
import { nothingDeferred, type ResolvedVariables } from './deferred-environment.js'
import type { Driver, FilledFile, UnitToRun } from './driver.js'

/** The hash that a driver holds a unit under: of its text and of what its placement adds. */
export function runHash(textHash: string, placement: Placement): string {
  return placement.ports.length === 0 ? textHash : sha1(`${textHash} ${JSON.stringify(placement.ports)}`)
}

/** A placed unit with its file, ready for a driver. */
export function unitToRun(
  unit: DesiredUnit,
  placement: Placement,
  file: UnitFile,
  deferred: ResolvedVariables = nothingDeferred,
  serviceUuid?: string,
  volumes: readonly PlacedVolume[] = [],
  arriving: ArrivingFiles | null = null,
): UnitToRun {
  return {
    name: unit.name,
    hash: runHash(unit.hash, placement),
    file,
    instance: unit.instance,
    ...(serviceUuid !== undefined && { serviceUuid }),
    ports: placement.ports,
    ...(volumes.length > 0 && { volumes }),
    ...(arriving !== null && { files: arriving.files }),
    environment: {
      ...(inContainer(file) ? {} : portVariables(placement)),
      ...volumeVariables(volumes),
      ...(arriving !== null && directoryVariables(arriving.at)),
      ...deferred.environment,
    },
    secrets: deferred.secrets,
  }
}

/** The files of a unit, and where its program finds them. */
interface ArrivingFiles {
  readonly files: readonly FilledFile[]
  readonly at: FileDirectories
}

function directoryVariables({ own, secrets }: FileDirectories): Readonly<Record<string, string>> {
  return { [filesVariable]: own, [secretsVariable]: secrets }
}

/** A volume of a unit, and where its program finds it. */
interface PlacedVolume extends NamedVolume {
  readonly at: string
}

/** The named volumes of a unit, as a driver shows them to it. */
export function placedVolumes(
  volumes: readonly NamedVolume[],
  driver: Pick<Driver, 'volumePath'>,
): readonly PlacedVolume[] {
  return volumes.map((volume) => ({
    ...volume,
    at: driver.volumePath?.(volume) ?? volume.path,
  }))
}

function volumeVariables(volumes: readonly PlacedVolume[]): Readonly<Record<string, string>> {
  return Object.fromEntries(volumes.map(({ name, at }) => [volumeVariable(name), at]))
}

/** A program in a container listens on its own port; the host's number would mislead it. */
function inContainer(file: UnitFile): boolean {
  return file.options.some((option) => option.section === 'Container')
}

/** Tells a program where to listen: `PORT` is the first of its ports, `PORT_<name>` each of them. */
function portVariables({ ports }: Placement): Readonly<Record<string, string>> {
  const [first] = ports
  if (first === undefined) return {}
  const named = ports.map((port) => [`PORT_${port.container}`, String(port.host)] as const)
  return Object.fromEntries([['PORT', String(first.host)], ...named])
}
