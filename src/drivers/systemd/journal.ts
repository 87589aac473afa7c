// journalctl's arguments for a query, and its lines of JSON.

import type { LogLine, LogQuery } from '../../agent/driver.js'
import { parseJsonOrNone } from '../../lib/json.js'
import type { Instant } from '../../lib/time.js'
import type { UnitName } from '../../model/unit.js'

/** Arguments that make journalctl print what a unit's processes wrote (not what systemd says about the unit). */
export function journalArgs(name: UnitName, { follow, since, tail }: LogQuery): readonly string[] {
  return [
    `_SYSTEMD_UNIT=${name}`,
    '--output=json',
    '--output-fields=MESSAGE',
    // Without it a message of more than 4096 bytes comes as null.
    '--all',
    '--quiet',
    '--no-pager',
    // A follow would begin with ten lines if it were not told.
    `--lines=${tail ?? 'all'}`,
    // With both, it would give the first lines since then. The last ones that are older are left out by their times.
    ...(since === null || tail !== null ? [] : [`--since=@${(since / 1000).toFixed(3)}`]),
    ...(follow ? ['--follow'] : []),
  ]
}

/** What systemd says when a unit has come to rest without having failed (`SD_MESSAGE_UNIT_SUCCESS`). */
const endedWell = '7ad2d189f7e94e70a38c781354912448'

/** Arguments that make journalctl print which of the units ended well, and when. */
export function cleanEndArgs(names: readonly UnitName[], since: Instant): readonly string[] {
  return [
    // Nobody but systemd itself can write lines of its process.
    '_PID=1',
    `MESSAGE_ID=${endedWell}`,
    ...names.map((name) => `UNIT=${name}`),
    '--output=json',
    '--output-fields=UNIT',
    '--quiet',
    '--no-pager',
    `--since=@${(since / 1000).toFixed(3)}`,
  ]
}

/** A line of what {@link cleanEndArgs} prints; null for text that is none. */
export function readCleanEnd(text: string): { readonly name: string; readonly at: Instant } | null {
  const entry = parseEntry(text)
  const at = Number(entry?.['__REALTIME_TIMESTAMP'])
  const name = entry?.['UNIT']
  return typeof name === 'string' && Number.isFinite(at) ? { name, at: Math.floor(at / 1000) } : null
}

/**
 * One entry; null for text that is none. The journal does not keep which of its two outputs a program wrote to
 * (systemd gives both the same socket), so that all lines count as standard output.
 */
export function readJournalLine(text: string): LogLine | null {
  const entry = parseEntry(text)
  if (entry === null) return null
  const at = Number(entry['__REALTIME_TIMESTAMP'])
  const line = readMessage(entry['MESSAGE'])
  return line === null || !Number.isFinite(at) ? null : { at: Math.floor(at / 1000), stream: 'stdout', line }
}

function parseEntry(text: string): Readonly<Record<string, unknown>> | null {
  const entry = parseJsonOrNone(text)
  return typeof entry === 'object' && entry !== null ? (entry as Record<string, unknown>) : null
}

/** Text that is not printable UTF-8 comes as a list of bytes. */
function readMessage(message: unknown): string | null {
  if (typeof message === 'string') return message
  if (!Array.isArray(message) || !message.every((byte) => typeof byte === 'number')) return null
  return new TextDecoder().decode(Uint8Array.from(message))
}
