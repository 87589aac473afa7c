// The log of a container, line by line; a follow goes on over restarts until the unit is gone or the caller gives up.
import type { Readable } from 'node:stream'
import type Docker from 'dockerode'
import type { LogLine, LogQuery } from '../../../agent/driver.js'
import { fingerprintOf } from '../../../lib/fingerprint.js'
import { ownTurn } from '../../../lib/io/turns.js'
import { toIso } from '../../../lib/time.js'
import {
  addFrame,
  closeLines,
  endOfLog,
  type Frame,
  type LinePart,
  longestLine,
  noOpenLines,
  partOf,
  type StampedLine,
  sinceStamp,
  takeFrames,
} from '../frames.js'
import { asDriverError, statusOf } from './connection.js'

/** A container, and when it was started last, as Docker says it. */
export interface ContainerRun {
  readonly id: string
  readonly startedAt: string | null
}

/** Resolves to the unit's container when it may have written more than was read; null when there will be no more. */
export type NextRun = (signal: AbortSignal) => Promise<ContainerRun | null>

/** Reads the log of a container, then, for a follow, what later runs write. */
export async function* readLogs(
  docker: Docker,
  first: ContainerRun,
  query: LogQuery,
  nextRun: NextRun,
  signal: AbortSignal,
): AsyncIterable<readonly LogLine[]> {
  const told = new ToldLines()
  const end = await endAsked(docker, first.id, query, signal)
  const isBehind = query.follow && query.tail === 0
  const skipped = isBehind ? await lastStamp(docker, first.id, signal) : null
  // Times need not rise: the clock may be set back, and each of a program's outputs has a time of its own before either is written
  // down. So a place in the log is known by its line, and times choose only where to begin to look for it.
  let last = skipped
  let isSince = query.since === null
  let options = firstQuery(query, isBehind ? 1 : (end?.frames ?? query.tail))
  let before = 0
  for (let run: ContainerRun | null = first; run !== null; ) {
    for await (const batch of readRun(docker, run.id, { ...options, follow: query.follow }, signal)) {
      const lines: LogLine[] = []
      for (const { stamp, at, stream, line } of batch) {
        if (before > 0) {
          before -= 1
          continue
        }
        isSince ||= at >= (query.since ?? at)
        if (!isSince || stamp === skipped) continue
        if (last === null && end !== null && stamp < end.stamp) continue
        if (query.follow && !told.isNew(stream, stamp, line)) continue
        last = stamp
        lines.push({ at, stream, line })
      }
      if (lines.length > 0) yield lines
    }
    const next: ContainerRun | null = query.follow ? await nextRun(signal) : null
    // What a later run writes is asked for, whatever the clock says by then.
    if (next !== null && !isSameRun(next, run)) isSince = true
    if (next !== null) {
      options = restQuery(query, last, run, next)
      before = next.id === run.id ? await linesUpTo(docker, next.id, options, last, signal) : 0
    }
    run = next
  }
}

function isSameRun(one: ContainerRun, other: ContainerRun): boolean {
  return one.id === other.id && one.startedAt === other.startedAt
}

/** Asks for what was written behind the line of the stamp `last`, and for some of what is before it. */
function restQuery(
  { since }: LogQuery,
  last: string | null,
  before: ContainerRun,
  run: ContainerRun,
): Omit<RunQuery, 'follow'> {
  const from = last ?? (since === null ? null : toIso(since))
  if (run.id !== before.id || from === null) return { tail: 'all' }
  const { startedAt } = run
  const isSetBack =
    startedAt !== null && startedAt !== before.startedAt && Date.parse(startedAt) < Date.parse(from)
  return { tail: 'all', since: sinceStamp(isSetBack ? startedAt : from) }
}

/** How many of the lines that are asked for come before the end of that with the stamp `last`; 0 where it is not among them. */
async function linesUpTo(
  docker: Docker,
  id: string,
  options: Omit<RunQuery, 'follow'>,
  last: string | null,
  signal: AbortSignal,
): Promise<number> {
  if (last === null) return 0
  let count = 0
  let found = 0
  for await (const lines of readRun(docker, id, { ...options, follow: false }, signal)) {
    for (const { stamp } of lines) {
      count += 1
      if (stamp === last) found = count
    }
  }
  return found
}

/** The stamp of the last line of a log; null where there is none. */
async function lastStamp(docker: Docker, id: string, signal: AbortSignal): Promise<string | null> {
  let stamp: string | null = null
  for await (const frames of readFrames(docker, id, { tail: '1', follow: false }, signal))
    for (const frame of frames) stamp = partOf(frame).stamp
  return stamp
}

