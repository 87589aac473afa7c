// A process that keeps its heap small and is busy; prints how large its young generation is before and after.
import { setTimeout } from 'node:timers/promises'
import { getHeapSpaceStatistics } from 'node:v8'
import type { Timer } from '../../../src/lib/time.js'
import { growWhileBusy, keepHeapSmall } from '../../../src/main/heap.js'

keepHeapSmall()
// Before its first turn the event loop has done no work.
await setTimeout(1)
let next = (): void => {}
const timer: Timer = { cancel: () => {}, unref: () => timer }
growWhileBusy({
  after: (_, run) => {
    next = run
    return timer
  },
})
// It has started, and is looked at from here on.
next()
work()
const sizes = [young()]
await setTimeout(1)
next()
work()
sizes.push(young())
console.log(JSON.stringify(sizes))

/** Makes garbage of which some lives for a while. */
function work(): void {
  const kept: number[][] = []
  for (let n = 0; n < 2_000_000; n++) kept[n % 20_000] = [n, n + 1, n + 2]
}

function young(): number {
  return getHeapSpaceStatistics().find(({ space_name }) => space_name === 'new_space')?.space_size ?? 0
}
