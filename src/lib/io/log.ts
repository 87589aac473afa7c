/** Plain lines for people and journals: time, level, subject, text, then `key=value` fields. */
export interface Log {
  info(subject: string, message: string, fields?: LogFields): void
  warn(subject: string, message: string, fields?: LogFields): void
  error(subject: string, message: string, fields?: LogFields): void
}

export type LogFields = Readonly<Record<string, string | number | boolean | null | undefined>>

/** A log that writes each record as one line through `write`. */
export function lineLog(write: (line: string) => void, now: () => number = Date.now): Log {
  const record =
    (level: string) =>
    (subject: string, message: string, fields: LogFields = {}): void => {
      const extra = Object.entries(fields)
        .filter(([, value]) => value !== undefined)
        .map(([key, value]) => ` ${key}=${formatField(value ?? null)}`)
        .join('')
      write(
        `${new Date(now()).toISOString()} ${level} ${subject}: ${message.replaceAll('\n', '\\n')}${extra}\n`,
      )
    }
  return { info: record('info'), warn: record('warn'), error: record('error') }
}

function formatField(value: string | number | boolean | null): string {
  const text = String(value)
  return /^[^\s"=]+$/.test(text) ? text : JSON.stringify(text)
}

/** A log that keeps silent. */
export const silentLog: Log = { info: () => {}, warn: () => {}, error: () => {} }

/** What went wrong, as one line of text: the message, with those of its causes, each of them once. */
export function describeError(error: unknown): string {
  if (!(error instanceof Error)) return String(error)
  if (error.cause === undefined) return error.message
  const why = describeError(error.cause)
  // Whoever gives an error a code of its own often keeps the sentence.
  if (error.message.endsWith(why)) return error.message
  return why.startsWith(error.message) ? why : `${error.message}: ${why}`
}
