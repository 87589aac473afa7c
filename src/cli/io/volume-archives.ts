// Backups of volumes, to files and standard output, and back.
import { randomUUID } from 'node:crypto'
import { accessSync, constants, rmSync, statSync } from 'node:fs'
import { open, rename, rm, writeFile } from 'node:fs/promises'
import { basename } from 'node:path'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import type { VolumeArchive } from '../../client/io/volume-archive.js'
import type { VolumeRestored } from '../../contract/contract.js'
import { errorCode } from '../../lib/io/error-code.js'
import { describeError } from '../../lib/io/log.js'
import { describeSize } from '../../model/pull.js'
import { nameWithSlot } from '../../model/volume.js'
import { s3Scheme, sumSuffix } from '../../s3/location.js'
import { CommandError, exitCodes, usageError } from '../command-error.js'
import { openByteProgress } from './byte-progress.js'
import { findFileToWrite } from './file-to-write.js'
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
  if (pauseAtMost === 0) throw usageError('--pause-at-most has to be more than 0')
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
  const progress = openByteProgress(shell, `backup of ${word}`)
  const read = async (until = signal): Promise<VolumeArchive> => {
    const { chunks, told } = await client.backUpVolume(globals.project, word, how, until)
    return { chunks: progress.count(chunks), told }
  }
  const archive = await writtenOut(shell, to, read).finally(() => progress.end())
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

type Read = (until?: AbortSignal) => Promise<VolumeArchive>

async function writtenOut(shell: Shell, to: string, read: Read): Promise<VolumeArchive> {
  if (to === '-') return await printed(read)
  if (!to.startsWith(s3Scheme)) return await writtenTo(to, read)
  return await (await import('./volume-objects.js')).writtenToObject(shell, to, read)
}

/** Of `volume restore`. */
export interface RestoreFlags {
  readonly force?: boolean
  readonly sha256?: string
  readonly machine?: string
  readonly fromBackup?: string
}

/** Restores what the words name: FROM and VOLUME, or VOLUME alone, or nothing, of a backup by schedule. */
export async function restoreVolume(
  shell: Shell,
  words: readonly string[],
  { fromBackup, ...flags }: RestoreFlags,
): Promise<number> {
  const [first, second] = words
  if (fromBackup === undefined) {
    if (first === undefined || second === undefined)
      throw usageError(
        `missing required argument '${first === undefined ? 'from' : 'volume'}'`,
        'mariposa volume restore FROM VOLUME, or mariposa volume restore --from-backup ID [VOLUME]',
      )
    return await sendBackup(shell, first, second, flags)
  }
  if (second !== undefined)
    throw usageError(
      '--from-backup replaces FROM: leave out one of them',
      'name the volume alone, or nothing',
    )
  if (flags.sha256 !== undefined)
    throw usageError('--sha256 is of a file: that of a backup by schedule is known')
  return await restoreScheduled(shell, fromBackup, first, flags)
}

async function restoreScheduled(
  shell: Shell,
  id: string,
  word: string | undefined,
  { force = false, machine = null }: { readonly force?: boolean; readonly machine?: string | null },
): Promise<number> {
  const { client, globals, signal } = shell
  const to = word ?? (await volumeOfBackup(shell, id))
  const how = { force, sha256: null, machine, backup: id }
  const progress = openByteProgress(shell, `restore of ${to}`)
  const restored = await client
    .restoreVolume(globals.project, to, how, null, signal)
    .finally(() => progress.end())
  return tellRestored(shell, restored, `the backup ${id}`, true)
}

/** What a backup by schedule is a backup of. Throws CommandError. */
async function volumeOfBackup({ client, globals: { project }, signal }: Shell, id: string): Promise<string> {
  const all = await client.volumeBackups(project, undefined, signal)
  const found = all.filter((one) => one.id?.startsWith(id.toLowerCase()) === true)
  const [one] = found
  if (one !== undefined && found.length === 1) return `${one.service}.${nameWithSlot(one)}`
  throw one === undefined
    ? new CommandError(
        exitCodes.failed,
        'volume/unknown-backup',
        `there is no complete scheduled backup "${id}" in ${project}; it may have expired`,
        { hint: 'mariposa volume backups shows those that are kept, with their ids' },
      )
    : new CommandError(
        exitCodes.failed,
        'volume/ambiguous-backup',
        `"${id}" is ambiguous: it matches ${found.length} backups: ${found.map((other) => other.id).join(', ')}`,
        { hint: 'give more of the id' },
      )
}

