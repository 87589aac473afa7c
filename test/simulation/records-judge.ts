// What may never be seen in the records of a cluster, whatever happens to it: judged at every change, by what truly runs.
import type { Instance, RetireCause, Service } from '../../src/model/service.js'
import type { UnitName } from '../../src/model/unit.js'
import type { RecordKind } from '../../src/store/record-types.js'
import { type ClusterView, serviceKey } from '../../src/store/view.js'
import { hasSlots } from './manifest.js'
import { usedMb } from './memory.js'
import { instancesOn, whyNotThere } from './places.js'
import { project } from './scenario.js'

export interface Truth {
  readonly now: () => number
  /** When a program of this instance last did its work; null: never. */
  readonly servedAt: (instance: string) => number | null
  /** For how long it has done so without a break; 0 where it does not. */
  readonly servesForMs: (instance: string) => number
  /** How old what is known of an instance may be, because its machine is, or just was, out of touch. */
  readonly unheardMs: (instance: string) => number
  /** Whether a program of a unit runs on a machine. */
  readonly runs: (unit: UnitName, machine: string) => boolean
  /** Every machine has room for everything, so that nothing has to make way. */
  readonly isRoomy: boolean
  readonly broke: (what: string) => void
}

/** What ended so lately counts as serving still: nobody else can know yet that it does not. */
const knownWithinMs = 30_000
/** What serves for no longer than that may not be known to. */
const hearsWithinMs = 10_000
/** What was known to serve before the longest of the faults, and a while. */
const longestOutageMs = 180_000
/** Of these the product decides by itself; for the others an operator asked, or the instance failed. */
const byItself: ReadonlySet<RetireCause> = new Set(['replaced', 'scale-down', 'drained', 'lost'])

