// PostgreSQL on machines that are drained, lose power or are cut off: what was committed goes with its volume, and no second
// server ever has the directory. `npm run databases` does it often.
import { existsSync, mkdtempSync, readdirSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { VolumeBody } from '../../../src/contract/contract.js'
import { builtProgram, type Run } from '../../cli/program.js'
import { removeDir } from '../../remove-dir.js'
import { rounds } from '../databases/faults.js'
import { CommittingClient, isPostmaster, postgresManifest } from '../databases/postgres.js'
import { watchWriters } from '../databases/sole-writer.js'
import { type Cluster, startCluster } from './cluster.js'
import type { ClusterMachine } from './cluster-machine.js'
import { tellOf } from './workload.js'

const program = builtProgram(join(import.meta.dirname, '../../../dist/mariposa.js'))
const dir = mkdtempSync(join(tmpdir(), 'mariposa-databases-'))

let cluster: Cluster
beforeAll(async () => {
  cluster = await startCluster({ machines: 2, ttlSeconds: 15, tls: true })
})
afterAll(async () => {
  await cluster?.stop()
  removeDir(dir)
})

/** Asks the daemon of the machine that is there, or of the first one. */
async function done(...args: readonly string[]): Promise<Run> {
  const asked = cluster.machines.find(({ isThere }) => isThere)
  const ended = await program.run(args, { env: { MARIPOSA_ENDPOINT: `unix://${asked?.socket}` }, cwd: dir })
  if (ended.code !== 0) throw new Error(`${args.join(' ')}: exit ${ended.code}\n${ended.stderr}`)
  return ended
}

/** The machine that has the volume of the slot, and the other one. */
async function placed(): Promise<{ readonly holder: ClusterMachine; readonly other: ClusterMachine }> {
  const volumes = JSON.parse((await done('volume', 'list', '--json')).stdout) as readonly VolumeBody[]
  const current = volumes.find((volume) => volume.current)
  const holder = cluster.machines.find(({ id }) => id === current?.machine)
  const other = cluster.machines.find((machine) => machine !== holder)
  if (holder === undefined || other === undefined)
    throw new Error(`nobody has the volume: ${JSON.stringify(volumes)}`)
  return { holder, other }
}

/** Where a server listens, whichever machine it is on; a directory without one while there is none. */
function sockets(): string {
  for (const machine of cluster.machines.filter(({ isThere }) => isThere)) {
    const volumes = join(machine.socket, '../../../var/lib/mariposa/volumes/default/db')
    const found = listOf(volumes).map((volume) => join(volumes, volume, 'data'))
    const listening = found.find(
      (data) => existsSync(join(data, '.s.PGSQL.5432')) && existsSync(join(data, 'main')),
    )
    if (listening !== undefined) return listening
  }
  return dir
}

function listOf(path: string): readonly string[] {
  try {
    return readdirSync(path)
  } catch {
    return []
  }
}

test('keeps what is committed through drains, moves, losses of power and of the link', {
  timeout: 180_000 + rounds * 120_000,
}, async ({ onTestFailed }) => {
  onTestFailed(() => tellOf(cluster))
  const file = join(dir, 'db.yml')
  writeFileSync(file, postgresManifest('compute_type: process\nuser: postgres', 'v1'))
  await done('service', 'deploy', file)
  const client = new CommittingClient(sockets)
  const watch = watchWriters(isPostmaster)
  const isGone = (machine: ClusterMachine) =>
    cluster.until('it is lost', (view) => !view.machines.has(machine.id))
  const faults: Readonly<Record<string, () => Promise<void>>> = {
    'a drain': async () => {
      const { holder, other } = await placed()
      await done('machine', 'drain', holder.id, '--volumes')
      expect((await placed()).holder).toBe(other)
      await done('machine', 'uncordon', holder.id)
    },
    'a loss of power': async () => {
      const { holder } = await placed()
      await holder.cutPower()
      await holder.boot()
    },
    'a loss of power for longer than its lease': async () => {
      const { holder } = await placed()
      await holder.cutPower()
      await isGone(holder)
      await holder.boot()
    },
    'a kill of the daemon': async () => {
      const { holder } = await placed()
      await holder.daemon.kill()
      await client.more(200)
      await holder.daemon.start()
    },
    'a lost link in a move': async () => {
      const { holder, other } = await placed()
      await done('volume', 'move', 'db.data.0', other.id, '--detach')
      holder.cutOff()
      await isGone(holder)
      holder.plugIn()
      await cluster.until('the move is over', ({ machines }) => machines.has(holder.id))
    },
  }
  const from = performance.now()
  await client.begin()
  try {
    await client.more(1000)
    for (let round = 0; round < rounds; round++) {
      for (const [name, happens] of Object.entries(faults)) {
        await happens()
        await client.more(200)
        expect(await client.missing(), `committed before ${name}`).toEqual([])
      }
    }
  } finally {
    await client.end()
  }
  const seconds = (performance.now() - from) / 1000
  const { together, looks } = await watch.end()
  expect(together).toEqual([])
  expect(looks).toBeGreaterThan(20)
  console.info(
    `PostgreSQL on two machines: ${client.committed} commits in ${Math.round(seconds)} s through ${rounds * Object.keys(faults).length} faults; none for ${(client.longestGapMs / 1000).toFixed(1)} s at the most`,
  )
})
