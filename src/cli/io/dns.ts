// Commands on names.
import { dnsColumns, nameOf } from '../columns.js'
import { exitCodes } from '../command-error.js'
import { describeLookup } from '../details.js'
import { type ListFlags, printList } from './lists.js'
import { printJson, type Shell } from './shell.js'

export function listNames(shell: Shell, service: string | undefined, flags: ListFlags): Promise<number> {
  return printList(shell, flags, {
    columns: dnsColumns,
    nameOf: nameOf.named,
    of: (project) => shell.client.dnsInstances(project, service, shell.signal),
  })
}

export async function lookUpName(shell: Shell, name: string, type: string): Promise<number> {
  const found = await shell.client.dnsLookup(name, type, shell.signal)
  if (shell.globals.json) printJson(shell, found)
  else shell.terminal.out(describeLookup(found))
  return exitCodes.done
}
