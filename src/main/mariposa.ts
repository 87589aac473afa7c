#!/usr/bin/env node
// The program `mariposa`.
import { runProgram } from '../cli/io/program.js'
import { wholeProgram } from './commands.js'

await runProgram(wholeProgram(), process.argv.slice(2))
