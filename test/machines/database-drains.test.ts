// PostgreSQL on a machine that is drained with its volumes, under the process driver and in a container: what was committed goes to the other
// machine, and no second server ever has the directory. Under systemd test/machines/cluster/databases.test.ts shows it.
import { chmodSync, existsSync, readdirSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { VolumeBody } from '../../src/contract/contract.js'
import type { Host } from '../e2e/host.js'
import { idA, idB, type Pairs, usePairs } from '../e2e/pair.js'
import { databaseImage, importDatabases } from './databases/image.js'
import { CommittingClient, isPostmaster, postgresManifest } from './databases/postgres.js'
import { watchWriters } from './databases/sole-writer.js'
import { type DockerHost, startDocker } from './docker-host.js'

const namesIn = (dir: string): readonly string[] => (existsSync(dir) ? readdirSync(dir) : [])

/** Where a server listens, of the directories in which one may; the first one while there is none. */
function listening(dirs: readonly string[]): string {
  return dirs.find((dir) => existsSync(join(dir, '.s.PGSQL.5432'))) ?? dirs[0] ?? '/nowhere'
}

/** Drains the machine of a server there and back, while a client commits. */
async function survivesDrains(a: Host, kind: string, sockets: () => string): Promise<void> {
  await a.done('machine', 'cordon', idB)
  await a.done('service', 'deploy', a.file('db.yml', postgresManifest(`${kind}\nuser: postgres`, 'v1')))
  await a.done('machine', 'uncordon', idB)
  const client = new CommittingClient(sockets)
  const watch = watchWriters(isPostmaster)
  await client.begin()
  try {
    await client.more(500)
    for (const [from, to] of [
      [idA, idB],
      [idB, idA],
    ] as const) {
      await a.done('machine', 'drain', from, '--volumes')
      const listed = await a.done('volume', 'list', '--json')
      const current = (JSON.parse(listed.stdout) as readonly VolumeBody[]).filter((volume) => volume.current)
      expect(current.map(({ machine }) => machine)).toEqual([to])
      await client.more(200)
      expect(await client.missing(), `committed before the drain of ${from}`).toEqual([])
      await a.done('machine', 'uncordon', from)
    }
  } finally {
    await client.end()
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
    await survivesDrains(a, 'compute_type: process', () => listening(dirs()))
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
    await survivesDrains(a, `image: ${databaseImage}`, () => listening(dirs()))
  })
})
