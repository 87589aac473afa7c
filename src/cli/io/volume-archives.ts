// Backups of volumes, to files and standard output, and back.
import { randomUUID } from 'node:crypto'
import { accessSync, constants, rmSync, statSync } from 'node:fs'
import { type FileHandle, open, rename, rm, writeFile } from 'node:fs/promises'
import { basename } from 'node:path'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import type { VolumeArchive } from '../../client/io/volume-archive.js'
import { describeError } from '../../lib/io/log.js'
import { describeSize } from '../../model/pull.js'
import { nameWithSlot } from '../../model/volume.js'
import { s3Scheme, sumSuffix } from '../../s3/location.js'
import { exitCodes, usageError } from '../command-error.js'
import { chunksOf } from './inputs.js'
import { isTerminal, outputStream } from './output.js'
import { printJson, type Shell } from './shell.js'
import { takeStdin } from './stdin.js'
import { sumBeside } from './sums.js'
import { onTermination } from './termination.js'

/** How a volume is to be read, as the options say it. */
interface ReadFlags {
  readonly consistency: string
  readonly skipHook?: boolean
  /** Milliseconds. */
  readonly pauseAtMost?: number
}

/** Throws CommandError for options that do not go together. */
function howToRead({ consistency, skipHook = false, pauseAtMost }: ReadFlags) {
  if (pauseAtMost !== undefined && consistency !== 'paused')
    throw usageError('--pause-at-most is for --consistency paused')
  if (pauseAtMost === 0) throw usageError('--pause-at-most has to be longer than no time at all')
  return { consistency, skipHook, ...(pauseAtMost !== undefined && { pauseAtMostMs: pauseAtMost }) }
}

/** Writes a backup into a file or an object, which is there once it is whole, with its checksum beside it; or to standard output. */
export async function backUpVolume(
  shell: Shell,
  word: string,
  to: string,
  flags: ReadFlags,
): Promise<number> {
  const { client, globals, signal, terminal } = shell
  const how = howToRead(flags)
  if (to === '-' && globals.json) throw usageError('--json and the backup would both go to standard output')
  if (to === '-' && isTerminal('stdout'))
    throw usageError('a backup is nothing for a terminal', 'name a file')
  const read = async (until = signal) => await client.backUpVolume(globals.project, word, how, until)
  const archive =
    to === '-'
      ? await printed(read)
      : to.startsWith(s3Scheme)
        ? await (await import('./volume-objects.js')).writtenToObject(shell, to, read)
        : await writtenTo(to, read)
  const { sha256, bytes, changed } = archive.told()
  if (globals.json)
    printJson(shell, { volume: word, to, consistency: how.consistency, bytes, sha256, changed })
  else if (!globals.quiet) {
    const what = `${word} is in ${to === '-' ? 'the backup' : to}: ${describeSize(bytes)}, SHA-256 ${sha256}\n`
    if (to === '-') terminal.err(what)
    else terminal.out(what)
    if (changed) tellChanged(shell)
  }
  return exitCodes.done
}

/** Sends a backup back. */
export async function restoreVolume(
  shell: Shell,
  from: string,
  word: string,
  {
    force,
    sha256,
    machine,
  }: { readonly force: boolean; readonly sha256: string | null; readonly machine: string | null },
): Promise<number> {
  const { client, globals, signal, terminal } = shell
  const over = new AbortController()
  const until = AbortSignal.any([signal, over.signal])
  const {
    source,
    sum: beside,
    refuseBroken,
  } = await openBackup(from, sha256 === null, {
    signal: until,
    terminal,
  })
  const sum = sha256 ?? beside
  const asked = client.restoreVolume(globals.project, word, { force, sha256: sum, machine }, source, signal)
  const restored = await asked
    .catch((error: unknown) => {
      refuseBroken()
      throw error
    })
    // A pipe into which nobody writes any more would be read for ever.
    .finally(() => {
      over.abort()
      source.destroy()
    })
  const { service, hostname, bytes } = restored
  if (globals.json) printJson(shell, restored)
  else if (!globals.quiet) {
    const checked = sum === null ? '' : ', SHA-256 as it should be'
    terminal.out(
      `${service}.${nameWithSlot(restored)} on ${hostname} has what is in ${from === '-' ? 'the backup' : from} (${describeSize(bytes)}${checked})\n`,
    )
  }
  return exitCodes.done
}

