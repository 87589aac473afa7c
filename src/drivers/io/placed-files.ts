// The files of units on this machine: below a directory that is gone after a reboot where the host has one. All directories
// are the daemon's own, so that no program can lead it elsewhere by a link; who may read a file, the file says.
import {
  chmodSync,
  chownSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmdirSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { dirname, join } from 'node:path'
import { errorCode } from '../../lib/io/error-code.js'
import { type FileDirectories, type FilePlace, placeOfFile } from '../../model/arriving-file.js'
import { DriverError } from '../../model/driver-error.js'
import type { UnitName } from '../../model/unit.js'

/** A file with its owner by numbers and its permissions. */
export interface OwnedFile {
  readonly path: string
  readonly content: Uint8Array
  readonly uid: number
  readonly gid: number
  readonly mode: number
}

export interface PlacedFiles {
  /**
   * Has a unit's files, and no others of its own: what is there already as it should be is left alone. Throws DriverError
   * `file/not-written`.
   */
  write(name: UnitName, files: readonly OwnedFile[]): void
  /** Where those are whose path is relative, and those below `/run/secrets`. */
  at(name: UnitName): FileDirectories
  /** Where a file is. */
  pathOf(name: UnitName, path: string): string
  remove(name: UnitName): void
}

/** The directory of each place in that of a unit. */
const directories: Readonly<Record<FilePlace, string>> = { own: 'files', secrets: 'secrets', path: 'root' }

/** Files below a directory, made with the first of them. `root` is put before it where another machine sees it as `/`. */
export function openPlacedFiles(dir: string, root = ''): PlacedFiles {
  const below = (path: string): string => {
    const { place, below: rest } = placeOfFile(path)
    return join(directories[place], rest)
  }
  return {
    at: (name) => ({ own: join(dir, name, directories.own), secrets: join(dir, name, directories.secrets) }),
    pathOf: (name, path) => join(dir, name, below(path)),
    write: (name, files) => {
      const home = join(`${root}${dir}`, name)
      if (files.length === 0) return removeTree(home)
      try {
        makeHome(home)
        const wanted = new Map(files.map((file) => [below(file.path), file]))
        removeOthers(home, '', new Set(wanted.keys()))
        for (const [path, file] of wanted) writeFile(home, path, file)
      } catch (error) {
        const why = errorCode(error) ?? String(error)
        const message = `the files of ${name} could not be written below ${dir}: ${why}`
        throw new DriverError('file/not-written', message, { cause: error })
      }
    },
    remove: (name) => {
      removeTree(join(`${root}${dir}`, name))
      removeIfEmpty(`${root}${dir}`)
    },
  }
}

/** Others pass through, and see no names. */
function makeHome(home: string): void {
  mkdirSync(dirname(dirname(home)), { recursive: true, mode: 0o755 })
  for (const directory of [dirname(home), home]) {
    mkdirSync(directory, { recursive: true })
    chmodSync(directory, 0o711)
  }
  for (const directory of [directories.own, directories.secrets]) makeDirectory(join(home, directory))
}

function makeDirectory(path: string): void {
  mkdirSync(path, { recursive: true })
  chmodSync(path, 0o755)
}

/** What a unit has no more, and what stands in the way of a file or of its directory. */
function removeOthers(home: string, below: string, wanted: ReadonlySet<string>): void {
  for (const entry of readdirSync(join(home, below), { withFileTypes: true })) {
    const path = join(below, entry.name)
    const holds = [...wanted].some((one) => one.startsWith(`${path}/`))
    const stays = entry.isDirectory() ? holds || isTop(path) : wanted.has(path)
    if (!stays) rmSync(join(home, path), { recursive: true, force: true })
    else if (entry.isDirectory()) removeOthers(home, path, wanted)
  }
}

function isTop(path: string): boolean {
  return path === directories.own || path === directories.secrets
}

function writeFile(home: string, path: string, file: OwnedFile): void {
  const at = join(home, path)
  if (isAlready(at, file)) return
  for (let end = path.indexOf('/'); end !== -1; end = path.indexOf('/', end + 1))
    makeDirectory(join(home, path.slice(0, end)))
  const draft = join(home, '#')
  rmSync(draft, { force: true })
  // For nobody else's eyes before it belongs to whom it should.
  writeFileSync(draft, file.content, { mode: 0o600 })
  const { uid, gid, mode } = file
  const made = lstatSync(draft)
  if (made.uid !== uid || made.gid !== gid) chownSync(draft, uid, gid)
  chmodSync(draft, mode)
  renameSync(draft, at)
}

function isAlready(at: string, { content, uid, gid, mode }: OwnedFile): boolean {
  const seen = lstatSync(at, { throwIfNoEntry: false })
  if (seen?.isFile() !== true || seen.uid !== uid || seen.gid !== gid || (seen.mode & 0o7777) !== mode)
    return false
  return seen.size === content.byteLength && readFileSync(at).equals(content)
}

function removeTree(path: string): void {
  rmSync(path, { recursive: true, force: true })
}

function removeIfEmpty(dir: string): void {
  try {
    rmdirSync(dir)
  } catch {
    // It holds the files of others, or there never was one.
  }
}
