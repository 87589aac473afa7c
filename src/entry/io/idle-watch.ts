// Tells the cluster which routes the proxy of this machine serves, and for which instances that are to stop it has nothing under
// way any more, so that nobody waits for longer than there is something to wait for.
import type { NameIndex } from '../../dns/name-index.js'
import type { Time } from '../../lib/time.js'
import type { EntryServes } from '../../model/entry.js'
import type { MachineId } from '../../model/machine.js'
import type { Registry } from '../../store/io/registry.js'
import { keys, putOf } from '../../store/records.js'
import { askable, idleOf, type OutSince, outSince, readUnderWay, sumOf } from '../idle.js'
import { type AnyServed, isServedHttp, isServedTcp } from '../routes.js'
import { leavingUpstreams } from '../upstreams.js'
import { askSocket, type SocketAnswer } from './ask-socket.js'
import { adminSocket } from './caddy.js'
import { tcpUnderWay } from './keeper-client.js'

interface IdleWatchOptions {
  readonly registry: Registry
  readonly names: NameIndex
  readonly machine: MachineId
  readonly dir: string
  readonly clock: Time
}

const answersWithinMs = 5000

export class IdleWatch {
  readonly #options: IdleWatchOptions
  #since: OutSince = new Map()

  constructor(options: IdleWatchOptions) {
    this.#options = options
  }

  /**
   * To be called when the keeper knows who serves now. `serves`: null while that is about to change, undefined where it serves
   * others no more. Throws where the proxy does not answer; nothing is told then.
   */
  async look(routes: readonly AnyServed[], serves: EntryServes | null | undefined): Promise<void> {
    const { registry, names, machine, clock } = this.#options
    const before = registry.view.entryIdle.get(machine)
    const told = before?.units ?? []
    const known = before?.serves
    const leaving = leavingUpstreams({ view: registry.view, names }, routes)
    const at = clock.steady()
    this.#since = outSince(leaving, this.#since, at)
    const asked = askable(leaving, this.#since, at)
    const { dir } = this.#options
    const proxies = { http: routes.some(isServedHttp), tcp: routes.some(isServedTcp) }
    const idle = asked.length === 0 ? [] : idleOf(asked, await underWayAt(dir, proxies))
    // What was idle stays so: nothing begins for it any more.
    const still = new Set(leaving.map(({ unit }) => unit))
    const units = [...new Set([...told.filter((unit) => still.has(unit)), ...idle])].sort()
    const lease = registry.entryAt(keys.machine(machine))?.lease
    const now = serves === null ? known : serves
    if (lease == null || JSON.stringify([told, known]) === JSON.stringify([units, now])) return
    await registry.commit(
      [],
      [putOf('entryIdle', { machine, units, ...(now !== undefined && { serves: now }) }, lease)],
    )
  }
}

/** How many requests and connections are under way for each target, in the proxies that run. */
export async function underWayAt(
  dir: string,
  proxies: { readonly http: boolean; readonly tcp: boolean },
): Promise<ReadonlyMap<string, number>> {
  const path = '/reverse_proxy/upstreams'
  const answersOf = await Promise.all([
    ...(proxies.http
      ? [askSocket({ dir, socket: adminSocket, method: 'GET', path, withinMs: answersWithinMs })]
      : []),
    ...(proxies.tcp ? [tcpUnderWay(dir)] : []),
  ])
  return sumOf(answersOf.map(countsIn))
}

function countsIn({ status, text }: SocketAnswer): ReadonlyMap<string, number> {
  const counts = status === 200 ? readUnderWay(text) : null
  if (counts === null) throw new Error(`the proxy does not list its requests under way: ${status} ${text}`)
  return counts
}
