// Reading options of a unit file: lists with resets, and the value types of systemd (parse-util.c, time-util.c).
import type { UnitFile, UnitOption } from './parse.js'

/** The lines of an option that count: an empty assignment drops those before it. */
export function optionsOf(file: UnitFile, section: string, name: string): readonly UnitOption[] {
  const lines = file.options.filter((option) => option.section === section && option.name === name)
  const reset = lines.findLastIndex((option) => option.value === '')
  return lines.slice(reset + 1)
}

/** The values of an option that adds up. */
export function valuesOf(file: UnitFile, section: string, name: string): readonly string[] {
  return optionsOf(file, section, name).map((option) => option.value)
}

/** The value of an option where the last line wins; null where it is not set or was reset. */
export function lastOf(file: UnitFile, section: string, name: string): string | null {
  return valuesOf(file, section, name).at(-1) ?? null
}

export function hasSection(file: UnitFile, section: string): boolean {
  return file.options.some((option) => option.section === section)
}

/** A boolean as systemd reads it; null for text that is none. */
export function parseBoolean(text: string): boolean | null {
  const word = text.toLowerCase()
  if (['1', 'yes', 'y', 'true', 't', 'on'].includes(word)) return true
  if (['0', 'no', 'n', 'false', 'f', 'off'].includes(word)) return false
  return null
}

/**
 * A time span in milliseconds, as systemd reads it: `5min 20s`, `1.5h`, `100ms`, a plain number of seconds, or
 * `infinity`. Null for text that is none. It may be a fraction, for `us` are read too.
 */
export function parseTimeSpan(text: string): number | null {
  const span = text.trim()
  if (span === 'infinity') return Number.POSITIVE_INFINITY
  // Beyond any sense, and the pattern below takes its time for long runs of blanks.
  if (span.length > 200 || !timeSpan.test(span)) return null
  let ms = 0
  for (const [, number, unit] of span.matchAll(timePart)) ms += Number(number) * timeUnitMs(unit ?? '')
  return Number.isSafeInteger(Math.ceil(ms)) ? ms : null
}

// Longer names stand before those that they begin with.
const timeUnitNames =
  'seconds|second|sec|s|minutes|minute|min|months|month|msec|ms|m|M|hours|hour|hr|h|days|day|d|weeks|week|w|years|year|y|usec|us|\u03bcs|\u00b5s'
const timePart = new RegExp(`\\s*([0-9]+(?:\\.[0-9]+)?|\\.[0-9]+)(?![0-9.])\\s*(${timeUnitNames})?`, 'g')
const timeSpan = new RegExp(`^(?:${timePart.source})+$`)

const second = 1000
const day = 86_400 * second

function timeUnitMs(name: string): number {
  if (name === 'M' || name.startsWith('mon')) return 30.4375 * day
  if (name === 'ms' || name === 'msec') return 1
  if (/^[u\u03bc\u00b5]/.test(name)) return 0.001
  const byLetter: Readonly<Record<string, number>> = {
    s: second,
    m: 60 * second,
    h: 3600 * second,
    d: day,
    w: 7 * day,
    y: 365.25 * day,
  }
  return byLetter[name.charAt(0)] ?? second
}

/** A time span for a unit file: whole seconds where it can be, `infinity` for one without end. */
export function printTimeSpan(ms: number): string {
  if (ms === Number.POSITIVE_INFINITY) return 'infinity'
  if (ms % 1000 === 0) return `${ms / 1000}s`
  return Number.isInteger(ms) ? `${ms}ms` : `${Math.round(ms * 1000)}us`
}

/** A size in bytes as systemd reads it: `256M`, `1.5G`, to the base 1024, or `infinity`. Null for text that is none. */
export function parseSize(text: string): number | null {
  if (text === 'infinity') return Number.POSITIVE_INFINITY
  const match = /^([0-9]+(?:\.[0-9]+)?)\s*([BKMGTPE]?)$/.exec(text.trim())
  if (match === null) return null
  const bytes = Math.floor(Number(match[1]) * 1024 ** 'BKMGTPE'.indexOf(match[2] || 'B'))
  return Number.isSafeInteger(bytes) ? bytes : null
}

/** A whole number without sign, as decimal digits; null for other text or one beyond `max`. */
export function parseCount(text: string, max = Number.MAX_SAFE_INTEGER): number | null {
  if (!/^[0-9]{1,16}$/.test(text)) return null
  const count = Number(text)
  return count <= max ? count : null
}
