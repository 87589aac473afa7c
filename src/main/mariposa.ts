#!/usr/bin/env node
// The program `mariposa`.
import '../lib/io/no-debugger.js'
import '../lib/io/hangup.js'
import { fileURLToPath } from 'node:url'
import { compiledCommandLine } from './compiled.js'

const words = process.argv.slice(2)
const { runCommandLine } =
  compiledCommandLine(fileURLToPath(new URL('.', import.meta.url)), words) ??
  (await import('./command-line.js'))
await runCommandLine(words)
