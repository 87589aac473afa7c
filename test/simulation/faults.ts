// What goes wrong on a machine of a simulated cluster.
import { describeError } from '../../src/lib/io/log.js'
import type { Clockwork } from './clockwork.js'
import type { SimulatedStore } from './connection.js'
import type { SimulatedDisk } from './disk.js'
import type { Member } from './etcd.js'
import type { Network, NetworkTrouble } from './network.js'
import type { Node } from './node.js'
import { releases } from './releases.js'
import {
  type Deed,
  type DiskFault,
  faultOf,
  isDiskFault,
  isNetworkFault,
  isStoreFault,
  isVolumeFault,
  type MachineFault,
  type NetworkFault,
  numberOf,
  poisonPrefix,
  type StoreFault,
} from './scenario.js'

export interface FaultsParts {
  readonly clockwork: Clockwork
  readonly store: SimulatedStore
  /** Null where the store is an etcd. */
  readonly disk: SimulatedDisk | null
  readonly nodes: readonly Node[]
  readonly network: Network
  /** What a message takes at most where nothing is wrong. */
  readonly linkMs: number
  readonly broke: (what: string) => void
}

/** Lets a fault begin, which ends by itself; false where there is none of whom it is about. */
export function hurt(deed: Deed, parts: FaultsParts): boolean {
  const fault = faultOf(deed)
  if (fault === null) return false
  if (isStoreFault(fault)) {
    const member = parts.store.members.find(({ name }) => name === deed.who)
    if (member !== undefined) hurtsOfStore[fault](member, deed, parts)
    return member !== undefined
  }
  const node = parts.nodes.find(({ name }) => name === deed.who)
  if (node === undefined) return false
  if (isNetworkFault(fault))
    for (const trouble of troubles[fault](deed)) parts.network.hurt(node.name, trouble, numberOf(deed, 'for'))
  else if (isVolumeFault(fault)) node.host.volumes.tree.full(numberOf(deed, 'for'))
  else if (!isDiskFault(fault)) hurts[fault](node, deed, parts)
  else if (parts.disk !== null) hurtsOfDisk[fault](parts.disk, node, deed, parts)
  else return false
  return true
}

const hurtsOfStore: Readonly<Record<StoreFault, (member: Member, deed: Deed, parts: FaultsParts) => void>> = {
  'lose-member': (member, deed, parts) => {
    member.lose(deed.details['how'] === 'cut' ? 'cut' : 'dead')
    afterwards(deed, parts, () => member.come())
  },
  // Whoever is left after the others are gone is in touch with nobody.
  'lose-quorum': (member, deed, parts) => {
    const { members } = parts.store
    const gone = members.filter((one) => one !== member || members.length === 1)
    for (const one of gone) one.lose('cut')
    afterwards(deed, parts, () => {
      for (const one of gone) one.come()
    })
  },
  'lag-member': (member, deed, parts) => {
    member.lag(numberOf(deed, 'by'))
    afterwards(deed, parts, () => member.lag(0))
  },
}

const hurts: Readonly<Record<MachineFault, (node: Node, deed: Deed, parts: FaultsParts) => void>> = {
  'kill-daemon': (node, deed, parts) => {
    node.kill()
    afterwards(deed, parts, () => node.start())
  },
  'stop-daemon': (node, deed, parts) => {
    node.stop('purpose').catch((error: unknown) => parts.broke(`stop: ${describeError(error)}`))
    afterwards(deed, parts, () => node.start())
  },
  'power-off': (node, deed, parts) => {
    node.powerOff(parts.disk)
    afterwards(deed, parts, () => {
      // What runs programs may take longer to come up than the daemon.
      if (!node.lives) node.host.driverAway(Number(deed.details['late'] ?? 0))
      node.start()
    })
  },
  cut: (node, deed, parts) => {
    node.cut()
    afterwards(deed, parts, () => node.heal())
  },
  freeze: (node, deed) => node.freeze(numberOf(deed, 'for')),
  'set-clock': (node, deed) => node.time.setBy(numberOf(deed, 'by')),
  'kill-program': (node, deed) => node.host.kill(numberOf(deed, 'n')),
  'slow-link': (node, deed, parts) => {
    node.slow(numberOf(deed, 'most'))
    afterwards(deed, parts, () => node.slow(parts.linkMs))
  },
  compact: (node, _deed, { store }) => {
    store.compact()
    node.compact()
  },
  'driver-away': (node, deed) => node.host.driverAway(numberOf(deed, 'for')),
  'driver-hangs': (node, deed) => node.host.driverHangs(numberOf(deed, 'for')),
  'drift-clock': (node, deed, parts) => {
    node.time.drift(numberOf(deed, 'ppm'))
    afterwards(deed, parts, () => node.time.drift(0))
  },
  'change-release': (node, deed, parts) => {
    const to = releases.find((one) => one === deed.details['to'])
    if (to !== undefined) node.release = to
    node.stop('restart').catch((error: unknown) => parts.broke(`stop: ${describeError(error)}`))
    afterwards(deed, parts, () => node.start())
  },
  die: (node) => node.die(),
  'cut-outside': (node, deed, { clockwork }) => node.cutOutside(clockwork.now + numberOf(deed, 'for')),
  poison: (_node, deed, { store, broke }) => {
    const put = { op: 'put', key: `${poisonPrefix}${deed.atMs}`, value: '{"v":' } as const
    store.truth.txn([], [put]).catch((error: unknown) => broke(`poison: ${describeError(error)}`))
  },
}

const troubles: Readonly<Record<NetworkFault, (deed: Deed) => readonly NetworkTrouble[]>> = {
  'net-cut': () => [{ kind: 'from', to: null }, { kind: 'to' }],
  'net-one-way': ({ details }) => [{ kind: 'from', to: details['to'] ?? null }],
  'net-lose-requests': () => [{ kind: 'requests' }],
  'net-lose-answers': () => [{ kind: 'answers' }],
  'net-slow': (deed) => [{ kind: 'slow', mostMs: numberOf(deed, 'most') }],
}

const hurtsOfDisk: Readonly<
  Record<DiskFault, (disk: SimulatedDisk, node: Node, deed: Deed, parts: FaultsParts) => void>
> = {
  'disk-full': (disk, _node, deed) => disk.full(numberOf(deed, 'for')),
  'disk-error': (disk, node, deed, parts) => {
    disk.fail(numberOf(deed, 'for'))
    // It is started anew when the disk works again.
    afterwards(deed, parts, () => {
      node.kill()
      node.start()
    })
  },
  'flip-bit': (disk, node, deed, parts) => {
    node.kill()
    disk.flip()
    afterwards(deed, parts, () => node.start())
  },
}

function afterwards(deed: Deed, { clockwork }: FaultsParts, what: () => void): void {
  clockwork.after(numberOf(deed, 'for'), what)
}

/** All is as it should be, wherever something was not. */
export function heal(node: Node, linkMs: number): void {
  node.heal()
  node.host.driverBack()
  node.time.drift(0)
  node.host.volumes.tree.healed()
  node.slow(linkMs)
  node.start()
}
