// What a run is given of a call, in the unit of its instance: by name alone, for the agent to fill in.
import { bodyFile, bodyVariable, type NamedBody } from '../model/call-body.js'
import { printDeferredVariable } from './deferred-environment.js'
import type { DeferredPiece } from './deferred-pieces.js'
import { printFile } from './files.js'
import { parseUnit } from './parse.js'
import { printUnit } from './print.js'

/** The text of a unit whose run is given something of a call. */
export function withCallBody(text: string, { id, file, variables }: NamedBody): string {
  const { options } = parseUnit(text).file
  const line = (name: string, value: string) => ({ section: 'X-Mariposa', name, value, line: 0 })
  const variable = (name: string, ...pieces: readonly DeferredPiece[]) =>
    line('Environment', printDeferredVariable({ name, pieces }))
  const ofFile = [
    line('File', printFile({ ...secretFile, text: [{ kind: 'call', id, variable: null }] })),
    variable(bodyVariable, { kind: 'files-dir', of: 'own' }, { kind: 'text', text: `/${bodyFile}` }),
  ]
  const given = variables.map((name) => variable(name, { kind: 'call', id, variable: name }))
  return printUnit({ options: [...options, ...(file ? ofFile : []), ...given] })
}

/** It may be as secret as what a caller sends. */
const secretFile = {
  path: bodyFile,
  mode: null,
  owner: null,
  secret: true,
  onChange: null,
  data: null,
} as const
