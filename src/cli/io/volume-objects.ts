// Backups of volumes in S3-like stores, for the command line: whose they are, the environment says.
import type { Readable } from 'node:stream'
import type { VolumeArchive } from '../../client/io/volume-archive.js'
import { askedStream } from '../../lib/io/asked-stream.js'
import { describeError } from '../../lib/io/log.js'
import { S3Error } from '../../s3/failure.js'
import { beginUpload, readObject, readSum } from '../../s3/io/objects.js'
import { etagOfObject } from '../../s3/io/stored.js'
import {
  parseS3Location,
  type S3Account,
  type S3Location,
  type S3Problem,
  s3AccountOf,
  sumSuffix,
} from '../../s3/location.js'
import { CommandError, exitCodes, usageError } from '../command-error.js'
import type { Shell } from './shell.js'
import { unreadableSum } from './sums.js'
import { onTermination } from './termination.js'

/**
 * Writes a backup into an object, which is there once it is whole, with its checksum beside it. `read` is called once the object can be
 * written, with what ends it as well. Throws CommandError.
 */
export async function writtenToObject(
  { signal, terminal }: Pick<Shell, 'signal' | 'terminal'>,
  url: string,
  read: (signal: AbortSignal) => Promise<VolumeArchive>,
): Promise<VolumeArchive> {
  const { account, location } = found(url)
  const ended = untilEnded(signal)
  try {
    const upload = await asCommandError(() => beginUpload(account, location, ended.signal))
    try {
      const archive = await read(ended.signal)
      await asCommandError(async () => {
        await upload.send(archive.chunks)
        await upload.finish(archive.told().sha256)
      })
      return archive
    } catch (error) {
      await upload.cancel().catch((failed: unknown) => {
        terminal.err(`parts of ${url} are left at its server: ${describeError(failed)}\n`)
      })
      throw error
    }
  } finally {
    ended.over()
  }
}

/** What is to be restored: opened where it is there, with the checksum beside it. */
export interface OpenObject {
  readonly source: Readable
  readonly sum: string | null
  /** Throws why it was not read to its end, where that is so. */
  refuseBroken(): void
}

/** Opens an object to be restored. Throws CommandError before anything is stopped for what is not there. */
export async function openObject(
  url: string,
  wantsSum: boolean,
  { signal, terminal }: Pick<Shell, 'signal' | 'terminal'>,
): Promise<OpenObject> {
  const { account, location } = found(url)
  const { etag, sum } = await asCommandError(async () => {
    const etag = await etagOfObject(account, location, signal)
    return { etag, sum: wantsSum ? await readSum(account, location, etag, signal) : null }
  })
  if (sum?.kind === 'unreadable') throw unreadableSum(url)
  if (sum?.kind === 'foreign')
    terminal.err(
      `${url}${sumSuffix} belongs to an earlier object and was not compared: --sha256 ${sum.sha256} compares it\n`,
    )
  let broken: unknown = null
  async function* chunks(over: AbortSignal): AsyncGenerator<Uint8Array, void, undefined> {
    try {
      yield* readObject(account, location, AbortSignal.any([signal, over]), etag)
    } catch (error) {
      // What is ended as nobody reads it any more is not broken.
      if (!over.aborted) broken = error
      throw error
    }
  }
  return {
    source: askedStream(chunks),
    sum: sum?.kind === 'own' ? sum.sha256 : null,
    refuseBroken: () => {
      if (broken !== null) throw commandError(broken)
    },
  }
}

function found(url: string): { readonly account: S3Account; readonly location: S3Location } {
  return { location: given(parseS3Location(url)), account: given(s3AccountOf(process.env)) }
}

function given<T extends S3Account | S3Location>(read: T | S3Problem): T {
  if ('message' in read) throw usageError(read.message, read.hint)
  return read
}

async function asCommandError<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work()
  } catch (error) {
    throw commandError(error)
  }
}

function commandError(error: unknown): unknown {
  if (!(error instanceof S3Error)) return error
  return new CommandError(exitCodes.failed, error.code, error.message, { hint: error.hint })
}

/** Aborts with a signal, and when the process is told to end, which it is once `over` is called. */
function untilEnded(signal: AbortSignal): { readonly signal: AbortSignal; readonly over: () => void } {
  const abort = new AbortController()
  let told: NodeJS.Signals | null = null
  const over = onTermination((name) => {
    told = name
    abort.abort(new Error(`ended by ${name}`))
  })
  return {
    signal: AbortSignal.any([signal, abort.signal]),
    over: () => {
      over()
      if (told !== null) process.kill(process.pid, told)
    },
  }
}
