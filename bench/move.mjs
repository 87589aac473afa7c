// A volume that moves between two daemons over a link of a set speed, with the link cut in the middle, beside `tar | tar` over the
// same link that nobody cuts. As root, for machines of their own; needs three times the size on the disk.
// `node bench/move.mjs` moves 5 GiB; `--gib 1` less, `--mbps 60` over a link of so many 10^6 bytes a second.
import { execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdirSync, mkdtempSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs'
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

/** Rows of the bench table. */
export async function run({ gib = 5, mbps = 60 } = {}) {
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
    const from = performance.now()
    const moving = a.cli('volume', 'move', 'db.data.0', idB, '--timeout', '1h')
    const cutMs = await cutHalfway(a.link, join(moved, 'data.incoming'), (gib * 2 ** 30) / 2)
    await moving
    if (process.env.BENCH_DEBUG) for (const daemon of daemons) console.error(daemon.said())
    const value = performance.now() - from
    if ((await digestOf(join(moved, 'data'))) !== before) throw new Error('what came is not what was there')
    const name = `${gib} GiB over a link of ${mbps} MB/s, cut for ${(cutMs / 1000).toFixed(1)} s in the middle (floor: tar | tar, not cut)`
    return [{ name, value, unit: 'ms', floor, ratio: value / floor }]
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
  const child = spawn('unshare', argv, { stdio: ['ignore', 'ignore', 'pipe'] })
  let said = ''
  child.stderr.setEncoding('utf8').on('data', (text) => {
    said += text
  })
  while (!said.includes('is ready')) {
    if (child.exitCode !== null) throw new Error(said)
    await sleep(50)
  }
  const env = { ...process.env, MARIPOSA_ENDPOINT: `unix://${socket}` }
  return {
    dataDir,
    link,
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

/** Large files that nothing compresses, and a hundredth of it in small ones. */
async function fill(dir, gib) {
  const script = `mkdir -p small && for n in $(seq ${gib * 8}); do head -c 126M /dev/urandom >large-$n; done
for n in $(seq ${gib * 1280}); do head -c 8k /dev/urandom >small/$n; done; sync -f .`
  await exec('sh', ['-c', script], { cwd: dir })
}

/** Over all files, whatever their order. */
async function digestOf(dir) {
  const script = 'find . -type f -print0 | sort -z | xargs -0 sha256sum | sha256sum'
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
  const packing = spawn('tar', ['-c', '.'], { cwd: data, stdio: ['ignore', 'pipe', 'inherit'] })
  const unpacked = once(unpacking, 'exit')
  packing.stdout.pipe(near, { end: false })
  far.pipe(unpacking.stdin, { end: false })
  // The link drops what is on its way when a side closes: the end is where as much has come as was sent.
  await once(packing, 'close')
  while (far.bytesRead < near.bytesWritten || near.writableLength > 0) await sleep(5)
  far.unpipe()
  unpacking.stdin.end(far.read() ?? undefined)
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

/** Cuts the link once half has come; resolves to how long it was cut. */
async function cutHalfway(link, incoming, bytes) {
  while (sizeOf(incoming) < bytes) await sleep(100)
  link.cut()
  const from = performance.now()
  await sleep(2000)
  link.heal()
  return performance.now() - from
}

function sizeOf(dir) {
  try {
    return readdirSync(dir).reduce((sum, name) => sum + statSync(join(dir, name)).size, 0)
  } catch {
    return 0
  }
}

if (process.argv[1] === import.meta.filename) {
  const { values } = parseArgs({ options: { gib: { type: 'string' }, mbps: { type: 'string' } } })
  const numbers = Object.entries(values).map(([name, value]) => [name, Number(value)])
  console.log(await run(Object.fromEntries(numbers)))
}
