// Commands on the entry.
import { entryColumns, nameOf } from '../columns.js'
import { type ListFlags, printList } from './lists.js'
import type { Shell } from './shell.js'

export function listEntry(shell: Shell, flags: ListFlags): Promise<number> {
  return printList(shell, flags, {
    columns: entryColumns,
    nameOf: nameOf.entry,
    of: (project) => shell.client.entry(project, shell.signal),
  })
}
