#!/usr/bin/env node
// The program `mariposa`. It is built as a script, and loads next to nothing before it knows what is asked for.
import '../lib/io/no-debugger.js'
import '../lib/io/hangup.js'
import { compiledCommandLine } from './compiled.js'

/** A word more here takes no more than a little time. */
const namesOfDaemon = new Set(['daemon', 'up'])

async function run(words: readonly string[]): Promise<void> {
  // Before anything was run so often that V8 has compiled it.
  if (words.some((word) => namesOfDaemon.has(word))) (await import('./compilers.js')).leaveUncompiled()
  const { runCommandLine } =
    compiledCommandLine(__dirname, words, require) ?? (await import('./command-line.js'))
  await runCommandLine(words)
}

run(process.argv.slice(2)).catch((error: unknown) => {
  // As Node ends a process of which nobody has caught an error.
  setImmediate(() => {
    throw error
  })
})
