// Links to volumes in the working directory of a program, which has no namespace to find them at a path of its own.
import { closeSync, constants, openSync, readlinkSync, symlinkSync } from 'node:fs'
import { resolve } from 'node:path'
import { errorCode } from '../../../lib/io/error-code.js'
import { DriverError } from '../../driver.js'

/**
 * Makes a link to a volume in a directory, under its name. The directory is held while it is looked at: who may write to
 * a directory above it cannot lead us elsewhere. Throws DriverError `process/volume-link`.
 */
export function linkVolume(directory: string, name: string, target: string): void {
  const wanted = resolve(directory)
  try {
    const held = openSync(wanted, constants.O_RDONLY | constants.O_DIRECTORY)
    try {
      const real = readlinkSync(`/proc/self/fd/${held}`)
      if (real !== wanted)
        throw refused(`the working directory ${wanted} is reached through a symbolic link: name ${real}`)
      makeLink(`/proc/self/fd/${held}/${name}`, `${wanted}/${name}`, target)
    } finally {
      closeSync(held)
    }
  } catch (error) {
    if (error instanceof DriverError) throw error
    throw refused(`no link to the volume ${name} could be made in ${wanted}: ${errorCode(error)}`)
  }
}

function makeLink(link: string, shown: string, target: string): void {
  try {
    symlinkSync(target, link)
  } catch (error) {
    if (errorCode(error) !== 'EEXIST') throw error
    if (targetOf(link) === target) return
    throw refused(
      `${shown} is there already, and is no link to the volume ${target}: move it, or name the volume otherwise`,
    )
  }
}

function targetOf(link: string): string | null {
  try {
    return readlinkSync(link)
  } catch {
    return null
  }
}

function refused(message: string): DriverError {
  return new DriverError('process/volume-link', message)
}
