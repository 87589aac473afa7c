import type { LogRecord } from '../contract/contract.js'
import type { Paint } from './paint.js'

/**
 * Turns log records into lines. Those of another instance than `own` begin with its name, in a colour of its own; with
 * null none does. Those of a unit that is on several machines begin with the name of the machine. With `timestamps` the time
 * at which each was written stands before it.
 */
export function logFormatter(
  own: string | null,
  paint: Paint,
  { timestamps = false }: { readonly timestamps?: boolean } = {},
): (record: LogRecord) => string {
  const seen = new Map<string, number>()
  let width = 0
  return (record) => {
    const other = own === null || record.instance === own ? null : record.instance
    const writer = record.machine ?? other
    const time = timestamps ? `${paint.faint(record.at)} ` : ''
    if (writer === null) return `${time}${record.line}\n`
    const n = seen.get(writer) ?? seen.size
    seen.set(writer, n)
    width = Math.max(width, writer.length)
    return `${time}${paint.hue(`${writer.padEnd(width)} |`, n)} ${record.line}\n`
  }
}
