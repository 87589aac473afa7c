// A cluster for tests: real machines on a network of their own, each with the built daemon, and a real etcd on the host.
// What happens in it is followed by watching, not by waiting.
import type { MachineId } from '../../../src/model/machine.js'
import type { UnitName } from '../../../src/model/unit.js'
import { openEtcdStore } from '../../../src/store/io/etcd/etcd.js'
import { openRegistry, type Registry } from '../../../src/store/io/registry.js'
import { keys } from '../../../src/store/records.js'
import type { ClusterView } from '../../../src/store/view.js'
import { makeCertificates } from '../../e2e/certificates.js'
import { type EtcdHost, startEtcd } from '../etcd-host.js'
import { bindsOf } from '../host-programs.js'
import { ensureBase } from '../nspawn.js'
import { type Network, openProxy } from '../proxy.js'
import { addBridge } from './bridge.js'
import { type ClusterMachine, startClusterMachine } from './cluster-machine.js'
import { differencesOf, type Found } from './differences.js'

export interface Cluster {
  /** Also those that have no power. */
  readonly machines: readonly ClusterMachine[]
  readonly etcd: EtcdHost
  /** Between the machines and each member of etcd. */
  readonly networks: readonly Network[]
  /** The cluster as it is in the store, kept current by watching. */
  readonly view: ClusterView
  machine(name: string): ClusterMachine
  leader(): ClusterMachine
  /** Resolves when the view has these units as the store has them now, also after the watching was broken off. */
  sees(units: readonly UnitName[]): Promise<void>
  /** Resolves as soon as the view is as wanted; `what` is said where it does not become so. */
  until(what: string, isSo: (view: ClusterView) => boolean): Promise<void>
  /**
   * Resolves when all is as desired: systemd of each machine that is there has what is placed there, in the state that
   * is wanted, nothing is anywhere twice, and all is told as it is.
   */
  settles(except?: Except): Promise<void>
  stop(): Promise<void>
}

export interface Except {
  /** Units that are to have no place. */
  readonly waiting?: readonly string[]
  /** Units whose names begin so are not looked at: they are being written. */
  readonly leavingOut?: string
}

export interface ClusterOptions {
  readonly machines?: number
  readonly etcd?: 1 | 3
  /** Seconds until a machine that says nothing counts as lost. */
  readonly ttlSeconds?: number
  /** Metadata by machine, `region=eu,disk=ssd`. */
  readonly metadata?: readonly string[]
  readonly jumpingClocks?: boolean
  /** Whether the machines ask each other for what only one of them can tell. */
  readonly tls?: boolean
  /** Each machine has a Docker of its own, in its own network. */
  readonly docker?: boolean
  /** Programs of the host that the machines have as well. */
  readonly programs?: readonly string[]
  /** Further options of every daemon. */
  readonly daemon?: readonly string[]
}

const patienceMs = 120_000

/** Longer than a busy host holds up a daemon: none is lost that a test does not take away. */
const usualTtlSeconds = 20

/** Boots a cluster; resolves when all its machines are there and one leads. */
export async function startCluster(options: ClusterOptions = {}): Promise<Cluster> {
  const { machines: count = 3, etcd: members = 1 } = options
  await ensureBase()
  const undo: (() => Promise<void> | void)[] = []
  const stop = async (): Promise<void> => {
    for (const step of undo.splice(0).reverse()) await step()
  }
  try {
    const etcd = await startEtcd({ members })
    undo.push(() => etcd.stop())
    const bridge = addBridge()
    undo.push(() => bridge.remove())
    const networks = await Promise.all(etcd.members.map(({ port }) => openProxy(port, bridge.host)))
    undo.push(async () => void (await Promise.all(networks.map((network) => network.close()))))
    const registry = await openRegistry(openEtcdStore(etcd.options), { onError: () => {}, patienceMs: 2000 })
    undo.push(() => registry.store.close())
    undo.push(() => registry.close())
    const addresses = Array.from({ length: count }, (_, n) => bridge.addressOf(n).replace(/\/\d+$/, ''))
    const certificates = options.tls === true ? makeCertificates(addresses) : null
    const binds = await bindsOf(...(options.programs ?? []))
    const store = `etcd://${networks.map((network) => network.address).join(',')}`
    const starting = await Promise.allSettled(
      Array.from({ length: count }, (_, n) =>
        startClusterMachine({
          n,
          bridge,
          daemon: daemonOptions(store, n, options),
          jumpingClock: options.jumpingClocks ?? false,
          certificates,
          docker: options.docker ?? false,
          binds,
        }),
      ),
    )
    const machines = starting.flatMap((start) => (start.status === 'fulfilled' ? [start.value] : []))
    undo.push(async () => void (await Promise.all(machines.map((machine) => machine.remove()))))
    for (const start of starting) if (start.status === 'rejected') throw start.reason
    const cluster = openCluster(machines, etcd, networks, registry, stop)
    await cluster.until('somebody leads', (view) => view.leader !== null && view.machines.size === count)
    return cluster
  } catch (error) {
    await stop()
    throw error
  }
}

