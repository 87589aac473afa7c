// What a machine tells of the images that it fetches: one pull of an image is told once for each service that waits for
// it, however many of its instances do.
import type { Instant } from '../lib/time.js'
import type { EventDraft, HistoryEvent } from '../model/event.js'
import type { MachineId } from '../model/machine.js'
import { describeSize } from '../model/pull.js'
import type { DesiredUnit, PullProgress, UnitName } from '../model/unit.js'

/** How a pull ended for one unit that waited for it. */
export type PullOutcome =
  | { readonly kind: 'fetched' }
  /** The unit is not to be here any more, or with another image. */
  | { readonly kind: 'not-wanted' }
  | { readonly kind: 'failed'; readonly reason: string }

interface Waiting {
  readonly unit: DesiredUnit
  readonly progress: PullProgress
  /** Whether the pull was told of in its name. */
  readonly tells: boolean
}

export class PullNews {
  readonly #machine: MachineId
  readonly #waiting = new Map<UnitName, Waiting>()
  /** Units whose last pull failed, and why: the same is not told twice. */
  readonly #failed = new Map<UnitName, string>()

  constructor(machine: MachineId) {
    this.#machine = machine
  }

  /** Notes how far a pull is. Gives what is to be told of its begin; null for nothing. */
  note(unit: DesiredUnit, progress: PullProgress): EventDraft | null {
    const known = this.#waiting.get(unit.name)
    if (known !== undefined) {
      this.#waiting.set(unit.name, { ...known, progress })
      return null
    }
    const others = [...this.#waiting.values()].some((one) => isSamePull(one, { unit, progress }))
    const tells = !others && !this.#failed.has(unit.name)
    this.#waiting.set(unit.name, { unit, progress, tells: !others })
    return tells ? this.#event('image-pulling', unit, `pulls ${progress.image}`) : null
  }

  /** Notes that a pull is over for a unit. Gives what is to be told of that; null for nothing. */
  end(name: UnitName, outcome: PullOutcome, now: Instant): EventDraft | null {
    const known = this.#waiting.get(name)
    if (known === undefined) return null
    this.#waiting.delete(name)
    const { unit, progress, tells } = known
    if (outcome.kind === 'failed') {
      const isKnown = this.#failed.get(name) === outcome.reason
      this.#failed.set(name, outcome.reason)
      return tells && !isKnown
        ? this.#event('image-not-pulled', unit, `could not be loaded: ${outcome.reason}`, outcome)
        : null
    }
    this.#failed.delete(name)
    if (!tells) return null
    if (outcome.kind === 'not-wanted') {
      const heir = [...this.#waiting.values()].find((one) => isSamePull(one, known))
      if (heir !== undefined) {
        this.#waiting.set(heir.unit.name, { ...heir, tells: true })
        return null
      }
      return this.#event('image-not-pulled', unit, `no longer waits for ${progress.image}`)
    }
    const took = Math.round((now - progress.since) / 1000)
    const size = progress.totalBytes === 0 ? '' : `, ${describeSize(progress.totalBytes)}`
    return this.#event('image-pulled', unit, `has ${progress.image}, after ${took} s${size}`)
  }

  /** Forgets a unit that is not here any more. */
  forget(name: UnitName): void {
    this.#failed.delete(name)
  }

  #event(
    kind: HistoryEvent['kind'],
    { name, instance }: DesiredUnit,
    message: string,
    data: { readonly reason?: string } = {},
  ): EventDraft {
    const { reason } = data
    const about = {
      ...(instance === null && { unit: name }),
      ...(reason !== undefined && { reason }),
    }
    return {
      kind,
      project: instance?.project ?? null,
      service: instance?.service ?? null,
      instance: instance?.name ?? null,
      machine: this.#machine,
      message: `${instance?.name ?? name} ${message}`,
      ...(Object.keys(about).length > 0 && { data: about }),
    }
  }
}

type Pull = Pick<Waiting, 'unit' | 'progress'>

function isSamePull(one: Pull, other: Pull): boolean {
  return one.progress.image === other.progress.image && ownerOf(one.unit) === ownerOf(other.unit)
}

/** A service, or a unit that belongs to none. */
function ownerOf({ name, instance }: DesiredUnit): string {
  return instance === null ? name : `${instance.project}/${instance.service}`
}
