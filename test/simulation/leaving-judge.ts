// An instance that serves, and goes because that was decided, leaves the names first, and is stopped once nobody is sent to
// it any more.
import type { Instance, RetireCause } from '../../src/model/service.js'
import type { UnitName } from '../../src/model/unit.js'
import { kindOfKey } from '../../src/store/records.js'
import type { Change } from '../../src/store/store.js'
import { type ClusterView, serviceKey } from '../../src/store/view.js'
import { hasName } from './manifest.js'
import { project } from './scenario.js'

export interface LeavingParts {
  readonly now: () => number
  /** For how long an instance has done its work without a break; 0 where it does not. */
  readonly servesForMs: (instance: string) => number
  /** Whether others know how it is: neither its machine nor its driver is, or just was, away. */
  readonly isKnown: (instance: string) => boolean
  readonly broke: (what: string) => void
  readonly count: (what: string) => void
}

/** What serves for no longer than that may not be known to. */
const hearsWithinMs = 10_000
/** What has failed answers nobody: it goes at once. */
const planned: ReadonlySet<RetireCause | undefined> = new Set([
  'scale-down',
  'stopped',
  'replaced',
  'drained',
])

export class LeavingJudge {
  readonly #parts: LeavingParts
  readonly #retired = new Set<string>()
  /** Units that are to be stopped later: since when, and by how much. */
  readonly #later = new Map<UnitName, { readonly since: number; readonly ms: number }>()
  #view: ClusterView | null = null

  constructor(parts: LeavingParts) {
    this.#parts = parts
  }

  /** Looks at what has changed, with the view as it is with that. */
  look(view: ClusterView, changes: readonly Change[]): void {
    this.#view = view
    const kinds = new Set(changes.map(({ key }) => kindOfKey(key)))
    if (kinds.has('unit')) this.#noteUnits(view)
    if (!kinds.has('instance')) return
    const gone = [...view.instances.values()].filter(
      ({ retired, uuid }) => retired !== null && !this.#retired.has(uuid),
    )
    for (const { uuid } of gone) this.#retired.add(uuid)
    for (const instance of gone) this.#checkLeaves(view, instance)
  }

  /** A program that does its work is told to stop. */
  stopping(unit: UnitName): void {
    const later = this.#later.get(unit)
    // What may not stay on its machine, as its zone is another now, has lost its place, and is stopped at once.
    if (later === undefined || this.#view?.placements.has(unit) !== true) return
    const { broke, count, now } = this.#parts
    const leftMs = later.since + later.ms - now()
    count('left before its stop')
    if (leftMs > 0) broke(`${unit} is told to stop ${leftMs} ms before nobody is sent to it any more`)
  }

  #noteUnits(view: ClusterView): void {
    const { now } = this.#parts
    for (const unit of this.#later.keys())
      if (view.units.get(unit)?.stopAfterMs === undefined) this.#later.delete(unit)
    for (const { name, desired, stopAfterMs } of view.units.values())
      if (desired === 'loaded' && stopAfterMs !== undefined && !this.#later.has(name))
        this.#later.set(name, { since: now(), ms: stopAfterMs })
  }

  /** What can be found by a name, beside another that serves, is not stopped at once. */
  #checkLeaves(view: ClusterView, { name, uuid, unit, service: of, version, retired }: Instance): void {
    const service = view.services.get(serviceKey(project, of))
    if (service === undefined || service.deleting || service.scale === 0 || !planned.has(retired?.cause))
      return
    if (service.type !== 'continuous' || !hasName(view.versions.get(version)?.text ?? '')) return
    if (!this.#isKnownToServe(uuid) || this.#later.has(unit)) return
    const others = view.instancesOf(serviceKey(project, of)).filter((one) => one.retired === null)
    if (others.some((other) => this.#isKnownToServe(other.uuid)))
      this.#parts.broke(`${name} (${retired?.cause}) served, and is stopped before it has left the names`)
  }

  #isKnownToServe(instance: string): boolean {
    const { servesForMs, isKnown } = this.#parts
    return isKnown(instance) && servesForMs(instance) > hearsWithinMs
  }
}
