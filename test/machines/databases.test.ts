// Databases in the volumes of slots, under load and under each driver: what was committed is there, whatever ends their
// programs, their daemon or what runs them, and no second program ever has the directory. `npm run databases` does it often, and more of it.
import { chmodSync, readdirSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest'
import { builtProgram } from '../cli/program.js'
import { hostsOf, useHosts } from '../e2e/host.js'
import { type Database, limitMs, rounds, type Site, survivesFaults } from './databases/faults.js'
import { databaseImage, importDatabases } from './databases/image.js'
import { postgres } from './databases/postgres.js'
import { sqlite } from './databases/sqlite.js'
import { type DockerHost, startDocker } from './docker-host.js'
import { onDocker } from './docker-place.js'
import { hostsOnSystemd } from './systemd-place.js'

const openProcessHost = useHosts()
const openSystemdHost = hostsOnSystemd()
let docker: DockerHost
const openDockerHost = hostsOf(
  builtProgram(join(import.meta.dirname, '../../dist/mariposa.js')),
  onDocker('databases', () => docker.socketPath),
)
beforeAll(async () => {
  docker = await startDocker()
  await importDatabases(docker.socketPath)
}, 300_000)
afterAll(() => docker?.stop(), 300_000)

const processes = (): Site => {
  const host = openProcessHost()
  const supervisor = (): number => supervisorOf(host.dataDir)
  return {
    name: 'process driver',
    host,
    kind: 'compute_type: process',
    dataOf: (service, slot) => join(host.dataDir, `volumes/default/${service}/data.${slot}/data`),
    opened: () => {
      for (const dir of [host.dir, host.dataDir]) chmodSync(dir, 0o711)
    },
    faults: {
      'a kill of the supervisor': async () => process.kill(supervisor(), 'SIGKILL'),
      'a kill of the supervisor and of programs': async (writers) => {
        for (const pid of [supervisor(), ...writers]) process.kill(pid, 'SIGKILL')
      },
    },
  }
}

/** What it has adopted from one before it has another parent: it is found by its own words. */
function supervisorOf(dataDir: string): number {
  const found = readdirSync('/proc').filter((name) => {
    const words = /^\d+$/.test(name) ? wordsOf(name) : []
    return (
      words.some((word) => word.endsWith('supervisor.mjs')) && words.some((word) => word.startsWith(dataDir))
    )
  })
  expect(found).toHaveLength(1)
  return Number(found[0])
}

function wordsOf(pid: string): readonly string[] {
  try {
    return readFileSync(`/proc/${pid}/cmdline`, 'utf8').split('\0')
  } catch {
    return []
  }
}

const systemd = (): Site => {
  const host = openSystemdHost()
  return {
    name: 'systemd',
    host,
    kind: 'compute_type: process',
    dataOf: (service, slot) =>
      join(inject('systemdMachine').root, host.dataDir, `volumes/default/${service}/data.${slot}/data`),
    faults: {},
  }
}

const containers = (): Site => ({
  name: 'Docker',
  host: openDockerHost(),
  kind: `image: ${databaseImage}`,
  dataOf: (service, slot) =>
    join(dirname(docker.socketPath), `root/volumes/default.${service}.data.${slot}/_data`),
  faults: {
    'a kill of dockerd': async () => {
      await docker.crash()
      await docker.recover()
    },
    'an end of dockerd': async () => {
      await docker.shutDown()
      await docker.recover()
    },
    'a loss of power': async () => {
      await docker.powerLoss()
      await docker.recover()
    },
  },
})

type Place = readonly [string, () => Site]
const usual: readonly Place[] = [
  ['under systemd', systemd],
  ['in containers', containers],
]
/** Only in a run of many rounds; PostgreSQL under the process driver has a file of its own where all tests run. */
const all: readonly Place[] = [
  ['under the process driver, also when its supervisor is killed', processes],
  ...usual,
]

function keeps(name: string, open: (site: Site) => Database, places: readonly Place[]): void {
  describe(`${name} keeps what is committed`, () => {
    for (const [place, siteOf] of places) {
      test(place, { timeout: limitMs }, async () => {
        const site = siteOf()
        await survivesFaults(site, open(site))
        expect(await site.host.service(open(site).service)).toBeUndefined()
      })
    }
  })
}

keeps('PostgreSQL', postgres, rounds > 1 ? all : usual)
if (rounds > 1) keeps('SQLite in three slots', sqlite, all)