/** When Docker begins a new file of a log that is followed (`max-size`), it gives again what it has given of that file already. */
class ToldLines {
  readonly #recent = new Set<number>()
  #last = ''

  isNew(stream: string, stamp: string, line: string): boolean {
    // Some log drivers know microseconds only, in which a program writes several lines.
    const key = fingerprintOf([stamp, stream, line], comparedAtMost)
    if (stamp <= this.#last && this.#recent.has(key)) return false
    if (stamp > this.#last) this.#last = stamp
    this.#recent.add(key)
    const [oldest = key] = this.#recent.size > toldAtMost ? this.#recent : []
    if (oldest !== key) this.#recent.delete(oldest)
    return true
  }
}

/** More than a program writes until Docker has noticed the new file. */
const toldAtMost = 20_000
const comparedAtMost = 100

interface RunQuery {
  readonly tail: string
  readonly since?: string
  readonly follow: boolean
}

/** So many frames are one line of {@link longestLine}, which is as far back as is looked for the beginning of one. */
const framesPerLine = longestLine / (16 * 1024)
/** From here on frames are taken for lines. */
const tailAtMost = 10_000
/** So many frames are looked at. */
const lookedAtMost = 100_000

/** Docker counts the frames of long lines, not the lines. Null where that is the same. */
async function endAsked(
  docker: Docker,
  id: string,
  query: LogQuery,
  signal: AbortSignal,
): Promise<ReturnType<typeof endOfLog>> {
  const { tail } = query
  if (tail === null || tail === 0 || tail > tailAtMost) return null
  for (let asked = tail + 1; asked <= Math.min(tail * 2 * framesPerLine, lookedAtMost); asked *= 2) {
    const parts: LinePart[] = []
    const past = { ...firstQuery(query, asked), follow: false }
    for await (const frames of readFrames(docker, id, past, signal)) parts.push(...frames.map(partOf))
    if (parts.every(({ isLast }) => isLast)) return null
    const end = endOfLog(parts, parts.length < asked, tail)
    if (end !== null) return end
  }
  return null
}

function firstQuery({ since }: LogQuery, tail: number | null): Omit<RunQuery, 'follow'> {
  return {
    tail: tail === null ? 'all' : String(tail),
    ...(since === null ? {} : { since: (since / 1000).toFixed(3) }),
  }
}

async function* readRun(
  docker: Docker,
  id: string,
  query: RunQuery,
  signal: AbortSignal,
): AsyncIterable<readonly StampedLine[]> {
  let open = noOpenLines
  for await (const frames of readFrames(docker, id, query, signal)) {
    const lines: StampedLine[] = []
    for (const frame of frames) {
      const added = addFrame(open, frame)
      open = added.open
      if (added.line !== null) lines.push(added.line)
    }
    yield lines
  }
  yield closeLines(open)
}

async function* readFrames(
  docker: Docker,
  id: string,
  query: RunQuery,
  signal: AbortSignal,
): AsyncIterable<readonly Frame[]> {
  const stream = await openLog(docker, id, query, signal)
  if (stream === null) return
  let rest: Uint8Array = new Uint8Array()
  try {
    for await (const chunk of stream) {
      await ownTurn()
      const taken = takeFrames(Buffer.concat([rest, chunk as Uint8Array]))
      rest = taken.rest
      yield taken.frames
    }
  } catch (error) {
    signal.throwIfAborted()
    throw asDriverError(error, 'the log was cut off')
  } finally {
    stream.destroy()
  }
}

/** dockerode would gather a whole log in memory where nothing follows it: this asks for the stream itself. */
async function openLog(
  docker: Docker,
  id: string,
  query: RunQuery,
  signal: AbortSignal,
): Promise<Readable | null> {
  const request = {
    path: `/containers/${id}/logs?`,
    method: 'GET',
    abortSignal: signal,
    isStream: true,
    statusCodes: { 200: true, 404: 'no such container', 500: 'server error' },
    options: { stdout: true, stderr: true, timestamps: true, ...query },
  }
  return await new Promise((resolve, reject) => {
    const answered = (error: unknown, stream?: unknown): void => {
      if (error === null || error === undefined) resolve(stream as Readable)
      else if (statusOf(error) === 404) resolve(null)
      else reject(asDriverError(error, 'the log cannot be read'))
    }
    ;(
      docker.modem as {
        dial: (request: object, answered: (error: unknown, stream?: unknown) => void) => void
      }
    ).dial(request, answered)
  })
}
