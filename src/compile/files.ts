// [X-Mariposa] File=: the files of a manifest in its unit.
import type { ManifestFile, ServiceManifest } from '../manifest/schema.js'
import { placeholderEnd, placeholderStart } from '../manifest/variables.js'
import type { Diagnostic } from '../model/diagnostic.js'
import { volumeOfTemplate } from '../model/volume.js'
import { printFile } from '../unit/files.js'
import { piecesOf } from './deferred-environment.js'
import { pointer, problemAt } from './problem.js'
import { badText, type SectionPart } from './section.js'
import { optionText, textProblem } from './text.js'

/** The lines for the files. Codes: `compile/bad-text`, `compile/unknown-volume`. */
export function fileOptions({ name: service, files, volumes }: ServiceManifest): SectionPart {
  const known = volumes.flatMap(({ name }) => name ?? [])
  const problems = files.flatMap(({ template }, index): Diagnostic[] => {
    const at = pointer('files', index, 'template')
    const problem = textProblem(template)
    const missing = unknownVolume(template, known)
    return [
      ...(problem === null ? [] : [badText(at, problem)]),
      ...(missing === null ? [] : [noVolume(at, missing)]),
    ]
  })
  const options = files.map((file) => ({
    section: 'X-Mariposa',
    name: 'File',
    value: lineOf(file, service),
    line: 0,
  }))
  return { options: problems.length > 0 ? [] : options, problems }
}

function lineOf({ path, template, mode, owner, secret }: ManifestFile, service: string): string {
  const file = {
    path,
    mode: mode ?? null,
    owner: owner ?? null,
    secret: secret === true,
    text: piecesOf(template),
  }
  return printFile(file, (plain) => optionText(plain, service))
}

const volumeMark = new RegExp(`${placeholderStart}(volume\\.[^${placeholderEnd}]*)${placeholderEnd}`, 'g')

function unknownVolume(text: string, known: readonly string[]): string | null {
  const names = Array.from(text.matchAll(volumeMark), ([, variable = '']) => volumeOfTemplate(variable))
  return names.find((name) => name !== null && !known.includes(name)) ?? null
}

function noVolume(at: string, name: string): Diagnostic {
  const hint = 'volumes lists the volumes of a service'
  return problemAt(at, 'compile/unknown-volume', `the service has no volume ${JSON.stringify(name)}`, hint)
}
