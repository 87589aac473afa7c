// `mariposa store check`, `show`, `rm` and `export`: records as the store has them.
import { randomUUID } from 'node:crypto'
import { open, rm, stat, writeFile } from 'node:fs/promises'
import { ClientError } from '../../client/client-error.js'
import type { ExportFooter, ExportHeader, RecordBody } from '../../contract/contract.js'
import { describeError } from '../../lib/io/log.js'
import { nameOf, unreadableColumns } from '../columns.js'
import { CommandError, exitCodes } from '../command-error.js'
import { putInPlace } from './rendered-file.js'
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

/** How records that cannot be read are removed. */
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
  } catch (error) {
    // Without an answer, or where the store did not answer in time, it may be gone, and this is all that is left of it.
    const isRefused = error instanceof ClientError && error.status !== null && error.status < 500
    if (to !== undefined && removed.length === 0 && isRefused) await rm(to)
    throw error
  }
  if (shell.globals.json) printJson(shell, removed)
  return exitCodes.done
}

/** Never over another file: it may hold what was removed before. */
async function exportTo(file: string, records: readonly RecordBody[]): Promise<void> {
  try {
    await writeFile(file, `${JSON.stringify(records, null, 2)}\n`, { flag: 'wx', mode: 0o600, flush: true })
  } catch (error) {
    throw new CommandError(
      exitCodes.failed,
      'cli/not-written',
      `cannot write ${file}: ${describeError(error)}; nothing was removed`,
      { hint: 'name a file that does not exist yet' },
    )
  }
}

/** Writes all records to a new file, or with `-` to standard output. */
export async function exportStore(shell: Shell, file: string): Promise<number> {
  const lines = shell.client.exportRecords(true, shell.signal)
  if (file === '-') {
    for await (const line of lines) shell.terminal.out(`${JSON.stringify(line)}\n`)
    return exitCodes.done
  }
  const { header, footer } = await writeExport(file, lines)
  const told = { file, records: footer.count, revision: header.revision, at: header.at }
  if (shell.globals.json) printJson(shell, told)
  else if (!shell.globals.quiet)
    shell.terminal.out(`${footer.count} records as of ${header.at} are in ${file}\n`)
  return exitCodes.done
}

/** How much is written at a time. */
const writeBytes = 256 * 1024

/** Never over another file; what is not whole never has its name. */
async function writeExport(
  file: string,
  lines: AsyncIterable<unknown>,
): Promise<{ readonly header: ExportHeader; readonly footer: ExportFooter }> {
  if (await stat(file).catch(() => null)) throw notExported(file, 'EEXIST: file already exists')
  const part = `${file}.${randomUUID().slice(0, 8)}.part`
  const handle = await open(part, 'wx', 0o600).catch((error: unknown) => {
    throw notExported(file, error)
  })
  let [header, last, text]: [unknown, unknown, string] = [null, null, '']
  const write = async (): Promise<void> => {
    await handle.writeFile(text).catch((error: unknown) => {
      throw notExported(file, error)
    })
    text = ''
  }
  try {
    for await (const line of lines) {
      header ??= line
      last = line
      text += `${JSON.stringify(line)}\n`
      if (text.length >= writeBytes) await write()
    }
    await write()
    if (!isFooter(last)) throw notExported(file, 'the answer of the daemon is truncated')
    await handle.sync()
    await putInPlace(part, file).catch((error: unknown) => {
      throw notExported(file, error)
    })
  } finally {
    await handle.close()
    await rm(part, { force: true })
  }
  return { header: header as ExportHeader, footer: last as ExportFooter }
}

function isFooter(line: unknown): boolean {
  return typeof line === 'object' && line !== null && 'end' in line && 'count' in line
}

function notExported(file: string, why: unknown): CommandError {
  const reason = typeof why === 'string' ? why : describeError(why)
  return new CommandError(exitCodes.failed, 'cli/not-written', `cannot write ${file}: ${reason}`, {
    hint: 'name a file that does not exist yet, where there is room for it',
  })
}
