// Opens a store, says so or why not, and holds it until it is killed.
import { systemClock } from '../../../src/lib/io/clock.js'
import { openEmbeddedStore } from '../../../src/store/io/embedded.js'
import type { StoreError } from '../../../src/store/store.js'

const [dir = ''] = process.argv.slice(2)
try {
  await openEmbeddedStore({ dir, clock: systemClock })
  process.stdout.write('open\n')
  setInterval(() => {}, 1000)
} catch (error) {
  process.stdout.write(`${(error as StoreError).code} ${(error as StoreError).message}\n`)
}
