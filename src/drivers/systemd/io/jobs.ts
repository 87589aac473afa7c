// systemd's jobs: a call queues one and gives its object, a signal tells later (or even before) that it is done.

interface JobTracker {
  /** Queues a job with `enqueue`, which gives its object, and resolves to its result. */
  run(enqueue: () => Promise<string>, signal: AbortSignal): Promise<string>
  /** The body of a JobRemoved signal: id, object, unit, result. */
  removed(body: readonly unknown[] | undefined): void
  /** The connection is gone: nobody will tell how the jobs end. */
  fail(error: Error): void
}

interface Waiting {
  readonly resolve: (result: string) => void
  readonly reject: (error: Error) => void
}

export function trackJobs(): JobTracker {
  const waiting = new Map<string, Waiting[]>()
  // Results that came before the answer to the call that queued the job; kept only while such an answer is due.
  const early = new Map<string, string>()
  let queuing = 0

  const resultOf = (job: string): Promise<string> => {
    const known = early.get(job)
    if (known !== undefined) return Promise.resolve(known)
    return new Promise((resolve, reject) => {
      waiting.set(job, [...(waiting.get(job) ?? []), { resolve, reject }])
    })
  }
  /** Wrapped, for a promise that an async function gives back is waited for. */
  const queue = async (enqueue: () => Promise<string>): Promise<{ readonly result: Promise<string> }> => {
    queuing += 1
    try {
      // In one go with what follows: once nothing is being queued, what came early is forgotten.
      return { result: resultOf(await enqueue()) }
    } finally {
      queuing -= 1
      if (queuing === 0) early.clear()
    }
  }

  return {
    run: async (enqueue, signal) => {
      signal.throwIfAborted()
      const { result } = await queue(enqueue)
      return await unlessAborted(result, signal)
    },
    removed: (body = []) => {
      const [, job, , result] = body.map(String)
      if (job === undefined || result === undefined) return
      if (queuing > 0) early.set(job, result)
      for (const { resolve } of waiting.get(job) ?? []) resolve(result)
      waiting.delete(job)
    },
    fail: (error) => {
      for (const { reject } of [...waiting.values()].flat()) reject(error)
      waiting.clear()
      early.clear()
    },
  }
}

/** Stops waiting, not the job. */
async function unlessAborted<T>(result: Promise<T>, signal: AbortSignal): Promise<T> {
  const given = new AbortController()
  const aborted = new Promise<never>((_, reject) => {
    const abort = (): void => reject(signal.reason instanceof Error ? signal.reason : new Error('aborted'))
    if (signal.aborted) abort()
    else signal.addEventListener('abort', abort, { once: true, signal: given.signal })
  })
  try {
    return await Promise.race([result, aborted])
  } finally {
    given.abort()
  }
}
