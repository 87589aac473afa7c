// The checksum beside a backup that is a file.
import { readFileSync, realpathSync, statSync } from 'node:fs'
import { describeError } from '../../lib/io/log.js'
import { sumSuffix } from '../../s3/location.js'
import { parseSum, sumAtMost } from '../../s3/sum.js'
import { CommandError, exitCodes } from '../command-error.js'

/** The SHA-256 beside a file, or beside what it links to; null where there is none. Throws CommandError for what says none. */
export function sumBeside(from: string): string | null {
  return sumBesideName(from) ?? sumBesideName(realpathSync(from))
}

function sumBesideName(from: string): string | null {
  const file = `${from}${sumSuffix}`
  try {
    const found = statSync(file, { throwIfNoEntry: false })
    if (found === undefined) return null
    const sum = found.isFile() && found.size <= sumAtMost ? parseSum(readFileSync(file, 'utf8')) : null
    if (sum !== null) return sum.sha256
  } catch (error) {
    throw unreadableSum(from, `: ${describeError(error)}`)
  }
  throw unreadableSum(from)
}

/** What is beside a backup under the name of its checksum is none. */
export function unreadableSum(from: string, why = ''): CommandError {
  const message = `${from}${sumSuffix} cannot be read as a SHA-256${why}`
  const hint = 'remove it, or give the checksum with --sha256'
  return new CommandError(exitCodes.failed, 'volume/unreadable-checksum', message, { hint })
}
