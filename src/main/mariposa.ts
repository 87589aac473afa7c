#!/usr/bin/env node
// The program `mariposa`.
import '../lib/io/no-debugger.js'
import { runProgram } from '../cli/io/program.js'
import { endOnHangup } from '../lib/io/hangup.js'
import { isDaemonVerb, wholeProgram } from './commands.js'

// What Node will not do any more one day is for us to know, not for operators. MARIPOSA_DEBUG shows it.
process.noDeprecation = process.env.MARIPOSA_DEBUG === undefined

const program = wholeProgram().hook('preAction', (_, command) => {
  if (!isDaemonVerb(command)) endOnHangup()
})
await runProgram(program, process.argv.slice(2))
