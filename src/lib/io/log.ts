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

/** What went wrong, as one line of text: the message, with its causes. */
export function describeError(error: unknown): string {
  if (!(error instanceof Error)) return String(error)
  return error.cause === undefined ? error.message : `${error.message}: ${describeError(error.cause)}`
}
