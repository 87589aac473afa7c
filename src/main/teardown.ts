// Takes a daemon down in order and in time: what cannot be done soon is left, and said.
import { pause, systemClock } from '../lib/io/clock.js'
import { describeError, type Log } from '../lib/io/log.js'
import type { Time } from '../lib/time.js'
import { isFull, isOutOfReach, StoreError } from '../store/store.js'

export interface Teardown {
  /**
   * Remembers how to undo something. Once the daemon is being taken down, undoes it at once and throws StoppingError, so
   * that whoever builds goes no further.
   */
  push(name: string, step: () => Promise<void>): Promise<void>
  /** The same for what is undone before all else, whenever it was built. */
  pushFirst(name: string, step: () => Promise<void>): Promise<void>
  /** What ends all waiting for the store; called once, when the time for that is over. */
  hurryBy(step: () => Promise<void>): void
  /** Undoes everything, last first, within the time that there is. */
  run(): Promise<void>
}

interface Step {
  readonly name: string
  readonly step: () => Promise<void>
}

/** The daemon is to end: nothing more is begun. */
class StoppingError extends Error {
  override readonly name = 'StoppingError'
}

/**
 * Supervisors and people wait some seconds before they kill. Of these a store that does not answer gets the first part;
 * then it is closed, which ends all that waits for it.
 */
const patience = { storeMs: 2500, restMs: 1500 } as const

/** With nothing to undo yet. */
export function openTeardown(log: Log, time: Time = systemClock): Teardown {
  const steps: Step[] = []
  const firsts: Step[] = []
  let isOver = false
  let hurry: () => Promise<void> = async () => {}

  const take = async (name: string, step: () => Promise<void>): Promise<void> => {
    try {
      await step()
    } catch (error) {
      const expected =
        isOutOfReach(error) || isFull(error) || (error instanceof StoreError && error.code === 'store/closed')
      if (!expected) log.error('daemon', `while stopping ${name}: ${describeError(error)}`)
    }
  }

  const pushTo =
    (list: Step[]): Teardown['push'] =>
    async (name, step) => {
      if (!isOver) {
        list.push({ name, step })
        return
      }
      await take(name, step)
      throw new StoppingError('the daemon is being stopped')
    }

  return {
    push: pushTo(steps),
    pushFirst: pushTo(firsts),
    hurryBy: (step) => {
      hurry = step
    },
    run: async () => {
      isOver = true
      let current = ''
      const all = (async () => {
        for (const { name, step } of [...steps, ...firsts].reverse()) {
          current = name
          await take(name, step)
        }
      })()
      if (await within(all, patience.storeMs, time)) return
      take('the store', hurry).catch(() => {})
      if (await within(all, patience.restMs, time)) return
      log.warn('daemon', 'exiting without further waiting', { for: current })
    },
  }
}

/** Whether something is done in time. */
export async function within(done: Promise<unknown>, ms: number, time: Time): Promise<boolean> {
  const isDone = new AbortController()
  const late = pause(time, ms, isDone.signal).then(() => false)
  const inTime = await Promise.race([done.then(() => true), late])
  isDone.abort()
  return inTime
}
