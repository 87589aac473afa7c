// The data of a volume as a tar stream and back, by the programs of the machine: nothing else keeps sparse files, ACLs and
// extended attributes as they are. Of data that nobody changes the stream is the same each time, byte for byte.
import { type ChildProcessWithoutNullStreams, execFile, spawn } from 'node:child_process'
import { existsSync, mkdirSync, renameSync } from 'node:fs'
import { chmod, chown, mkdir, readdir, rename, stat, utimes } from 'node:fs/promises'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import type { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { promisify } from 'node:util'
import { isDiskFull } from '../../lib/io/disk-full.js'
import { describeError } from '../../lib/io/log.js'
import { removeTree } from '../../lib/io/remove-tree.js'
import { DriverError } from '../../model/driver-error.js'
import type { PolicyHere } from '../../model/policy.js'
import { fileProblem } from '../../unit/policy.js'
import { type RaisingEntry, raisingEntry } from '../archive-entries.js'
import { beforeMark, reviveData } from './volume-revival.js'

interface ArchiveOptions {
  /** By zstd, which then checks what it has. */
  readonly compressed: boolean
  readonly signal: AbortSignal
}

interface UnpackOptions extends ArchiveOptions {
  /** The policy for the files in the archive; null: all files are allowed. */
  readonly policy: PolicyHere | null
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

/**
 * Unpacks an archive into a directory, no faster than it comes. Throws DriverError `volume/bad-archive` or `volume/disk-full`, and
 * `policy/root`, `policy/device` or `policy/capability` for an archive with a file that the policy does not allow.
 */
export async function unpack(
  dir: string,
  source: AsyncIterable<Uint8Array>,
  { compressed, signal, policy }: UnpackOptions,
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
  if (code !== 0)
    throw noRoom(dir, said) ?? failed('the archive cannot be unpacked', said, 'volume/bad-archive')
  if (policy !== null) await refuseRaising(dir, policy, signal)
}

/**
 * Throws DriverError for a file in a directory that the policy does not allow. It checks the unpacked files, not the listing of the
 * archive, which may differ. tar does not read the contents of files when it writes to /dev/null.
 */
async function refuseRaising(dir: string, here: PolicyHere, signal: AbortSignal): Promise<void> {
  // A daemon that is not root cannot create such files.
  if (!here.asRoot || mayAll(here)) return
  const options = ['--verbose', '--verbose', '--verbose', '--quoting-style=escape', '--numeric-owner']
  const ofCapabilities = ['--xattrs', '--xattrs-include=security.capability']
  const child = startTar(
    ['--create', '--sort=name', ...options, ...ofCapabilities],
    dir,
    signal,
    ['.'],
    '/dev/null',
  )
  child.stdin.end()
  const ended = endOf(child)
  let before = ''
  let problem: DriverError | null = null
  for await (const line of createInterface({ input: child.stdout })) {
    const entry = problem === null ? raisingEntry(line, before) : null
    if (entry !== null) problem = notAllowed(here, entry)
    before = line
  }
  const { code, said } = await ended
  if (problem !== null) throw problem
  if (code !== 0) throw failed(`tar cannot list ${dir}`, said)
}

function mayAll(here: PolicyHere): boolean {
  return (['device', 'set-id', 'capability'] as const).every((kind) => fileProblem(here, kind) === null)
}

function notAllowed(here: PolicyHere, { kind, name }: RaisingEntry): DriverError | null {
  const problem = fileProblem(here, kind)
  return problem === null
    ? null
    : new DriverError(problem.code, `${name} in the archive ${problem.message}; ${whatToDo}`)
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

const whatToDo = 'make one without it, or have the policy of the machine allow it meanwhile'

/**
 * Replaces all that is in a directory by what `fill` puts into another one: it is there as a whole, or not at all. An end of
 * the daemon in between is made up for by `settleData`. What was there before goes once the new data are on the disk. Throws
 * DriverError `volume/disk-full` where there is no room, and what `fill` throws.
 */
export async function replaceData(dir: string, fill: (incoming: string) => Promise<void>): Promise<void> {
  try {
    await replace(dir, fill)
  } catch (error) {
    throw isDiskFull(error) ? diskFull(dir, describeError(error)) : error
  }
}

async function replace(dir: string, fill: (incoming: string) => Promise<void>): Promise<void> {
  const [around, before] = [`${dir}${incomingMark}`, `${dir}${beforeMark}`]
  const incoming = join(around, 'data')
  await settleData(dir)
  // No program can reach the data before they have been checked.
  await mkdir(around, { mode: 0o700 })
  try {
    await makeLike(dir, incoming)
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
    await removeTree(around)
  }
  await writeOut(dir)
  await removeTree(before)
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
    throw new DriverError(
      'volume/failed',
      `the data written to ${dir} could not be flushed to the disk: ${saidBy(error)}`,
    )
  })
}

function saidBy(error: unknown): string {
  return error instanceof Error ? (error.message.trim().split('\n').at(-1) ?? '') : String(error)
}

/** Puts right what an earlier daemon left half done: what was there before, where nothing has taken its place. */
export async function settleData(dir: string): Promise<void> {
  reviveData(dir)
  for (const left of [`${dir}${beforeMark}`, `${dir}${incomingMark}`]) await removeTree(left)
}

const incomingMark = '.incoming'
const leftMark = '.left'

/**
 * Removes what an interrupted `replaceData` of an earlier daemon left beside a directory. Resolves to true, and removes nothing, while
 * the directory is in use. The leftovers are renamed first, so that a `replaceData` which begins meanwhile is not disturbed.
 */
export async function clearLeft(dir: string, isBusy: () => boolean): Promise<boolean> {
  const left = `${dir}${leftMark}`
  await removeTree(left)
  if (isBusy()) return true
  reviveData(dir)
  const marks = [beforeMark, incomingMark].filter((mark) => existsSync(`${dir}${mark}`))
  if (marks.length === 0) return false
  mkdirSync(left, { mode: 0o700 })
  for (const mark of marks) renameSync(`${dir}${mark}`, join(left, mark))
  await removeTree(left)
  return false
}

function zstd(compressed: boolean): readonly string[] {
  return compressed ? ['--use-compress-program=zstd --quiet --threads=0'] : []
}

function startTar(
  options: readonly string[],
  dir: string,
  signal: AbortSignal,
  members: readonly string[] = [],
  file = '-',
): ChildProcessWithoutNullStreams {
  return spawn(
    'tar',
    [...options, '--blocking-factor=512', `--file=${file}`, `--directory=${dir}`, ...members],
    {
      signal,
      env: { ...process.env, LC_ALL: 'C', TAR_OPTIONS: '' },
    },
  )
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

/** What could not be written of a file is said before why; of the last file that it was, tar does not say why. */
function noRoom(dir: string, said: string): DriverError | null {
  const full = linesOf(said).find((line) => /No space left|Disk quota exceeded/.test(line))
  if (full !== undefined) return diskFull(dir, full)
  const short = linesOf(said).find((line) => /: Wrote only \d+ of \d+ bytes$/.test(line))
  return short === undefined ? null : diskFull(dir, `No space left on device (${short})`)
}

function diskFull(dir: string, why: string): DriverError {
  return new DriverError('volume/disk-full', `the disk of ${dir} has no room for the data: ${why}`)
}

function failed(what: string, said: string, code = 'volume/failed'): DriverError {
  return new DriverError(code, `${what}: ${linesOf(said)[0] ?? 'it was ended'}`)
}

/** Of names that are made relative tar says so first, whatever went wrong then. */
function linesOf(said: string): readonly string[] {
  return said.split('\n').filter((line) => line !== '' && !line.startsWith('tar: Removing leading '))
}
