// Long work that can be left between any two of its steps. Whoever runs it decides how many it does at a time.

/** Yields between its steps; what is sent in says whether there is time for more. Without, it comes to an end as it can. */
export type Steps<T> = Generator<undefined, T, boolean>

/** Does all of it in one go. */
export function toEnd<T>(steps: Steps<T>): T {
  for (;;) {
    const step = steps.next(true)
    if (step.done === true) return step.value
  }
}
