// The data of a volume as a tar stream and back, by the programs of the machine: nothing else keeps sparse files, ACLs and
// extended attributes as they are. Of data that nobody changes the stream is the same each time, byte for byte.
import { type ChildProcessWithoutNullStreams, execFile, spawn } from 'node:child_process'
import { createInterface } from 'node:readline'
import type { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { promisify } from 'node:util'
import { DriverError } from '../../model/driver-error.js'
import type { PolicyHere } from '../../model/policy.js'
import { fileProblem } from '../../unit/policy.js'
import { type RaisingEntry, raisingEntry } from '../archive-entries.js'

export interface ArchiveOptions {
  /** By zstd, which then checks what it has. */
  readonly compressed: boolean
  readonly signal: AbortSignal
}

export interface UnpackOptions extends ArchiveOptions {
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

/** There is no room for data in a directory. */
export function diskFull(dir: string, why: string): DriverError {
  return new DriverError('volume/disk-full', `the disk of ${dir} has no room for the data: ${why}`)
}

function failed(what: string, said: string, code = 'volume/failed'): DriverError {
  return new DriverError(code, `${what}: ${linesOf(said)[0] ?? 'it was ended'}`)
}

/** Of names that are made relative tar says so first, whatever went wrong then. */
function linesOf(said: string): readonly string[] {
  return said.split('\n').filter((line) => line !== '' && !line.startsWith('tar: Removing leading '))
}
