// Says what this machine's clock says: when the leader asks, and of itself when there is something new to compare.
import type { JumpWatch } from '../../lib/io/clock.js'
import { describeError, type Log } from '../../lib/io/log.js'
import { startLoop } from '../../lib/io/loop.js'
import type { Time } from '../../lib/time.js'
import { type ClockReading, describeAhead } from '../../model/clock.js'
import type { MachineId } from '../../model/machine.js'
import type { Registry } from '../../store/io/registry.js'
import { keys, putOf } from '../../store/records.js'
import { isOutOfReach, LeaseEndedError } from '../../store/store.js'

interface ClockAnswersOptions {
  readonly registry: Registry
  readonly machine: MachineId
  readonly clock: Time
  readonly clockWatch: Pick<JumpWatch, 'onJump'>
  readonly log: Log
}

/** Answers are looked for at each call; this is a net under those. */
const lookEveryMs = 60_000

/**
 * Answers the leader's calls, as long as other machines are there. A machine that has come, and one whose clock was set,
 * asks to be asked.
 */
export function startClockAnswers({ registry, machine, clock, clockWatch, log }: ClockAnswersOptions): {
  stop(): Promise<void>
} {
  const { view } = registry
  let due: ClockReading['answers'] = null
  let timesSet = 0
  /** Up to which of those times the leader was told of. */
  let toldOfSet = 0

  const isNew = (): boolean => {
    const lease = registry.entryAt(keys.machine(machine))?.lease
    return timesSet > toldOfSet || registry.entryAt(keys.clockReading(machine))?.lease !== lease
  }

  const loop = startLoop({
    clock,
    intervalMs: lookEveryMs,
    onError: (error) => {
      // With its lease the machine's record has gone, which is announced anew.
      if (isOutOfReach(error) || error instanceof LeaseEndedError) return
      log.warn('machine', `cannot report this machine's clock: ${describeError(error)}`)
    },
    pass: async () => {
      const lease = registry.entryAt(keys.machine(machine))?.lease
      const answers = due
      if (lease == null || view.machines.size < 2 || (answers === null && !isNew())) return { wakeAt: null }
      const reading = { machine, at: clock.now(), answers }
      const setBefore = timesSet
      await registry.commit([], [putOf('clockReading', reading, lease)])
      // What could not be written is told of later, and so is what has come meanwhile.
      toldOfSet = setBefore
      if (due === answers) due = null
      return { wakeAt: null }
    },
  })
  const unsubscribeJumps = clockWatch.onJump(() => {
    timesSet += 1
    // What it saw by the clock from before is no answer.
    due = null
    loop.wake()
  })
  const tellOwn = ownOffsetTeller(log)
  const unsubscribe = registry.onChange((kinds, changes) => {
    if (kinds.has('clockOffset')) tellOwn(view.clockOffsets.get(machine)?.aheadMs ?? null)
    const leader = view.leader?.machine
    if (kinds.has('clockCall') && leader !== undefined && leader !== machine) {
      const call = changes.findLast(({ key }) => key === keys.clockCall(leader))
      const isAsked = view.clockCalls.get(leader)?.asked.includes(machine) === true
      if (call?.type === 'put' && isAsked) due = { call: call.entry.modRevision, seenAt: clock.now() }
    }
    const isOurs = ({ key }: { readonly key: string }): boolean => key === keys.clockReading(machine)
    if (due !== null || kinds.has('machine') || (kinds.has('clockReading') && changes.some(isOurs)))
      loop.wake()
  })
  return {
    stop: async () => {
      unsubscribe()
      unsubscribeJumps()
      await loop.stop()
    },
  }
}

/** Says once that the machine's own clock differs, and once that it does not any more. */
function ownOffsetTeller(log: Log): (aheadMs: number | null) => void {
  let isTold = false
  return (aheadMs) => {
    if (aheadMs !== null && !isTold)
      log.warn('machine', `this machine's clock is ${describeAhead(aheadMs)} of those of the other machines`)
    if (aheadMs === null && isTold) log.info('machine', 'clock is in sync with the other machines')
    isTold = aheadMs !== null
  }
}
