// Says that this machine is there, for as long as it keeps saying so.
import { describeError, type Log } from '../lib/io/log.js'
import { startLoop } from '../lib/io/loop.js'
import type { Clock } from '../lib/time.js'
import type { Machine } from '../model/machine.js'
import type { Registry } from '../store/io/registry.js'
import { putOf } from '../store/records.js'
import { LeaseEndedError, type LeaseId } from '../store/store.js'

export interface Presence {
  /** Ends the heartbeat. The record stays until its lease ends: a daemon that restarts was never away. */
  stop(): Promise<void>
}

/** Announces a machine under a lease of `ttlMs` and keeps it alive; a heartbeat writes nothing but the lease. */
export async function announceMachine(
  registry: Registry,
  machine: Machine,
  ttlMs: number,
  clock: Clock,
  log: Log,
): Promise<Presence> {
  const announce = async (): Promise<LeaseId> => {
    const lease = await registry.store.grant(ttlMs)
    await registry.commit([], [putOf('machine', machine, lease)])
    return lease
  }
  let lease = await announce()
  const loop = startLoop({
    clock,
    intervalMs: Math.floor(ttlMs / 3),
    retryMs: Math.floor(ttlMs / 10),
    onError: (error) => log.warn('machine', `cannot say that it is there: ${describeError(error)}`),
    pass: async () => {
      try {
        await registry.store.keepAlive(lease)
      } catch (error) {
        if (!(error instanceof LeaseEndedError)) throw error
        log.warn('machine', 'was taken for lost; it announces itself again')
        lease = await announce()
      }
      return { wakeAt: null }
    },
  })
  return { stop: () => loop.stop() }
}
