// What may never be seen in the records of a cluster, whatever happens to it: judged at every change, by what truly runs.
import type { Instance, RetireCause, Service } from '../../src/model/service.js'
import type { UnitName } from '../../src/model/unit.js'
import { type ClusterView, serviceKey } from '../../src/store/view.js'

export interface Truth {
  readonly now: () => number
  /** When a program of this instance last did its work; null: never. */
  readonly servedAt: (instance: string) => number | null
  /** Whether a program of a unit runs on a machine. */
  readonly runs: (unit: UnitName, machine: string) => boolean
  /** Every machine has room for everything, so that nothing has to make way. */
  readonly isRoomy: boolean
  readonly broke: (what: string) => void
}

/** What ended so lately counts as serving still: nobody else can know yet that it does not. */
const knownWithinMs = 30_000
/** Of these the product decides by itself; for the others an operator asked, or the instance failed. */
const byItself: ReadonlySet<RetireCause> = new Set(['replaced', 'scale-down', 'drained', 'lost'])

export class RecordsJudge {
  readonly #truth: Truth
  /** By the service's uuid and the instance's number. */
  readonly #numbers = new Map<string, string>()
  /** When the records first said that an instance is to stop for good, by its uuid. */
  readonly #retiredAt = new Map<string, number>()
  readonly #placed = new Map<UnitName, string>()

  constructor(truth: Truth) {
    this.#truth = truth
  }

  /** Looks at what the store has now. */
  look(view: ClusterView): void {
    const goes = new Map<Service, Instance[]>()
    for (const instance of view.instances.values()) {
      const service = view.services.get(serviceKey(instance.project, instance.service))
      if (service === undefined) continue
      this.#checkNumber(service, instance)
      if (instance.retired === null || this.#retiredAt.has(instance.uuid)) continue
      this.#retiredAt.set(instance.uuid, this.#truth.now())
      if (!byItself.has(instance.retired.cause)) continue
      goes.set(service, [...(goes.get(service) ?? []), instance])
    }
    for (const [service, instances] of goes) this.#checkServing(view, service, instances)
    this.#checkPlacements(view)
  }

  /** How long an instance has been one that is to stop for good; 0 where it is not. */
  retiredForMs(instance: string): number {
    const at = this.#retiredAt.get(instance)
    return at === undefined ? 0 : this.#truth.now() - at
  }

  /** A number is one instance for ever. */
  #checkNumber(service: Service, { n, uuid, name }: Instance): void {
    const key = `${service.uuid} ${n}`
    const known = this.#numbers.get(key)
    if (known === undefined) this.#numbers.set(key, uuid)
    else if (known !== uuid) this.#truth.broke(`${name}: its number was another instance's`)
  }

  /** What serves goes only as far as what serves without it meets the scale. */
  #checkServing(view: ClusterView, service: Service, gone: readonly Instance[]): void {
    const { now, servedAt, isRoomy, broke } = this.#truth
    const serves = ({ uuid }: Instance, withinMs: number): boolean =>
      now() - (servedAt(uuid) ?? 0) <= withinMs
    const victims = gone.filter((instance) => serves(instance, 0))
    if (victims.length === 0) return
    const left = [...view.instances.values()].filter(
      (one) => one.service === service.name && one.retired === null && serves(one, knownWithinMs),
    ).length
    const atLeast = service.scale - (isRoomy ? 0 : (service.rollout?.parallel ?? 1))
    if (left >= atLeast) return
    const who = victims.map(({ name, retired }) => `${name} (${retired?.cause})`).join(', ')
    broke(`${who} served and had to go, with ${left} left at scale ${service.scale}`)
  }

  /** Nothing new goes where it may not; no machine holds more than it has. */
  #checkPlacements(view: ClusterView): void {
    const { broke } = this.#truth
    const used = new Map<string, number>()
    for (const { unit, machine } of view.placements.values()) {
      // What has ended for good takes nothing, though it is kept.
      if ((view.instances.get(unit)?.retired ?? null) === null || this.#truth.runs(unit, machine))
        used.set(machine, (used.get(machine) ?? 0) + memoryOf(view, unit))
      if (this.#placed.get(unit) === machine) continue
      this.#placed.set(unit, machine)
      if (view.orders.get(machine)?.cordoned === true)
        broke(`${unit} is placed on ${machine}, which is cordoned`)
      if (!view.machines.has(machine)) broke(`${unit} is placed on ${machine}, which is not there`)
    }
    for (const unit of this.#placed.keys()) if (!view.placements.has(unit)) this.#placed.delete(unit)
    for (const [machine, mb] of used) {
      const most = view.machines.get(machine as never)?.capacity.memoryMb
      if (most !== undefined && mb > most) broke(`${machine} holds ${mb} MB of ${most}`)
    }
  }
}

/** In MB, as the manifests of the simulation ask for it. */
function memoryOf(view: ClusterView, unit: UnitName): number {
  const version = view.versions.get(view.instances.get(unit)?.version ?? '')
  return Number(/^memory: (\d+)M$/m.exec(version?.text ?? '')?.[1] ?? 0)
}
