// Standard input as a file: `-`.
import { usageError } from '../command-error.js'

let isTaken = false

/** Standard input, for whoever asks first: for a second reader nothing would be left. Throws CommandError (exit 2). */
export function takeStdin(): NodeJS.ReadStream {
  if (isTaken) throw usageError("standard input is given twice with '-'", 'write one of the two to a file')
  isTaken = true
  return process.stdin
}
