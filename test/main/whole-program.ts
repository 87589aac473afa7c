import type { Command } from 'commander'
import { giveAllOptions } from '../../src/cli/io/program.js'
import { everyCommand } from '../../src/main/commands.js'

/** The program with every command and all their options. */
export function wholeProgram(): Command {
  const program = everyCommand()
  giveAllOptions(program)
  return program
}
