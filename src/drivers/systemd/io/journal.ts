// Logs of a unit from the journal, through journalctl: there is no library that reads the journal.
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import type { LogLine, LogQuery } from '../../../agent/driver.js'
import { lineBatches } from '../../../lib/io/lines.js'
import { ownTurn } from '../../../lib/io/turns.js'
import { DriverError } from '../../../model/driver-error.js'
import type { UnitName } from '../../../model/unit.js'
import { journalArgs, readJournalLine } from '../journal.js'
import { endGroup, type SystemdHostAccess } from './host.js'

/** The lines that the unit's own processes wrote, oldest first. */
export async function* readJournal(
  host: SystemdHostAccess,
  name: UnitName,
  query: LogQuery,
  signal: AbortSignal,
): AsyncIterable<readonly LogLine[]> {
  signal.throwIfAborted()
  if (!query.follow) await syncJournal(host, signal)
  const reader = start(host, journalArgs(name, query))
  const ended = once(reader, 'close')
  const errors: string[] = []
  reader.stderr.on('data', (chunk: Buffer) => errors.push(chunk.toString()))
  const kill = (): void => endGroup(reader)
  signal.addEventListener('abort', kill, { once: true })
  try {
    for await (const texts of lineBatches(reader.stdout)) {
      await ownTurn()
      const lines = texts.flatMap((text) => {
        const line = readJournalLine(text)
        return line !== null && (query.since === null || line.at >= query.since) ? [line] : []
      })
      if (lines.length > 0) yield lines
    }
    await ended
    if (signal.aborted) return
    const reason = errors.join('').trim()
    if (reader.exitCode !== 0) throw unreadable(reason)
    // Without an inotify instance it shows what there is and ends well: whoever follows would wait for ever.
    if (query.follow) throw notFollowed(reason)
  } finally {
    signal.removeEventListener('abort', kill)
    kill()
    await ended.catch(() => {})
  }
}

/** Waits until the journal holds all that was written before; without the right to ask, it holds what it holds. */
async function syncJournal(host: SystemdHostAccess, signal: AbortSignal): Promise<void> {
  const child = start(host, ['--sync'])
  child.stdout.resume()
  child.stderr.resume()
  await once(child, 'close', { signal })
}

function start({ enter }: SystemdHostAccess, args: readonly string[]) {
  const [program = '', ...rest] = [...enter, 'journalctl', ...args]
  const child = spawn(program, rest, { stdio: ['ignore', 'pipe', 'pipe'], detached: true })
  child.on('error', (error) => child.stdout.destroy(unreadable(error.message)))
  return child
}

function notFollowed(reason: string): DriverError {
  const advice = 'where watchers are lacking, raise fs.inotify.max_user_instances (sysctl)'
  const why = reason || 'journalctl ended by itself'
  return new DriverError('systemd/no-journal', `the journal cannot be followed: ${why}; ${advice}`)
}

function unreadable(reason: string): DriverError {
  return new DriverError('systemd/no-journal', `the journal cannot be read: ${reason || 'journalctl failed'}`)
}
