// Commands that only look: lists, single things, explanations, versions.
import type { VersionBody } from '../../api/contract.js'
import { ClientError } from '../client-error.js'
import { instanceColumns, nameOf, serviceColumns } from '../columns.js'
import { exitCodes } from '../command-error.js'
import { describeExplainedUnit, describeExplanation, describeService } from '../details.js'
import type { Shell } from './shell.js'
import { cellView, printJson, printRows } from './shell.js'

export async function listServices(shell: Shell): Promise<number> {
  const services = await shell.client.services(shell.globals.project, shell.signal)
  printRows(shell, serviceColumns, services, nameOf.service)
  return exitCodes.done
}

export async function getService(shell: Shell, name: string, manifestAlone: boolean): Promise<number> {
  const service = await shell.client.service(shell.globals.project, name, shell.signal)
  if (shell.globals.json) printJson(shell, manifestAlone ? { manifest: service.manifest } : service)
  else shell.terminal.out(manifestAlone ? service.manifest : describeService(service, cellView(shell)))
  return exitCodes.done
}

export async function listInstances(shell: Shell, service: string | null): Promise<number> {
  const instances = await shell.client.instances(shell.globals.project, service, shell.signal)
  printRows(shell, instanceColumns, instances, nameOf.instance)
  return exitCodes.done
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

/** A missing daemon is no failure here: the program's own version is known without it. */
export async function printVersion(shell: Shell, own: string): Promise<number> {
  const daemon = await askVersion(shell)
  if (shell.globals.json) printJson(shell, { version: own, daemon })
  else shell.terminal.out(`mariposa ${own}\ndaemon   ${daemon === null ? 'none answers' : daemon.version}\n`)
  return exitCodes.done
}

async function askVersion(shell: Shell): Promise<VersionBody | null> {
  try {
    return await shell.client.version(shell.signal)
  } catch (error) {
    if (error instanceof ClientError && error.code === 'client/no-daemon') return null
    throw error
  }
}
