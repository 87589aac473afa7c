// Why what is there is stopped: whoever is told to stop, or loses its place, has an event that says why, and what that says was
// so at that moment, by the records and by the programs themselves.
import type { UnitToRun } from '../../src/agent/driver.js'
import { runHash } from '../../src/agent/unit-to-run.js'
import type { HistoryEvent } from '../../src/model/event.js'
import type { MachineId } from '../../src/model/machine.js'
import type { Instance, Service } from '../../src/model/service.js'
import type { Placement, UnitName } from '../../src/model/unit.js'
import { decode, decodeEvents, kindOfKey } from '../../src/store/records.js'
import type { Change } from '../../src/store/store.js'
import { type ClusterView, serviceKey } from '../../src/store/view.js'
import type { Node } from './node.js'
import { instancesOn, whyNotThere } from './places.js'
import { type Deed, project } from './scenario.js'
import { asksOf, takesPlaceOf, whyNotUnitThere } from './units.js'

export interface ReasonsParts {
  readonly now: () => number
  readonly nodes: readonly Node[]
  /** Whether no clock is ever set, so that what waits for an hour does. */
  readonly isOneClock: boolean
  readonly broke: (what: string) => void
  readonly count: (what: string) => void
}

/** A decision may rest on what was so, and known, at most so long before. */
const decidesWithinMs = 30_000
/** What has served for so long is known to, and has neither failed nor ended. */
const servesForMs = 45_000
/** A machine that is back learns within so long what was decided without it. */
const hearsWithinMs = 60_000
/** What is lost is waited for so long, as docs/services.md says. */
const lostKeptMs = 60 * 60_000
/** So many checks in a row fail before a program is unhealthy (docs/manifest.md, `healthchecks.retries`). */
const retries = 3

/** Something that was so at a moment. */
interface Moment {
  readonly instance: Instance
  /** The record of its service before, while and after that was written. */
  readonly services: readonly Service[]
  readonly view: ClusterView
  /** What is told to stop at once with it, for other reasons than that there are too many. */
  readonly replaced: readonly Instance[]
}

/** What each reason of a stop for good rests on, by what it begins with; what is not here is none. */
type Premise = (judge: Facts, moment: Moment, reason: string) => boolean

/** What has been so of late. */
interface Facts {
  readonly asked: (service: string, ...whats: readonly string[]) => boolean
  readonly isAway: (view: ClusterView, unit: UnitName) => boolean
  readonly awayForMs: (view: ClusterView, unit: UnitName) => number
  readonly wasDrained: (machine: MachineId | undefined) => boolean
  readonly lacksRoom: (service: string) => boolean
  readonly wasSick: (unit: UnitName) => boolean
  readonly servesForMs: (instance: Instance) => number
  readonly scaleWas: (service: Service, since: number) => number
}

