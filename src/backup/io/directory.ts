// Backups by schedule as files in a directory of the machine, each with its checksum beside it.
import { createHash } from 'node:crypto'
import { createReadStream } from 'node:fs'
import { type FileHandle, lstat, open, readFile, rename, rm, stat } from 'node:fs/promises'
import { basename, dirname } from 'node:path'
import { pipeline } from 'node:stream/promises'
import { isDiskFull } from '../../lib/io/disk-full.js'
import { describeError } from '../../lib/io/log.js'
import { DriverError } from '../../model/driver-error.js'
import { parseSum, printSum } from '../../s3/sum.js'
import type { BackupPlace, Written } from './place.js'

const sumSuffix = '.sha256'
const partSuffix = '.part'

/** What stands beside a backup. */
function sumTextOf(to: string, sha256: string): string {
  return printSum({ sha256, etag: null }, basename(to))
}

/** Files, whose names are paths. */
export const directoryPlace: BackupPlace = {
  write: async ({ to }, openArchive, signal) =>
    await asBackupError(`cannot write ${to}`, async () => {
      const part = `${to}${partSuffix}`
      const file = await openedFor(to, part)
      const own = [part]
      try {
        const written = await filled(file, part, openArchive, signal)
        await refuseTaken(to)
        own.push(`${to}${sumSuffix}`)
        await writeFlushed(`${to}${sumSuffix}`, sumTextOf(to, written.sha256))
        await rename(part, to)
        own.push(to)
        await flushDirectory(dirname(to))
        return written
      } catch (error) {
        for (const path of own) await rm(path, { force: true })
        throw error
      }
    }),
  read: async ({ to, bytes }, signal) =>
    await asBackupError(`cannot read ${to}`, async () => {
      await refuseNoDirectory(dirname(to))
      // What is no file may be a pipe, whose open would wait for ever.
      const before = await lstat(to).catch(nothing)
      if (before === null) throw badPlace(`there is no file ${to} any more`)
      if (!before.isFile()) throw badPlace(`${to} is not a file`)
      const file = await open(to, 'r')
      try {
        const { size } = await file.stat()
        if (size !== bytes) throw badPlace(`${to} has ${size} bytes, but ${bytes} were written`)
        return file.createReadStream({ signal })
      } catch (error) {
        await file.close()
        throw error
      }
    }),
  whole: async ({ to }) =>
    await asBackupError(`cannot read ${to}`, async () => {
      // It gets its name last, when it has been read back.
      const found = await lstat(to).catch(nothing)
      const sum = await readFile(`${to}${sumSuffix}`, 'utf8').catch(nothing)
      const sha256 = parseSum(sum ?? '')?.sha256
      if (found?.isFile() !== true || sha256 === undefined || sum !== sumTextOf(to, sha256)) return null
      return { bytes: found.size, sha256 }
    }),
  cleanUp: async ({ to }) =>
    await asBackupError(`cannot remove ${to}`, async () => {
      for (const path of [`${to}${partSuffix}`, to, `${to}${sumSuffix}`]) await rm(path, { force: true })
    }),
  remove: async ({ to, sha256, bytes }) =>
    await asBackupError(`cannot remove ${to}`, async () => {
      // A directory that is not there may be on a disk that is not mounted.
      await refuseNoDirectory(dirname(to))
      const found = await lstat(to).catch(nothing)
      const sum = await readFile(`${to}${sumSuffix}`, 'utf8').catch(nothing)
      if (found !== null) {
        const isOurs = found.isFile() && found.size === bytes && sum?.startsWith(`${sha256} `) === true
        if (!isOurs) return 'foreign'
        await rm(to, { force: true })
      }
      // After the file: while that is there it tells whose it is.
      if (sum?.startsWith(`${sha256} `) === true) await rm(`${to}${sumSuffix}`, { force: true })
      return 'removed'
    }),
}

async function filled(
  file: FileHandle,
  part: string,
  openArchive: Parameters<BackupPlace['write']>[1],
  signal: AbortSignal,
): Promise<Written> {
  try {
    const archive = await openArchive()
    await pipeline(archive.chunks, file.createWriteStream({ flush: true }), { signal })
    const written = await archive.whole()
    await refuseOther(part, written, signal)
    return written
  } finally {
    await file.close().catch(() => {})
  }
}

/** Compares what is there with what was to be written. */
async function refuseOther(path: string, { sha256, bytes }: Written, signal: AbortSignal): Promise<void> {
  const hash = createHash('sha256')
  let read = 0
  for await (const chunk of createReadStream(path, { signal }) as AsyncIterable<Buffer>) {
    hash.update(chunk)
    read += chunk.length
  }
  if (read === bytes && hash.digest('hex') === sha256) return
  throw badPlace(`${path} differs from the data written to it: ${read} bytes read back of ${bytes}`)
}

/** The directory has to be there: one that is made where a disk is not mounted would fill another one. */
async function refuseNoDirectory(dir: string): Promise<void> {
  const found = await stat(dir).catch((error: unknown) => {
    throw badPlace(`there is no directory ${dir}: ${describeError(error)}`)
  })
  if (!found.isDirectory()) throw badPlace(`${dir} is not a directory`)
}

async function openedFor(to: string, part: string): Promise<FileHandle> {
  await refuseNoDirectory(dirname(to))
  await refuseTaken(to)
  return await open(part, 'wx', 0o600)
}

/** Its name is its own: what has it was put there by somebody else. */
async function refuseTaken(to: string): Promise<void> {
  for (const path of [to, `${to}${sumSuffix}`])
    if ((await lstat(path).catch(nothing)) !== null) throw badPlace(`there is already a file ${path}`)
}

async function writeFlushed(path: string, text: string): Promise<void> {
  const file = await open(path, 'w', 0o600)
  try {
    await file.writeFile(text)
    await file.sync()
  } finally {
    await file.close()
  }
}

async function flushDirectory(dir: string): Promise<void> {
  const handle = await open(dir, 'r')
  try {
    await handle.sync()
  } finally {
    await handle.close()
  }
}

function nothing(error: unknown): null {
  if ((error as NodeJS.ErrnoException).code === 'ENOENT') return null
  throw error
}

async function asBackupError<T>(what: string, work: () => Promise<T>): Promise<T> {
  try {
    return await work()
  } catch (error) {
    if (isDiskFull(error)) throw new DriverError('backup/disk-full', `${what}: its disk is full`)
    const code = (error as NodeJS.ErrnoException).code
    // Of a call of the system; all else says what it is by itself.
    if (typeof code === 'string' && /^E[A-Z]+$/.test(code)) throw badPlace(`${what}: ${describeError(error)}`)
    throw error
  }
}

function badPlace(message: string): DriverError {
  return new DriverError('backup/bad-place', message)
}
