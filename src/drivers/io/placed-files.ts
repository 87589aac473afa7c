// The files of units on this machine: below a directory that is gone after a reboot where the host has one. All directories
// are the daemon's own, so that no program can lead it elsewhere by a link; who may read a file, the file says.
import {
  chmodSync,
  chownSync,
  closeSync,
  ftruncateSync,
  lstatSync,
  mkdirSync,
  openSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
  writeSync,
} from 'node:fs'
import { dirname, join } from 'node:path'
import { errorCode } from '../../lib/io/error-code.js'
import { type FileDirectories, type FilePlace, placeOfFile } from '../../model/arriving-file.js'
import { DriverError } from '../../model/driver-error.js'
import type { UnitName } from '../../model/unit.js'
import { keepEntriesOf, removeIfEmpty } from './unit-entries.js'

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
  /**
   * Replaces those of these files that are others, while the program of the unit runs; the rest of its files stays. Resolves to
   * the paths of all that were replaced since `taken`, by a daemon before this one too. Throws DriverError `file/not-written`.
   */
  replace(name: UnitName, files: readonly OwnedFile[]): readonly string[]
  /** The program knows of what was replaced. */
  taken(name: UnitName): void
  /** Where those are whose path is relative, and those below `/run/secrets`. */
  at(name: UnitName): FileDirectories
  /** Where a file is. */
  pathOf(name: UnitName, path: string): string
  remove(name: UnitName): void
  /** Removes those of all other units: a daemon that was killed while it unloaded one may have left them. */
  keepOnly(names: ReadonlySet<string>): void
}

/** The directory of each place in that of a unit. */
const directories: Readonly<Record<FilePlace, string>> = { own: 'files', secrets: 'secrets', path: 'root' }

/** Files below a directory, made with the first of them. `root` is put before it where another machine sees it as `/`. */
export function openPlacedFiles(dir: string, root = ''): PlacedFiles {
  const below = (path: string): string => {
    const { place, below: rest } = placeOfFile(path)
    return join(directories[place], rest)
  }
  const homeOf = (name: UnitName): string => join(`${root}${dir}`, name)
  const written = <T>(name: UnitName, work: () => T): T => {
    try {
      return work()
    } catch (error) {
      const why = errorCode(error) ?? String(error)
      const message = `the files of ${name} could not be written below ${dir}: ${why}`
      throw new DriverError('file/not-written', message, { cause: error })
    }
  }
  return {
    at: (name) => ({ own: join(dir, name, directories.own), secrets: join(dir, name, directories.secrets) }),
    pathOf: (name, path) => join(dir, name, below(path)),
    write: (name, files) => {
      const home = homeOf(name)
      if (files.length === 0) return removeTree(home)
      written(name, () => {
        makeHome(home)
        const wanted = new Map(files.map((file) => [below(file.path), file]))
        removeOthers(home, '', new Set(wanted.keys()))
        for (const [path, file] of wanted) writeFile(home, path, file)
      })
    },
    replace: (name, files) =>
      written(name, () => {
        const home = homeOf(name)
        makeHome(home)
        const others = files.filter((file) => !isAlready(join(home, below(file.path)), file))
        const replaced = [...new Set([...readReplaced(home), ...others.map(({ path }) => path)])]
        if (others.length > 0) noteReplaced(home, replaced)
        for (const file of others) replaceFile(home, below(file.path), file)
        return replaced
      }),
    taken: (name) => rmSync(join(homeOf(name), replacedNote), { force: true }),
    remove: (name) => {
      removeTree(homeOf(name))
      removeIfEmpty(`${root}${dir}`)
    },
    keepOnly: (names) => keepEntriesOf(names, `${root}${dir}`),
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

/** Which files were replaced that the program may not know of yet; a start, which writes all files, does away with it. */
const replacedNote = '#replaced'

function readReplaced(home: string): readonly string[] {
  try {
    const paths: unknown = JSON.parse(readFileSync(join(home, replacedNote), 'utf8'))
    return Array.isArray(paths) ? paths.map(String) : []
  } catch {
    return []
  }
}

/** Before anything is replaced, so that it is known whatever ends the daemon. */
function noteReplaced(home: string, paths: readonly string[]): void {
  const draft = join(home, '#')
  rmSync(draft, { force: true })
  writeFileSync(draft, JSON.stringify(paths), { mode: 0o600 })
  renameSync(draft, join(home, replacedNote))
}

/**
 * In its directory a file is replaced as a whole. One that is mounted by itself, as those at paths of their own are, would go on
 * to be seen as it was: it is written over, and whoever reads it in that moment may see part of both.
 */
function replaceFile(home: string, path: string, file: OwnedFile): void {
  const at = join(home, path)
  const seen = lstatSync(at, { throwIfNoEntry: false })
  if (seen?.isFile() !== true || !path.startsWith(`${directories.path}/`)) {
    writeFile(home, path, file)
    return
  }
  const { uid, gid, mode, content } = file
  // Its owner may not be allowed to write to it, even to the daemon that it belongs to.
  chmodSync(at, mode | 0o200)
  const handle = openSync(at, 'r+')
  try {
    for (let done = 0; done < content.byteLength; )
      done += writeSync(handle, content, done, content.byteLength - done, done)
    ftruncateSync(handle, content.byteLength)
  } finally {
    closeSync(handle)
  }
  if (seen.uid !== uid || seen.gid !== gid) chownSync(at, uid, gid)
  chmodSync(at, mode)
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
