// The supervisor's files: one folder, with one folder per unit in it. All of it is for the owner's eyes only.
import { randomBytes } from 'node:crypto'
import {
  closeSync,
  constants,
  existsSync,
  fstatSync,
  fsyncSync,
  linkSync,
  mkdirSync,
  openSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  unlinkSync,
  writeFileSync,
  writeSync,
} from 'node:fs'
import { join } from 'node:path'
import type { UnitName } from '../../../model/unit.js'
import { DriverError } from '../../driver.js'
import type { LoadedUnit } from '../../process/protocol.js'
import type { UnitState } from '../../process/state.js'

/** Where things are below the supervisor's folder. */
export const pathsOf = (dir: string) => ({
  dir,
  id: join(dir, 'id'),
  /** The supervisor's own log. */
  log: join(dir, 'supervisor.log'),
  units: join(dir, 'units'),
  unit: (name: UnitName) => join(dir, 'units', name),
  loaded: (name: UnitName) => join(dir, 'units', name, 'unit.json'),
  state: (name: UnitName) => join(dir, 'units', name, 'state.json'),
  stdout: (name: UnitName) => join(dir, 'units', name, 'stdout.log'),
  stderr: (name: UnitName) => join(dir, 'units', name, 'stderr.log'),
})

export type HomePaths = ReturnType<typeof pathsOf>

/** A supervisor's folder, open. */
export interface Home {
  readonly paths: HomePaths
  /** Made once, at random: tells the processes of this folder from those of any other. */
  readonly id: string
  /** The name of the lock that the supervisor of this folder holds. */
  readonly lockName: string
}

/** Opens the folder, making it where there is none. Throws DriverError `process/home-unusable`. */
export function openHome(dir: string): Home {
  const paths = pathsOf(dir)
  try {
    mkdirSync(paths.units, { recursive: true, mode: 0o700 })
    const id = readOrMakeId(paths.id)
    const { dev, ino } = statSync(paths.id)
    return { paths, id, lockName: `\0mariposa-supervisor-${id}-${dev}-${ino}` }
  } catch (error) {
    throw fileError('process/home-unusable', `the folder ${dir} cannot be used`, error)
  }
}

/** The id appears whole or not at all, and whoever is first decides. */
function readOrMakeId(path: string): string {
  try {
    return readFileSync(path, 'utf8').trim()
  } catch (error) {
    if (errorCode(error) !== 'ENOENT') throw error
  }
  const made = randomBytes(12).toString('hex')
  const draft = `${path}.${made}`
  writeDurably(draft, `${made}\n`)
  try {
    linkSync(draft, path)
  } catch (error) {
    if (errorCode(error) !== 'EEXIST') throw error
  } finally {
    unlinkSync(draft)
  }
  return readFileSync(path, 'utf8').trim()
}

function writeDurably(path: string, text: string): void {
  const fd = openSync(path, 'wx', 0o600)
  try {
    writeSync(fd, text)
    fsyncSync(fd)
  } finally {
    closeSync(fd)
  }
}

/** A unit's record on disk. */
export interface UnitRecord {
  readonly bootId: string
  readonly state: UnitState
}

/** A unit as found on disk; what cannot be read is null, and is kept aside under another name. */
export interface FoundUnit {
  readonly name: UnitName
  readonly loaded: LoadedUnit | null
  /** `absent`: it was loaded and never started. */
  readonly record: UnitRecord | 'absent' | 'unreadable'
}

export function findUnits(paths: HomePaths): readonly FoundUnit[] {
  return readdirSync(paths.units)
    .sort()
    .map((entry) => {
      const name = entry as UnitName
      const loaded = readJson(paths.loaded(name), isLoadedUnit)
      const record = readJson(paths.state(name), isUnitRecord)
      return { name, loaded: typeof loaded === 'string' ? null : loaded, record }
    })
}

/** What runs under another name is no unit of ours: fields that all versions of the record have. */
function isLoadedUnit(value: unknown): value is LoadedUnit {
  return typeof value === 'object' && value !== null && 'hash' in value && 'service' in value
}

