// `mariposa store check`, `show` and `rm`: records as the store has them.
import { rm, writeFile } from 'node:fs/promises'
import type { RecordBody } from '../../api/contract.js'
import { describeError } from '../../lib/io/log.js'
import { nameOf, unreadableColumns } from '../columns.js'
import { CommandError, exitCodes } from '../command-error.js'
import { printJson, printRows, type Shell } from './shell.js'

/** Names the records that the daemon cannot read; exit 1 where there are any. */
export async function checkStore(shell: Shell): Promise<number> {
  const records = await shell.client.unreadable(shell.signal)
  if (records.length > 0 || shell.globals.json)
    printRows(shell, unreadableColumns, records, nameOf.unreadable)
  else shell.terminal.out('every record can be read\n')
  return records.length === 0 ? exitCodes.done : exitCodes.failed
}

/** Prints what a record says, byte for byte. */
export async function showRecord(shell: Shell, key: string): Promise<number> {
  const record = await shell.client.record(key, shell.signal)
  if (shell.globals.json) printJson(shell, record)
  else shell.terminal.out(`${record.value}\n`)
  return exitCodes.done
}

export interface RemoveFlags {
  readonly force?: true
  readonly to?: string
}

/** Removes records that cannot be read; with `to` it writes them to a file first, and removes what it has written. */
export async function removeRecords(
  shell: Shell,
  keys: readonly string[],
  { force, to }: RemoveFlags,
): Promise<number> {
  const records: RecordBody[] = []
  for (const key of keys) records.push(await shell.client.record(key, shell.signal))
  if (to !== undefined) await exportTo(to, records)
  const removed: RecordBody[] = []
  try {
    for (const { key, revision } of records) {
      removed.push(await shell.client.removeRecord({ key, revision, ...(force && { force }) }, shell.signal))
      if (!shell.globals.json && !shell.globals.quiet) shell.terminal.out(`${key} is removed\n`)
    }
  } finally {
    if (to !== undefined && removed.length === 0) await rm(to)
  }
  if (shell.globals.json) printJson(shell, removed)
  return exitCodes.done
}

/** Never over another file: it may hold what was removed before. */
async function exportTo(file: string, records: readonly RecordBody[]): Promise<void> {
  try {
    await writeFile(file, `${JSON.stringify(records, null, 2)}\n`, { flag: 'wx', mode: 0o600 })
  } catch (error) {
    throw new CommandError(
      exitCodes.failed,
      'cli/not-written',
      `cannot write ${file}: ${describeError(error)}; nothing was removed`,
      { hint: 'name a file that does not exist yet' },
    )
  }
}
