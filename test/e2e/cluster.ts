// Several machines on this host: a daemon each, under a machine id of its own, with a network of its own to one etcd.
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, afterEach, expect } from 'vitest'
import { ClientError } from '../../src/client/client-error.js'
import { type Client, connect } from '../../src/client/io/client.js'
import { builtProgram, type Program, type RunningProgram } from '../cli/program.js'
import { type FleetClient, fleetClient } from '../fleet/client.js'
import { type EtcdHost, startEtcd } from '../machines/etcd-host.js'
import { type Network, openProxy } from '../machines/proxy.js'
import { removeDir } from '../remove-dir.js'
import { type Host, hostsOf } from './host.js'
import { allProcesses, endSupervisor, readProc } from './processes.js'

const file = join(import.meta.dirname, '../../dist/mariposa.js')

/** The program as on a machine of that id: /etc/machine-id is another file for it alone. */
export function programOf(machineId: string): Program {
  const dir = mkdtempSync(join(tmpdir(), 'machine-'))
  const id = join(dir, 'id')
  writeFileSync(id, `${machineId}\n`)
  afterAll(() => removeDir(dir))
  const asMachine = 'mount --bind "$0" /etc/machine-id && exec "$@"'
  return builtProgram(file, () => [
    'unshare',
    '--fork',
    '--mount',
    '--propagation',
    'private',
    'sh',
    '-c',
    asMachine,
    id,
  ])
}

export interface Cluster {
  readonly etcd: EtcdHost
  /** The first leads, at the beginning. */
  readonly machines: readonly [ClusterMachine, ClusterMachine, ClusterMachine]
}

export interface ClusterMachine {
  readonly id: string
  readonly host: Host
  readonly client: Client
  readonly fleet: FleetClient
  /** Its ways to etcd, one per member. */
  readonly networks: readonly Network[]
  /** Starts its daemon; resolves when that is ready. */
  start(...args: readonly string[]): Promise<RunningProgram>
  /** Kills its daemon alone: what it runs goes on. */
  kill(): Promise<void>
  /** Kills all that is its own, as a loss of power would: its daemon, its supervisor, and the programs. */
  crash(): Promise<void>
  /** Names of the instances whose program runs here, as the kernel has them. */
  programs(): readonly string[]
}

export interface ClusterOptions {
  readonly members?: 1 | 3
  /** The first machine decides and runs nothing. */
  readonly leaderAlone?: boolean
}

/**
 * How long after its last sign a machine of these clusters counts as lost. On a busy machine a shorter one ends while its
 * daemon lives, and where two of three vanish together nothing is replaced for minutes.
 */
export const agentTtlSeconds = 10

/** What runs the units of a cluster's machines, and the environment that the daemon of each (0, 1, 2) needs for it. */
export interface ClusterDriver {
  readonly driver: 'process' | 'docker'
  env(machine: number): Readonly<Record<string, string>>
}

const processes: ClusterDriver = { driver: 'process', env: () => ({}) }

/** Clusters of three machines for the tests of a file; what ran on them is gone after each. */
export function useClusters(kind = processes): (options?: ClusterOptions) => Promise<Cluster> {
  const ending: (() => Promise<void>)[] = []
  // Hooks run last first: the hosts end while etcd is still there.
  afterEach(async () => {
    for (const end of ending.splice(0).reverse()) await end()
  })
  let ways: readonly (readonly Network[])[] = []
  const hosts = ['a', 'b', 'c'].map((letter, at) =>
    hostsOf(programOf(letter.repeat(32)), () =>
      placeOf(
        { driver: kind.driver, env: kind.env(at) },
        (ways[at] ?? []).map(({ address }) => address),
      ),
    ),
  )
  return async ({ members = 1, leaderAlone = false } = {}) => {
    const etcd = await startEtcd({ members })
    ending.push(() => etcd.stop())
    ways = await Promise.all(hosts.map(() => Promise.all(etcd.members.map(({ port }) => openProxy(port)))))
    for (const network of ways.flat()) ending.push(() => network.close())
    const machines = hosts.map((open, at) => machineOf('abc'.charAt(at).repeat(32), open(), ways[at] ?? []))
    const [first, ...others] = machines
    const leader = await first?.start(...(leaderAlone ? ['--no-agent'] : []))
    await leader?.said('became leader')
    await Promise.all(others.map((machine) => machine.start()))
    return { etcd, machines: machines as unknown as Cluster['machines'] }
  }
}

function placeOf(
  { driver, env }: { driver: string; env: Readonly<Record<string, string>> },
  endpoints: readonly string[],
) {
  const dir = mkdtempSync(join(tmpdir(), 'mariposa-cluster-'))
  return {
    driver,
    env: {
      ...env,
      MARIPOSA_STORE: `etcd://${endpoints.join(',')}`,
      MARIPOSA_AGENT_TTL: `${agentTtlSeconds}s`,
    },
    makeDir: () => ({ inside: dir, outside: dir }),
  }
}

function machineOf(id: string, host: Host, networks: readonly Network[]): ClusterMachine {
  const socket = join(host.dir, 'mariposa.sock')
  let daemon: RunningProgram | null = null
  const kill = async (): Promise<void> => {
    daemon?.signal('SIGKILL')
    await daemon?.ended
    rmSync(socket, { force: true })
  }
  return {
    id,
    host,
    client: connect({ kind: 'unix', path: socket }),
    fleet: fleetClient(socket),
    networks,
    start: async (...args) => {
      daemon = await host.startDaemon(...args)
      return daemon
    },
    kill,
    crash: async () => {
      await kill()
      endSupervisor(host.dataDir)
    },
    programs: () => programsUnder(host.dataDir).map(({ name }) => name),
  }
}

