// Counts the requests for each service: for ever, as Prometheus wants it, and since somebody last asked, as triggers do.
import type { EntryFigures } from '../model/scaling.js'

/** The upper bounds of a histogram's classes, in seconds: those that Prometheus' own clients use. */
export const durationBounds = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10] as const

/** What was counted of a service since the daemon began. */
export interface Totals {
  readonly byStatus: ReadonlyMap<number, number>
  /** How many took no longer than each of `durationBounds`. */
  readonly within: readonly number[]
  readonly requests: number
  readonly seconds: number
}

/** A request for a service. */
interface Counted {
  readonly status: number
  readonly seconds: number
}

/** A connection that was handed over, as for a WebSocket, lasts as long as people want. */
const switching = 101

export class Traffic {
  readonly #totals = new Map<string, RunningTotals>()
  /** Of those that were asked for last: nobody wants what came before. */
  #window = new Map<string, Window>()
  #since: number

  /** `now`: milliseconds of the steady clock, as everywhere here. */
  constructor(now: number) {
    this.#since = now
  }

  /** `service`: as `PROJECT/SERVICE`, or empty for what nothing is claimed for. */
  count(service: string, counted: Counted): void {
    into(this.#totals, service, () => new RunningTotals()).add(counted)
    this.#window.get(service)?.add(counted)
  }

  /** Forgets services that are not among these. */
  keep(services: ReadonlySet<string>): void {
    for (const service of this.#totals.keys())
      if (service !== '' && !services.has(service)) this.#totals.delete(service)
  }

  totals(): ReadonlyMap<string, Totals> {
    return this.#totals
  }

  /** The figures of these services since this was last asked, without those that nobody asked for then; and a new beginning. */
  take(services: Iterable<string>, now: number): ReadonlyMap<string, EntryFigures> {
    const seconds = (now - this.#since) / 1000
    const before = this.#window
    this.#window = new Map([...services].map((service) => [service, new Window()]))
    this.#since = now
    return new Map(
      [...this.#window.keys()].flatMap((service) => {
        const window = before.get(service)
        return window === undefined ? [] : [[service, figures(window, seconds)] as const]
      }),
    )
  }
}

function into<T>(map: Map<string, T>, key: string, make: () => T): T {
  const known = map.get(key)
  if (known !== undefined) return known
  const made = make()
  map.set(key, made)
  return made
}

class RunningTotals implements Totals {
  readonly byStatus = new Map<number, number>()
  readonly within = durationBounds.map(() => 0)
  requests = 0
  seconds = 0

  add({ status, seconds }: Counted): void {
    this.byStatus.set(status, (this.byStatus.get(status) ?? 0) + 1)
    if (status === switching) return
    this.requests++
    this.seconds += seconds
    durationBounds.forEach((bound, index) => {
      if (seconds <= bound) this.within[index] = (this.within[index] ?? 0) + 1
    })
  }
}

/** Each class of times begins 2 % above the one before, so that a time that is told is true within that. */
const step = Math.log(1.02)
const leastSeconds = 0.0001

/** Those of a short while: how many, how many failed, and how long they took, as classes by their number. */
class Window {
  requests = 0
  failed = 0
  timed = 0
  readonly times = new Map<number, number>()

  add({ status, seconds }: Counted): void {
    this.requests++
    if (status >= 500) this.failed++
    if (status === switching) return
    this.timed++
    const index = Math.max(0, Math.ceil(Math.log(seconds / leastSeconds) / step))
    this.times.set(index, (this.times.get(index) ?? 0) + 1)
  }
}

function figures(window: Window, seconds: number): EntryFigures {
  const perSecond = (count: number): number => (seconds <= 0 ? 0 : rounded(count / seconds))
  return { rps: perSecond(window.requests), failed: perSecond(window.failed), p95: rounded(p95Of(window)) }
}

function p95Of({ times, timed }: Window): number {
  let left = Math.ceil(0.95 * timed)
  if (left === 0) return 0
  let last = 0
  for (const [index, count] of [...times].sort(([a], [b]) => a - b)) {
    last = index
    left -= count
    if (left <= 0) break
  }
  return leastSeconds * Math.exp(last * step)
}

/** Three digits matter, so that noise is no news. */
function rounded(value: number): number {
  return Number(value.toPrecision(3))
}
