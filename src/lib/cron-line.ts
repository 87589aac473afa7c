// Cron lines: five fields as cron(5) has them, or six with seconds in front. Which moments they name, not yet which
// instants: that takes a clock and a time zone.

/** Every value that each part of the wall clock may have, in order. */
export interface Cron {
  readonly seconds: readonly number[]
  readonly minutes: readonly number[]
  readonly hours: readonly number[]
  readonly daysOfMonth: readonly number[]
  /** 1 to 12. */
  readonly months: readonly number[]
  /** 0 is Sunday. */
  readonly daysOfWeek: readonly number[]
  /** Both days are restricted, so that either is enough, as in Vixie's cron. */
  readonly eitherDay: boolean
}

/** What is wrong with a line, and which part of it. */
interface CronProblem {
  readonly offset: number
  readonly length: number
  readonly message: string
}

interface FieldKind {
  readonly name: string
  readonly from: number
  readonly to: number
  readonly words: readonly string[]
}

const monthNames = ['jan', 'feb', 'mar', 'apr', 'may', 'jun', 'jul', 'aug', 'sep', 'oct', 'nov', 'dec']
const dayNames = ['sun', 'mon', 'tue', 'wed', 'thu', 'fri', 'sat']

const [second, minute, hour, dayOfMonth, month, dayOfWeek] = [
  { name: 'second', from: 0, to: 59, words: [] },
  { name: 'minute', from: 0, to: 59, words: [] },
  { name: 'hour', from: 0, to: 23, words: [] },
  { name: 'day of the month', from: 1, to: 31, words: [] },
  { name: 'month', from: 1, to: 12, words: monthNames },
  { name: 'day of the week', from: 0, to: 7, words: dayNames },
] as const satisfies readonly FieldKind[]

const macros: Readonly<Record<string, string>> = {
  '@yearly': '0 0 1 1 *',
  '@annually': '0 0 1 1 *',
  '@monthly': '0 0 1 * *',
  '@weekly': '0 0 * * 0',
  '@daily': '0 0 * * *',
  '@midnight': '0 0 * * *',
  '@hourly': '0 * * * *',
}

/**
 * Reads a cron line. Fields are `*`, numbers, names (`jan`, `mon`), ranges, steps and lists of these; `?` is `*`, and 7
 * is Sunday too. A line that names no moment of any year (`0 0 31 2 *`) is a problem like any other.
 */
export function parseCron(line: string): Cron | CronProblem {
  const known = Object.hasOwn(macros, line.trim().toLowerCase())
    ? macros[line.trim().toLowerCase()]
    : undefined
  const words = [...(known ?? line).matchAll(/\S+/g)].map(({ 0: text, index }) => ({ text, offset: index }))
  const whole = { offset: 0, length: line.length }
  if (words[0]?.text.startsWith('@')) return { ...whole, message: `there is no ${words[0].text} here` }
  if (words.length !== 5 && words.length !== 6)
    return {
      ...whole,
      message: `a cron line has 5 fields, or 6 with seconds in front; this one has ${words.length}`,
    }
  const seconds = words.length === 6 ? words[0] : { text: '0', offset: 0 }
  const [inMinute, inHour, inMonth, ofYear, inWeek] = words.slice(-5)
  const fields = {
    seconds: readField(seconds, second),
    minutes: readField(inMinute, minute),
    hours: readField(inHour, hour),
    daysOfMonth: readField(inMonth, dayOfMonth),
    months: readField(ofYear, month),
    daysOfWeek: readField(inWeek, dayOfWeek),
  }
  const problem = Object.values(fields).find((field) => 'message' in field)
  if (problem && 'message' in problem) return problem
  const values = (field: FieldRead) => ('values' in field ? field.values : [])
  const cron: Cron = {
    seconds: values(fields.seconds),
    minutes: values(fields.minutes),
    hours: values(fields.hours),
    daysOfMonth: values(fields.daysOfMonth),
    months: values(fields.months),
    daysOfWeek: [...new Set(values(fields.daysOfWeek).map((day) => day % 7))].sort((a, b) => a - b),
    eitherDay: !isOpen(inMonth?.text) && !isOpen(inWeek?.text),
  }
  return everFires(cron)
    ? cron
    : { ...whole, message: 'this never fires: no month that it names has such a day' }
}

type FieldRead = { readonly values: readonly number[] } | CronProblem

/** Vixie's cron takes a field that begins with `*` for one that leaves the choice to the other. */
function isOpen(field = '*'): boolean {
  return field.startsWith('*') || field.startsWith('?')
}

/** February has its 29th often enough. */
function everFires({ daysOfMonth, months, daysOfWeek, eitherDay }: Cron): boolean {
  if (eitherDay && daysOfWeek.length > 0) return true
  const longest = Math.max(...months.map((one) => (one === 2 ? 29 : [4, 6, 9, 11].includes(one) ? 30 : 31)))
  return Math.min(...daysOfMonth) <= longest
}

function readField(word: { text: string; offset: number } | undefined, kind: FieldKind): FieldRead {
  const { text, offset } = word ?? { text: '', offset: 0 }
  const values = new Set<number>()
  for (const item of text.split(',')) {
    const read = readItem(item, kind)
    if (typeof read === 'string') return { offset, length: text.length, message: `${kind.name}: ${read}` }
    for (const value of read) values.add(value)
  }
  return { values: [...values].sort((a, b) => a - b) }
}

function readItem(item: string, kind: FieldKind): number[] | string {
  const match = /^(?:([*?])|([a-z0-9]+)(?:-([a-z0-9]+))?)(?:\/(\d{1,4}))?$/i.exec(item)
  if (!match) return `${JSON.stringify(item)} is no number, name, range, step or *`
  const [, star, first, last, stepText] = match
  const step = stepText === undefined ? 1 : Number(stepText)
  if (step === 0) return 'a step of 0 never moves on'
  const from = star === undefined ? numberOf(first, kind) : kind.from
  const open = star !== undefined || (last === undefined && stepText !== undefined)
  const to = open ? (kind.to === 7 ? 6 : kind.to) : last === undefined ? from : numberOf(last, kind)
  if (from === undefined || to === undefined)
    return `${JSON.stringify(item)} is not within ${kind.from} to ${kind.to}`
  if (to < from) return `the range ${item} runs backwards`
  return Array.from({ length: Math.floor((to - from) / step) + 1 }, (_, i) => from + i * step)
}

function numberOf(text = '', { from, to, words }: FieldKind): number | undefined {
  const named = words.indexOf(text.toLowerCase())
  const value = named === -1 ? (/^\d{1,2}$/.test(text) ? Number(text) : Number.NaN) : named + from
  return value >= from && value <= to ? value : undefined
}
