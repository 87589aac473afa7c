// The keys that leave a program in its terminal: Ctrl-P, then Ctrl-Q.

interface KeysTaken {
  /** What the program gets. */
  readonly send: Uint8Array
  /** A Ctrl-P waits for the key behind it. */
  readonly held: boolean
  readonly detached: boolean
}

const ctrlP = 0x10
const ctrlQ = 0x11

/** Looks for them in what was typed; `held` is what the call before it said. A Ctrl-P goes with the next key. */
export function takeKeys(typed: Uint8Array, held: boolean): KeysTaken {
  const all = held ? Uint8Array.from([ctrlP, ...typed]) : typed
  const at = all.findIndex((key, n) => key === ctrlP && all[n + 1] === ctrlQ)
  if (at >= 0) return { send: all.subarray(0, at), held: false, detached: true }
  if (all.at(-1) !== ctrlP) return { send: all, held: false, detached: false }
  return { send: all.subarray(0, -1), held: true, detached: false }
}
