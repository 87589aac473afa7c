// Commands that only look: lists, single things, explanations, versions.

import { ClientError } from '../../client/client-error.js'
import { shortPatience } from '../../client/io/silence.js'
import type { VersionBody } from '../../contract/contract.js'
import { instanceColumns, nameOf, serviceColumns } from '../columns.js'
import { exitCodes } from '../command-error.js'
import { describeExplainedUnit, describeExplanation, describeService } from '../details.js'
import { type ListFlags, printList } from './lists.js'
import type { Shell } from './shell.js'
import { cellView, printJson } from './shell.js'

export function listServices(shell: Shell, flags: ListFlags): Promise<number> {
  return printList(shell, flags, {
    columns: serviceColumns,
    nameOf: nameOf.service,
    of: (project) => shell.client.services(project, shell.signal),
  })
}

export async function getService(shell: Shell, name: string, manifestAlone: boolean): Promise<number> {
  const service = await shell.client.service(shell.globals.project, name, shell.signal)
  if (shell.globals.json) printJson(shell, manifestAlone ? { manifest: service.manifest } : service)
  else shell.terminal.out(manifestAlone ? service.manifest : describeService(service, cellView(shell)))
  return exitCodes.done
}

export function listInstances(shell: Shell, service: string | null, flags: ListFlags): Promise<number> {
  return printList(shell, flags, {
    columns: instanceColumns,
    nameOf: nameOf.instance,
    of: (project) => shell.client.instances(project, service, shell.signal),
  })
}

export async function explain(shell: Shell, name: string): Promise<number> {
  const explained = await shell.client.explain(shell.globals.project, name, shell.signal)
  if (shell.globals.json) printJson(shell, explained)
  else shell.terminal.out(describeExplanation(explained))
  return exitCodes.done
}

export async function explainUnit(shell: Shell, name: string): Promise<number> {
  const explained = await shell.client.explainUnit(name, shell.signal)
  if (shell.globals.json) printJson(shell, explained)
  else shell.terminal.out(describeExplainedUnit(explained))
  return exitCodes.done
}

/** A daemon that is missing, or out of reach, is no failure here: the program's own version is known without it. */
export async function printVersion(shell: Shell, own: string): Promise<number> {
  const { globals, terminal } = shell
  // It is known whatever becomes of the daemon.
  if (!globals.json) terminal.out(`mariposa ${own}\n`)
  const daemon = await askVersion(shell)
  if (globals.json) printJson(shell, { version: own, daemon: typeof daemon === 'string' ? null : daemon })
  else terminal.out(`daemon   ${typeof daemon === 'string' ? daemon : daemon.version}\n`)
  return exitCodes.done
}

/** Why there is none, where nothing can be asked. */
async function askVersion(shell: Shell): Promise<VersionBody | string> {
  try {
    return await shell.client.version(shell.signal, shortPatience)
  } catch (error) {
    if (!(error instanceof ClientError)) throw error
    if (error.code === 'client/no-daemon') return 'none answers'
    if (error.code !== 'client/denied' && error.code !== 'client/unreachable') throw error
    shell.terminal.err(`${error.message}\n${error.hint === undefined ? '' : `  ${error.hint}\n`}`)
    return 'cannot be asked'
  }
}
