// The command line as V8 compiled it when the program was built (scripts/compiled.mjs): a command that lasts a moment would
// spend most of that on having its code read anew.
import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { join } from 'node:path'
import { Script } from 'node:vm'

type CommandLine = typeof import('./command-line.js')

/** Verbs and nouns whose code is not there in that form: it is the daemon's, or is seldom needed. */
const readAnew = new Set(['daemon', 'up', 'store', 'stores', 'simulate'])
/** How long the code is, in the first bytes of the file; then come the code and what V8 made of it. */
const headBytes = 8

/** The compiled command line beside the program, where there is one of this very Node and it has what these words ask for. */
export function compiledCommandLine(dir: string, words: readonly string[]): CommandLine | null {
  // No command is named but by its whole name, and a word more here takes no more than a little time.
  if (words.some((word) => readAnew.has(word))) return null
  const file = join(dir, `compiled-${process.version}-${process.arch}`)
  const whole = contentsOf(file)
  if (whole === null) return null
  const end = headBytes + whole.readUInt32LE(0)
  if (whole.length <= end) return null
  // Its code is ASCII, which V8 keeps as it is.
  const script = new Script(whole.toString('latin1', headBytes, end), {
    filename: 'mariposa',
    cachedData: whole.subarray(end),
  })
  // V8 takes nothing that another build of it made, or one that was told to work in another way.
  if (script.cachedDataRejected === true) return null
  const load = script.runInThisContext() as (require: NodeJS.Require) => CommandLine
  return load(createRequire(file))
}

function contentsOf(file: string): Buffer | null {
  try {
    const whole = readFileSync(file)
    return whole.length < headBytes ? null : whole
  } catch {
    return null
  }
}
