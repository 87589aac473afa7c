// PostgreSQL in the volume of a slot: what was committed is there, whatever ends its program or its daemon, and no second
// server ever opens the directory.
import { execFile } from 'node:child_process'
import { chmodSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { expect, test } from 'vitest'
import { until } from '../e2e/cluster.js'
import { useHosts } from '../e2e/host.js'

const openHost = useHosts()
const run = promisify(execFile)

/** The programs of Debian's package. */
function programs(): string {
  const [version = ''] = readdirSync('/usr/lib/postgresql')
  return `/usr/lib/postgresql/${version}/bin`
}

const manifest = (version: string): string => `compute_type: process
user: postgres
environment: {PGDATA: "{{ .volume.data.path }}/main", RUN: "{{ .volume.data.path }}", VERSION: "${version}"}
command:
  - /bin/sh
  - -c
  - |
    exec >> "$RUN/log" 2>&1
    [ -s "$PGDATA/PG_VERSION" ] || ${programs()}/initdb --auth=trust --no-sync
    exec ${programs()}/postgres -k "$RUN" -c listen_addresses=
volumes: ["data:/var/lib/postgresql"]
stop: {timeout: 20, preservestopped: "no"}
`

class Client {
  readonly #sockets: string
  readonly committed: number[] = []
  #ended = false
  #next = 0

  constructor(sockets: string) {
    this.#sockets = sockets
  }

  async sql(text: string): Promise<string> {
    const args = ['-X', '-q', '-t', '-A', '-h', this.#sockets, '-U', 'postgres', '-d', 'postgres', '-c', text]
    return (await run(join(programs(), 'psql'), args)).stdout.trim()
  }

  /** Commits one row after the other until it is ended, and remembers those of which it was told that they are. */
  async write(): Promise<void> {
    while (!this.#ended) {
      const id = this.#next++
      const isCommitted = await this.sql(`INSERT INTO rows VALUES (${id})`).then(
        () => true,
        () => false,
      )
      if (isCommitted) this.committed.push(id)
    }
  }

  /** Resolves when so many more rows were committed than there are now. */
  async more(count: number): Promise<void> {
    const wanted = this.committed.length + count
    await until(async () => expect(this.committed.length).toBeGreaterThanOrEqual(wanted))
  }

  end(): void {
    this.#ended = true
  }
}

test('keeps what was committed through a rollout, ends of its server and its daemon, and a deletion', async () => {
  const host = openHost()
  chmodSync(host.dir, 0o711)
  const daemon = await host.startDaemon()
  chmodSync(host.dataDir, 0o711)
  const data = join(host.dataDir, 'volumes/default/db/data.0/data')
  const deploy = async (version: string) =>
    await host.done('service', 'deploy', host.file('db.yml', manifest(version)))
  const client = new Client(data)
  await deploy('v1')
  await until(async () => {
    await client.sql('CREATE TABLE IF NOT EXISTS rows (id int PRIMARY KEY)')
  })
  const writing = client.write()
  try {
    await client.more(20)
    await deploy('v2')
    await client.more(20)
    process.kill(Number(readFileSync(join(data, 'main/postmaster.pid'), 'utf8').split('\n')[0]), 'SIGKILL')
    await client.more(20)
    daemon.signal('SIGKILL')
    await daemon.ended
    await client.more(20)
    await host.startDaemon()
    await deploy('v3')
    await client.more(20)
    await host.done('service', 'delete', 'db', '--force')
    await deploy('v4')
    await client.more(20)
  } finally {
    client.end()
    await writing
  }
  const rows = new Set((await client.sql('SELECT id FROM rows')).split('\n').map(Number))
  expect(client.committed.filter((id) => !rows.has(id))).toEqual([])
  expect(readFileSync(join(data, 'log'), 'utf8')).not.toMatch(
    /lock file .* already exists|another postmaster/,
  )
  await host.done('service', 'delete', 'db', '--force', '--volumes')
})

test.each(['paused', 'stopped'])(
  'a backup under load (%s) is restored into a new service, with each row as it was',
  async (consistency) => {
    const host = openHost()
    await host.startDaemon()
    for (const dir of [host.dir, host.dataDir]) chmodSync(dir, 0o711)
    const dataOf = (service: string): string => join(host.dataDir, 'volumes/default', service, 'data.0/data')
    const [client, restored] = [new Client(dataOf('db')), new Client(dataOf('copy'))]
    const rows = 'SELECT id, text FROM rows ORDER BY id'
    await host.done('service', 'deploy', host.file('db.yml', manifest('v1')))
    await until(async () => {
      await client.sql(
        'CREATE TABLE IF NOT EXISTS rows (id int PRIMARY KEY, text text DEFAULT md5(random()::text))',
      )
    })
    const writing = client.write()
    const archive = join(host.dir, 'db.tar.zst')
    let before: readonly number[] = []
    try {
      await client.more(50)
      before = [...client.committed]
      await host.done('volume', 'backup', 'db.data.0', archive, '--consistency', consistency)
      await client.more(20)
    } finally {
      client.end()
      await writing
    }
    const origin = (await client.sql(rows)).split('\n')
    // What was paused has left its lock file with its number: PostgreSQL takes a server of that number for the one of the copy.
    await host.done('service', 'stop', 'db')
    await host.done('service', 'deploy', host.file('copy.yml', manifest('v1')), '--scale', '0')
    await host.done('volume', 'restore', archive, 'copy.data')
    await host.done('service', 'scale', 'copy', '1')
    let there: readonly string[] = []
    await until(async () => {
      there = (await restored.sql(rows)).split('\n')
    })
    // All that was committed before it, and nothing but what was written: whole rows, without a gap.
    expect(there).toEqual(origin.slice(0, there.length))
    const ids = new Set(there.map((row) => Number(row.split('|')[0])))
    expect(before.filter((id) => !ids.has(id))).toEqual([])
    for (const service of ['db', 'copy'])
      await host.done('service', 'delete', service, '--force', '--volumes')
  },
)
