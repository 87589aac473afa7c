// Reading the configuration file. It says what this daemon runs, and as whom: nobody else may have written it.
import type { Stats } from 'node:fs'
import { CommandError, exitCodes } from '../cli/command-error.js'
import { ExposedFileError, refuseChangeable } from '../lib/io/private-file.js'
import { readTextFile } from '../lib/io/text-file.js'
import { type ConfigFile, parseConfigFile } from './config-file.js'
import type { Settings } from './settings.js'
import { passwordInAddress } from './store-options.js'

/**
 * Reads a configuration file. Throws CommandError where it cannot be read, where another user could have written it, and
 * where a password in it is there for all to read.
 */
export function readConfigFile(file: string): ConfigFile {
  try {
    let mode = 0
    const text = readTextFile(file, (found: Stats) => {
      refuseChangeable(file, found)
      mode = found.mode
    })
    const config = parseConfigFile(file, text)
    if ((mode & readableByOthers) !== 0 && holdsPassword(config.settings)) throw openPassword(file)
    return config
  } catch (error) {
    if (error instanceof ExposedFileError)
      throw new CommandError(exitCodes.invalid, 'daemon/exposed', error.message, { hint: error.hint })
    const message = `${file} cannot be read: ${(error as Error).message}`
    throw new CommandError(exitCodes.invalid, 'cli/unreadable', message)
  }
}

const readableByOthers = 0o004

function holdsPassword({ 'etcd-password': password, store }: Settings): boolean {
  return password !== undefined || passwordInAddress(store?.values[0] ?? '') !== null
}

function openPassword(file: string): ExposedFileError {
  return new ExposedFileError(
    `${file} has a password, and others may read the file`,
    `chmod o-r ${file}, and change the password if others may have read it; or keep it in a file of its own: etcd-password-file`,
  )
}
