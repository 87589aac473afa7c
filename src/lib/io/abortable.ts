import { setMaxListeners } from 'node:events'

/** Waits for work that others wait for too: the caller can give up without ending it. */
export async function abortable<T>(work: Promise<T>, signal: AbortSignal): Promise<T> {
  signal.throwIfAborted()
  setMaxListeners(0, signal)
  return await new Promise<T>((resolve, reject) => {
    const giveUp = (): void => reject(signal.reason as Error)
    signal.addEventListener('abort', giveUp, { once: true })
    work.then(resolve, reject).finally(() => signal.removeEventListener('abort', giveUp))
  })
}
