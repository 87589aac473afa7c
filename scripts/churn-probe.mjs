// Loaded into a daemon before its program (`node --expose-gc --import`): on SIGUSR2 it collects all garbage and writes
// what is left to the file that CHURN_PROBE names.
import { renameSync, writeFileSync } from 'node:fs'
import { getHeapStatistics, writeHeapSnapshot } from 'node:v8'

process.on('SIGUSR2', () => {
  const before = process.memoryUsage()
  globalThis.gc()
  globalThis.gc()
  const { heapUsed, external, arrayBuffers } = process.memoryUsage()
  const { number_of_native_contexts: contexts, malloced_memory: malloced } = getHeapStatistics()
  const file = process.env.CHURN_PROBE
  writeFileSync(
    `${file}.new`,
    JSON.stringify({ before, heapUsed, external, arrayBuffers, contexts, malloced }),
  )
  renameSync(`${file}.new`, file)
  const snapshot = process.env.CHURN_SNAPSHOT
  if (snapshot) writeHeapSnapshot(`${snapshot}-${Math.round(process.uptime())}.heapsnapshot`)
})
