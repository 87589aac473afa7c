// systemd's jobs: a call queues one and gives its object, a signal tells later (or even before) that it is done.

export interface JobTracker {
  /** Queues a job with `enqueue`, which gives its object, and resolves to its result. */
  run(enqueue: () => Promise<string>, signal: AbortSignal): Promise<string>
  /** The body of a JobRemoved signal: id, object, unit, result. */
  removed(body: readonly unknown[] | undefined): void
  /** The connection is gone: nobody will tell how the jobs end. */
  fail(error: Error): void
}

interface Waiting {
  readonly resolve: (result: string) => void
  readonly reject: (error: unknown) => void
}

export function trackJobs(): JobTracker {
  const waiting = new Map<string, Waiting[]>()
  // Results that came before the answer to the call that queued the job; kept only while such an answer is due.
  const early = new Map<string, string>()
  let queuing = 0

  const queue = async (enqueue: () => Promise<string>): Promise<string> => {
    queuing += 1
    try {
      return await enqueue()
    } finally {
      queuing -= 1
    }
  }
  const ended = (job: string, signal: AbortSignal): Promise<string> =>
    new Promise((resolve, reject) => {
      const abort = (): void => reject(abortReason(signal))
      if (signal.aborted) return abort()
      signal.addEventListener('abort', abort, { once: true })
      const entry: Waiting = {
        resolve: (result) => {
          signal.removeEventListener('abort', abort)
          resolve(result)
        },
        reject: (error) => {
          signal.removeEventListener('abort', abort)
          reject(error instanceof Error ? error : new Error(String(error)))
        },
      }
      waiting.set(job, [...(waiting.get(job) ?? []), entry])
    })

  return {
    run: async (enqueue, signal) => {
      signal.throwIfAborted()
      const job = await queue(enqueue)
      const known = early.get(job)
      if (queuing === 0) early.clear()
      return known ?? (await ended(job, signal))
    },
    removed: (body = []) => {
      const [, job, , result] = body.map(String)
      if (job === undefined || result === undefined) return
      if (queuing > 0) early.set(job, result)
      for (const entry of waiting.get(job) ?? []) entry.resolve(result)
      waiting.delete(job)
    },
    fail: (error) => {
      for (const entry of [...waiting.values()].flat()) entry.reject(error)
      waiting.clear()
      early.clear()
    },
  }
}

function abortReason(signal: AbortSignal): Error {
  return signal.reason instanceof Error ? signal.reason : new Error('aborted')
}
