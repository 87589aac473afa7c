// Putting data in the place of others in a volume: they are there as a whole, or not at all.
import { join } from 'node:path'
import { isDiskFull } from '../../lib/io/disk-full.js'
import { describeError } from '../../lib/io/log.js'
import { DriverError } from '../../model/driver-error.js'
import { diskFull } from './volume-archive.js'
import type { VolumeFiles } from './volume-files.js'
import { beforeMark, reviveData } from './volume-revival.js'

/**
 * Replaces all that is in a directory by what `fill` puts into another one: it is there as a whole, or not at all. An end of
 * the daemon in between is made up for by `settleData`. What was there before goes once the new data are on the disk. Throws
 * DriverError `volume/disk-full` where there is no room, and what `fill` throws.
 */
export async function replaceData(
  files: VolumeFiles,
  dir: string,
  fill: (incoming: string) => Promise<void>,
): Promise<void> {
  try {
    await replace(files, dir, fill)
  } catch (error) {
    throw isDiskFull(error) ? diskFull(dir, describeError(error)) : error
  }
}

async function replace(
  files: VolumeFiles,
  dir: string,
  fill: (incoming: string) => Promise<void>,
): Promise<void> {
  const [around, before] = [`${dir}${incomingMark}`, `${dir}${beforeMark}`]
  const incoming = join(around, 'data')
  await settleData(files, dir)
  // No program can reach the data before they have been checked.
  files.makeDir(around)
  try {
    await files.makeLike(dir, incoming)
    await fill(incoming)
    if (await files.isUntouched(incoming)) throw holdsNothing()
    await files.writeOut(incoming)
    files.rename(dir, before)
    try {
      files.rename(incoming, dir)
    } catch (error) {
      files.rename(before, dir)
      throw error
    }
  } finally {
    await files.removeTree(around)
  }
  await files.writeOut(dir)
  await files.removeTree(before)
}

/** An archive of an empty volume has its directory at least: one that has nothing at all was made by a mistake. */
function holdsNothing(): DriverError {
  return new DriverError('volume/bad-archive', 'the archive holds nothing, not even an empty directory')
}

/** Puts right what an earlier daemon left half done: what was there before, where nothing has taken its place. */
export async function settleData(files: VolumeFiles, dir: string): Promise<void> {
  reviveData(dir, files)
  for (const left of [`${dir}${beforeMark}`, `${dir}${incomingMark}`]) await files.removeTree(left)
}

const incomingMark = '.incoming'
const leftMark = '.left'

/**
 * Removes what an interrupted `replaceData` of an earlier daemon left beside a directory. Resolves to true, and removes nothing, while
 * the directory is in use. The leftovers are renamed first, so that a `replaceData` which begins meanwhile is not disturbed.
 */
export async function clearLeft(files: VolumeFiles, dir: string, isBusy: () => boolean): Promise<boolean> {
  const left = `${dir}${leftMark}`
  await files.removeTree(left)
  if (isBusy()) return true
  reviveData(dir, files)
  const marks = [beforeMark, incomingMark].filter((mark) => files.exists(`${dir}${mark}`))
  if (marks.length === 0) return false
  files.makeDir(left)
  for (const mark of marks) files.rename(`${dir}${mark}`, join(left, mark))
  await files.removeTree(left)
  return false
}
