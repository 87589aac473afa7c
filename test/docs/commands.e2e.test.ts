// Every command that a page or a help text shows is one that the program takes: its words and options are known.
import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import type { Command } from 'commander'
import { describe, expect, it } from 'vitest'
import { wholeProgram } from '../main/whole-program.js'
import { commandsOf, root } from './pages.js'

const pages = [
  ...['README.md', 'SECURITY.md', 'CONTRIBUTING.md'],
  ...readdirSync(join(root, 'docs')).flatMap((file) => (file.endsWith('.md') ? [`docs/${file}`] : [])),
]

/** The commands in lines of a shell, each as its words; a line that ends in a backslash goes on. */
function callsIn(lines: readonly string[]): readonly (readonly string[])[] {
  const whole = lines
    .join('\n')
    .replaceAll(/\\\n\s*/g, ' ')
    .split('\n')
  return whole
    .flatMap((line) => line.split(/\s(?:\||&&|;)\s|[()]/))
    .flatMap((part) => /^\s*(?:sudo\s+|\w+=\S*\s+)*mariposa\s+(.*)$/.exec(part)?.[1] ?? [])
    .map((words) =>
      (words.replace(/\s[<>].*$|\s&$/, '').match(/(?:[^\s'"]+|'[^']*'|"[^"]*")+/g) ?? []).map(unquoted),
    )
}

function unquoted(word: string): string {
  return word.replaceAll(
    /'([^']*)'|"([^"]*)"/g,
    (_, single?: string, double?: string) => single ?? double ?? '',
  )
}

/** What the program says against a call; null for nothing. Nothing is run. */
async function problemOf(words: readonly string[]): Promise<string | null> {
  const program = wholeProgram()
  for (const command of [program, ...program.commands, ...leavesOf(program)]) silence(command)
  for (const command of leavesOf(program)) command.action(() => {})
  try {
    await program.parseAsync([...words], { from: 'user' })
    return null
  } catch (error) {
    const { message, exitCode } = error as Error & { readonly exitCode?: number }
    return exitCode === 0 ? null : message
  }
}

function silence(command: Command): void {
  command.configureOutput({ writeOut: () => {}, writeErr: () => {} })
}

function leavesOf(command: Command): readonly Command[] {
  return command.commands.length === 0 ? [command] : command.commands.flatMap(leavesOf)
}

async function expectTaken(calls: readonly (readonly string[])[]): Promise<void> {
  const problems: string[] = []
  for (const words of calls) {
    const problem = await problemOf(words)
    if (problem !== null) problems.push(`mariposa ${words.join(' ')}: ${problem}`)
  }
  expect(problems).toEqual([])
}

describe('the commands', () => {
  it.each(pages)('of %s are taken', async (page) => {
    await expectTaken(callsIn(commandsOf(page)))
  })

  it('of the help texts are taken', async () => {
    const examples = leavesOf(wholeProgram()).flatMap((command) => {
      let text = ''
      command.configureOutput({
        writeOut: (part) => {
          text += part
        },
      })
      command.outputHelp()
      return text.split('\nExamples:\n')[1]?.split('\n') ?? []
    })
    const calls = callsIn(examples)
    expect(calls.length).toBeGreaterThan(100)
    await expectTaken(calls)
  })
})
