// Writes pairs of keys from many hands until it is killed, and says on stdout which are acknowledged.
import { writeSync } from 'node:fs'
import { systemClock } from '../../../src/lib/io/clock.js'
import { openEmbeddedStore } from '../../../src/store/io/embedded.js'

const [dir = '', from = '0'] = process.argv.slice(2)
const store = await openEmbeddedStore({ dir, clock: systemClock, rotateBytes: 20_000 })
let next = Number(from)

async function writePairs(): Promise<void> {
  for (;;) {
    const n = next++
    const value = `${n}-`.padEnd(10 + (n % 300), 'x')
    const ops = ['left', 'right'].map((side) => ({ op: 'put' as const, key: `${side}/${n % 200}`, value }))
    await store.txn([], [...ops, { op: 'put', key: `all/${n}`, value: '' }])
    writeSync(1, `${n}\n`)
  }
}

await Promise.all(Array.from({ length: 8 }, writePairs))
