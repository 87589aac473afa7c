// Writes unit files the way fleet's serialiser does, so that hashes agree with fleet's.
import { sha1 } from '../lib/hash.js'
import { invariant } from '../lib/invariant.js'
import type { Diagnostic } from '../model/diagnostic.js'
import {
  endsInBackslash,
  isMistakable,
  parseUnitAsFleet,
  trimBlanks,
  type UnitFile,
  type UnitOption,
} from './parse.js'

/**
 * The text of a unit file: sections in order of first appearance, options in order within, one blank line between
 * sections. Throws InvariantError on an option that `unprintableOptions` reports.
 */
export function printUnit(file: UnitFile): string {
  for (const option of file.options)
    invariant(unprintable(option) === null, `option ${option.name} cannot stand in a unit file`)
  return bySections(file)
}

function bySections(file: UnitFile): string {
  const sections = new Map<string, UnitOption[]>()
  for (const option of file.options) {
    const section = sections.get(option.section)
    if (section === undefined) sections.set(option.section, [option])
    else section.push(option)
  }
  return [...sections].map(printSection).join('\n')
}

/**
 * The text of options that came as a list: read back it is the same list, in the same order. A section that comes again
 * stands again. Throws InvariantError on an option that `unprintableOptions` reports.
 */
export function printInOrder({ options }: UnitFile): string {
  const runs: [string, UnitOption[]][] = []
  for (const option of options) {
    invariant(unprintable(option) === null, `option ${option.name} cannot stand in a unit file`)
    const run = runs.at(-1)
    if (run?.[0] === option.section) run[1].push(option)
    else runs.push([option.section, [option]])
  }
  return runs.map(printSection).join('\n')
}

function printSection([name, options]: [string, UnitOption[]]): string {
  return `[${name}]\n${options.map((option) => `${option.name}=${option.value}\n`).join('')}`
}

/**
 * fleet's hash of a unit: SHA-1 of its options as fleet prints them. Comments and blank lines do not count. Of text
 * that `printUnit` made it is the SHA-1 of that text. Every text has one, also one that would be refused today.
 */
export function unitHash(text: string): string {
  return sha1(bySections(parseUnitAsFleet(text).file))
}

/** Whether a hash was made of a text: either of its options, or of the text as it stands. */
export function isHashOf(hash: string, text: string): boolean {
  return sha1(text) === hash || unitHash(text) === hash
}

/** Why options from elsewhere (an API call) cannot be written to a unit file. Code: `unit/unprintable-option`. */
export function unprintableOptions(file: UnitFile): readonly Diagnostic[] {
  return file.options.flatMap((option) => {
    const reason = unprintable(option)
    if (reason === null) return []
    const message = `option "${option.name}" of section "${option.section}" cannot be written to a unit file: ${reason}`
    return [
      {
        code: 'unit/unprintable-option',
        severity: 'error',
        message,
        path: `/${option.section}/${option.name}`,
      },
    ]
  })
}

/** Nearly all names, found to be fine at once. */
const ordinaryName = /^[A-Za-z][A-Za-z0-9-]*$/

function unprintable({ section, name, value }: UnitOption): string | null {
  if (ordinaryName.test(section) && ordinaryName.test(name) && !/[\0\r\n]|\\\s*$/.test(value)) return null
  if (section === '' || /[[\]"'\\\x00-\x1f\x7f]/.test(section)) {
    return 'the section name is empty or has a bracket, a quote, a backslash or a control character'
  }
  if (isMistakable(name)) return 'the option name would be read as something else'
  if (/[\0\r]/.test(value)) return 'the value has a NUL or a carriage return'
  return value.includes('\n') || trimBlanks(value).endsWith('\\') ? brokenLines(value) : null
}

/** A value may go over several lines only where each but the last ends in a backslash or is a comment, as in a file. */
function brokenLines(value: string): string | null {
  const lines = value.split('\n')
  const isComment = (line: string, index: number): boolean => index > 0 && /^[ \t]*[#;]/.test(line)
  const last = lines.length - 1
  if (lines.some((line, index) => index < last && !endsInBackslash(line) && !isComment(line, index)))
    return 'the value has a line break'
  if (isComment(lines[last] ?? '', last))
    return 'the value ends in a comment, which would include the next line'
  // Blanks at its end are not read again, and with them what has to follow a backslash.
  return endsInBackslash(trimBlanks(value))
    ? 'the value ends in a backslash, which would swallow the next line'
    : null
}
