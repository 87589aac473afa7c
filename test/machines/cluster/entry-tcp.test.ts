// PostgreSQL behind the plain TCP entry of two machines: through either the one server is reached, also when it is replaced, and
// connections are drained that either has.
import { execFileSync } from 'node:child_process'
import { copyFileSync, existsSync, mkdtempSync, realpathSync, writeFileSync } from 'node:fs'
import { connect, type Socket } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { builtProgram } from '../../cli/program.js'
import { removeDir } from '../../remove-dir.js'
import { rounds } from '../databases/faults.js'
import { CommittingClient, isPostmaster, postgresManifest } from '../databases/postgres.js'
import { watchWriters } from '../databases/sole-writer.js'
import { insideMachine } from '../nspawn.js'
import { type Cluster, startCluster } from './cluster.js'
import type { ClusterMachine } from './cluster-machine.js'
import { tellOf } from './workload.js'

const program = builtProgram(join(import.meta.dirname, '../../../dist/mariposa.js'))
const dir = mkdtempSync(join(tmpdir(), 'mariposa-entry-tcp-'))

let cluster: Cluster
beforeAll(async () => {
  cluster = await startCluster({
    machines: 3,
    ttlSeconds: 15,
    tls: true,
    metadata: ['', '', 'db=main'],
  })
  await Promise.all(entries().map(giveEntry))
})
afterAll(async () => {
  await cluster?.stop()
  removeDir(dir)
})

/** Each once more than where nobody asks for many: `npm run databases`. */
const replacements = rounds === 1 ? 2 : rounds

/** The first two have the entry, and the last one the server. */
const named = (n: number): ClusterMachine => cluster.machines[n] ?? expect.fail(`no machine ${n}`)
const entries = (): readonly ClusterMachine[] => [named(0), named(1)]

/** Has a machine run HAProxy, the host's own with its libraries, behind an entry on all its addresses. */
async function giveEntry(machine: ClusterMachine): Promise<void> {
  const root = join(machine.socket, '../../..')
  const haproxy = '/usr/sbin/haproxy'
  const needed = execFileSync('ldd', [haproxy], { encoding: 'utf8' }).matchAll(/=> (\/\S+)/g)
  for (const file of [haproxy, ...[...needed].map(([, library = '']) => library)])
    if (!existsSync(join(root, file))) copyFileSync(realpathSync(file), join(root, file))
  const unit = '/etc/systemd/system/mariposa.service'
  await machine.run(
    ...['sed', '-i', '-e', '/^ExecStart=/s/$/ --entry/', '-e', 's/^Restart=no/&\\nKillMode=process/', unit],
  )
  await machine.run('systemctl', 'daemon-reload')
  await machine.daemon.stop()
  await machine.daemon.start()
}

async function done(...args: readonly string[]): Promise<string> {
  const env = { MARIPOSA_ENDPOINT: `unix://${named(0).socket}` }
  const ended = await program.run(args, { env, cwd: dir })
  if (ended.code !== 0) throw new Error(`${args.join(' ')}: exit ${ended.code}\n${ended.stderr}`)
  return ended.stdout
}

/** A server that takes connections from everywhere, on the machine for it, behind the entry. */
async function deploy(version: string): Promise<void> {
  const text = postgresManifest('compute_type: process\nuser: postgres', version)
    .replace('-c listen_addresses=', '-c "listen_addresses=*" -p "$PORT"')
    .replace(
      '    exec /usr',
      '    grep -q 0.0.0.0 "$PGDATA/pg_hba.conf" || echo "host all all 0.0.0.0/0 trust" >> "$PGDATA/pg_hba.conf"\n    exec /usr',
    )
  const file = join(dir, 'main.yml')
  writeFileSync(
    file,
    `${text}ports: ["0:5432"]
affinity: ["machine.db==main"]
healthchecks: [{type: tcp, port: 5432, poll: 0.2, timeout: 0.2, start_period: 90}]
entry: [{tcp: 5432, drain: 20}]
`,
  )
  await done('service', 'deploy', file, '--timeout', '150s')
}

/** Says who it is to each line; it ends at once when it is told to, whatever is open. */
const whoProgram = [
  "const server = require('net').createServer((socket) => { socket.on('error', () => {}); socket.on('data', () => socket.write(process.env.WHO + '\\n')) })",
  'server.listen(Number(process.env.PORT))',
  "process.on('SIGTERM', () => process.exit(0))",
].join('; ')

