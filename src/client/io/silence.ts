// A daemon that takes connections and says nothing: its caller is told, and does not wait for ever.
import type { Endpoint } from '../endpoint.js'
import { describeEndpoint } from '../endpoint.js'

/** How long the daemon may say nothing. */
export interface Patience {
  /** Before that is told. */
  readonly silentAfterMs: number
  /** Before it is waited for no longer. */
  readonly answerTimeoutMs: number
}

export const usualPatience: Patience = { silentAfterMs: 5_000, answerTimeoutMs: 60_000 }
/** For what is answered from memory, where nothing is lost without the answer. */
export const shortPatience: Patience = { silentAfterMs: 1_000, answerTimeoutMs: 10_000 }
/** For what takes as long as there are data, or until a program has stopped. */
export const longPatience: Patience = { silentAfterMs: 60_000, answerTimeoutMs: 24 * 3_600_000 }

/** The daemon says nothing, or says something again. */
export type Silence =
  | { readonly kind: 'silent'; readonly what: string; readonly until: Date | null }
  | { readonly kind: 'heard'; readonly what: string }

/** Who is told of silence. */
export interface Listener {
  readonly tell: (news: Silence) => void
  /** When the command is over that waits; null: where it has no `--timeout`. */
  readonly endsAt: Date | null
}

/** How far a request has come: `begun`: its answer goes on for as long as there is something to tell. */
export type Stage = 'connecting' | 'asked' | 'begun'

/** A wait for something that the daemon says. */
interface Wait {
  /** Something was said. */
  heard(): void
  /** Nobody waits any more. */
  over(): void
}

/**
 * Begins to wait for what the daemon says next. Tells of silence after a while, and calls `giveUp` when it has lasted
 * for too long. An answer that has begun and goes on is waited for until the `--timeout` of its command, where it has one.
 */
export function awaitDaemon(
  endpoint: Endpoint,
  listener: Listener | undefined,
  giveUp: () => void,
  stage: () => Stage,
  { silentAfterMs, answerTimeoutMs }: Patience = usualPatience,
): Wait {
  const where = describeEndpoint(endpoint)
  const givesUpMs = stage() === 'begun' && listener?.endsAt != null ? null : answerTimeoutMs
  let told = false
  const soon = setTimeout(() => {
    told = true
    listener?.tell({
      kind: 'silent',
      what: `the daemon at ${where} ${silences[stage()]} for ${silentAfterMs / 1000} s`,
      until: earliest(
        givesUpMs === null ? null : new Date(Date.now() + givesUpMs - silentAfterMs),
        listener.endsAt,
      ),
    })
  }, silentAfterMs)
  const late = givesUpMs === null ? undefined : setTimeout(giveUp, givesUpMs)
  const over = (): void => {
    clearTimeout(soon)
    clearTimeout(late)
  }
  return {
    over,
    heard: () => {
      over()
      if (told) listener?.tell({ kind: 'heard', what: `the daemon at ${where} answers again` })
    },
  }
}

const silences: Readonly<Record<Stage, string>> = {
  connecting: 'has not taken the connection',
  asked: 'takes the connection and does not answer',
  begun: 'has said nothing',
}

function earliest(a: Date | null, b: Date | null): Date | null {
  if (a === null || b === null) return a ?? b
  return a < b ? a : b
}
