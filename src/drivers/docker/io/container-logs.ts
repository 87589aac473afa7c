// The log of a container, line by line; a follow goes on over restarts until the unit is gone or the caller gives up.
import type { Readable } from 'node:stream'
import type Docker from 'dockerode'
import type { LogLine, LogQuery } from '../../../agent/driver.js'
import { ownTurn } from '../../../lib/io/turns.js'
import { addFrame, closeLines, noOpenLines, type StampedLine, sinceStamp, takeFrames } from '../frames.js'
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
  for (let run: string | null = id; run !== null; run = query.follow ? await nextRun(signal) : null) {
    const before: string | null = last
    const options: Omit<RunQuery, 'follow'> =
      before === null ? firstQuery(query) : { tail: 'all', since: sinceStamp(before) }
    for await (const batch of readRun(docker, run, { ...options, follow: query.follow }, signal)) {
      const lines: LogLine[] = []
      for (const { stamp, at, stream, line } of batch) {
        // Docker counts `since` in its own way: a line at that very instant comes too. Within a run times go back and forth
        // where a program writes to both of its outputs: each has a time of its own before either is written down.
        if ((before !== null && stamp <= before) || (query.since !== null && at < query.since)) continue
        if (last === null || stamp > last) last = stamp
        lines.push({ at, stream, line })
      }
      if (lines.length > 0) yield lines
    }
  }
}

interface RunQuery {
  readonly tail: string
  readonly since?: string
  readonly follow: boolean
}

function firstQuery({ since, tail }: LogQuery): Omit<RunQuery, 'follow'> {
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
  const stream = await openLog(docker, id, query, signal)
  if (stream === null) return
  let rest: Uint8Array = new Uint8Array()
  let open = noOpenLines
  try {
    for await (const chunk of stream) {
      await ownTurn()
      const taken = takeFrames(Buffer.concat([rest, chunk as Uint8Array]))
      rest = taken.rest
      const lines: StampedLine[] = []
      for (const frame of taken.frames) {
        const added = addFrame(open, frame)
        open = added.open
        if (added.line !== null) lines.push(added.line)
      }
      yield lines
    }
    yield closeLines(open)
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
