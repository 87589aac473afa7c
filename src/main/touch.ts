// Whether this daemon has been in touch with its store all along: only then does it know who else was not.

export interface Touch {
  /** Nothing is heard of the store. */
  broke(): void
  /** It is heard again, or was silent unnoticed: the time counts from now. */
  restored(): void
  /** How long it has lasted without a break; 0 while it is broken. */
  lastsMs(): number
}

/** In touch from now on. The clock on the wall has no say in it. */
export function openTouch(): Touch {
  let since: number | null = performance.now()
  return {
    broke: () => {
      since = null
    },
    restored: () => {
      since = performance.now()
    },
    lastsMs: () => (since === null ? 0 : performance.now() - since),
  }
}