interface OpenBackup {
  readonly source: Readable
  /** The checksum beside it; null where there is none. */
  readonly sum: string | null
  /** Throws why it was not read to its end, where that is known. */
  refuseBroken(): void
}

/** Throws CommandError before anything is stopped for what cannot be read. */
async function openBackup(
  from: string,
  wantsSum: boolean,
  shell: Pick<Shell, 'signal' | 'terminal'>,
): Promise<OpenBackup> {
  if (from.startsWith(s3Scheme))
    return await (await import('./volume-objects.js')).openObject(from, wantsSum, shell)
  if (from !== '-') refuseUnreadable(from)
  const sum = wantsSum && from !== '-' ? sumBeside(from) : null
  const source = from === '-' ? takeStdin() : Readable.from(chunksOf(from, shell.signal))
  return { source, sum, refuseBroken: () => {} }
}

/** Puts what is in a volume into another one. */
export async function cloneVolume(
  shell: Shell,
  word: string,
  to: string,
  { force, machine, ...flags }: ReadFlags & { readonly force?: boolean; readonly machine?: string },
): Promise<number> {
  const { client, globals, signal, terminal } = shell
  const how = {
    ...{ to, ...howToRead(flags) },
    ...(force !== undefined && { force }),
    ...(machine !== undefined && { machine }),
  }
  const cloned = await client.cloneVolume(globals.project, word, how, signal)
  const { service, hostname, bytes, changed } = cloned
  if (globals.json) printJson(shell, cloned)
  else if (!globals.quiet) {
    const what = `${service}.${nameWithSlot(cloned)} on ${hostname}`
    terminal.out(
      `${what} has what is in ${word} (${describeSize(bytes)} compressed, SHA-256 as it should be)\n`,
    )
    if (changed) tellChanged(shell)
  }
  return exitCodes.done
}

function tellChanged({ terminal }: Shell): void {
  terminal.err(
    'something was changed while it was read: --consistency paused or stopped has all of one moment\n',
  )
}

async function printed(read: () => Promise<VolumeArchive>): Promise<VolumeArchive> {
  const archive = await read()
  await pipeline(archive.chunks, outputStream('stdout'), { end: false })
  return archive
}

/** Nothing is asked for, and no instance stopped, that there would be no file for. */
async function writtenTo(to: string, read: () => Promise<VolumeArchive>): Promise<VolumeArchive> {
  // Its own: two backups to one file at once would else write into each other's.
  const part = `${to}.${randomUUID().slice(0, 8)}.part`
  const file = await openedFor(to, part)
  const keep = removeWhenEnded(part)
  try {
    const archive = await read()
    await pipeline(archive.chunks, file.createWriteStream({ flush: true }))
    // Never the checksum of what was there before beside what is there now.
    await rm(`${to}${sumSuffix}`, { force: true })
    await rename(part, to)
    await writeFile(`${to}${sumSuffix}`, `${archive.told().sha256}  ${basename(to)}\n`, { mode: 0o600 })
    return archive
  } catch (error) {
    await rm(part, { force: true })
    throw error
  } finally {
    keep()
    await file.close()
  }
}

/** Has a file go with this process, however that is ended, until the function that it returns is called. */
function removeWhenEnded(path: string): () => void {
  const remove = (): void => rmSync(path, { force: true })
  const over = onTermination((signal) => {
    remove()
    process.kill(process.pid, signal)
  })
  process.once('exit', remove)
  return () => {
    process.off('exit', remove)
    over()
  }
}

async function openedFor(to: string, part: string): Promise<FileHandle> {
  try {
    if (statSync(to, { throwIfNoEntry: false })?.isDirectory()) throw new Error('it is a directory')
    return await open(part, 'w', 0o600)
  } catch (error) {
    throw usageError(`cannot write ${to}: ${describeError(error)}`)
  }
}

/** Throws CommandError before anything is stopped for what cannot be read. */
function refuseUnreadable(from: string): void {
  const found = statSync(from, { throwIfNoEntry: false })
  if (found === undefined) throw usageError(`there is no file ${from}`)
  if (found.isDirectory()) throw usageError(`${from} is a directory`, 'name the file of a backup')
  try {
    accessSync(from, constants.R_OK)
  } catch (error) {
    throw usageError(`cannot read ${from}: ${describeError(error)}`)
  }
}