const premises: Readonly<Record<string, Premise>> = {
  'deleted: the service is being deleted': ({ asked }, { services, instance }) =>
    services.some(({ deleting }) => deleting) && asked(instance.service, 'delete'),
  'stopped: it was told to stop': (_, { services, instance }) =>
    services.some(({ stopping }) => stopping === 'all' || stopping === instance.version),
  'stopped: the service was told to stop': ({ asked }, moment) =>
    moment.services.some(({ stoppedFrom, scale }) => stoppedFrom !== null && isTooMany(moment, scale)) &&
    asked(moment.instance.service, 'stop', 'call', 'scale'),
  'scale-down: the scale was lowered': ({ scaleWas }, moment) =>
    moment.services.some(
      (service) =>
        isTooMany(moment, service.scale) && scaleWas(service, moment.instance.createdAt) > service.scale,
    ),
  'scale-down: more instances run than the scale requires': (_, moment) =>
    moment.services.some(({ scale }) => isTooMany(moment, scale)),
  'replaced: a newer instance takes its place': (_, { view, instance }) =>
    others(view, instance).some(({ n }) => n > instance.n),
  'replaced: it serves nobody, and has no place in the scale': (facts, { instance, services }) =>
    services.some(({ rollout }) => rollout !== null) && facts.servesForMs(instance) < servesForMs,
  // That may be gone again by now.
  'replaced: another version has taken its place while its machine was down': (facts, moment) =>
    moment.services.some(({ current, rollout }) => current !== moment.instance.version || rollout !== null) &&
    facts.isAway(moment.view, moment.instance.unit),
  'replaced: no machine has room for its replacement beside it': ({ lacksRoom }, { services, instance }) =>
    services.some(({ rollout }) => rollout !== null) && lacksRoom(instance.service),
  'replaced: another instance has its slot': (_, { instance, view }) =>
    others(view, instance).some(({ slot }) => slot === instance.slot),
  'replaced: a newer instance takes its slot': (_, { services }) =>
    services.some(({ rollout }) => rollout !== null),
  'replaced: its volume moves to another machine': (_, { instance, view }) => isHeld(view, instance, 'move'),
  'replaced: its volume is backed up': (_, { instance, view }) => isHeld(view, instance, 'backup'),
  'replaced: a backup is restored': (_, { instance, view }) => isHeld(view, instance, 'restore'),
  'drained: its machine is drained': ({ wasDrained }, { instance, view }) =>
    wasDrained(view.placements.get(instance.unit)?.machine) && others(view, instance).length > 0,
  'unhealthy: ': (facts, { instance, view }) =>
    (view.reportOf(instance.unit)?.health === 'unhealthy' || facts.wasSick(instance.unit)) &&
    facts.servesForMs(instance) < servesForMs,
  'failed: its unit is gone': (_, { instance, view }) => !view.units.has(instance.unit),
  'failed: ': (facts, { instance }) => facts.servesForMs(instance) < servesForMs,
  'finished: ': (facts, { instance, services }) =>
    services.some(({ type }) => type !== 'continuous') && facts.servesForMs(instance) < servesForMs,
  // Who decides may have heard of the loss before the judge has.
  'lost: its machine did not come back': (facts, { instance, view }) =>
    facts.awayForMs(view, instance.unit) >= lostKeptMs - hearsWithinMs,
  'lost: its machine is lost, and its slot starts with empty volumes': (facts, { instance, view }) =>
    instance.slot !== undefined && facts.isAway(view, instance.unit),
  'lost: its machine is lost, and it has no volumes that would be waited for': (facts, { instance, view }) =>
    instance.slot === undefined && facts.isAway(view, instance.unit),
}

/**
 * Whether one more goes as there are at least as many as asked for without it, or none has its slot. Those that go with it for
 * another reason were there when that was found.
 */
function isTooMany({ view, instance, replaced }: Moment, scale: number): boolean {
  return (instance.slot ?? -1) >= scale || others(view, instance).length + replaced.length >= scale
}

/** Those of its service that go on. */
function others(view: ClusterView, { uuid, service }: Instance): readonly Instance[] {
  return view
    .instancesOf(serviceKey(project, service))
    .filter((one) => one.uuid !== uuid && one.retired === null)
}

/** Those that are told to stop for good by these changes. */
function retiredIn(changes: readonly Change[]): readonly Instance[] {
  return changes.flatMap((change) => {
    if (change.type === 'delete' || kindOfKey(change.key) !== 'instance') return []
    const before = change.previous && decode('instance', change.previous)
    const after = decode('instance', change.entry)
    return after.retired !== null && before?.retired == null ? [after] : []
  })
}

function isHeld(view: ClusterView, { service, slot }: Instance, work: string): boolean {
  const records = [...view.volumesOf(serviceKey(project, service)).values()]
  return records.some((one) => one.slot === slot && one.hold?.work === work)
}

export class ReasonsJudge {
  readonly #parts: ReasonsParts
  readonly #facts: Facts
  /** What operators, callers and triggers have asked for, by service. */
  readonly #asked = new Map<string, Set<string>>()
  readonly #services = new Map<string, Service>()
  /** Scales that services have had, each until when. */
  readonly #scales = new Map<string, { readonly scale: number; until: number }[]>()
  /** When machines were last there, came back, and were drained. */
  readonly #thereAt = new Map<string, number>()
  readonly #backAt = new Map<string, number>()
  readonly #drainedAt = new Map<string, number>()
  /** When no machine had room for an instance of a service for what others have there. */
  readonly #fullAt = new Map<string, number>()
  /** When a unit was last told to be unhealthy. */
  readonly #sickAt = new Map<UnitName, number>()
  /** How many checks in a row have failed. */
  readonly #failures = new Map<UnitName, number>()
  /** When what a unit is to be, and where, last changed; and what its machine had of it last. */
  readonly #changedAt = new Map<UnitName, number>()
  readonly #hashes = new Map<string, string>()
  #machinesChangedAt = 0
  #view: ClusterView | null = null

