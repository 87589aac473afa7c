// All that follows from the words of a command line.
import { runProgram } from '../cli/io/program.js'
import { endOnHangup } from '../lib/io/hangup.js'
import { everyCommand, isDaemonVerb } from './commands.js'

/** Runs what the words name; sets the exit status of the process. */
export async function runCommandLine(words: readonly string[]): Promise<void> {
  // What Node will not do any more one day is for us to know, not for operators. MARIPOSA_DEBUG shows it.
  process.noDeprecation = process.env['MARIPOSA_DEBUG'] === undefined
  const program = everyCommand().hook('preAction', (_, command) => {
    if (!isDaemonVerb(command)) endOnHangup()
  })
  await runProgram(program, words)
}
