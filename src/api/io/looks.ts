// Progress as a stream: a look at the view after each change, until there is nothing more to come.
import type { Registry } from '../../store/io/registry.js'
import type { Streaming } from './streams.js'

/** Looks are sent at most so often: a hundred instances that start together make a handful of messages. */
const lookEveryMs = 50
/** Without a change a look is taken so often, since some of what is shown depends on the time. */
const lookAgainMs = 1000

/** A look, and whether it is the last; null when there is nothing to look at any more. */
export type Look = { readonly look: unknown; readonly over: boolean } | null

/**
 * Sends looks that differ from the one before, until one is the last or the caller has gone. Where `isOver` can tell
 * that the next look is the last one, that is taken at once: what it shows may soon be gone.
 */
export async function sendLooks(
  registry: Registry,
  stream: Streaming,
  take: () => Promise<Look>,
  isOver: () => boolean = () => false,
): Promise<void> {
  let sent = ''
  let wake: () => void = () => {}
  let hurry: () => void = () => {}
  const unsubscribe = registry.onChange(() => {
    wake()
    if (isOver()) hurry()
  })
  stream.signal.addEventListener('abort', () => wake())
  try {
    for (;;) {
      const changed = new Promise<void>((resolve) => {
        wake = resolve
      })
      const ended = new Promise<void>((resolve) => {
        hurry = resolve
      })
      const taken = stream.signal.aborted ? null : await take()
      if (taken === null) return
      const text = JSON.stringify(taken.look)
      if (text !== sent) await stream.send(taken.look)
      sent = text
      if (taken.over) return
      await Promise.race([changed, pause(lookAgainMs)])
      await Promise.race([ended, pause(lookEveryMs)])
    }
  } finally {
    unsubscribe()
    stream.end()
  }
}

function pause(ms: number): Promise<void> {
  return new Promise((resolve) => {
    setTimeout(resolve, ms).unref()
  })
}
