// docs/cli.md names every command that there is, and every option.
import { readFileSync } from 'node:fs'
import type { Command } from 'commander'
import { expect, test } from 'vitest'
import { wholeProgram } from '../main/whole-program.js'

const page = readFileSync(new URL('../../docs/cli.md', import.meta.url), 'utf8')
/** What stands in the first column of the table of commands, or as a command elsewhere. */
const cells = page.split('\n').flatMap((line) => /^\| (`[a-z](?:\\\||[^|])*)\|/.exec(line)?.[1] ?? [])

test('every verb has its row', () => {
  const missing = wholeProgram().commands.flatMap((noun: Command) => {
    const own = cells.filter((cell) => new RegExp(`\`${noun.name()}[ \`]`).test(cell))
    const words = noun.commands.length === 0 ? [noun.name()] : noun.commands.map((verb) => verb.name())
    return words
      .filter((word) => !own.some((cell) => new RegExp(`(?<![\\w-])${word}(?![\\w-])`).test(cell)))
      .map((word) => `${noun.name()} ${word}`)
  })
  expect(missing).toEqual([])
})

test('every option is named', () => {
  const missing = wholeProgram().commands.flatMap((noun: Command) =>
    [noun, ...noun.commands].flatMap((verb) =>
      verb.options.flatMap(({ long }) =>
        long == null || page.includes(long) ? [] : [`${verb.name()} ${long}`],
      ),
    ),
  )
  expect(missing).toEqual([])
})
