// Whether this daemon is connected to its store, and for how long: only a daemon that has been all along can tell that
// others were not.
import type { Instant, Time } from '../lib/time.js'

export interface StoreConnectivity {
  /** The store does not answer. */
  lost(reason: string): void
  /** The store answers again, or was silent unnoticed: the time counts from now. */
  restored(): void
  /** Since when the store is unreachable, and why; null while it answers. */
  outage(): { readonly since: Instant; readonly reason: string } | null
  /** For how long it has been connected without a break; 0 while it is not. */
  connectedForMs(): number
}

/** Connected from now on; measured by the steady clock. */
export function openStoreConnectivity(clock: Time): StoreConnectivity {
  let since: number | null = clock.steady()
  let outage: ReturnType<StoreConnectivity['outage']> = null
  return {
    lost: (reason) => {
      since = null
      outage ??= { since: clock.now(), reason }
    },
    restored: () => {
      since = clock.steady()
      outage = null
    },
    outage: () => outage,
    connectedForMs: () => (since === null ? 0 : clock.steady() - since),
  }
}
