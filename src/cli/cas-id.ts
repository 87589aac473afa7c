// The id of a key's value in metadata, as `meta get --json` shows it: with it a change is made only where nobody else was first.
import { usageError } from './command-error.js'

/** The CAS id that stands behind a command's words, or in `--cas`; throws a usage error for what cannot be one. */
export function readCasId(
  word: string | undefined,
  option: string | undefined,
  hint: string,
): string | undefined {
  if (word !== undefined) refuseOther(word, hint)
  if (option !== undefined) refuseOther(option, whereItIs)
  if (word !== undefined && option !== undefined)
    throw usageError('the CAS id is given twice', 'leave --cas out')
  return word ?? option
}

function refuseOther(word: string, hint: string): void {
  if (!/^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/.test(word))
    throw usageError(`'${word}' is not a CAS id`, hint)
}

const whereItIs = 'mariposa meta get KEY --json shows it, as casId'
