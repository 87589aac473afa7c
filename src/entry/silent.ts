// Machines that do not answer the proxy, long before their leases are over: whom to ask, when one counts as silent, and who serves
// without them.
import type { MachineId } from '../model/machine.js'
import type { ClusterView } from '../store/view.js'
import { type AnyServed, isServedHttp } from './routes.js'
import type { UpstreamTable } from './upstreams.js'

/** Where to try another machine: at the ports that HTTP is led to, and in doubt also at that of its daemon. */
export interface Probe {
  readonly ports: readonly number[]
  /** Null where its daemon announces none. */
  readonly daemonPort: number | null
}

/** By the address of each machine. */
export type Probes = ReadonlyMap<string, Probe>

/** Nobody is asked where no group would have anybody left without one. */
export function probesOf(
  view: Pick<ClusterView, 'knownMachines'>,
  own: MachineId,
  routes: readonly AnyServed[],
  table: UpstreamTable,
): Probes {
  const daemonPorts = new Map<string, number | null>()
  for (const { id, outside, ip, api } of view.knownMachines.values())
    if (id !== own) daemonPorts.set(outside ?? ip, api === undefined ? null : portOf(api))
  const ports = new Map<string, Set<number>>()
  for (const { group } of routes.filter(isServedHttp)) {
    const upstreams = table[group] ?? []
    if (new Set(upstreams.map(({ address }) => address)).size < 2) continue
    for (const { address, port } of upstreams)
      if (daemonPorts.has(address)) ports.set(address, (ports.get(address) ?? new Set()).add(port))
  }
  return new Map(
    [...ports].map(([address, some]) => [
      address,
      { ports: [...some], daemonPort: daemonPorts.get(address) ?? null },
    ]),
  )
}

/** The port of a URL, by its scheme if it names none; null for an invalid URL. */
function portOf(url: string): number | null {
  if (!URL.canParse(url)) return null
  const { port, protocol } = new URL(url)
  return port === '' ? (protocol === 'https:' ? 443 : 80) : Number(port)
}

/** What is known of one that is looked at several times a second. */
export interface Hearing {
  readonly isSilent: boolean
  /** How many looks in a row found the same as the last one. */
  readonly heard: number
  readonly unheard: number
  /** In how many looks in a row it has to be heard until it gets requests again. */
  readonly untilTrusted: number
}

/** After so many looks in a row between which nothing was heard of it, a machine is silent. */
const looksUntilSilent = 2
const trustedAfter = 4
/** One that comes and goes is out for longer each time, up to so many looks. */
const trustedAfterAtMost = 64
/** Whoever has answered for so long has not come and gone. */
const forgivenAfter = 480

export const newHearing: Hearing = { isSilent: false, heard: 0, unheard: 0, untilTrusted: trustedAfter }

/** `instance`: an instance accepted a connection. `machine`: the machine answered in another way, such as with a refusal. */
export type Heard = 'instance' | 'machine' | 'nothing'

/**
 * The state after another look. A silent machine gets requests again only once an instance accepts connections: after a loss of power
 * its kernel refuses connections long before its programs run.
 */
export function afterLook(before: Hearing, found: Heard): Hearing {
  if (before.isSilent && found === 'machine') return before
  const isHeard = found !== 'nothing'
  const heard = isHeard ? before.heard + 1 : 0
  const unheard = isHeard ? 0 : before.unheard + 1
  if (before.isSilent) {
    const isBack = heard >= before.untilTrusted
    const untilTrusted = isBack ? Math.min(before.untilTrusted * 2, trustedAfterAtMost) : before.untilTrusted
    return { isSilent: !isBack, heard, unheard, untilTrusted }
  }
  const untilTrusted = heard >= forgivenAfter ? trustedAfter : before.untilTrusted
  return { isSilent: unheard >= looksUntilSilent, heard, unheard, untilTrusted }
}

/** A group all of whose machines are silent keeps them: they are tried as they were seen last. */
export function withoutSilent(table: UpstreamTable, silent: ReadonlySet<string>): UpstreamTable {
  if (silent.size === 0) return table
  return Object.fromEntries(
    Object.entries(table).map(([group, upstreams]) => {
      const answering = upstreams.filter(({ address }) => !silent.has(address))
      return [group, answering.length > 0 ? answering : upstreams] as const
    }),
  )
}