const judged: ReadonlySet<RecordKind | 'leader'> = new Set([
  ...(['service', 'instance', 'placement', 'machine', 'order', 'version'] as const),
])

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

  /** Looks at what the store has now, where any of that has changed which it is about. */
  look(view: ClusterView, changed: ReadonlySet<RecordKind | 'leader'>): void {
    if (![...changed].some((kind) => judged.has(kind))) return
    const goes = new Map<Service, Instance[]>()
    for (const instance of view.instances.values()) {
      const service = view.services.get(serviceKey(instance.project, instance.service))
      if (service === undefined) continue
      this.#checkNumber(service, instance)
      if (instance.retired === null || this.#retiredAt.has(instance.uuid)) continue
      this.#retiredAt.set(instance.uuid, this.#truth.now())
      this.#checkFailed(instance)
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

  /** What has done its work for long, before any outage that goes on, has not failed. */
  #checkFailed({ name, uuid, retired }: Instance): void {
    const cause = retired?.cause
    if (cause !== 'failed' && cause !== 'unhealthy' && cause !== 'finished') return
    const forMs = this.#truth.servesForMs(uuid)
    if (forMs > longestOutageMs)
      this.#truth.broke(`${name} is said to be ${cause}, and has served for ${forMs} ms`)
  }

  /** What serves goes only as far as what serves without it meets the scale. */
  #checkServing(view: ClusterView, service: Service, gone: readonly Instance[]): void {
    const { now, servedAt, unheardMs, servesForMs, isRoomy, broke } = this.#truth
    // What began to serve while its machine was out of touch nobody knows to.
    const victims = gone.filter(
      (one) =>
        !hasToLetGo(view, service, one) &&
        !isForgotten(view, one) &&
        servesForMs(one.uuid) - unheardMs(one.uuid) > hearsWithinMs,
    )
    if (victims.length === 0) return
    const left = [...view.instances.values()].filter(
      (one) =>
        one.service === service.name &&
        one.retired === null &&
        now() - (servedAt(one.uuid) ?? 0) <= knownWithinMs + unheardMs(one.uuid),
    ).length
    // Where something waits for a place, the scale may be more than what there is room for.
    const scale = service.scale - heldSlots(view, service).size
    const most = view.waiting.size === 0 ? scale : Math.min(scale, left + victims.length)
    // Whoever has a volume of its slot has to let go of it first. Where there is no room beside it only what is replaced
    // goes first: a lower scale or a drain asks for no room.
    const makesRoom = !isRoomy && victims.some(({ retired }) => retired?.cause === 'replaced')
    const isFirst = makesRoom || victims.some(({ slot }) => slot !== undefined) || slotted(view, service)
    const atLeast = most - (isFirst ? (service.rollout?.parallel ?? 1) : 0)
    if (left >= atLeast) return
    const who = victims.map(({ name, retired }) => `${name} (${retired?.cause})`).join(', ')
    broke(`${who} served and had to go, with ${left} left at scale ${service.scale}`)
  }

  /** Nothing new goes where it may not; no machine holds more than it has. */
  #checkPlacements(view: ClusterView): void {
    const { broke } = this.#truth
    const used = usedMb(view, this.#truth.runs)
    for (const { unit, machine } of view.placements.values()) {
      if (this.#placed.get(unit) === machine) continue
      this.#placed.set(unit, machine)
      if (view.orders.get(machine)?.cordoned === true)
        broke(`${unit} is placed on ${machine}, which is cordoned`)
      if (!view.machines.has(machine)) broke(`${unit} is placed on ${machine}, which is not there`)
      // What is to go anyway is no reason for anybody to be elsewhere, and none to have a port twice.
      const others = instancesOn(view, machine, () => false)
      const against = whyNotThere(view, unit, machine, others)
      if (against !== null) broke(`${unit} is placed on ${machine}, and ${against}`)
    }
    for (const unit of this.#placed.keys()) if (!view.placements.has(unit)) this.#placed.delete(unit)
    for (const [machine, mb] of used) {
      const most = view.machines.get(machine)?.capacity.memoryMb
      if (most !== undefined && mb > most) broke(`${machine} holds ${mb} MB of ${most}`)
    }
  }
}

/**
 * Whether its machine was forgotten, so that nobody knows of it: a leader does that by its own clock, which may be hours ahead of
 * the one that noted the loss.
 */
function isForgotten(
  { placements, machines, knownMachines }: ClusterView,
  { unit, retired }: Instance,
): boolean {
  const machine = placements.get(unit)?.machine
  if (retired?.cause !== 'lost' || machine === undefined) return false
  return !machines.has(machine) && !knownMachines.has(machine)
}

/**
 * Whether it goes with its slot: by a lower scale the highest go, whoever serves; and what is on a machine that is away is
 * given up before its slot begins anew.
 */
function hasToLetGo(view: ClusterView, service: Service, { slot, retired, unit }: Instance): boolean {
  if (slot === undefined && !slotted(view, service)) return false
  // Its volumes are on their way to another machine.
  if (isSlotHeld(view, service.name, slot)) return true
  if (retired?.cause === 'scale-down') return slot !== undefined && slot >= service.scale
  const machine = view.placements.get(unit)?.machine
  return retired?.cause === 'lost' && (machine === undefined || !view.machines.has(machine))
}

/** Slots of a service that something holds, so that they have no instance. */
export function heldSlots(view: ClusterView, { name, scale }: Service): ReadonlySet<number> {
  const records = [...view.volumesOf(serviceKey(project, name)).values()]
  return new Set(records.flatMap(({ slot, hold }) => (hold === undefined || slot >= scale ? [] : [slot])))
}

/** Whether something holds the slot of an instance, so that it has to leave; also one above the scale, as another version left it. */
export function isSlotHeld(view: ClusterView, service: string, slot: number | undefined): boolean {
  const records = [...view.volumesOf(serviceKey(project, service)).values()]
  return slot !== undefined && records.some((one) => one.slot === slot && one.hold !== undefined)
}

function slotted(view: ClusterView, { current }: Service): boolean {
  return hasSlots(view.versions.get(current)?.text ?? '')
}
