// Commands on the schedules of services.
import { nameOf, runColumns, scheduleColumns } from '../columns.js'
import { type ListFlags, printList } from './lists.js'
import type { Shell } from './shell.js'

export function listSchedules(shell: Shell, service: string | undefined, flags: ListFlags): Promise<number> {
  return printList(shell, flags, {
    columns: scheduleColumns,
    nameOf: nameOf.schedule,
    of: (project) => shell.client.schedules(project, service, shell.signal),
  })
}

export function listRuns(shell: Shell, service: string | undefined, flags: ListFlags): Promise<number> {
  return printList(shell, flags, {
    columns: runColumns,
    nameOf: nameOf.run,
    of: (project) => shell.client.runs(project, service, shell.signal),
  })
}
