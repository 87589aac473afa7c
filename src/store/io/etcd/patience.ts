// How long an answer is waited for. Only time counts in which this process could have heard it: after a long computation, or
// a stop of the whole process, what came meanwhile lies unread, and timers go off before it is looked at.

/** A wait is cut into parts of so long; of each, a delay of the process counts for no more than that. */
const partMs = 100

/** Calls back when so much time is over; returns the way to end the wait before. */
export function wait(ms: number, onOver: () => void): () => void {
  let leftMs = ms
  let timer: NodeJS.Timeout
  let last: NodeJS.Immediate | undefined
  const next = (): void => {
    const waitsMs = Math.min(partMs, Math.max(0, leftMs))
    timer = setTimeout(() => {
      leftMs -= waitsMs
      if (leftMs > 0) next()
      // What lies unread is read before.
      else last = setImmediate(onOver)
    }, waitsMs)
  }
  next()
  return () => {
    clearTimeout(timer)
    clearImmediate(last)
  }
}