async function deployWho(who: string, ...more: readonly string[]): Promise<void> {
  const file = join(dir, 'who.yml')
  writeFileSync(
    file,
    `compute_type: process
command: [${insideMachine.node}, "-e", ${JSON.stringify(whoProgram)}]
environment: {WHO: "${who}"}
ports: ["0:5432"]
affinity: ["machine.db==main"]
stop: {timeout: 1, preservestopped: "no"}
cns: {ttl: 0}
healthchecks: [{type: tcp, port: 5432, poll: 0.2, timeout: 0.2, start_period: 60}]
entry: [{tcp: 5434, drain: 60}]
`,
  )
  await done('service', 'deploy', file, '--timeout', '50s', ...more)
}

/** A connection that is kept; rejects to be asked once it is closed. */
class Kept {
  readonly #socket: Socket
  readonly closed: Promise<void>

  constructor({ address }: ClusterMachine, port: number) {
    this.#socket = connect({ host: address, port })
    this.#socket.on('error', () => {})
    this.closed = new Promise((resolve) => this.#socket.once('close', () => resolve()))
  }

  /** Who answers. */
  ask(): Promise<string> {
    return new Promise((resolve, reject) => {
      this.#socket.once('data', (said) => resolve(said.toString().trim()))
      this.closed.then(() => reject(new Error('it is closed')), reject)
      this.#socket.write('who\n')
    })
  }

  end(): void {
    this.#socket.destroy()
  }
}

async function whoAt(machine: ClusterMachine): Promise<string> {
  const kept = new Kept(machine, 5434)
  try {
    return await kept.ask()
  } finally {
    kept.end()
  }
}

/** Who answers eight new connections, each once. */
async function whoOften(machine: ClusterMachine): Promise<readonly string[]> {
  const answers = new Set<string>()
  for (let n = 0; n < 8; n++) answers.add(await whoAt(machine))
  return [...answers]
}

/** The start of the server that a client reaches: another one for each run of it. */
const runOf = (client: CommittingClient): Promise<string> => client.ask('SELECT pg_postmaster_start_time()')

test('serves the one server through both, also when it is replaced', async ({ onTestFailed }) => {
  onTestFailed(() => tellOf(cluster))
  const watch = watchWriters(isPostmaster)
  await deploy('v0')
  const clients = entries().map(({ address, name }) => new CommittingClient(() => address, `rows_${name}`))
  const [one, two] = clients as [CommittingClient, CommittingClient]
  for (const client of clients) await client.begin()
  try {
    await Promise.all(clients.map((client) => client.more(200)))
    const runs = [await runOf(one)]
    for (let n = 0; n < replacements; n++) {
      expect(await runOf(two)).toBe(runs.at(-1))
      // It is the only one of its service: it ends at once, and its connections with it.
      await deploy(`v${n + 1}`)
      await Promise.all(clients.map((client) => client.more(200)))
      const run = await runOf(one)
      expect(runs).not.toContain(run)
      runs.push(run)
      for (const client of clients) expect(await client.missing()).toEqual([])
    }
  } finally {
    for (const client of clients) await client.end()
  }
  const { together, looks } = await watch.end()
  expect(together).toEqual([])
  const [committed, gap] = [
    clients.reduce((sum, client) => sum + client.committed, 0),
    Math.max(...clients.map(({ longestGapMs }) => longestGapMs)),
  ]
  console.info(
    `PostgreSQL through two entries: ${committed} commits through ${replacements} replacements; none for ${(gap / 1000).toFixed(1)} s at the most; nobody beside another in ${looks} looks`,
  )
})

test('keeps connections through either until they are closed, while new ones go to those that are new', async ({
  onTestFailed,
}) => {
  onTestFailed(() => tellOf(cluster))
  await deployWho('old', '--scale', '2')
  for (const machine of entries()) await expect.poll(() => whoAt(machine)).toBe('old')
  const kept = entries().map((machine) => new Kept(machine, 5434))
  for (const one of kept) expect(await one.ask()).toBe('old')
  let isDone = false
  const rollout = deployWho('new', '--rolling', '2').then(() => {
    isDone = true
  })
  // Both new ones are there one after the other: until then the old ones take turns with the first.
  for (const machine of entries()) await expect.poll(() => whoOften(machine)).toEqual(['new'])
  kept[0]?.end()
  // The one through the other entry alone holds up the end.
  for (let n = 0; n < 20; n++) {
    for (const machine of entries()) expect(await whoAt(machine)).toBe('new')
    expect(await kept[1]?.ask()).toBe('old')
  }
  expect(isDone).toBe(false)
  kept[1]?.end()
  // The drain alone is longer than what this may take.
  await rollout
})
