// Durations as people write them (contract §4): a number of seconds, a number with units, or ISO 8601.
const unitMs: Readonly<Record<string, number>> = {
  ms: 1,
  millisecond: 1,
  s: 1_000,
  sec: 1_000,
  second: 1_000,
  m: 60_000,
  min: 60_000,
  minute: 60_000,
  h: 3_600_000,
  hr: 3_600_000,
  hour: 3_600_000,
  d: 86_400_000,
  day: 86_400_000,
  w: 604_800_000,
  week: 604_800_000,
}

/** What `parseDurationMs` reads, as part of a sentence: "expected …". */
export const durationForms = 'a number of seconds, or a duration such as 30s, 1m30s, "5 minutes" or PT5M'

/** A century: a longer duration is a slip of the pen, and sums stay exact in milliseconds. */
const longestMs = 100 * 365 * 86_400_000

/**
 * Reads a duration, to the millisecond: `30` (seconds), `1.5`, `30s`, `1m30s`, `5 minutes`, `PT5M`, `P1DT12H`, `P2W`.
 * Months and years have no fixed length and are refused. A minus sign goes in front of the whole.
 * Undefined when the text is none of these.
 */
export function parseDurationMs(text: string): number | undefined {
  const trimmed = text.trim()
  const negative = trimmed.startsWith('-')
  const size = negative ? trimmed.slice(1) : trimmed
  const ms = parseSeconds(size) ?? parseUnits(size) ?? parseIso(size)
  if (ms === undefined || ms > longestMs) return undefined
  const whole = Math.round(ms)
  return negative && whole > 0 ? -whole : whole
}

function parseSeconds(text: string): number | undefined {
  return /^\d+(\.\d+)?$/.test(text) ? Number(text) * 1_000 : undefined
}

/** One part after the other, each looked for where the last one ended: from every place it would take quadratic time. */
function parseUnits(text: string): number | undefined {
  const part = /(\d+(?:\.\d+)?)\s*([a-z]+)\s*/iy
  let total = 0
  do {
    const [, count, unit = ''] = part.exec(text) ?? []
    const factor = factorOf(unit.toLowerCase())
    if (factor === undefined) return undefined
    total += Number(count) * factor
  } while (part.lastIndex < text.length)
  return total
}

function factorOf(unit: string): number | undefined {
  if (Object.hasOwn(unitMs, unit)) return unitMs[unit]
  const singular = unit.endsWith('s') && unit.length > 3 ? unit.slice(0, -1) : ''
  return Object.hasOwn(unitMs, singular) ? unitMs[singular] : undefined
}

const isoWeeks = /^P(\d+(?:[.,]\d+)?)W$/
const isoParts = /^P(?=.)(?:(\d+)D)?(?:T(?=\d)(?:(\d+)H)?(?:(\d+)M)?(?:(\d+(?:[.,]\d+)?)S)?)?$/

function parseIso(text: string): number | undefined {
  const weeks = isoWeeks.exec(text)
  if (weeks) return isoNumber(weeks[1]) * 604_800_000
  const parts = isoParts.exec(text)
  if (!parts) return undefined
  const [, days, hours, minutes, seconds] = parts
  return (
    isoNumber(days) * 86_400_000 +
    isoNumber(hours) * 3_600_000 +
    isoNumber(minutes) * 60_000 +
    isoNumber(seconds) * 1_000
  )
}

function isoNumber(digits: string | undefined): number {
  return digits === undefined ? 0 : Number(digits.replace(',', '.'))
}
