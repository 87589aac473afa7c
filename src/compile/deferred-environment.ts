// [X-Mariposa] Environment=: variables of the manifest's environment that hold what only an instance's machine knows.

import { invariant } from '../lib/invariant.js'
import type { ServiceManifest } from '../manifest/schema.js'
import {
  placeholderEnd,
  placeholderStart,
  placementVariables,
  readPlaceholder,
} from '../manifest/variables.js'
import { fileVariables } from '../model/arriving-file.js'
import type { Diagnostic } from '../model/diagnostic.js'
import { volumeOfTemplate } from '../model/volume.js'
import { printDeferredVariable } from '../unit/deferred-environment.js'
import type { DeferredPiece } from '../unit/deferred-pieces.js'
import { pointer } from './problem.js'
import { badText, type SectionPart } from './section.js'
import { optionText, textProblem } from './text.js'

/** Whether a value is for the agent to fill in, so that no line of the program's own section can say it. */
export function isFilledLate(text: string): boolean {
  return text.includes(placeholderStart) && piecesOf(text).some(({ kind }) => kind !== 'text')
}

/** The lines for the variables that are filled in late. */
export function lateOptions({ name: service, environment }: ServiceManifest): SectionPart {
  const late = Object.entries(environment).filter(([, text]) => isFilledLate(text))
  const problems = late.flatMap(([name, text]): Diagnostic[] => {
    const problem = textProblem(text)
    return problem === null ? [] : [badText(pointer('environment', name), problem)]
  })
  const options = late.map(([name, text]) => ({
    section: 'X-Mariposa',
    name: 'Environment',
    value: printDeferredVariable({ name, pieces: piecesOf(text) }, (plain) => optionText(plain, service)),
    line: 0,
  }))
  return { options: problems.length > 0 ? [] : options, problems }
}

const anyPlaceholder = new RegExp(`(${placeholderStart}[^${placeholderEnd}]*${placeholderEnd})`)

/** The pieces of a text. Marks that specifiers can say stay in it. */
export function piecesOf(text: string): readonly DeferredPiece[] {
  return text
    .split(anyPlaceholder)
    .filter((part) => part !== '')
    .map((part): DeferredPiece => {
      const mark = part.startsWith(placeholderStart) ? readPlaceholder(part.slice(1, -1)) : null
      const isSpecifier = mark !== null && placementVariables.some((name) => name === mark.name)
      return mark === null || isSpecifier ? { kind: 'text', text: part } : pieceOf(mark)
    })
}

function pieceOf({ name, fallback }: ReturnType<typeof readPlaceholder>): DeferredPiece {
  if (name === 'instance.uuid') return { kind: 'instance-uuid' }
  if (name === 'machine.ip') return { kind: 'machine-ip' }
  const volume = volumeOfTemplate(name)
  if (volume !== null) return { kind: 'volume-path', volume }
  const directory = fileVariables.get(name)
  if (directory !== undefined) return { kind: 'files-dir', of: directory }
  const [, space, key = ''] = /^(meta|machine\.metadata)\.(.+)$/.exec(name) ?? []
  invariant(space !== undefined, `${name} is filled in by nobody`)
  return space === 'meta' ? { kind: 'meta', key } : { kind: 'machine-metadata', key, fallback }
}
