// Commands on the schedules of services.
import { nameOf, runColumns, scheduleColumns } from '../columns.js'
import { exitCodes } from '../command-error.js'
import type { Shell } from './shell.js'
import { printRows } from './shell.js'

export async function listSchedules(shell: Shell, service: string | undefined): Promise<number> {
  const rows = await shell.client.schedules(shell.globals.project, service, shell.signal)
  printRows(shell, scheduleColumns, rows, nameOf.schedule)
  return exitCodes.done
}

export async function listRuns(shell: Shell, service: string | undefined): Promise<number> {
  const rows = await shell.client.runs(shell.globals.project, service, shell.signal)
  printRows(shell, runColumns, rows, nameOf.run)
  return exitCodes.done
}
