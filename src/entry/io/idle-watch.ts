// Tells the cluster which routes the proxy of this machine serves, and for which instances that are to stop it has nothing under
// way any more, so that nobody waits for longer than there is something to wait for.
import { abridged } from '../../lib/abridge.js'
import { describeError, type Log } from '../../lib/io/log.js'
import { type Loop, startLoop } from '../../lib/io/loop.js'
import type { Time } from '../../lib/time.js'
import type { EntryServes } from '../../model/entry.js'
import type { MachineId } from '../../model/machine.js'
import type { UnitName } from '../../model/unit.js'
import type { Registry } from '../../store/io/registry.js'
import { keys, putOf } from '../../store/records.js'
import { askable, idleOf, type OutSince, outSince, readUnderWay, sumOf } from '../idle.js'
import type { LeavingUpstream } from '../upstreams.js'
import { askSocket, type SocketAnswer } from './ask-socket.js'
import { adminSocket } from './caddy.js'
import { tcpUnderWay } from './keeper-client.js'

interface IdleWatchOptions {
  readonly registry: Registry
  readonly machine: MachineId
  readonly dir: string
  readonly clock: Time
  readonly log: Log
}

const answersWithinMs = 5000
/** What others read of it; all of it is in the log. */
const longestProblem = 400
/** What was under way ends by itself. */
const lookEveryMs = 250

/** What is so as of one moment, once the keeper knows who serves then. */
interface Standing {
  readonly leaving: readonly LeavingUpstream[]
  /** Which proxies may have something under way. */
  readonly proxies: ProxyKinds
  /** Null while that is about to change, undefined where it serves others no more. */
  readonly serves: EntryServes | null | undefined
  /** Why it does not serve what it should; null where nothing prevents it. */
  readonly problem: string | null
}

interface ProxyKinds {
  readonly http: boolean
  readonly tcp: boolean
}

/** Follows what the keeper was told, and tells the cluster in its own time: a proxy that does not answer holds up nothing else. */
export class IdleWatch {
  readonly #options: IdleWatchOptions
  readonly #loop: Loop
  #since: OutSince = new Map()
  #standing: Standing | null = null

  constructor(options: IdleWatchOptions) {
    this.#options = options
    const { clock, log } = options
    this.#loop = startLoop({
      pass: async () => {
        await this.#tell()
        return { wakeAt: null }
      },
      clock,
      intervalMs: lookEveryMs,
      onError: (error) =>
        log.warn('entry', `cannot tell what the proxy has under way: ${describeError(error)}`),
    })
  }

  /** To be called when the keeper knows who serves, with what was so when it was told. */
  follow(standing: Standing): void {
    this.#standing = standing
    this.#since = outSince(standing.leaving, this.#since, this.#options.clock.steady())
    this.#loop.wake()
  }

  async stop(): Promise<void> {
    await this.#loop.stop()
  }

  /** Throws where the proxy does not answer; nothing is told of what it has under way then. */
  async #tell(): Promise<void> {
    if (this.#standing === null) return
    const { dir, clock } = this.#options
    const standing = this.#standing
    const { leaving, proxies } = standing
    const asked = askable(leaving, this.#since, clock.steady())
    await this.#write(standing, [])
    if (asked.length > 0) await this.#write(standing, idleOf(asked, await underWayAt(dir, proxies)))
  }

  async #write({ leaving, serves, problem }: Standing, idle: readonly UnitName[]): Promise<void> {
    const { registry, machine } = this.#options
    const before = registry.view.entryIdle.get(machine)
    const told = before?.units ?? []
    const known = before?.serves
    const why = problem === null ? null : abridged(problem, longestProblem)
    // What was idle stays so: nothing begins for it any more.
    const still = new Set(leaving.map(({ unit }) => unit))
    const units = [...new Set([...told.filter((unit) => still.has(unit)), ...idle])].sort()
    const lease = registry.entryAt(keys.machine(machine))?.lease
    const now = serves === null ? known : serves
    const isKnown =
      JSON.stringify([told, known, before?.problem ?? null]) === JSON.stringify([units, now, why])
    if (lease == null || isKnown) return
    const more = { ...(now !== undefined && { serves: now }), ...(why !== null && { problem: why }) }
    await registry.commit([], [putOf('entryIdle', { machine, units, ...more }, lease)])
  }
}

/** How many requests and connections are under way for each target, in the proxies that run. */
export async function underWayAt(dir: string, proxies: ProxyKinds): Promise<ReadonlyMap<string, number>> {
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
