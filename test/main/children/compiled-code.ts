// A process that leaves its code uncompiled until that is worth it, by as much work or as many units as its arguments say; prints
// whether V8 has compiled a function that is called again and again, before and after.
import { setTimeout } from 'node:timers/promises'
import { setFlagsFromString } from 'node:v8'
import type { Timer } from '../../../src/lib/time.js'
import { compileOnceWorthIt, leaveUncompiled } from '../../../src/main/compilers.js'

const [usedMs = 0, units = 0] = process.argv.slice(2).map(Number)
leaveUncompiled()
setFlagsFromString('--allow-natives-syntax')
const statusOf = new Function('of', 'return %GetOptimizationStatus(of)') as (of: unknown) => number
let look = (): void => {}
const timer: Timer = { cancel: () => {}, unref: () => timer }
const clock = {
  after: (_: number, run: () => void): Timer => {
    look = run
    return timer
  },
}
const compilers = compileOnceWorthIt(clock, () => usedMs)
const before = await isCompiled()
look()
compilers.knows(units)
console.log(JSON.stringify([before, await isCompiled()]))

/** V8 compiles beside the work, and puts it in its place when it is called again. */
async function isCompiled(): Promise<boolean> {
  for (let round = 0; round < 20; round++) {
    for (let n = 0; n < 300; n++) work()
    // Bit 4: optimised.
    if ((statusOf(work) & 16) !== 0) return true
    await setTimeout(1)
  }
  return false
}

function work(): number {
  let sum = 0
  for (let n = 0; n < 1000; n++) sum = (sum * 31 + n) | 0
  return sum
}
