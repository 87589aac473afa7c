// Calls that are refused for who makes them, or because they are none: logged, so that an operator sees who tries what, and counted.
import type { Socket } from 'node:net'
import { abridged } from '../../lib/abridge.js'
import { errorCode } from '../../lib/io/error-code.js'
import type { Log, LogFields } from '../../lib/io/log.js'
import { RateLimiter } from '../../lib/rate-limit.js'
import type { Actor } from '../../model/actor.js'
import { problemOfUnreadable } from './connections.js'

/** Of one address so many lines at once, and then one in ten seconds: whoever goes on trying does not fill the log. */
const lines = { burst: 10, everyMs: 10_000 } as const
/** No line tells more of an address that somebody made up. */
const longestPath = 200

interface RefusedCall {
  readonly method: string
  /** As it was asked for. What follows the path may hold what is secret, and is not told. */
  readonly url: string
  readonly by: Actor
  readonly code: string
}

export interface RefusedCalls {
  note(call: RefusedCall): void
  /** Bytes that are no request. */
  noteUnreadable(error: Error, socket: Pick<Socket, 'destroyed' | 'remoteAddress'>): void
}

/** How many calls this process has refused, by the code of the refusal. */
const counts = new Map<string, number>()

export function refusedCalls(): ReadonlyMap<string, number> {
  return counts
}

export function countRefusedCall(code: string): void {
  counts.set(code, (counts.get(code) ?? 0) + 1)
}

/** Notes the calls that a server refuses. What a caller shows to be let in is told nowhere. */
export function noteRefusedCalls(log: Log, now: () => number): RefusedCalls {
  const limiter = new RateLimiter(lines)
  const note = (code: string, from: string, fields: LogFields): void => {
    countRefusedCall(code)
    const at = now()
    if (limiter.waitMs(from, at) > 0) return
    limiter.take(from, at)
    log.warn('api', 'call refused', { code, ...fields })
  }
  return {
    note: ({ method, url, by: { address, user, certificate }, code }) => {
      const from = address ?? 'unknown'
      const path = abridged(url.split('?')[0] ?? '', longestPath)
      note(code, from, { method, path, from, user: user ?? undefined, certificate })
    },
    noteUnreadable: (error, { destroyed, remoteAddress: from = 'unknown' }) => {
      // Nobody is there any more to be answered.
      if (destroyed || errorCode(error) === 'HPE_INVALID_EOF_STATE') return
      note(problemOfUnreadable(error).code, from, { from })
    },
  }
}