function daemonOptions(
  store: string,
  n: number,
  { ttlSeconds = usualTtlSeconds, metadata, daemon = [] }: ClusterOptions,
): readonly string[] {
  const given = metadata?.[n] ?? ''
  const own = given === '' ? [] : ['--metadata', given]
  return ['--store', store, '--agent-ttl', `${ttlSeconds}s`, ...own, ...daemon]
}

function openCluster(
  machines: readonly ClusterMachine[],
  etcd: EtcdHost,
  networks: readonly Network[],
  registry: Registry,
  stop: () => Promise<void>,
): Cluster {
  const { view } = registry
  const byId = (id: MachineId | undefined): ClusterMachine => {
    const machine = machines.find((one) => one.id === id)
    if (machine === undefined) throw new Error(`no machine ${id}`)
    return machine
  }
  return {
    machines,
    etcd,
    networks,
    view,
    machine: (name) => byId(machines.find((one) => one.name === name)?.id),
    leader: () => byId(view.leader?.machine),
    sees: async (units) => void (await registry.holds(units.map(keys.unit))),
    until: (what, isSo) => until(registry, what, isSo),
    settles: (except = {}) => settles(registry, machines, except),
    stop,
  }
}

function until(registry: Registry, what: string, isSo: (view: ClusterView) => boolean): Promise<void> {
  return new Promise((resolve, reject) => {
    const end = (settle: () => void): void => {
      clearTimeout(timer)
      unsubscribe()
      settle()
    }
    const look = (): void => {
      if (isSo(registry.view)) end(resolve)
    }
    const timer = setTimeout(
      () => end(() => reject(new Error(`not within ${patienceMs / 1000} s: ${what}`))),
      patienceMs,
    )
    const unsubscribe = registry.onChange(look)
    look()
  })
}

async function settles(
  registry: Registry,
  machines: readonly ClusterMachine[],
  { waiting = [], leavingOut }: Except,
): Promise<void> {
  const giveUpAt = Date.now() + patienceMs
  for (;;) {
    const differences = differencesOf(registry.view, await foundOn(machines), waiting).filter(
      (line) => leavingOut === undefined || !line.startsWith(leavingOut),
    )
    if (differences.length === 0) return
    if (Date.now() > giveUpAt) throw new Error(`the cluster does not settle:\n${differences.join('\n')}`)
    await nextChange(registry)
  }
}

async function foundOn(machines: readonly ClusterMachine[]): Promise<Found> {
  const there = machines.filter((machine) => machine.isThere)
  return new Map(
    await Promise.all(there.map(async (machine) => [machine.id, await machine.units()] as const)),
  )
}

/** The store tells of nearly everything that changes; what it does not tell of is looked at again after a moment. */
function nextChange(registry: Registry): Promise<void> {
  return new Promise((resolve) => {
    const end = (): void => {
      clearTimeout(timer)
      unsubscribe()
      resolve()
    }
    const timer = setTimeout(end, 250)
    const unsubscribe = registry.onChange(end)
  })
}
