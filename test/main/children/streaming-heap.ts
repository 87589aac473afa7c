// A process that keeps its heap small and lets data go through; prints how often all of its heap is collected meanwhile, without
// room for a stream and with it.
import { constants, PerformanceObserver } from 'node:perf_hooks'
import { setImmediate } from 'node:timers/promises'
import { makeRoomForStream } from '../../../src/lib/io/old-generation.js'
import { keepHeapSmall } from '../../../src/main/heap.js'

keepHeapSmall()
let collections = 0
new PerformanceObserver((list) => {
  const kinds = list
    .getEntries()
    .map((entry) => (entry as unknown as { detail: { kind: number } }).detail.kind)
  collections += kinds.filter((kind) => kind === constants.NODE_PERFORMANCE_GC_MAJOR).length
}).observe({ entryTypes: ['gc'] })
const living = Array.from({ length: 100_000 }, (_, n) => ({ name: `record ${n}` }))
const counts = [await during()]
const end = makeRoomForStream()
await during()
counts.push(await during())
end()
console.log(JSON.stringify(living.length > 0 ? counts : []))
process.exit()

/** How many collections there are while 512 MiB go through. */
async function during(): Promise<number> {
  const before = collections
  for (let n = 0; n < 8192; n++) {
    Buffer.allocUnsafeSlow(64 * 1024)
    if (n % 8 === 0) await setImmediate()
  }
  await setImmediate()
  return collections - before
}