/** Sends a backup back. */
async function sendBackup(
  shell: Shell,
  from: string,
  word: string,
  { force = false, sha256 = null, machine = null }: SendFlags,
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
  const progress = openByteProgress(shell, `restore of ${word}`)
  const counted = Readable.from(progress.count(source as AsyncIterable<Buffer>))
  // Who sends it is told of what breaks it off; once nobody reads it any more, nobody needs to be.
  counted.on('error', () => {})
  const how = { force, sha256: sum, machine }
  const asked = client.restoreVolume(globals.project, word, how, counted, signal)
  const restored = await asked
    .catch((error: unknown) => {
      refuseBroken()
      throw error
    })
    // A pipe into which nobody writes any more would be read for ever.
    .finally(() => {
      progress.end()
      over.abort()
      counted.destroy()
      source.destroy()
    })
  return tellRestored(shell, restored, from === '-' ? 'the backup' : from, sum !== null)
}

interface SendFlags {
  readonly force?: boolean
  readonly sha256?: string | null
  readonly machine?: string | null
}

function tellRestored(shell: Shell, restored: VolumeRestored, from: string, isChecked: boolean): number {
  const { service, hostname, bytes } = restored
  if (shell.globals.json) printJson(shell, restored)
  else if (!shell.globals.quiet) {
    const checked = isChecked ? ', SHA-256 correct' : ''
    shell.terminal.out(
      `${service}.${nameWithSlot(restored)} on ${hostname} was restored from ${from} (${describeSize(bytes)}${checked})\n`,
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
  const progress = openByteProgress(shell, `clone of ${word}`)
  const cloned = await client.cloneVolume(globals.project, word, how, signal).finally(() => progress.end())
  const { service, hostname, bytes, changed } = cloned
  if (globals.json) printJson(shell, cloned)
  else if (!globals.quiet) {
    const what = `${service}.${nameWithSlot(cloned)} on ${hostname}`
    terminal.out(`${what} was written to ${word} (${describeSize(bytes)} compressed, SHA-256 correct)\n`)
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
  const place = await fileFor(to)
  // Its own: two backups to one file at once would else write into each other's.
  const part = `${place}.${randomUUID().slice(0, 8)}.part`
  const sumPart = `${part}${sumSuffix}`
  const file = await open(part, 'w', 0o600).catch((error: unknown) => {
    throw notNamed(to, error)
  })
  const keep = removeWhenEnded([part, sumPart])
  try {
    const archive = await read()
    await pipeline(archive.chunks, file.createWriteStream({ flush: true }))
    // While what was there before is still whole: the disk may have no room for it.
    await writeFile(sumPart, `${archive.told().sha256}  ${basename(place)}\n`, { mode: 0o600 })
    // Never the checksum of what was there before beside what is there now.
    for (const name of [to, place]) await rm(`${name}${sumSuffix}`, { force: true })
    await rename(part, place)
    await rename(sumPart, `${place}${sumSuffix}`)
    return archive
  } catch (error) {
    for (const path of [part, sumPart]) await rm(path, { force: true })
    throw isOfSystem(error) ? notWritten(to, error) : error
  } finally {
    keep()
    await file.close()
  }
}

/** Whether a call of the system failed: what goes wrong with the daemon says so by itself. */
function isOfSystem(error: unknown): boolean {
  return /^E[A-Z]+$/.test(errorCode(error) ?? '')
}

/** What a name leads to is replaced, and not the name: it may be that of a link, or of a device of the machine. */
async function fileFor(to: string): Promise<string> {
  try {
    return (await findFileToWrite(to)).file
  } catch (error) {
    throw notNamed(to, error)
  }
}

function notNamed(to: string, error: unknown): CommandError {
  return usageError(`cannot write ${to}: ${describeError(error)}`, 'name a file, or - for standard output')
}

function notWritten(to: string, error: unknown): CommandError {
  return new CommandError(exitCodes.failed, 'cli/not-written', `cannot write ${to}: ${describeError(error)}`)
}

/** Has files go with this process, however that is ended, until the function that it returns is called. */
function removeWhenEnded(paths: readonly string[]): () => void {
  const remove = (): void => {
    for (const path of paths) rmSync(path, { force: true })
  }
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
