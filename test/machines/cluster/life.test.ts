// The life of a service on a cluster of three, with systemd's units, the real command line on the host, and etcd.
import { mkdtempSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import type { Instance } from '../../../src/model/service.js'
import { type ClusterView, type ServiceKey, serviceKey } from '../../../src/store/view.js'
import { builtProgram } from '../../cli/program.js'
import {
  describeLife,
  done,
  idleManifest,
  instancesOf,
  ordinalsOf,
  remove,
  type Site,
} from '../../e2e/life.js'
import { describeWalk } from '../../e2e/walk.js'
import { removeDir } from '../../remove-dir.js'
import { insideMachine } from '../nspawn.js'
import { type Cluster, startCluster } from './cluster.js'
import type { ClusterMachine } from './cluster-machine.js'
import { tellOf } from './workload.js'

/** Longer than it takes another machine to take the lead (10 s) and a daemon of a busy host to start: a third may be over. */
const ttlSeconds = 40
const program = builtProgram(join(import.meta.dirname, '../../../dist/mariposa.js'))
const dir = mkdtempSync(join(tmpdir(), 'mariposa-life-'))

let cluster: Cluster
beforeAll(async () => {
  cluster = await startCluster({ ttlSeconds, tls: true })
})
afterAll(async () => {
  await cluster?.stop()
  removeDir(dir)
})
beforeEach(({ onTestFailed }) => onTestFailed(() => tellOf(cluster)))

/** One that does not lead: it is the one that operators ask. */
function follower(): ClusterMachine {
  const leader = cluster.leader()
  const found = cluster.machines.find((machine) => machine !== leader)
  if (found === undefined) throw new Error('no follower')
  return found
}

function openSite(): Site {
  const operatorsAsk = follower()
  const options = () => ({ env: { MARIPOSA_ENDPOINT: `unix://${operatorsAsk.socket}` }, cwd: dir })
  return {
    node: insideMachine.node,
    socket: () => operatorsAsk.socket,
    run: (...args) => program.run(args, options()),
    feed: (stdin, ...args) => program.run(args, { ...options(), stdin }),
    start: (...args) => program.start(args, options()),
    file: (name, text) => {
      writeFileSync(join(dir, name), text)
      return join(dir, name)
    },
    hostOf: ({ machine }) => cluster.machines.find(({ id }) => id === machine)?.address ?? '',
    killProgram: async ({ machine, pid }) => {
      const found = cluster.machines.find(({ id }) => id === machine)
      await found?.run('kill', '-9', String(pid))
    },
    killLeader: async () => {
      const leader = cluster.leader()
      await leader.daemon.kill()
      await cluster.until('another leads', ({ leader: now }) => now !== null && now.machine !== leader.id)
      await leader.daemon.start()
    },
  }
}

describeLife('a cluster of three', openSite)
describeWalk('a cluster of three', openSite)

describe('a machine that is away and returns with its instances', () => {
  const service = serviceKey('default', 'seed')
  const scale = 6

  const up = (view: ClusterView): readonly Instance[] => runningOf(view, service)

  test('leaves the service at the scale that was asked for, never below it once replacements are up', async () => {
    const site = openSite()
    await done(
      site,
      'service',
      'add',
      'seed',
      site.file('seed.yml', idleManifest('1')),
      '--scale',
      String(scale),
    )
    const away = cluster.machines.find(
      ({ socket, id }) => socket !== site.socket() && id !== cluster.leader().id,
    )
    if (away === undefined) throw new Error('no third machine')
    const had = (await instancesOf(site, 'seed')).filter(({ machine }) => machine === away.id)
    expect(had).toHaveLength(2)
    away.cutOff()
    await cluster.until('the machine is lost', (view) => !view.machines.has(away.id))
    await cluster.until('others run what it ran', (view) => up(view).length === scale)
    let fewest = scale
    let most = scale
    away.plugIn()
    await cluster.until('all is as asked', (view) => {
      const count = up(view).length
      fewest = Math.min(fewest, count)
      most = Math.max(most, count)
      return most > scale && view.instancesOf(service).length === scale && count === scale
    })
    expect([fewest, most]).toEqual([scale, scale + had.length])
    await cluster.settles()
    // What is too many went by the selection policy: the oldest, wherever they were.
    expect((await instancesOf(site, 'seed')).map(({ name }) => name)).toEqual(
      [3, 4, 5, 6, 7, 8].map((n) => `seed-${n}`),
    )
    expect(await ordinalsOf(site, 'seed')).toEqual(Array(scale).fill(1))
    const { stdout } = await done(
      site,
      'events',
      '--machine',
      away.id,
      '--kind',
      'machine-lost,machine-joined',
      '-H',
    )
    expect(
      stdout
        .trim()
        .split('\n')
        .map((line) => line.split(/ +/)[1]),
    ).toEqual(['machine-joined', 'machine-lost', 'machine-joined'])
    await remove(site, 'seed')
  })
})

/** Where a daemon of these machines secret key loaded, unless it is told otherwise. */
const keyFile = '/var/lib/mariposa/secret.key'

describe('a secret of the metadata', () => {
  test('reaches the programs of every machine that has the key, and is shown by no command', async () => {
    const site = openSite()
    const asked = cluster.machines.find(({ socket }) => socket === site.socket())
    await done(site, 'meta', 'set', 'password', 'correct-horse', '--secret')
    const key = (await asked?.run('base64', '-w0', keyFile)) ?? ''
    for (const machine of cluster.machines.filter((one) => one !== asked))
      await machine.run('sh', '-c', `umask 077; echo ${key} | base64 -d > ${keyFile}`)
    const manifest = idleManifest('1').replace('VERSION: "1"', 'PASSWORD: "{{ .meta.password }}"')
    await done(site, 'service', 'add', 'safe', site.file('safe.yml', manifest), '--scale', '3')
    const instances = await instancesOf(site, 'safe')
    expect(new Set(instances.map(({ machine }) => machine)).size).toBe(3)
    for (const { name } of instances) {
      const inside = await done(site, 'service', 'exec', name, '--', '/bin/sh', '-c', 'echo "$PASSWORD"')
      expect([name, inside.stdout]).toEqual([name, 'correct-horse\n'])
    }
    for (const looking of [
      ['meta', 'list', '--json'],
      ['service', 'get', 'safe', '--json'],
      ['events', '--jsonl'],
      ['unit', 'list', '--json'],
    ])
      expect((await done(site, ...looking)).stdout).not.toContain('correct-horse')
    await remove(site, 'safe')
    await done(site, 'meta', 'rm', 'password')
  })
})

describe('most machines that go away together', () => {
  test('are waited for, until an operator lets their instances be replaced; the surplus goes when they are back', async () => {
    const site = openSite()
    const service = serviceKey('default', 'storm')
    await done(site, 'service', 'add', 'storm', site.file('storm.yml', idleManifest('1')), '--scale', '6')
    const away = cluster.machines.filter(({ socket }) => socket !== site.socket())
    for (const machine of away) machine.cutOff()
    // The first one that is missed is lost as any other; with the second it is most of them.
    await cluster.until('what they ran is lost', (view) => {
      const there = view.instancesOf(service).filter(({ unit }) => {
        const machine = view.placements.get(unit)?.machine
        return machine === undefined || view.machines.has(machine)
      })
      const away = view.instancesOf(service).filter((one) => !there.includes(one))
      return view.machines.size === 1 && away.length >= 4 && away.every((one) => one.lost !== null)
    })
    const states = (await instancesOf(site, 'storm')).map(({ state }) => state)
    expect(states.filter((state) => state === 'lost').length).toBeGreaterThanOrEqual(4)
    expect(states.filter((state) => state !== 'lost').length).toBeLessThan(6)
    await done(site, 'queue', 'release', '--service', 'storm')
    await cluster.until('others run in their place', (view) => runningOf(view, service).length === 6)
    for (const machine of away) machine.plugIn()
    let fewest = 6
    await cluster.until('all is as asked', (view) => {
      const running = runningOf(view, service).length
      fewest = Math.min(fewest, running)
      return view.machines.size === 3 && view.instancesOf(service).length === 6 && running === 6
    })
    expect(fewest).toBe(6)
    await cluster.settles()
    await remove(site, 'storm')
  })
})

/** The instances that count: wanted, and running on a machine that is there. */
function runningOf(view: ClusterView, service: ServiceKey): readonly Instance[] {
  return view.instancesOf(service).filter(({ unit, retired }) => {
    const machine = view.placements.get(unit)?.machine
    const isThere = machine !== undefined && view.machines.has(machine)
    return retired === null && isThere && view.reportOf(unit)?.active === 'active'
  })
}
