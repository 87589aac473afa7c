// The named volumes of a unit. [X-Mariposa] Volume=NAME:PATH[:ro] is for programs of the machine; a container says it as
// Quadlet does, where the volume of a service is called <project>.<service>.<name>.
import type { Diagnostic } from '../model/diagnostic.js'
import { parseVolumeKey, type VolumeMount, type VolumeName, volumeNamePattern } from '../model/volume.js'
import type { UnitFile } from './parse.js'
import { problemOf } from './problem.js'
import { expandSpecifiers, type SpecifierContext } from './specifiers.js'
import { hasSection, lastOf, optionsOf } from './values.js'

/** A named volume as a unit asks for it. */
export interface NamedVolume extends VolumeName, VolumeMount {}

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
  const volumes = lines.flatMap((line): NamedVolume[] => {
    const { text } = expandSpecifiers(line.value, context)
    const volume = inContainer ? readContainerLine(text) : readLine(text, project ?? '', service ?? '')
    if (inContainer) return volume?.project === project && volume?.service === service ? [volume] : []
    if (volume !== null && project !== null && service !== null) return [volume]
    const problem =
      volume === null
        ? `"${text}" is not of the form NAME:/PATH[:ro]`
        : 'Project= and Service= have to say whose it is'
    diagnostics.push(problemOf(line, 'unit/bad-volume', problem))
    return []
  })
  return { volumes, diagnostics: inContainer ? misplaced(file) : diagnostics }
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
    problemOf(line, 'unit/bad-volume', 'a container says its volumes with [Container] Volume='),
  )
}
