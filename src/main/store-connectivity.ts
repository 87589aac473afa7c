// Whether this daemon has been in touch with its store all along: only then does it know who else was not.
import type { Instant, Time } from '../lib/time.js'

export interface Touch {
  /** Nothing is heard of the store. */
  broke(reason: string): void
  /** It is heard again, or was silent unnoticed: the time counts from now. */
  restored(): void
  /** Since when it is broken, and why; null while it is not. */
  broken(): { readonly since: Instant; readonly reason: string } | null
  /** How long it has lasted without a break; 0 while it is broken. */
  lastsMs(): number
}

/** In touch from now on. The clock on the wall has no say in it. */
export function openTouch(clock: Time): Touch {
  let since: number | null = clock.steady()
  let broken: ReturnType<Touch['broken']> = null
  return {
    broke: (reason) => {
      since = null
      broken ??= { since: clock.now(), reason }
    },
    restored: () => {
      since = clock.steady()
      broken = null
    },
    broken: () => broken,
    lastsMs: () => (since === null ? 0 : clock.steady() - since),
  }
}
