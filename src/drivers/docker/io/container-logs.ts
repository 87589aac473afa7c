// The log of a container, line by line; a follow goes on over restarts until the unit is gone or the caller gives up.
import type { Readable } from 'node:stream'
import type Docker from 'dockerode'
import type { LogLine, LogQuery } from '../../../agent/driver.js'
import { fingerprintOf } from '../../../lib/fingerprint.js'
import { ownTurn } from '../../../lib/io/turns.js'
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

/** Resolves to the unit's container when it may have written more than was read; null when there will be no more. */
export type NextRun = (signal: AbortSignal) => Promise<string | null>

/** Reads the log of container `id`, then, for a follow, what later runs write. */
export async function* readLogs(
  docker: Docker,
  id: string,
  query: LogQuery,
  nextRun: NextRun,
  signal: AbortSignal,
): AsyncIterable<readonly LogLine[]> {
  let last: string | null = null
  const told = new ToldLines()
  const end = await endAsked(docker, id, query, signal)
  for (let run: string | null = id; run !== null; run = query.follow ? await nextRun(signal) : null) {
    const before: string | null = last
    const options: Omit<RunQuery, 'follow'> =
      before === null
        ? firstQuery(query, end?.frames ?? query.tail)
        : { tail: 'all', since: sinceStamp(before) }
    for await (const batch of readRun(docker, run, { ...options, follow: query.follow }, signal)) {
      const lines: LogLine[] = []
      for (const { stamp, at, stream, line } of batch) {
        // Docker counts `since` in its own way: a line at that very instant comes too. Within a run times go back and forth
        // where a program writes to both of its outputs: each has a time of its own before either is written down.
        if ((before !== null && stamp <= before) || (query.since !== null && at < query.since)) continue
        if (last === null && end !== null && stamp < end.stamp) continue
        if (query.follow && !told.isNew(stream, stamp, line)) continue
        if (last === null || stamp > last) last = stamp
        lines.push({ at, stream, line })
      }
      if (lines.length > 0) yield lines
    }
  }
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
