// Links to volumes in the working directory of a program, which has no namespace to find them at a path of its own. Who made
// which is written down, so that a link goes with the last unit that has it, and one that somebody else made stays.
import {
  closeSync,
  constants,
  fstatSync,
  lstatSync,
  mkdirSync,
  openSync,
  readFileSync,
  readlinkSync,
  renameSync,
  rmSync,
  symlinkSync,
  unlinkSync,
  writeFileSync,
} from 'node:fs'
import { dirname, join, resolve } from 'node:path'
import { errorCode } from '../../../lib/io/error-code.js'
import { namesIn } from '../../../lib/io/names-in.js'
import { DriverError } from '../../../model/driver-error.js'
import type { UnitName } from '../../../model/unit.js'

export interface VolumeLinks {
  /**
   * Has a link to a volume in a directory, under its name. Null where it is there; else why it is left out. `uid`: whom the
   * program runs as. Throws DriverError `process/volume-link` where something else has the name.
   */
  make(unit: UnitName, directory: string, volume: LinkedVolume, uid: number): string | null
  /** Removes those that were made for a unit and that no other has. */
  release(unit: UnitName): void
  /** The same for all other units: a daemon that was killed while it unloaded one may have left them. */
  keepOnly(units: ReadonlySet<string>): void
}

interface LinkedVolume {
  readonly name: string
  readonly path: string
}

interface Link {
  readonly at: string
  readonly target: string
}

/** Opens what is known of links in a folder, which is made with the first. */
export function openVolumeLinks(folder: string): VolumeLinks {
  const known = readKnown(folder)
  const note = (unit: UnitName, link: Link): void => {
    const links = [...(known.get(unit) ?? []).filter((one) => !isSame(one, link)), link]
    mkdirSync(folder, { recursive: true, mode: 0o700 })
    writeFileSync(join(folder, `${unit}#`), JSON.stringify(links), { mode: 0o600 })
    renameSync(join(folder, `${unit}#`), join(folder, unit))
    known.set(unit, links)
  }
  const isOurs = (link: Link): boolean =>
    [...known.values()].some((links) => links.some((one) => isSame(one, link)))
  const release = (unit: UnitName): void => {
    const links = known.get(unit) ?? []
    known.delete(unit)
    for (const link of links) if (!isOurs(link)) removeLink(link)
    rmSync(join(folder, unit), { force: true })
  }
  return {
    make: (unit, directory, { name, path: target }, uid) => {
      const link = { at: join(resolve(directory), name), target }
      return orRefused(link, () =>
        inDirectory(link, (held) => {
          if (targetOf(held.link) === target) {
            if (isOurs(link)) note(unit, link)
            return null
          }
          if (isThere(held.link)) throw taken(link)
          // As root we could write anywhere, and the program could not.
          if (process.getuid?.() === 0 && held.uid !== uid)
            return `${dirname(link.at)} belongs to user ${held.uid}, and the unit runs as user ${uid}`
          note(unit, link)
          return makeLink(held.link, link)
        }),
      )
    },
    release,
    keepOnly: (units) => {
      for (const unit of [...known.keys()]) if (!units.has(unit)) release(unit)
    },
  }
}

function readKnown(folder: string): Map<UnitName, readonly Link[]> {
  const known = new Map<UnitName, readonly Link[]>()
  for (const name of namesIn(folder)) {
    if (name.endsWith('#')) continue
    try {
      const links: unknown = JSON.parse(readFileSync(join(folder, name), 'utf8'))
      known.set(name as UnitName, Array.isArray(links) ? links.filter(isLink) : [])
    } catch {
      // A link that nobody knows of any more stays where it is, which harms nobody.
    }
  }
  return known
}

function isLink(value: unknown): value is Link {
  const { at, target } = (value ?? {}) as Partial<Record<keyof Link, unknown>>
  return typeof at === 'string' && typeof target === 'string'
}

function isSame(one: Link, other: Link): boolean {
  return one.at === other.at && one.target === other.target
}

interface Held {
  /** The link by way of the open directory. */
  readonly link: string
  readonly uid: number
}

/**
 * Holds the directory of a link while it is looked at and changed: who may write to a directory above it cannot lead us
 * elsewhere.
 */
function inDirectory<T>({ at }: Link, act: (held: Held) => T): T {
  const wanted = dirname(at)
  const held = openSync(wanted, constants.O_RDONLY | constants.O_DIRECTORY)
  try {
    const real = readlinkSync(`/proc/self/fd/${held}`)
    if (real !== wanted)
      throw refused(`the working directory ${wanted} is reached through a symbolic link: name ${real}`)
    return act({ link: `/proc/self/fd/${held}/${at.slice(wanted.length + 1)}`, uid: fstatSync(held).uid })
  } finally {
    closeSync(held)
  }
}

/** Null, or why the directory lets us make none. */
function makeLink(path: string, link: Link): string | null {
  try {
    symlinkSync(link.target, path)
    return null
  } catch (error) {
    const code = errorCode(error) ?? String(error)
    if (code === 'EEXIST') throw taken(link)
    if (!['EACCES', 'EPERM', 'EROFS'].includes(code)) throw error
    return `${dirname(link.at)} may not be written to: ${code}`
  }
}

/** What is no link of ours any more is left where it is, and so is what cannot be reached. */
function removeLink(link: Link): void {
  try {
    inDirectory(link, (held) => {
      if (targetOf(held.link) === link.target) unlinkSync(held.link)
    })
  } catch {
    // The directory is gone, or another one.
  }
}

function targetOf(path: string): string | null {
  try {
    return readlinkSync(path)
  } catch {
    return null
  }
}

function isThere(path: string): boolean {
  return lstatSync(path, { throwIfNoEntry: false }) !== undefined
}

function orRefused<T>({ at }: Link, act: () => T): T {
  try {
    return act()
  } catch (error) {
    if (error instanceof DriverError) throw error
    throw refused(`no link to a volume could be made at ${at}: ${errorCode(error) ?? String(error)}`)
  }
}

function taken({ at, target }: Link): DriverError {
  return refused(
    `${at} exists already and is not a link to the volume ${target}: move it, or give the volume another name`,
  )
}

function refused(message: string): DriverError {
  return new DriverError('process/volume-link', message)
}
