// [X-Mariposa] File=: the files of a manifest in its unit.
import type { ManifestFile, ServiceManifest } from '../manifest/schema.js'
import { placeholderEnd, placeholderStart } from '../manifest/variables.js'
import { type SourcedFile, sourcesAtMost } from '../model/arriving-file.js'
import type { Diagnostic } from '../model/diagnostic.js'
import { volumeOfTemplate } from '../model/volume.js'
import { printFile } from '../unit/files.js'
import { piecesOf } from './deferred-environment.js'
import { pointer, problemAt } from './problem.js'
import { badText, type SectionPart } from './section.js'
import { optionText, textProblem } from './text.js'

/**
 * The lines for the files. Codes: `compile/bad-text`, `compile/unknown-volume`, `compile/missing-source`,
 * `compile/sources-too-large`.
 */
export function fileOptions(
  { name: service, files, volumes }: ServiceManifest,
  sources: readonly SourcedFile[],
): SectionPart {
  const data = new Map(sources.map((one) => [one.path, one.data]))
  const known = volumes.flatMap(({ name }) => name ?? [])
  const problems = files.flatMap((file, index) => problemsOf(file, index, known, data))
  problems.push(...tooLarge(files, data))
  const options = files.map((file) => ({
    section: 'X-Mariposa',
    name: 'File',
    value: lineOf(file, service, data),
    line: 0,
  }))
  return { options: problems.length > 0 ? [] : options, problems }
}

function problemsOf(
  { template = '', source }: ManifestFile,
  index: number,
  volumes: readonly string[],
  data: ReadonlyMap<string, string>,
): readonly Diagnostic[] {
  const at = pointer('files', index, 'template')
  const problem = textProblem(template)
  const missing = unknownVolume(template, volumes)
  return [
    ...(problem === null ? [] : [badText(at, problem)]),
    ...(missing === null ? [] : [noVolume(at, missing)]),
    ...(source === undefined || data.has(source) ? [] : [noSource(index, source)]),
  ]
}

function noSource(index: number, source: string): Diagnostic {
  const message = `the content of ${source} was not sent with the manifest`
  const hint = 'deploy with the mariposa command on the machine that has the file'
  return problemAt(pointer('files', index, 'source'), 'compile/missing-source', message, hint)
}

/** The version and its unit both hold them. */
function tooLarge(files: readonly ManifestFile[], data: ReadonlyMap<string, string>): readonly Diagnostic[] {
  let size = 0
  for (const [index, { source }] of files.entries()) {
    size += bytesIn(source === undefined ? '' : (data.get(source) ?? ''))
    if (size <= sourcesAtMost) continue
    const message = `the files of the directory may have ${sourcesAtMost} bytes in all, and up to this one they have ${size}`
    const hint = 'put large files into an image or a volume'
    return [problemAt(pointer('files', index, 'source'), 'compile/sources-too-large', message, hint)]
  }
  return []
}

function bytesIn(base64: string): number {
  return Math.floor((base64.replace(/=+$/, '').length * 3) / 4)
}

function lineOf(file: ManifestFile, service: string, data: ReadonlyMap<string, string>): string {
  const { path, template = '', source, mode, owner, secret, on_change } = file
  const said = {
    mode: mode ?? null,
    owner: owner ?? null,
    secret: secret === true,
    onChange: on_change?.signal ?? null,
  }
  const from = source === undefined ? null : (data.get(source) ?? '')
  const line = { path, ...said, text: piecesOf(template), data: from }
  return printFile(line, (plain) => optionText(plain, service))
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
