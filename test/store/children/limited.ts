// Runs into the limit that the shell has set on the size of a file, and reports as JSON what became of each write.
import { systemClock } from '../../../src/lib/io/clock.js'
import { openEmbeddedStore } from '../../../src/store/io/embedded.js'
import type { StoreError } from '../../../src/store/store.js'

const [dir = ''] = process.argv.slice(2)
const store = await openEmbeddedStore({ dir, clock: systemClock })
const outcome = (value: string): Promise<string> =>
  store.txn([], [{ op: 'put', key: 'a', value }]).then(
    () => 'written',
    (error: StoreError) => error.code,
  )
const outcomes: string[] = []
for (const value of ['small', 'x'.repeat(100_000), 'after']) {
  outcomes.push(`${await outcome(value)}, reads ${(await store.get('a'))?.value.slice(0, 10)}`)
}
const seen: number[] = []
for await (const batch of store.watch('', 0, new AbortController().signal)) {
  seen.push(batch.revision)
  if (batch.revision === (await store.range('')).revision) break
}
await store.close()
process.stdout.write(JSON.stringify({ outcomes, seen }))
