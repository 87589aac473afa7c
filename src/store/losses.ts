// Machines that are gone, and whether they vanished together: then it is rather we who are cut off, and what they ran runs
// on. Leases of machines that are cut off at one moment end seconds apart, and such machines come back one by one: what is
// to be made of the first is known only when the last has gone, and not forgotten when the first is back.
import type { Instant } from '../lib/time.js'
import type { MachineId } from '../model/machine.js'
import { kindOfKey, prefixes } from './records.js'
import type { Change } from './store.js'
import type { ClusterView } from './view.js'

/** How long what most machines ran is not started elsewhere. */
export const holdMs = 5 * 60_000

interface Loss {
  readonly since: Instant
  /** Until when it is taken for one of many that vanished together; null: it is not. */
  heldUntil: Instant | null
}

/** Many machines that vanished together. */
export interface MassLoss {
  readonly machines: number
  readonly until: Instant
}

/** Follows the machines of a view from now on. Every daemon does, so that it knows what happened when it comes to lead. */
export class LossWatch {
  readonly #view: ClusterView
  readonly #windowMs: number
  readonly #gone = new Map<MachineId, Loss>()
  /** Those that came back lately. */
  readonly #back = new Map<MachineId, Loss>()
  /** When machines were last known to have renewed their leases after any loss before then. */
  readonly #heardOf = new Map<MachineId, Instant>()
  #isNew = true

  /** `windowMs`: how far apart the leases of machines end that are cut off at one moment. */
  constructor(view: ClusterView, windowMs: number) {
    this.#view = view
    this.#windowMs = windowMs
  }

  /** Takes in changes that the view has taken in. */
  note(changes: readonly Change[], now: Instant): void {
    for (const { type, key } of changes) {
      if (kindOfKey(key) !== 'machine') continue
      const id = key.slice(prefixes.machine.length) as MachineId
      if (type === 'delete') {
        this.#heardOf.delete(id)
        this.#lose(id, now)
      } else this.#return(id)
    }
  }

  /**
   * These machines renewed their leases lately, so that they were not cut off at the moment at which those were that are
   * gone: as of `now`.
   */
  hear(ids: Iterable<MachineId>, now: Instant): void {
    for (const id of ids) this.#heardOf.set(id, now)
  }

  /** Until when what a machine that is gone ran is not to be started elsewhere; null where it may be. */
  heldUntil(id: MachineId, now: Instant): Instant | null {
    if (this.#view.machines.has(id)) return null
    this.#judge(now)
    const loss = this.#lose(id, now)
    if (loss.heldUntil !== null && loss.heldUntil > now) return loss.heldUntil
    const undecidedUntil = loss.since + this.#windowMs
    return undecidedUntil > now && this.#couldBeMany(loss) ? undecidedUntil : null
  }

  /** Machines that are gone and that units are placed on. */
  missing(now: Instant): readonly MachineId[] {
    this.#judge(now)
    return [...this.#gone.keys()]
  }

  /** The machines that are held for having vanished together; null while there are none. */
  massLoss(now: Instant): MassLoss | null {
    this.#judge(now)
    const held = [...this.#gone.values()].flatMap(({ heldUntil }) => heldUntil ?? []).filter((at) => at > now)
    return held.length === 0 ? null : { machines: held.length, until: Math.max(...held) }
  }

  #lose(id: MachineId, now: Instant): Loss {
    const known = this.#gone.get(id)
    if (known !== undefined) return known
    const loss = { since: now, heldUntil: this.#back.get(id)?.heldUntil ?? null }
    this.#back.delete(id)
    this.#gone.set(id, loss)
    return loss
  }

  #return(id: MachineId): void {
    const loss = this.#gone.get(id)
    if (loss === undefined) return
    this.#gone.delete(id)
    this.#back.set(id, loss)
  }

  /** Whether more machines were lost at about the same time than are left. Those that ran nothing are of no consequence. */
  #judge(now: Instant): void {
    if (this.#isNew) this.#loseMissing(now)
    this.#forget(now)
    const recent = [...this.#gone.values(), ...this.#back.values()].filter(
      ({ since }) => since + holdMs > now,
    )
    const left = this.#view.machines.size - this.#back.size
    if (recent.length < 2 || recent.length <= left) return
    const until = Math.max(...recent.map(({ since }) => since)) + holdMs
    for (const loss of recent) loss.heldUntil = Math.max(loss.heldUntil ?? 0, until)
  }

  /** Those of before we were there. */
  #loseMissing(now: Instant): void {
    this.#isNew = false
    const placed = [...this.#view.placements.values()].map(({ machine }) => machine)
    const everywhere = [...this.#view.globallyPlaced()].flatMap((unit) => [
      ...this.#view.globalPlacementsOf(unit).keys(),
    ])
    for (const id of new Set([...placed, ...everywhere]))
      if (!this.#view.machines.has(id)) this.#lose(id, now)
  }

  #forget(now: Instant): void {
    for (const id of this.#gone.keys()) if (this.#view.placedOn(id).size === 0) this.#gone.delete(id)
    for (const [id, { since }] of this.#back) if (since + this.#windowMs <= now) this.#back.delete(id)
  }

  /** Whether those that are there, and may have been cut off at the same moment, would make the loss one of many. */
  #couldBeMany({ since }: Loss): boolean {
    if (this.#view.machines.size + this.#gone.size <= 2) return false
    let silent = 0
    for (const id of this.#view.machines.keys()) if ((this.#heardOf.get(id) ?? -1) < since) silent += 1
    const gone = this.#gone.size + this.#back.size + silent
    return gone > 1 && gone > this.#view.machines.size - silent
  }
}
