// The unit files that we wrote: each in a directory of our own, linked from where systemd looks for units that last
// until the machine goes down. What is not a link into our directory is somebody else's and is never touched.
//
// The calls are synchronous: the directory is in memory (/run), and a burst of loads is written within one turn of the
// event loop, so that systemd reads its directories once for all of them.
import {
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs'
import type { Instant } from '../../../lib/time.js'
import type { UnitName } from '../../../model/unit.js'
import { templateOf, toUnitName } from '../../../unit/name.js'
import type { SystemdHostAccess } from './host.js'

export interface UnitFiles {
  /** Every file of ours with its text. */
  read(): readonly { readonly name: UnitName; readonly text: string }[]
  /** Where somebody else has a unit of this name, or a template for it; null where nobody has. */
  ownerOf(name: UnitName): string | null
  /** When the file of this name was written last; null where there is none. */
  writtenAt(name: UnitName): Instant | null
  /** Whether systemd finds our file under this name. */
  isLinked(name: UnitName): boolean
  /** Writes or replaces a file, all of it or nothing. */
  write(name: UnitName, text: string): void
  remove(name: UnitName): void
  /**
   * Makes systemd look into the directory again. It goes by the directory's time, which the kernel keeps so coarsely
   * that a second change within the same few milliseconds would be missed.
   */
  touch(now: number): void
}

interface UnitFilesOptions {
  /** Our directory, as the machine itself names it. */
  readonly unitsDir: string
  /** All directories that systemd reads. */
  readonly unitPath: readonly string[]
  readonly host: SystemdHostAccess
}

/** Where systemd looks for units that are made at run time. */
export const linkDir = '/run/systemd/system'

export function openUnitFiles({ unitsDir, unitPath, host }: UnitFilesOptions): UnitFiles {
  const ours = (name: string): string => `${host.root}${unitsDir}/${name}`
  const link = (name: string): string => `${host.root}${linkDir}/${name}`
  const isLinked = (name: string): boolean => linkTarget(link(name)) === `${unitsDir}/${name}`
  // Environments may hold secrets. The directory keeps others out; the files are 0644 because systemd logs a warning
  // for each unit file that not everybody may read.
  mkdirSync(ours(''), { recursive: true, mode: 0o700 })
  mkdirSync(link(''), { recursive: true })

  return {
    read: () =>
      readdirSync(ours('')).flatMap((file) => {
        const name = toUnitName(file)
        return name === null ? [] : [{ name, text: readFileSync(ours(name), 'utf8') }]
      }),
    ownerOf: (name) => {
      const names = [name, templateOf(name)].filter((candidate) => candidate !== null)
      const places = unitPath.flatMap((dir) => names.map((candidate) => `${dir}/${candidate}`))
      const taken = places.find(
        (place) => exists(host.root + place) && !(place === `${linkDir}/${name}` && isLinked(name)),
      )
      return taken ?? null
    },
    writtenAt: (name) => {
      const { mtimeMs } = statSync(ours(name), { throwIfNoEntry: false }) ?? {}
      return mtimeMs === undefined ? null : Math.floor(mtimeMs)
    },
    isLinked,
    write: (name, text) => {
      // The name of the draft is no unit name, so that `read` passes it over.
      const draft = ours(`${name}#`)
      writeFileSync(draft, text, { mode: 0o644 })
      renameSync(draft, ours(name))
      if (!isLinked(name)) symlinkSync(`${unitsDir}/${name}`, link(name))
    },
    remove: (name) => {
      if (isLinked(name)) rmSync(link(name), { force: true })
      rmSync(ours(name), { force: true })
    },
    touch: (now) => utimesSync(link(''), now / 1000, now / 1000),
  }
}

function linkTarget(path: string): string | null {
  try {
    return readlinkSync(path)
  } catch {
    return null
  }
}

function exists(path: string): boolean {
  return lstatSync(path, { throwIfNoEntry: false }) !== undefined
}
