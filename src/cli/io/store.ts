// `mariposa store check`.
import { nameOf, unreadableColumns } from '../columns.js'
import { exitCodes } from '../command-error.js'
import { printRows, type Shell } from './shell.js'

/** Names the records that the daemon cannot read; exit 1 where there are any. */
export async function checkStore(shell: Shell): Promise<number> {
  const records = await shell.client.unreadable(shell.signal)
  if (records.length > 0 || shell.globals.json)
    printRows(shell, unreadableColumns, records, nameOf.unreadable)
  else shell.terminal.out('every record can be read\n')
  return records.length === 0 ? exitCodes.done : exitCodes.failed
}
