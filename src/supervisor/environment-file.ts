// Environment files as systemd reads them (EnvironmentFile= in systemd.exec(5), env-file.c).
import { isVariableName } from '../unit/environment.js'

/**
 * The variables of a file: lines `NAME=value`; `#` and `;` begin comments; a backslash joins lines; single quotes
 * keep everything, double quotes know `\"`, `\\`, `` \` `` and `\$`; quoted values may span lines. Lines that are no
 * assignment are left out, as systemd does.
 */
export function parseEnvironmentFile(text: string): Readonly<Record<string, string>> {
  const variables: [string, string][] = []
  let at = 0
  while (at < text.length) {
    at = skip(text, at, /[ \t\r\n]*/y)
    if (/[#;]/.test(text.charAt(at))) {
      at = skip(text, at, /(?:\\[\s\S]|[^\n])*/y)
      continue
    }
    const equals = skip(text, at, /[^=\n]*/y)
    const name = text.slice(at, equals).trim()
    if (text.charAt(equals) !== '=') {
      at = equals
      continue
    }
    const { value, next } = readValue(text, equals + 1)
    if (isVariableName(name)) variables.push([name, value])
    at = next
  }
  return Object.fromEntries(variables)
}

function skip(text: string, at: number, pattern: RegExp): number {
  pattern.lastIndex = at
  return at + (pattern.exec(text)?.[0].length ?? 0)
}

/** Reads a value to the end of its line. White space at the end counts only where it was quoted or escaped. */
function readValue(text: string, from: number): { value: string; next: number } {
  let value = ''
  let kept = 0
  let at = skip(text, from, /[ \t]*/y)
  while (at < text.length && text.charAt(at) !== '\n') {
    const char = text.charAt(at)
    if (char === "'" || char === '"') {
      const quoted = readQuoted(text, at + 1, char)
      value += quoted.value
      at = quoted.next
      kept = value.length
    } else if (char === '\\') {
      const escaped = text.charAt(at + 1)
      if (escaped !== '\n') value += escaped
      at += 2
      kept = value.length
    } else {
      value += char
      at += 1
      if (!/\s/.test(char)) kept = value.length
    }
  }
  return { value: value.slice(0, kept), next: at }
}

function readQuoted(text: string, from: number, quote: string): { value: string; next: number } {
  let value = ''
  let at = from
  for (; at < text.length && text.charAt(at) !== quote; at += 1) {
    const next = text.charAt(at + 1)
    if (quote === "'" || text.charAt(at) !== '\\') value += text.charAt(at)
    else {
      if (next !== '\n') value += /["\\`$]/.test(next) ? next : `\\${next}`
      at += 1
    }
  }
  return { value, next: at + 1 }
}
