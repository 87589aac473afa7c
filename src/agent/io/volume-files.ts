// The files of volumes on the disk of this machine, as those who put data there see them: a port, so that they can be simulated.
import { execFile } from 'node:child_process'
import { existsSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { chmod, chown, mkdir, readdir, stat, utimes } from 'node:fs/promises'
import { promisify } from 'node:util'
import { removeTree } from '../../lib/io/remove-tree.js'
import { DriverError } from '../../model/driver-error.js'
import {
  type ArchiveOptions,
  type Packed,
  pack,
  refuseWithoutPrograms,
  type UnpackOptions,
  unpack,
} from './volume-archive.js'

export interface VolumeFiles {
  exists(path: string): boolean
  isEmpty(dir: string): Promise<boolean>
  /** What a small file says; null where there is none. */
  readText(file: string): string | null
  writeText(file: string, text: string): void
  /** Nothing where there is none. */
  removeFile(file: string): void
  rename(from: string, to: string): void
  /** Makes a directory that only the daemon can enter. */
  makeDir(dir: string): void
  /** Makes an empty directory with the owner and the mode of another one, which is known to be untouched. */
  makeLike(dir: string, made: string): Promise<void>
  /** Whether nothing has been done to a directory since `makeLike`. */
  isUntouched(dir: string): Promise<boolean>
  removeTree(dir: string): Promise<void>
  /** Waits until all that was written to the file system of a directory is on its disk. Throws DriverError. */
  writeOut(dir: string): Promise<void>
  /** Throws DriverError `volume/no-tar` where the machine has not the programs that archives need. */
  refuseWithoutPrograms(): Promise<void>
  /** Begins an archive of all that is in a directory. */
  pack(dir: string, options: ArchiveOptions): Packed
  /** Unpacks an archive into a directory. Throws DriverError. */
  unpack(dir: string, source: AsyncIterable<Uint8Array>, options: UnpackOptions): Promise<void>
}

/** Those of this machine. */
export const filesHere: VolumeFiles = {
  exists: existsSync,
  isEmpty: async (dir) => (await readdir(dir)).length === 0,
  readText: (file) => (existsSync(file) ? readFileSync(file, 'utf8') : null),
  writeText: (file, text) => writeFileSync(file, text, { mode: 0o600 }),
  removeFile: (file) => rmSync(file, { force: true }),
  rename: renameSync,
  makeDir: (dir) => mkdirSync(dir, { mode: 0o700 }),
  makeLike,
  isUntouched: async (dir) =>
    (await stat(dir)).mtimeMs === untouched.getTime() && (await readdir(dir)).length === 0,
  removeTree,
  writeOut,
  refuseWithoutPrograms,
  pack,
  unpack,
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
