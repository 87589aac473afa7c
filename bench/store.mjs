// The store: durable writes, watch latency and opening, against the raw floor of the same disk in the same run.
import { mkdtempSync, rmSync } from 'node:fs'
import { open } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { build } from 'esbuild'

const value = 'x'.repeat(300)

/** Rows `{name, value, unit, floor?, ratio?}`; a ratio is the value as a multiple of the floor's. */
export async function run() {
  const root = mkdtempSync(join(tmpdir(), 'bench-store-'))
  try {
    const stores = await loadStores(root)
    return [
      ...(await durableWrites(stores, root)),
      ...(await watchLatency(stores, root)),
      ...(await reopening(stores, root)),
      ...(await memoryWrites(stores)),
    ]
  } finally {
    rmSync(root, { recursive: true, force: true })
  }
}

async function loadStores(root) {
  const outfile = join(root, 'stores.mjs')
  await build({
    stdin: {
      contents: `export { openEmbeddedStore } from './src/store/io/embedded.ts'
        export { openMemoryStore } from './test/store/memory-store.ts'`,
      resolveDir: join(import.meta.dirname, '..'),
    },
    bundle: true,
    platform: 'node',
    format: 'esm',
    outfile,
    logLevel: 'error',
  })
  return import(pathToFileURL(outfile).href)
}

const clock = { now: () => Date.now() }

const rounds = 7

/** Floor and store take turns in short rounds, and medians are compared: a busy machine then troubles both alike. */
async function durableWrites({ openEmbeddedStore }, root) {
  const store = await openEmbeddedStore({ dir: join(root, 'writes'), clock })
  const put = (n) => store.txn([], [{ op: 'put', key: `units/${n % 10_000}`, value }])
  await inParallel(64, 5000, put)
  const [floors1, sequential, floors64, concurrent] = [[], [], [], []]
  for (let round = 0; round < rounds; round++) {
    floors1.push(await floorPerSecond(join(root, 'floor1'), 400, 200))
    sequential.push(await inParallel(1, 200, put))
    floors64.push((await floorPerSecond(join(root, 'floor64'), 64 * 400, 100)) * 64)
    concurrent.push(await inParallel(64, 6400, put))
  }
  const ops = (n) => Array.from({ length: 100 }, (_, i) => ({ op: 'put', key: `rows/${n % 50}/${i}`, value }))
  const rows = await inParallel(8, 600, (n) => store.txn([], ops(n)))
  await store.close()
  return [
    against('durable put, one after the other', sequential, 'per s', floors1),
    against('durable put, 64 writers', concurrent, 'per s', floors64),
    { name: 'rows in transactions of 100, 8 writers', value: Math.round(rows * 100), unit: 'per s' },
  ]
}

/** Append and fdatasync in a loop, `bytes` at a time. */
async function floorPerSecond(path, bytes, times) {
  const handle = await open(path, 'w')
  const buffer = Buffer.alloc(bytes, 'x')
  const perSecond = await inParallel(1, times, async (n) => {
    await handle.write(buffer, 0, bytes, n * bytes)
    await handle.datasync()
  })
  await handle.close()
  return perSecond
}

/** From the call of a put to its event, against a bare write and flush; the two take turns, so the disk is the same. */
async function watchLatency({ openEmbeddedStore }, root) {
  const store = await openEmbeddedStore({ dir: join(root, 'watch'), clock })
  const handle = await open(join(root, 'watch-floor'), 'w')
  const buffer = Buffer.alloc(400, 'x')
  const abort = new AbortController()
  const events = store.watch('', 0, abort.signal)[Symbol.asyncIterator]()
  const latencies = []
  const floors = []
  for (let n = 0; n < 2000; n++) {
    const began = performance.now()
    const put = store.txn([], [{ op: 'put', key: `k${n % 100}`, value }])
    await events.next()
    latencies.push(performance.now() - began)
    await put
    const floorBegan = performance.now()
    await handle.write(buffer, 0, buffer.length, n * buffer.length)
    await handle.datasync()
    floors.push(performance.now() - floorBegan)
  }
  abort.abort()
  await handle.close()
  await store.close()
  return [0.5, 0.99].map((share) => {
    const [latency, floor] = [quantile(latencies, share), quantile(floors, share)]
    const name = `watch, put to event, p${share * 100}`
    return {
      name,
      value: round(latency, 3),
      unit: 'ms',
      floor: round(floor, 3),
      ratio: round(latency / floor, 2),
    }
  })
}

async function reopening({ openEmbeddedStore }, root) {
  const dir = join(root, 'reopen')
  const store = await openEmbeddedStore({ dir, clock })
  const ops = (n) =>
    Array.from({ length: 100 }, (_, i) => ({ op: 'put', key: `units/${n * 100 + i}`, value }))
  await inParallel(8, 1000, (n) => store.txn([], ops(n)))
  await store.close()
  const began = performance.now()
  const again = await openEmbeddedStore({ dir, clock })
  const ms = performance.now() - began
  const rangeBegan = performance.now()
  const { entries } = await again.range('units/')
  const rangeMs = performance.now() - rangeBegan
  await again.close()
  return [
    { name: `opening with ${entries.length} keys`, value: Math.round(ms), unit: 'ms' },
    { name: `listing ${entries.length} keys`, value: Math.round(rangeMs), unit: 'ms' },
  ]
}

async function memoryWrites({ openMemoryStore }) {
  const store = openMemoryStore({ clock })
  const perSecond = await inParallel(64, 200_000, (n) =>
    store.txn([], [{ op: 'put', key: `units/${n % 10_000}`, value }]),
  )
  await store.close()
  return [{ name: 'put in memory, 64 writers', value: Math.round(perSecond), unit: 'per s' }]
}

/** Does `work` so many times from several hands; returns how many per second. */
async function inParallel(hands, times, work) {
  let next = 0
  const began = performance.now()
  const hand = async () => {
    while (next < times) await work(next++)
  }
  await Promise.all(Array.from({ length: hands }, hand))
  return times / ((performance.now() - began) / 1000)
}

function against(name, measured, unit, floors) {
  const [value, floor] = [quantile(measured, 0.5), quantile(floors, 0.5)]
  return { name, value: Math.round(value), unit, floor: Math.round(floor), ratio: round(value / floor, 2) }
}

function quantile(samples, share) {
  return [...samples].sort((a, b) => a - b)[Math.floor(samples.length * share)] ?? 0
}

function round(number, digits) {
  return Number(number.toFixed(digits))
}

if (process.argv[1] === import.meta.filename) console.table(await run())