/** What the supervisor of a data directory runs, by the name that each program was given. */
export function programsUnder(dataDir: string): readonly { name: string; pid: string; parent: string }[] {
  return allProcesses().flatMap(({ pid, parent }) => {
    const name = /(?:^|\0)INSTANCE=([^\0]*)/.exec(readProc(pid, 'environ'))?.[1]
    if (name === undefined) return []
    return readProc(parent, 'cmdline').includes(dataDir) ? [{ name, pid, parent }] : []
  })
}

/** A service that does nothing, and can be seen doing it. */
export function idleManifest(version = '1'): string {
  return `compute_type: process
command: [/bin/sleep, "100000"]
environment: {INSTANCE: "{{ .instance.name }}", VERSION: "${version}"}
memory: 16M
stop: {timeout: 2, preservestopped: "no"}
`
}

/** Resolves when what is asked for holds; says what was seen last when the test's time is up. */
export async function until(look: () => Promise<void> | void): Promise<void> {
  const giveUpAt = performance.now() + 120_000
  for (;;) {
    try {
      await look()
      return
    } catch (error) {
      if (performance.now() > giveUpAt) throw error
      await new Promise((resolve) => setTimeout(resolve, 100))
    }
  }
}

/**
 * Resolves when desired equals observed: as many instances as were asked for, all running, each as one program on the
 * machine where the cluster has placed it, and no other program anywhere but on machines that are `away`.
 */
export async function settled(
  cluster: Cluster,
  asked: ClusterMachine,
  scale: number,
  away: readonly ClusterMachine[] = [],
): Promise<void> {
  const here = cluster.machines.filter((machine) => !away.includes(machine))
  await until(async () => {
    const instances = await asked.client.instances('default', null)
    const there = instances.filter(({ state }) => away.length === 0 || state !== 'lost')
    expect(there.map(({ state }) => state)).toEqual(Array(scale).fill('running'))
    const placed = [...there, ...(await plainUnits(asked))]
    expect(placed.filter(({ machine }) => machine === null)).toEqual([])
    for (const machine of here) {
      const wanted = placed.filter((one) => one.machine === machine.id).map(({ name }) => name)
      expect([...machine.programs()].sort()).toEqual(wanted.sort())
    }
    for (const machine of away) expect(placed.filter((one) => one.machine === machine.id)).toEqual([])
  })
}

export interface PlainUnit {
  readonly name: string
  readonly machine: string | null
}

const plainName = /^plain-\d+\.service$/

/** Launches plain units, as many as there are machines, by number; a unit keeps its name wherever it is placed. */
export async function launchPlainUnits({ machines }: Cluster, from = 0): Promise<void> {
  for (const [at, { fleet }] of machines.entries()) {
    const name = `plain-${from + at}.service`
    const options = [
      { section: 'Service', name: 'ExecStart', value: '/bin/sleep 100000' },
      { section: 'Service', name: 'Environment', value: `INSTANCE=${name}` },
    ]
    await fleet.ask('PUT', `/units/${name}`, { name, desiredState: 'launched', options })
  }
}

/** The plain units and where each is placed. */
export async function plainUnits({ fleet }: ClusterMachine): Promise<readonly PlainUnit[]> {
  const { json } = await fleet.ask('GET', '/units')
  const { units = [] } = json as { units?: readonly { name: string; machineID?: string }[] }
  return units
    .filter(({ name }) => plainName.test(name))
    .map(({ name, machineID }) => ({ name, machine: machineID ?? null }))
}

export interface Writer {
  /** Ends the writing, when at least so many more writes were acknowledged. */
  stop(more?: number): Promise<void>
  /** Throws unless a machine has every write that was acknowledged. */
  allKept(machine: ClusterMachine): Promise<void>
}

/** Writes on and on by way of a machine. A write that is refused because etcd is away may be lost, no other. */
export function startWriting({ client }: ClusterMachine): Writer {
  const acknowledged = new Map<string, string>()
  let wanted = Number.POSITIVE_INFINITY
  const write = async (n: number): Promise<void> => {
    const [key, value] = [`w${n % 200}.n${n}`, String(n)]
    try {
      await client.metaSet('default', key, { value })
      acknowledged.set(key, value)
    } catch (error) {
      expect(error).toBeInstanceOf(ClientError)
      expect(error).toMatchObject({ code: 'store/unreachable' })
    }
  }
  const done = (async () => {
    for (let n = 0; acknowledged.size < wanted; n++) {
      await write(n)
      await new Promise((resolve) => setTimeout(resolve, 20))
    }
  })()
  return {
    stop: async (more = 5) => {
      wanted = acknowledged.size + more
      await done
    },
    allKept: async (machine) => {
      expect(acknowledged.size).toBeGreaterThan(0)
      await until(async () => {
        const kept = new Map((await machine.client.meta('default')).map(({ key, value }) => [key, value]))
        expect([...acknowledged].filter(([key, value]) => kept.get(key) !== value)).toEqual([])
      })
    },
  }
}
