import type { LogRecord } from '../api/contract.js'
import type { Paint } from './paint.js'

/**
 * Turns log records into lines. Those of another instance than `own` begin with its name, in a colour of its own;
 * with null none does.
 */
export function logFormatter(own: string | null, paint: Paint): (record: LogRecord) => string {
  const seen = new Map<string, number>()
  let width = 0
  return (record) => {
    if (own === null || record.instance === own) return `${record.line}\n`
    const n = seen.get(record.instance) ?? seen.size
    seen.set(record.instance, n)
    width = Math.max(width, record.instance.length)
    return `${paint.hue(`${record.instance.padEnd(width)} |`, n)} ${record.line}\n`
  }
}
