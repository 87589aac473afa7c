// What one probe of an instance found, as data; the words for people are in `describe.ts`.
import type { Instant } from '../lib/time.js'

export interface Sample {
  /** When the run of the program began that was probed: a sample of an earlier run says nothing about this one. */
  readonly run: Instant
  /** When the probe was sent. */
  readonly askedAt: Instant
  /** Null when the instance passed. */
  readonly failure: ProbeFailure | null
}

/** Every way to fail counts the same (manifest seed: "any non-zero output is a failure"), but `no-telemetry`. */
export type ProbeFailure =
  | { readonly kind: 'timeout'; readonly afterMs: number }
  /** An HTTP answer outside 200…399. */
  | { readonly kind: 'status'; readonly status: number }
  /** The answer was one redirect more than are followed. */
  | { readonly kind: 'redirects'; readonly followed: number }
  /** No answer: refused, reset, unreachable, or not HTTP. `code` as Node names it. */
  | { readonly kind: 'no-answer'; readonly code: string }
  /** Not asked at all: it cannot be reached on the network that the check names. */
  | { readonly kind: 'not-asked'; readonly why: string }
  /** A command that ended with a status other than 0. */
  | { readonly kind: 'exit'; readonly code: number; readonly lastLine: string }
  /** A command that could not be run at all. */
  | { readonly kind: 'not-run'; readonly message: string }
  /** ContainerPilot calls these jobs unhealthy. */
  | { readonly kind: 'jobs'; readonly names: readonly string[] }
  /** ContainerPilot's telemetry could not be read: reported, and no verdict on the instance. */
  | { readonly kind: 'no-telemetry'; readonly why: string }
