// A volume that moves between two daemons over a link of a set speed, with the link cut in the middle, beside `tar | tar` over the
// same link that nobody cuts. As root, for machines of their own; needs three times the size on the disk.
// `node bench/move.mjs` moves 5 GiB; `--gib 1` less, `--mbps 250` over a link of so many 10^6 bytes a second (125: 1 Gbit/s),
// `--cutMs 5000` cut for so long.
import { execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { createConnection, createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { parseArgs, promisify } from 'node:util'
import { bundleExports } from './bundle.mjs'
import { freePort } from './free-port.mjs'

const program = join(import.meta.dirname, '../dist/mariposa.js')
const [idA, idB] = ['a'.repeat(32), 'b'.repeat(32)]
const manifest = `compute_type: process
command: [sleep, "100000"]
volumes: ["data:/mnt/data"]
stop: {timeout: 1, preservestopped: "no"}
`
const exec = promisify(execFile)
const held = 'event loop held up meanwhile at the most'
const computed = 'of a time that it was held up, computed at the most'

/** Rows of the bench table. */
export async function run({ gib = 5, mbps = 125, cutMs = 3000 } = {}) {
  const exports = ['proxy', 'etcd-host'].map((name) => `export * from './test/machines/${name}.ts'`)
  const { openProxy, startEtcd } = await bundleExports(exports.join('\n'), 'move.mjs')
  const dir = mkdtempSync(join(tmpdir(), 'mariposa-move-'))
  const etcd = await startEtcd()
  const daemons = []
  try {
    const store = `etcd://${etcd.options.endpoints.join(',')}`
    const a = await startDaemon(dir, idA, store, openProxy)
    daemons.push(a)
    daemons.push(await startDaemon(dir, idB, store, openProxy))
    const b = daemons[1]
    await a.cli('machine', 'cordon', idB)
    writeFileSync(join(dir, 'db.yml'), manifest)
    await a.cli('service', 'deploy', join(dir, 'db.yml'))
    await a.cli('machine', 'uncordon', idB)
    const data = join(a.dataDir, 'volumes/default/db/data.0/data')
    await fill(data, gib)
    const before = await digestOf(data)
    a.link.limit(mbps * 1e6)
    const floor = await measureTar(data, join(dir, 'copy'), openProxy, mbps)
    const moved = join(b.dataDir, 'volumes/default/db/data.0.1')
    const watched = [...daemons.map(watchLoop), watchIdleLoop()]
    const from = performance.now()
    const moving = a.cli('volume', 'move', 'db.data.0', idB, '--timeout', '1h')
    await cutHalfway(a.link, join(moved, 'data.incoming/data'), (gib * 2 ** 30) / 2, cutMs)
    await moving
    const value = performance.now() - from
    const blocks = await Promise.all(watched.map((end) => end()))
    if (process.env.BENCH_DEBUG) for (const daemon of daemons) console.error(daemon.said())
    if ((await digestOf(join(moved, 'data'))) !== before) throw new Error('what came is not what was there')
    const name = `${gib} GiB over a link of ${mbps} MB/s, cut for ${cutMs / 1000} s in the middle (floor: tar | tar, not cut)`
    return [
      { name, value, unit: 'ms', floor, ratio: value / floor },
      { name: `${held}, where it goes from`, value: blocks[0][0], unit: 'ms' },
      { name: `${computed}, where it goes from`, value: blocks[0][1], unit: 'ms' },
      { name: `${held}, where it goes to`, value: blocks[1][0], unit: 'ms' },
      { name: `${computed}, where it goes to`, value: blocks[1][1], unit: 'ms' },
      { name: `${held}, of a process that does nothing`, value: blocks[2], unit: 'ms' },
    ]
  } finally {
    for (const daemon of daemons) await daemon.end()
    await etcd.stop()
    rmSync(dir, { recursive: true, force: true })
  }
}

/** A daemon of a machine of that id, which others reach over a link. */
async function startDaemon(dir, id, store, openProxy) {
  const home = join(dir, id.slice(0, 1))
  mkdirSync(home)
  writeFileSync(join(home, 'id'), `${id}\n`)
  const port = await freePort()
  const link = await openProxy(port)
  const dataDir = join(home, 'data')
  const socket = join(home, 'mariposa.sock')
  const words = [
    'daemon',
    '--data-dir',
    dataDir,
    '--listen',
    `unix:${socket}`,
    '--driver',
    'process',
    '--store',
    store,
  ]
  const reached = [
    '--insecure-listen',
    '--listen',
    `tcp://127.0.0.1:${port}`,
    '--advertise',
    `http://${link.address}`,
  ]
  const asMachine = 'mount --bind "$0" /etc/machine-id && exec "$@"'
  const inside = ['--mount', '--propagation', 'private', 'sh', '-c', asMachine, join(home, 'id')]
  const argv = [...inside, process.execPath, program, ...words, ...reached]
  const holds = join(home, 'loop-holds')
  const looked = {
    NODE_OPTIONS: `--import=${join(import.meta.dirname, 'loop-holds.mjs')}`,
    LOOP_HOLDS: holds,
  }
  const child = spawn('unshare', argv, {
    env: { ...process.env, ...looked },
    stdio: ['ignore', 'ignore', 'pipe'],
  })
  let said = ''
  child.stderr.setEncoding('utf8').on('data', (text) => {
    said += text
  })
  while (!said.includes('is ready')) {
    if (child.exitCode !== null || child.signalCode !== null) throw new Error(said)
    await sleep(50)
  }
  const env = { ...process.env, MARIPOSA_ENDPOINT: `unix://${socket}` }
  return {
    dataDir,
    link,
    holds,
    said: () => said,
    cli: (...args) => exec(process.execPath, [program, ...args], { env }),
    end: async () => {
      await exec(process.execPath, [program, 'service', 'delete', 'db', '--force', '--volumes'], {
        env,
      }).catch(() => {})
      const ended = once(child, 'exit')
      child.kill('SIGTERM')
      await ended
      await link.close()
    },
  }
}

/** Looks at the event loop of a daemon until it is ended, which resolves to how long that was held up at the most, and for how long by computing. */
function watchLoop({ holds }) {
  const from = Date.now()
  return async () => {
    const lines = readFileSync(holds, 'utf8').trim().split('\n')
    const all = lines.map((line) => line.split(' ').map(Number)).filter(([at]) => at > from)
    return [1, 2].map((column) => Math.max(0, ...all.map((one) => one[column])))
  }
}

/** The same of a process that does nothing: what the machine itself holds up. */
function watchIdleLoop() {
  const script = `const h = require('node:perf_hooks').monitorEventLoopDelay({ resolution: 20 }); h.enable()
process.stdin.resume().on('end', () => { console.log(Math.max(0, h.max / 1e6 - 20)); process.exit() })`
  const child = spawn(process.execPath, ['-e', script], { stdio: ['pipe', 'pipe', 'inherit'] })
  const said = child.stdout.setEncoding('utf8').toArray()
  return async () => {
    child.stdin.end()
    return Number((await said).join(''))
  }
}

/** Large files that nothing compresses, a hundredth of it in small ones, and one that is nearly all holes. */
async function fill(dir, gib) {
  const random = 'head -c 126M /dev/urandom'
  const script = `${random} >large-1; for n in $(seq 2 ${gib * 8}); do (head -c 1M /dev/urandom; tail -c +1048577 large-1) >large-$n; done
mkdir small && head -c ${gib * 10}M /dev/urandom | split --bytes=8k --suffix-length=5 - small/
truncate -s 1G sparse && head -c 1M /dev/urandom | dd of=sparse bs=1M seek=512 conv=notrunc status=none; sync -f .`
  await exec('sh', ['-c', script], { cwd: dir })
}

/** Over all files, whatever their order, and how much each takes on the disk, within a MiB. */
async function digestOf(dir) {
  const script =
    'find . -type f -print0 | sort -z | xargs -0 sha256sum | sha256sum; du --block-size=1M sparse | cut -f1'
  return (await exec('sh', ['-c', script], { cwd: dir })).stdout
}

/** What tar packs on one side and unpacks on the other, over a link of the same speed, until all of it is on the disk. */
async function measureTar(data, copy, openProxy, mbps) {
  mkdirSync(copy)
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const link = await openProxy(server.address().port)
  link.limit(mbps * 1e6)
  const from = performance.now()
  const connected = once(server, 'connection')
  const near = createConnection(link.port, '127.0.0.1')
  const [far] = await connected
  const unpacking = spawn('tar', ['-x'], { cwd: copy, stdio: ['pipe', 'inherit', 'inherit'] })
  const packing = spawn('tar', ['-c', '--sparse', '.'], { cwd: data, stdio: ['ignore', 'pipe', 'inherit'] })
  const unpacked = once(unpacking, 'exit')
  packing.stdout.pipe(near)
  far.pipe(unpacking.stdin)
  const [code] = await unpacked
  if (code !== 0) throw new Error(`tar ended with ${code}`)
  await exec('sync', ['-f', '.'], { cwd: copy })
  const taken = performance.now() - from
  for (const end of [near, far]) end.on('error', () => {}).destroy()
  await link.close()
  server.close()
  rmSync(copy, { recursive: true })
  return taken
}

/** Cuts the link for so long once half has come. */
async function cutHalfway(link, incoming, bytes, ms) {
  while (sizeOf(incoming) < bytes) await sleep(100)
  link.cut()
  await sleep(ms)
  link.heal()
}

function sizeOf(dir) {
  try {
    return readdirSync(dir).reduce((sum, name) => sum + statSync(join(dir, name)).blocks * 512, 0)
  } catch {
    return 0
  }
}

if (process.argv[1] === import.meta.filename) {
  const { values } = parseArgs({
    options: { gib: { type: 'string' }, mbps: { type: 'string' }, cutMs: { type: 'string' } },
  })
  const numbers = Object.entries(values).map(([name, value]) => [name, Number(value)])
  console.log(await run(Object.fromEntries(numbers)))
}
