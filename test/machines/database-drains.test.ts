// PostgreSQL, and SQLite in three slots, on a machine that is drained with its volumes: what was committed goes to the other
// machine, and no second server ever has the directory. Under systemd test/machines/cluster/databases.test.ts shows it.
import { chmodSync, existsSync, readdirSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { VolumeBody } from '../../src/contract/contract.js'
import type { Host } from '../e2e/host.js'
import { idA, idB, type Pairs, usePairs } from '../e2e/pair.js'
import type { Database } from './databases/faults.js'
import { databaseImage, importDatabases } from './databases/image.js'
import { CommittingClient, isPostmaster, postgresManifest } from './databases/postgres.js'
import { watchWriters } from './databases/sole-writer.js'
import { sqlite } from './databases/sqlite.js'
import { type DockerHost, startDocker } from './docker-host.js'

const namesIn = (dir: string): readonly string[] => (existsSync(dir) ? readdirSync(dir) : [])

/** Where a server listens, of the directories in which one may; the first one while there is none. */
function listening(dirs: readonly string[]): string {
  return dirs.find((dir) => existsSync(join(dir, '.s.PGSQL.5432'))) ?? dirs[0] ?? '/nowhere'
}

/** Where a slot has its data now: its volume has a higher generation after each move, and is whole once it has what was told last. */
function newestOf(hosts: readonly Host[], service: string, slot: number): string {
  const found = hosts.flatMap(({ dataDir }) => {
    const volumes = join(dataDir, 'volumes/default', service)
    return namesIn(volumes).flatMap((name) => {
      const [, of, generation = '0'] = /^data\.(\d+)(?:\.(\d+))?$/.exec(name) ?? []
      const dir = join(volumes, name, 'data')
      return of === `${slot}` && existsSync(join(dir, 'told'))
        ? [{ dir, generation: Number(generation) }]
        : []
    })
  })
  return found.toSorted((one, other) => one.generation - other.generation).at(-1)?.dir ?? '/nowhere'
}

/** A server in slot 0, and a client of it. */
function postgres(kind: string, sockets: () => string): Drained {
  const client = new CommittingClient(sockets)
  return {
    service: 'db',
    scale: 1,
    manifest: (version) => postgresManifest(`${kind}\nuser: postgres`, version),
    isWriter: isPostmaster,
    begin: () => client.begin(),
    more: () => client.more(200),
    missing: () => client.missing(),
    end: () => client.end(),
  }
}

interface Drained
  extends Pick<Database, 'service' | 'scale' | 'manifest' | 'isWriter' | 'begin' | 'more' | 'missing'> {
  end(): Promise<unknown>
}

/** Drains the machine of a database there and back, while it commits. */
async function survivesDrains(a: Host, database: Drained): Promise<void> {
  await a.done('machine', 'cordon', idB)
  await a.done(
    'service',
    'deploy',
    a.file(`${database.service}.yml`, database.manifest('v1')),
    '--scale',
    `${database.scale}`,
  )
  await a.done('machine', 'uncordon', idB)
  const watch = watchWriters(database.isWriter)
  await database.begin()
  try {
    await database.more()
    for (const [from, to] of [
      [idA, idB],
      [idB, idA],
    ] as const) {
      await a.done('machine', 'drain', from, '--volumes')
      const listed = await a.done('volume', 'list', '--json')
      const current = (JSON.parse(listed.stdout) as readonly VolumeBody[]).filter((volume) => volume.current)
      expect(current.map(({ machine }) => machine)).toEqual(Array.from({ length: database.scale }, () => to))
      await database.more()
      expect(await database.missing(), `committed before the drain of ${from}`).toEqual([])
      await a.done('machine', 'uncordon', from)
    }
  } finally {
    await database.end()
  }
  const { together, looks } = await watch.end()
  expect(together).toEqual([])
  expect(looks).toBeGreaterThan(0)
}

async function running(pairs: Pairs): Promise<{ readonly a: Host; readonly b: Host }> {
  const { a, b } = await pairs.openWithTls()
  for (const { dir, dataDir } of [a, b]) for (const one of [dir, dataDir]) chmodSync(one, 0o711)
  return { a, b }
}

describe('under the process driver', () => {
  const pairs = usePairs()

  test('a drain with volumes takes a database along', { timeout: 400_000 }, async () => {
    const { a, b } = await running(pairs)
    const dirs = () =>
      [a, b].flatMap(({ dataDir }) => {
        const volumes = join(dataDir, 'volumes/default/db')
        return namesIn(volumes).map((name) => join(volumes, name, 'data'))
      })
    await survivesDrains(
      a,
      postgres('compute_type: process', () => listening(dirs())),
    )
  })

  test('a drain with volumes takes all slots along', { timeout: 400_000 }, async () => {
    const { a, b } = await running(pairs)
    const dataOf = (service: string, slot: number): string => newestOf([a, b], service, slot)
    await survivesDrains(a, sqlite({ host: a, kind: 'compute_type: process', dataOf }))
  })
})

describe('in a container', () => {
  const dockers: DockerHost[] = []
  beforeAll(async () => {
    for (let number = 0; number < 2; number++) {
      const docker = await startDocker()
      dockers.push(docker)
      await importDatabases(docker.socketPath)
    }
  }, 300_000)
  afterAll(async () => {
    for (const docker of dockers) await docker.stop()
  }, 300_000)
  const kindOf = (number: number) => () => ({
    driver: 'docker',
    env: { DOCKER_HOST: `unix://${dockers[number]?.socketPath}` },
  })
  const pairs = usePairs(kindOf(1), kindOf(0))

  test('a drain with volumes takes a database along', { timeout: 400_000 }, async () => {
    const { a } = await running(pairs)
    const dirs = () =>
      dockers.flatMap(({ socketPath }) => {
        const volumes = join(dirname(socketPath), 'root/volumes')
        return namesIn(volumes)
          .filter((name) => name.startsWith('default.db.data.0'))
          .map((name) => join(volumes, name, '_data'))
      })
    await survivesDrains(
      a,
      postgres(`image: ${databaseImage}`, () => listening(dirs())),
    )
  })
})
