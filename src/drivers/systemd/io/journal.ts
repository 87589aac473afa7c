// Logs of a unit from the journal, through journalctl: there is no library that reads the journal.
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import type { LogLine, LogQuery } from '../../../agent/driver.js'
import { lineBatches } from '../../../lib/io/lines.js'
import { ownTurn } from '../../../lib/io/turns.js'
import type { Instant } from '../../../lib/time.js'
import { DriverError } from '../../../model/driver-error.js'
import type { UnitName } from '../../../model/unit.js'
import { cleanEndArgs, journalArgs, readCleanEnd, readJournalLine } from '../journal.js'
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
  const errors: string[] = []
  let isSince = query.since === null
  for await (const texts of journalLines(host, journalArgs(name, query), signal, errors)) {
    const lines = texts.flatMap((text) => {
      const line = readJournalLine(text)
      // What was written behind a line is later than that, also where the clock was set back.
      if (line !== null) isSince ||= line.at >= (query.since ?? line.at)
      return line !== null && isSince ? [line] : []
    })
    if (lines.length > 0) yield lines
  }
  // Without an inotify instance it shows what there is and ends well: whoever follows would wait for ever.
  if (query.follow && !signal.aborted) throw notFollowed(errors.join('').trim())
}

/** When each unit ended well last since then, by systemd's lines in the journal. Throws DriverError where it cannot be read. */
export async function readCleanEnds(
  host: SystemdHostAccess,
  names: readonly UnitName[],
  since: Instant,
  signal: AbortSignal,
): Promise<ReadonlyMap<string, Instant>> {
  signal.throwIfAborted()
  await syncJournal(host, signal)
  const ends = new Map<string, Instant>()
  for await (const texts of journalLines(host, cleanEndArgs(names, since), signal, [])) {
    for (const { name, at } of texts.flatMap((text) => readCleanEnd(text) ?? []))
      ends.set(name, Math.max(at, ends.get(name) ?? 0))
  }
  signal.throwIfAborted()
  return ends
}

/** What journalctl prints, until it ends or `signal` ends it; what it says of itself goes to `errors`. */
async function* journalLines(
  host: SystemdHostAccess,
  args: readonly string[],
  signal: AbortSignal,
  errors: string[],
): AsyncIterable<readonly string[]> {
  const reader = start(host, args)
  const ended = once(reader, 'close')
  reader.stderr.on('data', (chunk: Buffer) => errors.push(chunk.toString()))
  const kill = (): void => endGroup(reader)
  signal.addEventListener('abort', kill, { once: true })
  try {
    for await (const texts of lineBatches(reader.stdout)) {
      await ownTurn()
      yield texts
    }
    await ended
    if (!signal.aborted && reader.exitCode !== 0) throw unreadable(errors.join('').trim())
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
