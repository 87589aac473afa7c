// Loaded into a daemon by `--import`: notes each time that its event loop is held up, and for how much of that the thread computed: the rest
// is what it waited for a core that others had, for a disk, or for helpers of the garbage collector that wait for a core themselves. A
// line each in the file LOOP_HOLDS: when it ended, how long it was, how long the thread computed, in ms.
import { closeSync, openSync, readSync, writeSync } from 'node:fs'

const everyMs = 5
const notedMs = 5

if (process.argv.includes('daemon') && process.env.LOOP_HOLDS !== undefined) {
  const scheduler = openSync(`/proc/self/task/${process.pid}/schedstat`, 'r')
  const buffer = Buffer.alloc(100)
  const computedMs = () => {
    const read = readSync(scheduler, buffer, 0, 100, 0)
    return Number(buffer.toString('latin1', 0, read).split(' ')[0]) / 1e6
  }
  const file = openSync(process.env.LOOP_HOLDS, 'a')
  let [at, computed] = [performance.now(), computedMs()]
  setInterval(() => {
    const [now, computedNow] = [performance.now(), computedMs()]
    const held = now - at - everyMs
    if (held > notedMs) writeSync(file, `${Date.now()} ${held} ${computedNow - computed}\n`)
    at = now
    computed = computedNow
  }, everyMs).unref()
  process.on('exit', () => closeSync(file))
}
