// The named volumes of a unit. [X-Mariposa] Volume=NAME:PATH[:ro] is for programs of the machine; a container says it as
// Quadlet does, where the volume of a service is called <project>.<service>.<name>. SlotVolume=NAME[:fresh] says of either
// that each slot of the service has one of its own,
// and VolumeSize=NAME:MIB how large it is to become at the most.
import type { Diagnostic } from '../model/diagnostic.js'
import {
  parseVolumeKey,
  type SlotVolume,
  type VolumeMount,
  type VolumeName,
  volumeNamePattern,
} from '../model/volume.js'
import type { UnitFile } from './parse.js'
import { problemOf } from './problem.js'
import { expandSpecifiers, type SpecifierContext } from './specifiers.js'
import { hasSection, lastOf, optionsOf } from './values.js'

/** A named volume as a unit asks for it. */
export interface NamedVolume extends VolumeName, VolumeMount {
  /** Each slot has one of its own; which one is said by `slot`, where that is known. */
  readonly perSlot?: true
}

const section = 'X-Mariposa'

/** The volumes of a unit. Code: `unit/bad-volume`. */
export function namedVolumesOf(
  file: UnitFile,
  context: SpecifierContext,
): { readonly volumes: readonly NamedVolume[]; readonly diagnostics: readonly Diagnostic[] } {
  const [project, service] = [lastOf(file, section, 'Project'), lastOf(file, section, 'Service')]
  const inContainer = hasSection(file, 'Container')
  const lines = optionsOf(file, inContainer ? 'Container' : section, 'Volume')
  const diagnostics: Diagnostic[] = []
  const perSlot = new Set(slotVolumesOf(file).map(({ name }) => name))
  const marked = (volume: NamedVolume): NamedVolume =>
    perSlot.has(volume.name) ? { ...volume, perSlot: true } : volume
  const volumes = lines.flatMap((line): NamedVolume[] => {
    const { text } = expandSpecifiers(line.value, context)
    const volume = inContainer ? readContainerLine(text) : readLine(text, project ?? '', service ?? '')
    if (inContainer) return volume?.project === project && volume?.service === service ? [marked(volume)] : []
    if (volume !== null && project !== null && service !== null) return [marked(volume)]
    const problem =
      volume === null
        ? `"${text}" is not of the form NAME:/PATH[:ro]`
        : 'Project= and Service= are missing: they name the owner of the volume'
    diagnostics.push(problemOf(line, 'unit/bad-volume', problem))
    return []
  })
  const ofSlots = [...badSlotVolumes(file, volumes), ...badSizes(file, volumes)]
  return { volumes, diagnostics: [...(inContainer ? misplaced(file) : diagnostics), ...ofSlots] }
}

const slotPattern = new RegExp(`^(${volumeNamePattern})(:fresh)?$`)

/** The volumes of a unit that each slot of its service has for itself. What is wrong in it is left out. */
export function slotVolumesOf(file: UnitFile): readonly SlotVolume[] {
  const lines = optionsOf(file, section, 'SlotVolume')
  if (lines.length === 0) return none
  return lines.flatMap(({ value }) => {
    const [, name, fresh] = slotPattern.exec(value) ?? []
    return name === undefined ? [] : [{ name, fresh: fresh !== undefined }]
  })
}

/** A named volume that is not to hold more than it says. */
export interface SizedVolume extends Pick<VolumeName, 'project' | 'service' | 'name'> {
  readonly perSlot: boolean
  readonly sizeMb: number
}

const sizePattern = new RegExp(`^(${volumeNamePattern}):([1-9][0-9]{0,6})$`)

/** The volumes of a unit that say their size. What is wrong in it is left out. */
export function sizedVolumesOf(file: UnitFile, context: SpecifierContext): readonly SizedVolume[] {
  const lines = optionsOf(file, section, 'VolumeSize')
  if (lines.length === 0) return none
  const { volumes } = namedVolumesOf(file, context)
  return lines.flatMap(({ value }) => {
    const [, name, size] = sizePattern.exec(value) ?? []
    const volume = volumes.find((one) => one.name === name)
    if (volume === undefined) return []
    const { project, service, perSlot = false } = volume
    return [{ project, service, name: volume.name, perSlot, sizeMb: Number(size) }]
  })
}

/** As a line of [X-Mariposa]. */
export function printVolumeSize({ name, sizeMb }: Pick<SizedVolume, 'name' | 'sizeMb'>): string {
  return `${name}:${sizeMb}`
}

function badSizes(file: UnitFile, volumes: readonly NamedVolume[]): readonly Diagnostic[] {
  return optionsOf(file, section, 'VolumeSize').flatMap((line) => {
    const [, name] = sizePattern.exec(line.value) ?? []
    if (name === undefined)
      return [problemOf(line, 'unit/bad-volume', `"${line.value}" is not of the form NAME:MIB`)]
    if (volumes.some((volume) => volume.name === name)) return []
    return [problemOf(line, 'unit/bad-volume', `the unit has no volume ${name} of its service`)]
  })
}

const none: readonly never[] = []

/** As a line of [X-Mariposa]. */
export function printSlotVolume({ name, fresh }: SlotVolume): string {
  return `${name}${fresh ? ':fresh' : ''}`
}

function badSlotVolumes(file: UnitFile, volumes: readonly NamedVolume[]): readonly Diagnostic[] {
  return optionsOf(file, section, 'SlotVolume').flatMap((line) => {
    const [, name] = slotPattern.exec(line.value) ?? []
    if (name === undefined)
      return [problemOf(line, 'unit/bad-volume', `"${line.value}" is not of the form NAME[:fresh]`)]
    if (volumes.some((volume) => volume.name === name)) return []
    return [problemOf(line, 'unit/bad-volume', `the unit has no volume ${name} of its service`)]
  })
}

/** As a line of [X-Mariposa]. */
export function printVolume({ name, path, readonly }: VolumeMount): string {
  return `${name}:${path}${readonly ? ':ro' : ''}`
}

const linePattern = new RegExp(`^(${volumeNamePattern}):(/[^:]*)(?::(ro|rw))?$`)

function readLine(text: string, project: string, service: string): NamedVolume | null {
  const [, name, path, mode] = linePattern.exec(text) ?? []
  if (name === undefined || path === undefined) return null
  return { project, service, name, path, readonly: mode === 'ro' }
}

function readContainerLine(text: string): NamedVolume | null {
  const [source = '', path = '', options = ''] = text.split(':')
  const volume = parseVolumeKey(source)
  return volume === null ? null : { ...volume, path, readonly: options.split(',').includes('ro') }
}

function misplaced(file: UnitFile): readonly Diagnostic[] {
  return optionsOf(file, section, 'Volume').map((line) =>
    problemOf(line, 'unit/bad-volume', 'the volumes of a container are given by [Container] Volume='),
  )
}
