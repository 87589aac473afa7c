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

/** What becomes of each value of a list, some of them in each step. */
export function* eachInSteps<T, U>(list: readonly T[], atATime: number, of: (value: T) => U): Steps<U[]> {
  const made: U[] = []
  for (const value of list) {
    made.push(of(value))
    if (made.length % atATime === 0) yield
  }
  return made
}
