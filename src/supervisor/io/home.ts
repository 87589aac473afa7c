// The supervisor's files: one folder, with a journal of all units and a folder for the logs of all. All of it is for the
// owner's eyes only.
import { randomBytes } from 'node:crypto'
import { mkdirSync, readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { isDiskFull } from '../../lib/io/disk-full.js'
import { errorCode } from '../../lib/io/error-code.js'
import { makeOnce } from '../../lib/io/make-once.js'
import { DriverError } from '../../model/driver-error.js'

/** Where things are below the supervisor's folder. */
const pathsOf = (dir: string) => ({
  dir,
  id: join(dir, 'id'),
  /** The supervisor's own log. */
  log: join(dir, 'supervisor.log'),
  journal: join(dir, 'journal'),
  /** Environment files with secrets, where the host has no better place for them. */
  secrets: join(dir, 'secrets'),
  /** Files of units, where the host has no better place for them. */
  files: join(dir, 'files'),
  /** Which links to volumes were made for which unit. */
  links: join(dir, 'volume-links'),
  /** Which processes of units were stopped while a backup is read. */
  stopped: join(dir, 'stopped'),
  /** The log files of every unit: a folder for each would cost as much as starting its program. */
  logs: join(dir, 'logs'),
})

export type HomePaths = ReturnType<typeof pathsOf>

/** A supervisor's folder, open. */
export interface Home {
  readonly paths: HomePaths
  /** Made once, at random: tells the processes of this folder from those of any other. */
  readonly id: string
}

/** Opens the folder, making it where there is none. Throws DriverError `process/home-unusable`. */
export function openHome(dir: string): Home {
  const paths = pathsOf(dir)
  try {
    mkdirSync(paths.logs, { recursive: true, mode: 0o700 })
    // Empty log files that former versions made ahead.
    rmSync(join(dir, 'spares'), { recursive: true, force: true })
    return { paths, id: readOrMakeId(paths.id) }
  } catch (error) {
    throw fileError('process/home-unusable', `the folder ${dir} cannot be used`, error)
  }
}

/** Whoever is first decides. */
function readOrMakeId(path: string): string {
  try {
    return readFileSync(path, 'utf8').trim()
  } catch (error) {
    if (errorCode(error) !== 'ENOENT') throw error
  }
  makeOnce(path, `${randomBytes(12).toString('hex')}\n`)
  return readFileSync(path, 'utf8').trim()
}

/** A file error as the driver tells it; a full disk has a code of its own. */
export function fileError(code: string, message: string, cause: unknown): DriverError {
  return new DriverError(isDiskFull(cause) ? 'process/disk-full' : code, message, { cause })
}
