// Progress as a stream: a look at the view after each change, until there is nothing more to come.
import type { HeldBody } from '../../contract/contract.js'
import { pause } from '../../lib/io/clock.js'
import { heldUp } from '../held.js'
import type { ApiContext } from './context.js'
import type { Streaming } from './streams.js'

/** Looks are sent at most so often: a hundred instances that start together make a handful of messages. */
const lookEveryMs = 50
/** Without a change a look is taken so often, since some of what is shown depends on the time. */
const lookAgainMs = 1000

/**
 * A look, and whether it is the last; null when there is nothing to look at any more. `held`: why nothing is decided about
 * what is looked at, though somebody decides all else.
 */
export type Look = {
  readonly look: object
  readonly over: boolean
  readonly held?: HeldBody | null
} | null

/**
 * Sends looks that differ from the one before, until one is the last or the caller has gone. Where `isOver` can tell
 * that the next look is the last one, that is taken at once: what it shows may soon be gone. Each says so where nothing
 * is decided.
 */
export async function sendLooks(
  { registry, stale, clock }: Pick<ApiContext, 'registry' | 'stale' | 'clock'>,
  stream: Streaming,
  take: () => Promise<Look>,
  isOver: () => boolean = () => false,
): Promise<void> {
  let sent = ''
  let ledAt = clock.steady()
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
      if (registry.view.leader !== null) ledAt = clock.steady()
      const nobody = heldUp(registry.view, stale(), clock.steady() - ledAt)
      const held = taken.over ? null : (nobody ?? taken.held ?? null)
      const look = held === null ? taken.look : { ...taken.look, held }
      const text = JSON.stringify(look)
      if (text !== sent) await stream.send(look)
      sent = text
      if (taken.over) return
      await Promise.race([changed, pause(clock, lookAgainMs)])
      await Promise.race([ended, pause(clock, lookEveryMs)])
    }
  } finally {
    unsubscribe()
    stream.end()
  }
}
