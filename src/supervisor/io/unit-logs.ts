// The log files of units: two for each, side by side in one folder, there from when a unit is loaded until it is unloaded.
import { existsSync, readdirSync, rmSync } from 'node:fs'
import { open } from 'node:fs/promises'
import { join } from 'node:path'
import { sha1 } from '../../lib/hash.js'
import type { UnitName } from '../../model/unit.js'
import { fileError, type HomePaths } from './home.js'
import { filesOf, type LogLimits } from './log-keeper.js'

/** Where a unit's program writes. */
export interface LogPaths {
  readonly stdout: string
  readonly stderr: string
}

export function logPathsOf({ logs }: HomePaths, unit: UnitName): LogPaths {
  const base = join(logs, baseName(unit))
  return { stdout: `${base}.stdout.log`, stderr: `${base}.stderr.log` }
}

/**
 * Makes the files of a unit where there are none, for a reader may wait for the first line: in another thread, since it
 * may take long. Throws DriverError `process/disk-full` and the like.
 */
export async function makeLogs({ stdout, stderr }: LogPaths): Promise<void> {
  for (const path of [stdout, stderr]) {
    if (!existsSync(path)) await makeLog(path)
  }
}

async function makeLog(path: string): Promise<void> {
  try {
    const file = await open(path, 'a', 0o600)
    await file.close()
  } catch (error) {
    throw fileError('process/record-not-written', 'a log file cannot be made', error)
  }
}

/** Removes all that was written for a unit, older files and marks too. */
export function removeLogs({ stdout, stderr }: LogPaths, limits: LogLimits): void {
  for (const path of [stdout, stderr]) {
    for (const file of filesOf(path, limits)) rmSync(file, { force: true })
  }
}

/** Removes the files of units that are not there any more: a supervisor that was killed may have left them. */
export function sweepLogs(paths: HomePaths, units: Iterable<UnitName>): void {
  const known = new Set(Array.from(units, baseName))
  for (const file of readdirSync(paths.logs)) {
    const [, base] = /^(.+)\.std(?:out|err)\.log/.exec(file) ?? []
    if (base === undefined || !known.has(base)) rmSync(join(paths.logs, file), { force: true })
  }
}

/** Names of files end at 255 bytes, and those of units at 256. */
function baseName(unit: UnitName): string {
  return unit.length <= 200 ? unit : `${unit.slice(0, 150)}-${sha1(unit)}`
}
