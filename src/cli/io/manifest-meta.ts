// The metadata that commands on manifests fill in: of a file, of the daemon where one answers, or stand-ins.

import { ClientError } from '../../client/client-error.js'
import type { SourceFile } from '../../contract/contract.js'
import type { MetaVariables } from '../../manifest/variables.js'
import { hasErrors } from '../../model/diagnostic.js'
import type { PolicyHere } from '../../model/policy.js'
import { CommandError, exitCodes, usageError } from '../command-error.js'
import type { Shell } from './shell.js'
import { readSource } from './sources.js'

export interface MetaFlags {
  readonly offline?: true
  /** A file as `meta import` takes it. */
  readonly meta?: string
}

const unknown: MetaVariables = { values: new Map(), complete: false }
/** How long a daemon is waited for: the command goes on without it. */
const answersWithinMs = 3000

/** The metadata of the project as far as the manifests ask for any; nobody is asked where they do not. */
export async function metaFor(
  shell: Shell,
  sources: readonly SourceFile[],
  { offline, meta: file }: MetaFlags,
): Promise<MetaVariables> {
  if (offline === true && file !== undefined) throw usageError('give --offline or --meta, not both')
  if (file !== undefined) return await metaOfFile(file)
  const asks = sources.some(({ text }) => /\{\{[^}]*\bmeta\./.test(text))
  return asks && offline !== true ? await metaOfDaemon(shell) : unknown
}

async function metaOfFile(file: string): Promise<MetaVariables> {
  const { parseMetaFile } = await import('../meta-file.js')
  const source = await readSource(file)
  const { values, diagnostics } = parseMetaFile(source)
  if (hasErrors(diagnostics))
    throw new CommandError(exitCodes.invalid, 'meta/bad-file', `${source.file} is not valid metadata`, {
      details: diagnostics,
      sources: [source],
    })
  return { values: new Map(Object.entries(values)), complete: true }
}

/** What no daemon says is not known: each key that is asked for gets a stand-in, with a warning. */
async function metaOfDaemon({ client, globals, terminal, signal }: Shell): Promise<MetaVariables> {
  const late = AbortSignal.timeout(answersWithinMs)
  try {
    const keys = await client.meta(globals.project, AbortSignal.any([signal, late]))
    return { values: new Map(keys.map(({ key, value }) => [key, value ?? null])), complete: true }
  } catch (error) {
    if (signal.aborted) throw error
    if (!late.aborted && !(error instanceof ClientError)) throw error
    // A deploy makes the project, which has no metadata until then.
    if (error instanceof ClientError && error.code === 'project/unknown')
      return { values: new Map(), complete: true }
    // There is no daemon on most machines that check manifests; one that is there and does not tell is news.
    if (late.aborted || (error instanceof ClientError && error.status !== null && error.status !== 404))
      terminal.err(
        `warning: ${whyNot(error)}; placeholders are used for metadata (--offline asks no daemon)\n`,
      )
    return unknown
  }
}

/** The policy of the machine whose daemon answers; null where none does, and where it lets everything be. */
export async function policyFor(
  { client, signal }: Shell,
  { offline }: MetaFlags,
): Promise<PolicyHere | null> {
  if (offline === true) return null
  const late = AbortSignal.timeout(answersWithinMs)
  try {
    const { policy, asRoot } = await client.policy(AbortSignal.any([signal, late]))
    return policy === null ? null : { policy, asRoot }
  } catch (error) {
    // A manifest is checked without a daemon as well, which judges it again when it is deployed.
    if (signal.aborted || !(late.aborted || error instanceof ClientError)) throw error
    return null
  }
}

function whyNot(error: unknown): string {
  return error instanceof ClientError ? error.message : 'the daemon does not answer'
}
