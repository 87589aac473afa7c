// What simulated services have to do: work in cores, and requests by the entries of all machines. The instances that serve
// share it. What was truly given to each is remembered for those who judge.
import type { EntryFigures } from '../../src/model/scaling.js'
import type { Clockwork } from './clockwork.js'
import type { Host } from './host.js'

/** What a service has to do as a whole. */
interface Work {
  /** Hundredths of a core. */
  readonly cores: number
  /** Requests per second. */
  readonly rps: number
}

/** What one instance did at a moment, in cores. */
interface Share {
  readonly at: number
  readonly cores: number
}

/** No program uses more cores than that. */
const mostCores = 4
const rememberedMs = 300_000
const idle: Work = { cores: 0, rps: 0 }

export class Loads {
  readonly #clockwork: Clockwork
  /** Those that are there, once the world is made. */
  readonly #hosts: () => readonly Host[]
  readonly #work = new Map<string, Work>()
  readonly #given = new Map<string, Share[]>()

  constructor(clockwork: Clockwork, hosts: () => readonly Host[]) {
    this.#clockwork = clockwork
    this.#hosts = hosts
  }

  set(service: string, work: Work): void {
    this.#work.set(service, work)
  }

  /** The cores that each instance of a service uses now. */
  cores(service: string): number {
    const { cores } = this.#work.get(service) ?? idle
    const serving = this.#hosts().reduce((sum, host) => sum + host.serving(service), 0)
    const share = Math.min(mostCores, cores / 100 / Math.max(1, serving))
    const { now } = this.#clockwork
    const given = this.#given.get(service) ?? []
    this.#given.set(service, [
      ...given.filter(({ at }) => now - at < rememberedMs),
      { at: now, cores: share },
    ])
    return share
  }

  /** What instances of a service have used since then. */
  coresSince(service: string, from: number): readonly number[] {
    return (this.#given.get(service) ?? []).filter(({ at }) => at >= from).map(({ cores }) => cores)
  }

  /** What the entry of one of so many machines counts of services, by `PROJECT/SERVICE`. */
  figures(services: Iterable<string>, machines: number): ReadonlyMap<string, EntryFigures> {
    return new Map(
      [...services].map((key) => {
        const { rps } = this.#work.get(key.slice(key.indexOf('/') + 1)) ?? idle
        return [key, { rps: rps / Math.max(1, machines), failed: 0, p95: 0.1 }]
      }),
    )
  }
}
