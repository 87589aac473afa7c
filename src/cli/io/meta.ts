// Commands on the metadata of a project.
import type { MetaBody, SourceFile } from '../../contract/contract.js'
import { hasErrors } from '../../model/diagnostic.js'
import { describeMetaValue, metaColumns, nameOf } from '../columns.js'
import { CommandError, exitCodes, usageError } from '../command-error.js'
import { parseMetaFile } from '../meta-file.js'
import { type ListFlags, printList } from './lists.js'
import type { Shell } from './shell.js'
import { printJson } from './shell.js'
import { readSource } from './sources.js'

export interface SetFlags {
  readonly cas?: string
  readonly secret?: true
  readonly file?: string
}

export interface ImportFlags {
  readonly force?: true
  readonly secret?: true
}

export interface RotateFlags {
  readonly lost?: true
}

export function listMeta(shell: Shell, flags: ListFlags): Promise<number> {
  return printList(shell, flags, {
    columns: metaColumns,
    nameOf: nameOf.meta,
    of: (project) => shell.client.meta(project, shell.signal),
  })
}

export async function getMeta(shell: Shell, key: string): Promise<number> {
  const found = await shell.client.metaKey(shell.globals.project, key, shell.signal)
  if (shell.globals.json) printJson(shell, found)
  else shell.terminal.out(`${describeMetaValue(found)}\n`)
  return exitCodes.done
}

export async function setMeta(
  shell: Shell,
  key: string,
  value: string | undefined,
  { cas, secret, file }: SetFlags,
): Promise<number> {
  if (value !== undefined && file !== undefined) throw usageError('give a value or --file, not both')
  const given = value ?? (file === undefined ? undefined : withoutLineEnd(await readSource(file)))
  if (given === undefined) throw usageError('give a value, or --file', `mariposa meta set ${key} VALUE`)
  const request = { value: given, ...(secret && { secret }), ...(cas !== undefined && { cas }) }
  const set = await shell.client.metaSet(shell.globals.project, key, request, shell.signal)
  tell(shell, set, `${key} is set\n`)
  return exitCodes.done
}

/** A file of text ends in a line break that is no part of what it says. */
function withoutLineEnd({ text }: SourceFile): string {
  return text.replace(/\r?\n$/, '')
}

export async function removeMeta(shell: Shell, key: string, cas: string | undefined): Promise<number> {
  const removed = await shell.client.metaRemove(shell.globals.project, key, cas, shell.signal)
  tell(shell, removed, `${key} is removed\n`)
  return exitCodes.done
}

export async function countMeta(
  shell: Shell,
  verb: 'incr' | 'decr',
  key: string,
  by: string,
): Promise<number> {
  if (!/^[1-9]\d{0,14}$/.test(by)) throw usageError(`'${by}' is not a whole number from 1 on`)
  const counted = await shell.client.metaCount(
    shell.globals.project,
    key,
    verb,
    { by: Number(by) },
    shell.signal,
  )
  tell(shell, counted, `${describeMetaValue(counted)}\n`)
  return exitCodes.done
}

/** Sets all keys of a file as one change; exit 2 with every problem of the file when it has one. */
export async function importMeta(
  shell: Shell,
  file: string,
  { force, secret }: ImportFlags,
): Promise<number> {
  const source = await readSource(file)
  const { values, diagnostics } = parseMetaFile(source)
  if (hasErrors(diagnostics)) {
    const message = `${source.file} is not valid metadata; nothing was changed`
    throw new CommandError(exitCodes.invalid, 'meta/bad-file', message, {
      details: diagnostics,
      sources: [source],
    })
  }
  const request = { values, ...(force && { force }), ...(secret && { secret }) }
  const imported = await shell.client.metaImport(shell.globals.project, request, shell.signal)
  const { set, skipped } = imported
  if (skipped.length > 0) {
    const which = skipped.length === 1 ? 'it is unchanged' : 'they stay as they are'
    shell.terminal.err(`warning: ${skipped.join(', ')}: there already, so ${which} (--force replaces them)\n`)
  }
  tell(shell, imported, `${set.length} ${set.length === 1 ? 'key is' : 'keys are'} imported\n`)
  return exitCodes.done
}

/** Seals all secrets with the newest key, and names what can no longer be opened. */
export async function rotateSecrets(shell: Shell, { lost }: RotateFlags): Promise<number> {
  const rotated = await shell.client.rotateSecrets({ ...(lost && { lost }) }, shell.signal)
  const { fingerprint, resealed, made } = rotated
  for (const of of rotated.lost) shell.terminal.err(`warning: ${of}: no key here opens it; set it again\n`)
  if (!shell.globals.json) for (const { of, secret } of made) shell.terminal.out(`${of}: ${secret}\n`)
  if (made.length > 0) shell.terminal.err('note the new secrets down: no listing shows them\n')
  const what = `${resealed} ${resealed === 1 ? 'secret is' : 'secrets are'} sealed anew`
  tell(shell, rotated, `key ${fingerprint} is in use; ${what}\n`)
  return exitCodes.done
}

function tell(shell: Shell, json: MetaBody | object, text: string): void {
  if (shell.globals.json) printJson(shell, json)
  else if (!shell.globals.quiet) shell.terminal.out(text)
}
