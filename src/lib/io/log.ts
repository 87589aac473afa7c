import { defaultLogLevels, isLogged, type LogLevel, type LogLevels, type LogPart } from '../log-levels.js'
import { isSecretName, type KnownSecrets, redacted } from '../redact.js'

/** Records of what a program does, each with the part of the program that tells it, and fields. */
export interface Log {
  /** `fields` is called only where the line is written. */
  debug(part: LogPart, message: string, fields?: () => LogFields): void
  info(part: LogPart, message: string, fields?: LogFields): void
  warn(part: LogPart, message: string, fields?: LogFields): void
  error(part: LogPart, message: string, fields?: LogFields): void
}

/** A field has none of the names that every record has. */
export type LogFields = Readonly<Record<string, FieldValue | undefined>> & {
  readonly [name in 'time' | 'level' | 'part' | 'msg']?: never
}

type FieldValue = string | number | boolean | null

export const logFormats = ['text', 'json'] as const
export type LogFormat = (typeof logFormats)[number]

/** How a log writes, and what of all that it is told. */
export interface LogSettings {
  /** `text`: time, level, part, message and `key=value` fields, for people and journals. `json`: an object per line. */
  readonly format: LogFormat
  readonly levels: LogLevels
}

export const defaultLogSettings: LogSettings = { format: 'text', levels: defaultLogLevels }

interface LineLogOptions {
  /** Asked for each line, so that they may change. */
  readonly settings?: () => LogSettings
  /** What stands in no line. */
  readonly secrets?: KnownSecrets
  readonly now?: () => number
}

/** A log that writes each record as one line through `write`. */
export function lineLog(write: (line: string) => void, options: LineLogOptions = {}): Log {
  const { settings = () => defaultLogSettings, secrets, now = Date.now } = options
  const clean = <T extends FieldValue>(value: T): T =>
    typeof value === 'string' && secrets !== undefined ? (secrets.redact(value) as T) : value
  const record =
    (level: LogLevel) =>
    (part: LogPart, message: string, fields: LogFields | (() => LogFields) = {}): void => {
      const { format, levels } = settings()
      if (!isLogged(levels, part, level)) return
      const head = { time: new Date(now()).toISOString(), level, part, msg: clean(message) }
      const given: [string, FieldValue][] = []
      for (const [name, value] of Object.entries(typeof fields === 'function' ? fields() : fields))
        if (value !== undefined) given.push([name, clean(value)])
      write(`${escapeControls(printers[format](head, given))}\n`)
    }
  return { debug: record('debug'), info: record('info'), warn: record('warn'), error: record('error') }
}

interface Head {
  readonly time: string
  readonly level: LogLevel
  readonly part: LogPart
  readonly msg: string
}

type Printer = (head: Head, fields: readonly (readonly [string, FieldValue])[]) => string

const printers: Readonly<Record<LogFormat, Printer>> = {
  text: ({ time, level, part, msg }, fields) => {
    const extra = fields.map(([name, value]) => ` ${name}=${formatField(value)}`).join('')
    return `${time} ${level} ${part}: ${msg}${extra}`
  },
  // Such lines are made to be sent elsewhere: what is shown once to whoever starts a daemon stands in none.
  json: (head, fields) => {
    const record: Record<string, FieldValue> = { ...head }
    for (const [name, value] of fields) record[name] = isSecretName(name) ? redacted : value
    return JSON.stringify(record)
  },
}

function formatField(value: FieldValue): string {
  const text = String(value)
  return /^[^\s"=]+$/.test(text) ? text : JSON.stringify(text)
}

/**
 * What ends a line for some readers, or tells a terminal what to do, is written as JSON writes it: a text from elsewhere
 * makes no second line, and no other colour.
 */
function escapeControls(line: string): string {
  return line.replace(/[\p{Cc}\u2028\u2029]/gu, (control) =>
    control < ' '
      ? JSON.stringify(control).slice(1, -1)
      : `\\u${control.charCodeAt(0).toString(16).padStart(4, '0')}`,
  )
}

/** A log that keeps silent. */
export const silentLog: Log = { debug: () => {}, info: () => {}, warn: () => {}, error: () => {} }

/** Milliseconds as a field: to a tenth of one. */
export function roundMs(ms: number): number {
  return Math.round(ms * 10) / 10
}

/** What went wrong, as one line of text: the message, with those of its causes, each of them once. */
export function describeError(error: unknown): string {
  if (!(error instanceof Error)) return String(error)
  if (error.cause === undefined) return error.message
  const why = describeError(error.cause)
  // Whoever gives an error a code of its own often keeps the sentence.
  if (error.message.endsWith(why)) return error.message
  return why.startsWith(error.message) ? why : `${error.message}: ${why}`
}