function isUnitRecord(value: unknown): value is UnitRecord {
  return typeof value === 'object' && value !== null && 'bootId' in value && 'state' in value
}

function readJson<T>(path: string, is: (value: unknown) => value is T): T | 'absent' | 'unreadable' {
  try {
    const value: unknown = JSON.parse(readFileSync(path, 'utf8'))
    if (is(value)) return value
  } catch (error) {
    if (errorCode(error) === 'ENOENT') return 'absent'
  }
  renameSync(path, `${path}.unreadable`)
  return 'unreadable'
}

export function readLoaded(paths: HomePaths, name: UnitName): LoadedUnit | null {
  try {
    return JSON.parse(readFileSync(paths.loaded(name), 'utf8')) as LoadedUnit
  } catch (error) {
    if (errorCode(error) === 'ENOENT') return null
    throw fileError('process/state-unreadable', `the record of ${name} cannot be read`, error)
  }
}

/** A unit's record, for those who only want to know; null where there is none that can be read. */
export function readRecord(paths: HomePaths, name: UnitName): UnitRecord | null {
  try {
    const value: unknown = JSON.parse(readFileSync(paths.state(name), 'utf8'))
    return isUnitRecord(value) ? value : null
  } catch {
    return null
  }
}

export function writeLoaded(paths: HomePaths, unit: LoadedUnit): void {
  const path = paths.loaded(unit.name)
  mkdirSync(paths.unit(unit.name), { recursive: true, mode: 0o700 })
  // Nothing is lost with the first text of a unit: what a crash cuts short was not acknowledged, and is loaded again.
  if (existsSync(path)) writeWhole(path, JSON.stringify(unit))
  else orFileError(path, () => writeFileSync(path, JSON.stringify(unit), { mode: 0o600 }))
}

/**
 * Writes a record over the one before, in place: a new file for each would cost more than starting the process. The
 * write is one call of less than a page, which no kill of this process can cut in two; blanks fill up what is left of
 * a longer record. A record that cannot be read all the same is made up for from what runs.
 */
export function writeRecord(paths: HomePaths, name: UnitName, record: UnitRecord): void {
  const path = paths.state(name)
  orFileError(path, () => {
    const fd = openSync(path, constants.O_WRONLY | constants.O_CREAT, 0o600)
    try {
      const text = Buffer.from(JSON.stringify(record))
      const size = Math.max(fstatSync(fd).size, Math.ceil(text.length / recordBlock) * recordBlock)
      const padded = Buffer.alloc(size, ' ')
      text.copy(padded)
      writeSync(fd, padded, 0, size, 0)
    } finally {
      closeSync(fd)
    }
  })
}

/** Records are padded to multiples of this, so that they seldom change their length. */
const recordBlock = 1024

export function removeUnit(paths: HomePaths, name: UnitName): void {
  rmSync(paths.unit(name), { recursive: true, force: true })
}

/**
 * Replaces a file as a whole. It is not forced to the disk: a crash of the supervisor loses nothing that the kernel
 * has, and after a crash of the machine nothing of what the record speaks of runs any more.
 */
function writeWhole(path: string, text: string): void {
  const draft = `${path}.new`
  orFileError(path, () => {
    writeFileSync(draft, text, { mode: 0o600 })
    renameSync(draft, path)
  })
}

function orFileError(path: string, write: () => void): void {
  try {
    write()
  } catch (error) {
    throw fileError('process/record-not-written', `${path} cannot be written`, error)
  }
}

/** A file error as the driver tells it; a full disk has a code of its own. */
export function fileError(code: string, message: string, cause: unknown): DriverError {
  const full = errorCode(cause) === 'ENOSPC' || errorCode(cause) === 'EDQUOT'
  return new DriverError(full ? 'process/disk-full' : code, message, { cause })
}

/** The code of an error of the system: `ENOENT` and the like. */
export function errorCode(error: unknown): string | undefined {
  return error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : undefined
}