  constructor(parts: ReasonsParts) {
    this.#parts = parts
    const isRecent = (at: number | undefined): boolean => parts.now() - (at ?? 0) <= decidesWithinMs
    this.#facts = {
      asked: (service, ...whats) => whats.some((what) => this.#asked.get(service)?.has(what)),
      isAway: (view, unit) => {
        const machine = view.placements.get(unit)?.machine
        return machine === undefined || !view.machines.has(machine) || isRecent(this.#backAt.get(machine))
      },
      awayForMs: (view, unit) => {
        const machine = view.placements.get(unit)?.machine
        if (machine === undefined || !parts.isOneClock) return Number.POSITIVE_INFINITY
        return view.machines.has(machine) ? 0 : parts.now() - (this.#thereAt.get(machine) ?? 0)
      },
      wasDrained: (machine) => isRecent(this.#drainedAt.get(machine ?? '')),
      lacksRoom: (service) => isRecent(this.#fullAt.get(service)),
      wasSick: (unit) => isRecent(this.#sickAt.get(unit)),
      servesForMs: (instance) => this.#servesForMs(instance),
      scaleWas: (service, since) => this.#scaleWas(service, since),
    }
  }

  /** Somebody is about to ask for it. */
  asked({ who, what }: Deed): void {
    const asked = this.#asked.get(who) ?? new Set()
    this.#asked.set(who, asked.add(what))
  }

  /** A program begins, with the text of then. */
  begun(node: Node, { name, hash }: UnitToRun): void {
    this.#hashes.set(`${node.id} ${name}`, hash)
    this.#failures.delete(name)
  }

  /** A check of a program has found that. */
  checked(unit: UnitName, isWell: boolean): void {
    this.#failures.set(unit, isWell ? 0 : (this.#failures.get(unit) ?? 0) + 1)
  }

  /** A program that does its work is told to stop by its machine. */
  stopping(node: Node, unit: UnitName): void {
    const { broke, count, now } = this.#parts
    const view = this.#view
    if (view === null) return
    const spec = view.units.get(unit)
    const placement = view.placedOn(node.id).get(unit)
    count('stop of what serves')
    if (spec?.desired !== 'launched' || placement === undefined) return
    if (this.#hashes.get(`${node.id} ${unit}`) !== runHash(spec.hash, placement)) return
    // It does what was asked before, or was when it was last heard of.
    const heardAt = Math.max(this.#changedAt.get(unit) ?? 0, node.outOfTouchAt)
    if (now() - heardAt <= hearsWithinMs) return
    broke(`${unit} serves on ${node.name}, is to run there, and is told to stop`)
  }

  /** Looks at what has changed, with the view as it is with that. */
  look(view: ClusterView, changes: readonly Change[]): void {
    this.#view = view
    const events = changes.flatMap((change) =>
      change.type === 'put' && kindOfKey(change.key) === 'event' ? decodeEvents(change.entry) : [],
    )
    this.#noteState(view, changes)
    for (const change of changes) {
      const kind = kindOfKey(change.key)
      if (kind === 'instance') this.#checkInstance(view, change, changes, events)
      if (kind === 'placement') this.#checkPlace(view, change, events)
      if (kind === 'machine') this.#checkMachine(view, change)
    }
    for (const event of events) this.#checkTold(view, event)
    for (const change of changes)
      if (change.type === 'put' && kindOfKey(change.key) === 'service') {
        const service = decode('service', change.entry)
        this.#services.set(service.name, service)
      }
  }

  #noteState(view: ClusterView, changes: readonly Change[]): void {
    const now = this.#parts.now()
    for (const change of changes) {
      const kind = kindOfKey(change.key)
      const last = change.key.slice(change.key.lastIndexOf('/') + 1)
      if (kind === 'unit' || kind === 'placement') this.#changedAt.set(unitOf(change.key), now)
      if (kind === 'machine' || kind === 'order') this.#machinesChangedAt = now
      if (kind === 'machine') {
        this.#thereAt.set(last, now)
        // While it is away, and until others have heard that it is back.
        if (change.type === 'put' && change.previous === null) this.#backAt.set(last, now)
      }
      if (kind === 'order' && change.previous !== null)
        if (decode('order', change.previous).drain !== undefined) this.#drainedAt.set(last, now)
      if (change.type === 'delete') continue
      if (kind === 'service') this.#noteScale(decode('service', change.entry))
      if (kind === 'report') this.#noteReport(change.key, change)
    }
    for (const { id, drain } of view.orders.values()) if (drain !== undefined) this.#drainedAt.set(id, now)
    for (const { unit, refusals } of view.waiting.values()) {
      const service = view.instances.get(unit)?.service
      const lacks = refusals.some(({ refusal }) => roomy.has(refusal.kind))
      if (service !== undefined && lacks) this.#fullAt.set(service, now)
    }
  }

  #noteScale({ uuid, scale }: Service): void {
    const now = this.#parts.now()
    const scales = this.#scales.get(uuid) ?? []
    const last = scales.at(-1)
    if (last !== undefined) last.until = now
    if (last?.scale !== scale) scales.push({ scale, until: now })
    this.#scales.set(uuid, scales)
  }

  /** The highest scale that it has had since then, by the clock of the simulation where there is but one. */
  #scaleWas({ uuid }: Service, since: number): number {
    const from = this.#parts.isOneClock ? since - decidesWithinMs : 0
    return Math.max(
      0,
      ...(this.#scales.get(uuid) ?? []).flatMap(({ scale, until }) => (until >= from ? [scale] : [])),
    )
  }

  #noteReport(key: string, change: Change & { readonly type: 'put' }): void {
    const { broke, count, now } = this.#parts
    const { name: unit, health } = decode('report', change.entry)
    if (health !== 'unhealthy') return
    this.#sickAt.set(unit, now())
    const before = change.previous && decode('report', change.previous)
    if (before?.health === 'unhealthy') return
    count('unhealthy told')
    const failures = this.#failures.get(unit) ?? 0
    if (failures < retries)
      broke(`${key} tells that ${unit} is unhealthy after ${failures} checks that failed`)
  }

  #servesForMs({ uuid }: Instance): number {
    const { nodes, now } = this.#parts
    return Math.max(
      ...nodes.map((node) =>
        now() - node.troubledAt < servesForMs ? 0 : node.host.servesForMs(`${uuid}`) - node.unheardMs,
      ),
    )
  }

  /** Who is told to stop for good has an event with its reason, and nobody goes without having been told to stop. */
  #checkInstance(
    view: ClusterView,
    change: Change,
    changes: readonly Change[],
    events: readonly HistoryEvent[],
  ): void {
    const { broke } = this.#parts
    const before = change.previous && decode('instance', change.previous)
    if (change.type === 'delete') {
      if (before !== null && before.retired === null)
        broke(`${before.name} is gone, and was not told to stop`)
      return
    }
    const instance = decode('instance', change.entry)
    const { name, retired, service: of } = instance
    if (retired === null || before?.retired != null) return
    const told = events.find(
      ({ kind, instance: one, service }) => kind === 'instance-retired' && one === name && service === of,
    )
    const reason = `${told?.data?.cause}: ${told?.data?.reason}`
    if (told?.data?.cause !== retired.cause) {
      broke(`${name} is to stop (${retired.cause}), and its event says: ${reason}`)
      return
    }
    const written = changes.flatMap((one) =>
      one.type === 'put' && kindOfKey(one.key) === 'service' ? [decode('service', one.entry)] : [],
    )
    const last = this.#services.get(of)
    const services = [...(last === undefined ? [] : [last]), ...written].filter((one) => one.name === of)
    const found = Object.entries(premises).find(([beginning]) => reason.startsWith(beginning))
    if (found === undefined) {
      broke(`${name} is to stop for a reason that nobody knows: ${reason}`)
      return
    }
    this.#parts.count(`reason ${found[0]}`)
    const replaced = retiredIn(changes).filter(
      (one) => one.service === of && one.uuid !== instance.uuid && one.retired?.cause === 'replaced',
    )
    if (!found[1](this.#facts, { instance, services, view, replaced }, reason))
      broke(`${name} is to stop, and it is not so that ${reason}`)
  }

  /** Who loses a place that it is to have has an event with its reason. */
  #checkPlace(view: ClusterView, change: Change, events: readonly HistoryEvent[]): void {
    const { broke, count } = this.#parts
    const before = change.previous && decode('placement', change.previous)
    if (before === null) return
    const after = change.type === 'put' ? decode('placement', change.entry) : null
    if (after?.machine === before.machine) return
    const { unit, machine } = before
    const spec = view.units.get(unit)
    if (spec === undefined || spec.desired === 'inactive') return
    const name = view.instances.get(unit)?.name
    const told = events.find(
      (event) =>
        event.kind === 'evicted' &&
        event.machine === machine &&
        (name === undefined ? event.data?.unit === unit : event.instance === name),
    )
    const reason = told?.data?.reason
    if (reason === undefined) {
      broke(`${unit} has lost its place on ${machine}, and no event says why`)
      return
    }
    const kind = evictions.find((one) => one.is.test(reason))
    if (kind === undefined) {
      broke(`${unit} has lost its place on ${machine} for a reason that nobody knows: ${reason}`)
      return
    }
    count(`place lost, ${kind.is.source}`)
    const isNews = [...this.#changedAt.values()].some((at) => this.#parts.now() - at < decidesWithinMs)
    const isRecent = this.#parts.now() - this.#machinesChangedAt < decidesWithinMs
    if (!kind.holds(view, before, reason, { isNews: isNews || isRecent }))
      broke(`${unit} has lost its place on ${machine}, and it is not so that ${reason}`)
  }

  /** A machine is gone only if it was out of touch, or said so. */
  #checkMachine(view: ClusterView, change: Change): void {
    const { broke, count, nodes } = this.#parts
    const id = change.key.slice(change.key.lastIndexOf('/') + 1)
    const node = nodes.find((one) => one.id === id)
    if (change.type === 'put' || node === undefined || view.machines.has(node.id)) return
    count('machine gone')
    if (node.time.frozenForMs > 0) return
    if (node.daemon !== null && node.unheardMs === 0 && node.outOfTouchAt < this.#parts.now())
      broke(`${node.name} is gone, and was in touch`)
  }

  /** What is told of a machine that was lost, and is back, is so. */
  #checkTold(view: ClusterView, { kind, instance: name, service }: HistoryEvent): void {
    if (kind !== 'instance-lost' && kind !== 'instance-returned') return
    const { broke, count } = this.#parts
    const one = view.instancesOf(serviceKey(project, service ?? '')).find((each) => each.name === name)
    const machine = one && view.placements.get(one.unit)?.machine
    if (machine === undefined) return
    count(kind)
    const { nodes, now } = this.#parts
    const isAway = !view.machines.has(machine)
    const isRecent = now() - (this.#thereAt.get(machine) ?? 0) <= decidesWithinMs
    const hostname = nodes.find(({ id }) => id === machine)?.name
    if (isAway !== (kind === 'instance-lost') && !isRecent)
      broke(`${name} is told to be ${kind.slice(9)}, and ${hostname} is ${isAway ? 'away' : 'there'}`)
  }
}

/** What a machine lacks because of others that are there. */
const roomy: ReadonlySet<string> = new Set(['port', 'memory', 'cpu', 'conflict', 'far', 'near'])

interface Eviction {
  readonly is: RegExp
  readonly holds: (
    view: ClusterView,
    placement: Placement,
    reason: string,
    how: { readonly isNews: boolean },
  ) => boolean
}

const evictions: readonly Eviction[] = [
  {
    is: /^its machine was lost$/,
    holds: (view, { machine }, _, { isNews }) => isNews || !view.machines.has(machine),
  },
  {
    is: /^its machine is being drained$/,
    holds: (view, { machine }, _, { isNews }) => isNews || view.orders.get(machine)?.drain !== undefined,
  },
  {
    is: /, which it follows, is no longer on this machine$/,
    holds: (view, { unit, machine }, _, { isNews }) => {
      const after = asksOf(view, unit)?.after ?? null
      return isNews || (after !== null && view.placements.get(after)?.machine !== machine)
    },
  },
  {
    is: / takes its place$/,
    holds: (view, { unit, machine }, reason, { isNews }) => {
      const by = reason.slice(0, reason.indexOf(' ')) as UnitName
      return isNews || (view.placedOn(machine).has(by) && takesPlaceOf(view, by, unit))
    },
  },
  {
    is: /^it cannot stay: its machine /,
    holds: (view, { unit, machine }, _, { isNews }) => {
      if (isNews) return true
      const there = instancesOn(view, machine, () => false)
      return whyNotUnitThere(view, unit, machine) !== null || whyNotThere(view, unit, machine, there) !== null
    },
  },
]

/** The unit of a key of a unit or of a placement, global ones too. */
function unitOf(key: string): UnitName {
  return (key.split('/').find((part) => part.endsWith('.service')) ?? key) as UnitName
}
