// The help of every command fits a terminal of 80 columns.
import type { Command } from 'commander'
import { expect, test } from 'vitest'
import { wholeProgram } from './whole-program.js'

const columns = 80

/** A command and all below it. */
function* below(command: Command): Generator<Command> {
  yield command
  for (const one of command.commands) yield* below(one)
}

function helpOf(command: Command): string {
  let text = ''
  command.configureOutput({ writeOut: (part) => (text += part), getOutHelpWidth: () => columns })
  command.outputHelp()
  return text
}

const namesOf = (command: Command): string =>
  command.parent === null ? command.name() : `${namesOf(command.parent)} ${command.name()}`

const commands = [...below(wholeProgram())].map((command) => ({ name: namesOf(command), command }))

test.each(commands)('$name --help', ({ command }) => {
  const lines = helpOf(command).split('\n')
  expect(lines.filter((line) => line.length > columns)).toEqual([])
  expect(lines).toContain('Examples:')
})

test('whoever waits does so for five minutes where nothing is said', () => {
  const waiting = commands.filter(({ command }) => command.options.some(({ long }) => long === '--timeout'))
  expect(waiting.length).toBeGreaterThan(10)
  for (const { command } of waiting) expect(helpOf(command)).toMatch(/--timeout <duration>.*\(default: 5m\)/s)
})
