// The data of a volume as a tar stream and back, by the programs of the machine: nothing else keeps sparse files, ACLs and
// extended attributes as they are. Of data that nobody changes the stream is the same each time, byte for byte.
import { type ChildProcessWithoutNullStreams, execFile, spawn } from 'node:child_process'
import { chmod, chown, mkdir, readdir, rename, rm, stat, utimes } from 'node:fs/promises'
import type { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { promisify } from 'node:util'
import { DriverError } from '../../model/driver-error.js'
import { beforeMark, reviveData } from './volume-revival.js'

interface ArchiveOptions {
  /** By zstd, which then checks what it has. */
  readonly compressed: boolean
  readonly signal: AbortSignal
}

/** An archive that is being made. */
export interface Packed {
  readonly stream: Readable
  /** Resolves once all of it was made, to whether something was changed meanwhile. Throws DriverError. */
  readonly done: Promise<{ readonly isChanged: boolean }>
}

/** What makes the stream depend on nothing but the data. */
const sameEachTime = [
  '--sort=name',
  '--format=pax',
  '--pax-option=exthdr.name=%d/PaxHeaders/%f,delete=atime,delete=ctime',
]
const allOfThem = ['--numeric-owner', '--acls', '--xattrs']

/** Begins an archive of all that is in a directory. */
export function pack(dir: string, { compressed, signal }: ArchiveOptions): Packed {
  const child = startTar(
    ['--create', '--sparse', ...sameEachTime, ...allOfThem, ...zstd(compressed)],
    dir,
    signal,
    ['.'],
  )
  child.stdin.end()
  const ended = endOf(child)
  // Whoever reads the stream sees that it broke off.
  const done = ended.then(({ code, said }) => {
    if (code === 0 || code === 1) return { isChanged: code === 1 }
    throw failed(`tar cannot read ${dir}`, said)
  })
  done.catch((error: unknown) => child.stdout.destroy(error instanceof Error ? error : undefined))
  return { stream: child.stdout, done }
}

/** Unpacks an archive into a directory, no faster than it comes. Throws DriverError `volume/bad-archive`. */
export async function unpack(
  dir: string,
  source: AsyncIterable<Uint8Array>,
  { compressed, signal }: ArchiveOptions,
): Promise<void> {
  const names = ['--xattrs-include=*', '--same-permissions', '--delay-directory-restore']
  const child = startTar(['--extract', ...allOfThem, ...names, ...zstd(compressed)], dir, signal)
  child.stdout.resume()
  const ended = endOf(child)
  // What tar takes no more of says less than what it says itself.
  const fed = pipeline(source, child.stdin).then(
    () => null,
    (error: unknown) => error,
  )
  const [{ code, said }, unfed] = await Promise.all([ended, fed])
  if (unfed instanceof Error && !isBrokenPipe(unfed)) throw unfed
  if (code !== 0) throw failed('the archive cannot be unpacked', said, 'volume/bad-archive')
}

/** Throws DriverError `volume/no-tar` where the machine has not the programs. */
export async function refuseWithoutPrograms(): Promise<void> {
  for (const name of ['tar', 'zstd']) {
    const said = await promisify(execFile)(name, ['--version']).catch(() => null)
    if (said !== null && (name !== 'tar' || said.stdout.includes('GNU tar'))) continue
    throw new DriverError(
      'volume/no-tar',
      `this machine has no ${name === 'tar' ? 'GNU tar' : name} that the daemon could run: install the packages tar and zstd there`,
    )
  }
}

/**
 * Replaces all that is in a directory by what `fill` puts into another one: it is there as a whole, or not at all. An end of
 * the daemon in between is made up for by `settleData`. What was there before goes once the new data are on the disk.
 */
export async function replaceData(dir: string, fill: (incoming: string) => Promise<void>): Promise<void> {
  const [incoming, before] = [`${dir}${incomingMark}`, `${dir}${beforeMark}`]
  await settleData(dir)
  await makeLike(dir, incoming)
  try {
    await fill(incoming)
    await refuseUntouched(incoming)
    await writeOut(incoming)
    await rename(dir, before)
    try {
      await rename(incoming, dir)
    } catch (error) {
      await rename(before, dir)
      throw error
    }
  } finally {
    await rm(incoming, { recursive: true, force: true })
  }
  await writeOut(dir)
  await rm(before, { recursive: true, force: true })
}

/** Nothing that an archive holds is of so long ago. */
const untouched = new Date(1000)

/** Whoever has the data has those in their place too, where an archive does not say it of the directory itself. */
async function makeLike(dir: string, made: string): Promise<void> {
  const { uid, gid, mode } = await stat(dir)
  await mkdir(made)
  if (process.geteuid?.() === 0) await chown(made, uid, gid)
  await chmod(made, mode & 0o7777)
  await utimes(made, untouched, untouched)
}

/** An archive of an empty volume has its directory at least: one that has nothing at all was made by a mistake. */
async function refuseUntouched(dir: string): Promise<void> {
  const { mtimeMs } = await stat(dir)
  if (mtimeMs !== untouched.getTime() || (await readdir(dir)).length > 0) return
  throw new DriverError('volume/bad-archive', 'the archive holds nothing, not even an empty directory')
}

/** Waits until all that was written to the file system of a directory is on its disk. */
async function writeOut(dir: string): Promise<void> {
  await promisify(execFile)('sync', ['--file-system', dir]).catch((error: unknown) => {
    throw new DriverError('volume/failed', `what was written to ${dir} is not on the disk: ${saidBy(error)}`)
  })
}

function saidBy(error: unknown): string {
  return error instanceof Error ? (error.message.trim().split('\n').at(-1) ?? '') : String(error)
}

/** Puts right what an earlier daemon left half done: what was there before, where nothing has taken its place. */
export async function settleData(dir: string): Promise<void> {
  reviveData(dir)
  for (const left of [`${dir}${beforeMark}`, `${dir}${incomingMark}`])
    await rm(left, { recursive: true, force: true })
}

const incomingMark = '.incoming'

function zstd(compressed: boolean): readonly string[] {
  return compressed ? ['--use-compress-program=zstd --quiet --threads=0'] : []
}

function startTar(
  options: readonly string[],
  dir: string,
  signal: AbortSignal,
  members: readonly string[] = [],
): ChildProcessWithoutNullStreams {
  return spawn('tar', [...options, '--file=-', `--directory=${dir}`, ...members], {
    signal,
    env: { ...process.env, LC_ALL: 'C', TAR_OPTIONS: '' },
  })
}

interface Ended {
  readonly code: number | null
  /** The last of what it said. */
  readonly said: string
}

function endOf(child: ChildProcessWithoutNullStreams): Promise<Ended> {
  let said = ''
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    said = `${said}${text}`.slice(-saidAtMost)
  })
  return new Promise((resolve) => {
    let problem = ''
    child.on('error', (error) => {
      problem = error.message
      // One that was never there does not close.
      if (child.pid === undefined) resolve({ code: null, said: problem })
    })
    child.on('close', (code) => resolve({ code, said: problem === '' ? said : problem }))
  })
}

const saidAtMost = 2000

function isBrokenPipe(error: Error): boolean {
  const code = 'code' in error ? error.code : null
  return code === 'EPIPE' || code === 'ERR_STREAM_PREMATURE_CLOSE' || code === 'ECONNRESET'
}

function failed(what: string, said: string, code = 'volume/failed'): DriverError {
  const lines = said.split('\n').filter((line) => line !== '')
  // What could not be written of a file is said before why.
  const first = lines.find((line) => line.includes('No space left')) ?? lines[0] ?? ''
  return new DriverError(code, `${what}: ${first === '' ? 'it was ended' : first}`)
}
