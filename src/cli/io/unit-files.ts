// The unit files that a command names: a word is a file where there is one of that name, else the name of a unit.
import { readFileSync, statSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { maxBodyBytes, type NamedUnit, type SourceText } from '../../contract/contract.js'
import { CommandError, exitCodes } from '../command-error.js'

/** Units as words name them, with the files that there are: their own, and for instances those of their templates. */
export function readNamedUnits(words: readonly string[]): readonly NamedUnit[] {
  const units = words.map(readNamedUnit)
  const bytes = units.reduce((sum, { source, template }) => sum + sizeOf(source) + sizeOf(template), 0)
  if (bytes <= maxBodyBytes / 2) return units
  throw tooLarge(bytes)
}

function tooLarge(bytes: number): CommandError {
  const message = `the unit files hold ${bytes} bytes, more than a request may`
  return new CommandError(exitCodes.invalid, 'cli/too-large', message, {
    hint: 'submit them in several commands',
  })
}

function sizeOf(source: SourceText | undefined): number {
  return source === undefined ? 0 : Buffer.byteLength(source.text)
}

function readNamedUnit(word: string): NamedUnit {
  const own = [word, `${word}.service`].find(isFile)
  if (own !== undefined) return { name: basename(own), source: readSource(own) }
  if (word.includes('/'))
    throw new CommandError(exitCodes.invalid, 'cli/unreadable', `there is no file ${word}`, {
      hint: 'a unit that the cluster knows is named without a directory',
    })
  const template = templateFiles(word).find(isFile)
  return { name: word, ...(template !== undefined && { template: readSource(template) }) }
}

/** Where the template of `web@1` would stand: `web@.service` beside it. */
function templateFiles(word: string): readonly string[] {
  const [, prefix, suffix = ''] = /^([^@]+)@.+?(\.[a-z]+)?$/.exec(basename(word)) ?? []
  if (prefix === undefined) return []
  const stem = join(dirname(word), `${prefix}@`)
  return [`${stem}${suffix}`, `${stem}.service`].filter((file) => file.includes('.'))
}

function isFile(path: string): boolean {
  return statSync(path, { throwIfNoEntry: false })?.isFile() === true
}

function readSource(file: string): SourceText {
  const { size } = statSync(file)
  if (size > maxBodyBytes / 2) throw tooLarge(size)
  try {
    const text = new TextDecoder('utf-8', { fatal: true }).decode(readFileSync(file))
    return { file, text }
  } catch (error) {
    const notText = error instanceof TypeError
    throw new CommandError(
      exitCodes.invalid,
      notText ? 'cli/not-text' : 'cli/unreadable',
      notText ? `${file} is not UTF-8 text` : `${file} cannot be read: ${(error as Error).message}`,
    )
  }
}
