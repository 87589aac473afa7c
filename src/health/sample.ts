// What one probe of an instance found, as data; the words for people are in `describe.ts`.
import type { Instant } from '../lib/time.js'

export interface Sample {
  /** When the run of the program began that was probed: a sample of an earlier run says nothing about this one. */
  readonly run: Instant
  /** When the probe was sent. */
  readonly askedAt: Instant
  /** Null when the instance passed. */
  readonly failure: ProbeFailure | null
  /** How long the answer took; absent where there was none, and where nobody measured it. */
  readonly tookMs?: number
  /** How many times slower than usual the machine itself was meanwhile; absent where nobody measured it. */
  readonly slowness?: number
}

/** Every way to fail counts the same (manifest seed: "any non-zero output is a failure"), but the last two. */
export type ProbeFailure =
  /** It took longer than `timeout`, counted from when the request was sent, or the program ran. */
  | { readonly kind: 'timeout'; readonly afterMs: number }
  /** An HTTP answer outside 200…399. */
  | { readonly kind: 'status'; readonly status: number }
  /** The answer was one redirect more than are followed. */
  | { readonly kind: 'redirects'; readonly followed: number }
  /** No answer: refused, reset, unreachable, or not HTTP. `code` as Node names it. */
  | { readonly kind: 'no-answer'; readonly code: string }
  /** It cannot be reached on the network that the check names. */
  | { readonly kind: 'off-network'; readonly why: string }
  /** A command that ended with a status other than 0. */
  | { readonly kind: 'exit'; readonly code: number; readonly lastLine: string }
  /** A command that there is no way to run: no such program, no such user. */
  | { readonly kind: 'not-run'; readonly message: string }
  /** ContainerPilot calls these jobs unhealthy. */
  | { readonly kind: 'jobs'; readonly names: readonly string[] }
  | Unread

/** Says nothing about the instance: that is reported, and is no verdict. */
export type Unread =
  /** The probe could not be made: Docker did not begin its command, say. */
  | { readonly kind: 'not-asked'; readonly why: string }
  /** ContainerPilot's telemetry could not be read. */
  | { readonly kind: 'no-telemetry'; readonly why: string }
