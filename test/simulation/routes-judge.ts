// What the entry serves for services that are renamed, joined and split: each claim has one owner, who has it until another
// serves it, and what is led to is what serves. By the records at each change; what a proxy would lead to is what the product's
// own code says of them.
import { explain } from '../../src/api/explain.js'
import { isProblem } from '../../src/changes/problem.js'
import { NameIndex } from '../../src/dns/name-index.js'
import { Explainer } from '../../src/engine/explain.js'
import { routesOf } from '../../src/entry/routes.js'
import { standingsOf, upstreamTable } from '../../src/entry/upstreams.js'
import { claimOf, routesOfVersion } from '../../src/model/entry.js'
import { instanceStateOf } from '../../src/model/instance-state.js'
import type { MachineId } from '../../src/model/machine.js'
import type { Instance, Service, ServiceVersion } from '../../src/model/service.js'
import { takersOf } from '../../src/model/task.js'
import type { UnitName } from '../../src/model/unit.js'
import { kindOfKey } from '../../src/store/records.js'
import type { Change } from '../../src/store/store.js'
import { type ClusterView, serviceKey } from '../../src/store/view.js'
import { openUnitReader } from '../../src/unit/reader.js'
import type { Node } from './node.js'
import { recordIn } from './record-in.js'
import { type Filed, handOverIn, isHandOver } from './routes.js'
import { type Deed, project } from './scenario.js'

export interface RoutesParts {
  readonly now: () => number
  readonly machines: number
  /** Whether every machine has room for everything. */
  readonly isRoomy: boolean
  readonly broke: (what: string) => void
  readonly count: (what: string) => void
}

/** A deploy of the files, and what became of it. */
export interface AskedSite {
  readonly files: readonly Filed[]
  state: 'asked' | 'refused' | 'done'
}

/** Whom a claim leads to. */
interface Led {
  readonly owner: string
  /** Instances that get what comes by it. */
  readonly to: readonly UnitName[]
  /** Whether anybody does: on machines that are out of sight, too. */
  readonly isAny: boolean
}

/** What was so lately may be why something was decided. */
const decidesWithinMs = 30_000
/** What has begun just now may end at once. */
const settlesWithinMs = 5000
/** What has served for so long every daemon knows of, also one that stood still for as long as one may. */
const knownAfterMs = 120_000
/** After such a time without any trouble nothing is waited for. */
const restMs = 60_000

const relevant: ReadonlySet<string | null> = new Set([
  ...(['service', 'version', 'instance', 'unit', 'placement', 'report', 'machine', 'order'] as const),
  ...(['task', 'knownMachine', 'file'] as const),
])

export class RoutesJudge {
  readonly #parts: RoutesParts
  #names: NameIndex | null = null
  #led: ReadonlyMap<string, Led> = new Map()
  #services: ReadonlyMap<string, Service> = new Map()
  /** Who takes over from each service whose deletion waits for that. */
  #takers: ReadonlyMap<string, readonly string[]> = new Map()
  /** Since when an instance has been up by the records. */
  readonly #upSince = new Map<UnitName, number>()
  /** The start of its program that this is about, as its machine tells of it. */
  readonly #starts = new Map<UnitName, number | null>()
  /** Those that are so no longer since the last change, with since when they were. */
  readonly #fell = new Map<UnitName, number>()
  /** When one of a version was last up. */
  readonly #upAt = new Map<string, number>()
  /** When an operator last asked for a service to be deleted. */
  readonly #deletedAt = new Map<string, number>()
  /** When there was last a machine missing, cordoned or drained. */
  #crampedAt = Number.NEGATIVE_INFINITY
  readonly #asks: AskedSite[] = []
  /** Versions that deploys have made, by service and number, and hand-overs that they have begun. */
  readonly #made = new Set<string>()
  readonly #begun: { readonly what: string; readonly by: readonly AskedSite[] }[] = []

  constructor(parts: RoutesParts) {
    this.#parts = parts
  }

  /** Somebody is about to ask for it. */
  asked({ who, what }: Deed): void {
    if (what === 'delete') this.#deletedAt.set(who, this.#parts.now())
  }

  /** Somebody hands in these files. */
  asks(files: readonly Filed[]): AskedSite {
    const asked: AskedSite = { files, state: 'asked' }
    this.#asks.push(asked)
    return asked
  }

  done(asked: AskedSite): void {
    asked.state = 'done'
  }

  /** It has changed nothing, then. */
  refused(asked: AskedSite): void {
    asked.state = 'refused'
    for (const { name, n } of asked.files)
      if (this.#made.has(`${name} ${n}`) && this.#askedWith(name, n).length === 0)
        this.#parts.broke(`${name}: a deploy that was refused has made a version`)
    for (const { what, by } of this.#begun)
      if (by.includes(asked) && by.every(({ state }) => state === 'refused'))
        this.#parts.broke(`${what}: a deploy that was refused has begun that`)
  }

  /** Looks at what has changed, with the view as it is with that. */
  look(view: ClusterView, changes: readonly Change[]): void {
    const { now } = this.#parts
    this.#names ??= new NameIndex(
      view,
      openUnitReader((hash) => view.files.get(hash)),
      'nowhere' as MachineId,
    )
    for (const change of changes) this.#names.note(change, now())
    if (!changes.some(({ key }) => relevant.has(kindOfKey(key)))) return
    this.#noteState(view)
    this.#checkMade(view, changes)
    const led = this.#ledBy(view)
    for (const [name, before] of this.#services) this.#checkService(view, name, before)
    for (const [claim, before] of this.#led) this.#checkClaim(view, claim, before, led.get(claim))
    this.#checkRetired(view, changes)
    this.#led = led
    this.#services = new Map([...view.services.values()].map((service) => [service.name, service]))
    this.#noteTakers(view)
  }

  #noteState(view: ClusterView): void {
    const now = this.#parts.now()
    this.#fell.clear()
    for (const [unit, since] of this.#upSince) {
      const instance = view.instances.get(unit)
      if (instance !== undefined && isUp(view, instance)) continue
      this.#upSince.delete(unit)
      this.#fell.set(unit, since)
    }
    for (const instance of view.instances.values())
      if (isUp(view, instance)) {
        const start = view.reportOf(instance.unit)?.since ?? null
        if (this.#upSince.has(instance.unit) && this.#starts.get(instance.unit) === start) continue
        this.#upSince.set(instance.unit, now)
        this.#starts.set(instance.unit, start)
      }
    const isHeld = [...view.orders.values()].some(({ cordoned, drain }) => cordoned || drain !== undefined)
    if (isHeld || view.machines.size < this.#parts.machines) this.#crampedAt = now
  }

  #noteTakers(view: ClusterView): void {
    const now = this.#parts.now()
    for (const unit of this.#upSince.keys()) {
      const { version } = view.instances.get(unit) ?? {}
      if (version !== undefined) this.#upAt.set(version, now)
    }
    const before = this.#takers
    const takers = [...view.services.values()].flatMap(({ name }) => {
      const task = handOverIn(view.tasksOf(serviceKey(project, name)))
      const names = task === null ? null : takersOf(task)
      return names === null ? [] : [[name, names] as const]
    })
    this.#takers = new Map(takers)
    for (const name of before.keys())
      if (!this.#takers.has(name) && view.services.get(serviceKey(project, name))?.deleting === false)
        this.#parts.count('hand-over given up')
  }

  #ledBy(view: ClusterView): ReadonlyMap<string, Led> {
    const names = this.#names
    if (names === null) return new Map()
    const routes = routesOf(view)
    const asked = { view, names, now: this.#parts.now() }
    const table = upstreamTable(asked, routes)
    const led = new Map<string, Led>()
    for (const served of routes) {
      if (served.takenBy !== null) continue
      const claim = claimOf(served.route)
      if (led.has(claim)) this.#parts.broke(`${claim} has two owners`)
      const all = standingsOf(asked, served).filter(({ state }) => state === 'serving')
      const units = view
        .instancesOf(serviceKey(project, served.service))
        .flatMap(({ name, unit }) => (all.some(({ instance }) => instance === name) ? [unit] : []))
      const isAny = (table[served.group] ?? []).length > 0
      led.set(claim, { owner: served.service, to: units, isAny })
    }
    return led
  }

  /** Who is deleted for others goes once those serve, and nobody goes whom nobody has asked to go. */
  #checkService(view: ClusterView, name: string, before: Service): void {
    const after = view.services.get(serviceKey(project, name))
    if (after === undefined || after.uuid !== before.uuid || before.deleting || !after.deleting) return
    const { broke, count, isRoomy } = this.#parts
    const takers = this.#takers.get(name)
    if (after.handsOver !== undefined) {
      count('handed over')
      if (takers === undefined) broke(`${name} is deleted for others, and no deletion of it has waited`)
      for (const taker of takers ?? [])
        if (!this.#servesLately(view, taker)) broke(`${name} is deleted before ${taker} serves`)
      return
    }
    if (this.#isRecent(this.#deletedAt.get(name))) return
    if (
      !this.#asks.some(({ files, state }) => state !== 'refused' && files.every((one) => one.name !== name))
    )
      broke(`${name} is deleted, and nobody has asked for that`)
    const own = claimsOf(view, before)
    const isTaken = [...view.services.values()].some(
      (other) =>
        other.name !== name && !other.deleting && claimsOf(view, other).some((claim) => own.includes(claim)),
    )
    const isOwner = own.some((claim) => this.#led.get(claim)?.owner === name)
    const serves = view
      .instancesOf(serviceKey(project, name))
      .some(({ unit, version }) => version === before.current && this.#isUpFor(unit, decidesWithinMs))
    if (!isTaken || !isOwner || !serves) return
    count('removed at once')
    if (isRoomy && !this.#isRecent(this.#crampedAt, restMs))
      broke(`${name} is removed at once, and there is room for what takes its place`)
  }

  #servesLately(view: ClusterView, name: string): boolean {
    const service = view.services.get(serviceKey(project, name))
    return service !== undefined && this.#isRecent(this.#upAt.get(service.current))
  }

  /** Whoever has a claim has it until it goes, or has it no more; and where it led to what serves, it does. */
  #checkClaim(view: ClusterView, claim: string, before: Led, after: Led | undefined): void {
    const { broke, count } = this.#parts
    const former = view.services.get(serviceKey(project, before.owner))
    const isGivenUp = former === undefined || former.deleting || !claimsOf(view, former).includes(claim)
    if (after !== undefined && after.owner !== before.owner) {
      count('claim moved')
      if (!isGivenUp && !this.#wentBack(view, after.owner))
        broke(`${claim} is taken from ${before.owner}, which has it, for ${after.owner}`)
    }
    if (!before.isAny || after?.isAny === true) return
    count('claim leads nowhere')
    if (isGivenUp) return
    const [left] = before.to.filter((unit) => this.#isUpFor(unit, settlesWithinMs))
    if (left !== undefined) broke(`${claim} leads nowhere, and ${left} of ${before.owner} serves`)
  }

  /** Whether a rollout has just failed for it, so that an earlier version is current again. */
  #wentBack(view: ClusterView, name: string): boolean {
    const [before, after] = [this.#services.get(name), view.services.get(serviceKey(project, name))]
    const ordinal = (service: Service | undefined): number =>
      view.versions.get(service?.current ?? '')?.ordinal ?? 0
    return before !== undefined && after !== undefined && ordinal(after) < ordinal(before)
  }

  /** What makes a version is a deploy that was not refused, and two have one claim only where one goes for the other. */
  #checkMade(view: ClusterView, changes: readonly Change[]): void {
    const { broke, count } = this.#parts
    for (const change of changes) {
      if (change.type !== 'put' || change.previous !== null) continue
      const version = recordIn('version', change.entry)
      const task = recordIn('task', change.entry)
      if (version !== null) this.#checkVersion(view, version)
      if (task === null || !isHandOver(task.order)) continue
      const takers = takersOf(task) ?? []
      count('hand-over begun')
      const by = this.#asks.filter(
        ({ files, state }) =>
          state !== 'refused' &&
          takers.every((taker) => files.some(({ name }) => name === taker)) &&
          files.every(({ name }) => name !== task.service),
      )
      const what = `${task.service} is to hand over to ${takers.join(', ')}`
      if (by.length === 0) broke(`${what}, and nobody has asked for that`)
      this.#begun.push({ what, by })
    }
  }

  #checkVersion(view: ClusterView, version: ServiceVersion): void {
    const { broke } = this.#parts
    const { service: name, text, uuid } = version
    const n = /N: "([^"]+)"/.exec(text)?.[1] ?? ''
    this.#made.add(`${name} ${n}`)
    if (this.#askedWith(name, n).length === 0) broke(`${name}: a deploy that was refused has made a version`)
    // One whose turn comes later is held to that then.
    if (view.services.get(serviceKey(project, name))?.current !== uuid) return
    const own = routesOfVersion(version).map(claimOf)
    for (const other of view.services.values()) {
      const isElse = other.name !== name && !other.deleting
      // Who claims what another has, as what was handed over has come to nothing, has nothing to hand over.
      const [claim] = isElse
        ? claimsOf(view, other).filter((one) => own.includes(one) && this.#led.get(one)?.owner === other.name)
        : []
      if (claim === undefined || givesUp(view, other, claim)) continue
      const task = handOverIn(view.tasksOf(serviceKey(project, other.name)))
      if (task === null || takersOf(task)?.includes(name) !== true)
        broke(`${name} claims ${claim}, which ${other.name} has and does not hand over`)
    }
  }

  #askedWith(name: string, n: string): readonly AskedSite[] {
    return this.#asks.filter(
      ({ files, state }) => state !== 'refused' && files.some((one) => one.name === name && one.n === n),
    )
  }

  /** What goes as others serve in its place finishes what is under way first. */
  #checkRetired(view: ClusterView, changes: readonly Change[]): void {
    for (const change of changes) {
      const before = recordIn('instance', change.previous)
      const after = change.type === 'put' ? recordIn('instance', change.entry) : null
      if (after?.retired?.cause !== 'deleted' || before?.retired !== null) continue
      const service = view.services.get(serviceKey(project, after.service))
      const since = this.#fell.get(after.unit)
      if (service?.handsOver === undefined || since === undefined) continue
      if (claimsOf(view, service).length === 0 || this.#parts.now() - since < knownAfterMs) continue
      this.#parts.count('leaves for another service')
      if (view.units.get(after.unit)?.stopAfterMs === undefined)
        this.#parts.broke(`${after.name} serves, and is stopped before it has finished what is under way`)
    }
  }

  #isUpFor(unit: UnitName, ms: number): boolean {
    const since = this.#upSince.get(unit)
    return since !== undefined && this.#parts.now() - since > ms
  }

  #isRecent(at: number | undefined, withinMs = decidesWithinMs): boolean {
    return at !== undefined && this.#parts.now() - at <= withinMs
  }

  /** No hand-over waits for nothing, and what serves is led to. */
  judgeRest(view: ClusterView, nodes: readonly Node[]): void {
    const { broke, count } = this.#parts
    for (const [name, takers] of this.#takers) {
      count('hand-over waits in the end')
      const whys = takers.map((taker) => whyNotServing(view, taker))
      if (whys.every((why) => why === 'serves')) broke(`${name} waits for ${takers.join(', ')}, which serve`)
      for (const [n, why] of whys.entries())
        if (why === 'over') broke(`${name} waits for ${takers[n]}, which comes no more`)
        else if (why === 'comes' && !isExplained(view, takers[n] ?? '', this.#parts.now()))
          broke(`${name} waits for ${takers[n]}, and nothing explains why that does not serve`)
    }
    const led = this.#ledBy(view)
    for (const [claim, { owner, isAny }] of led) {
      const { current, deleting } = view.services.get(serviceKey(project, owner)) ?? {}
      const serving = view
        .instancesOf(serviceKey(project, owner))
        .find(
          ({ uuid, version, retired }) =>
            retired === null &&
            version === current &&
            nodes.some(({ host }) => host.servesForMs(`${uuid}`) > restMs),
        )
      if (serving !== undefined && !isAny) broke(`${claim} leads nowhere, and ${serving.name} serves`)
      if (deleting === true) broke(`${claim} is still that of ${owner}, which is to be deleted`)
    }
  }
}

/** Whether it is up by what the records say of it. */
function isUp(view: ClusterView, instance: Instance): boolean {
  if (instance.retired !== null) return false
  const placement = view.placements.get(instance.unit)
  const report = view.reportOf(instance.unit)
  if (placement === undefined || report === null || !view.machines.has(placement.machine)) return false
  const state = instanceStateOf({ instance, placement, report, machinePresent: true })
  if (state !== 'running' || report.health === 'unhealthy') return false
  return view.versions.get(instance.version)?.checked !== true || report.health === 'healthy'
}

function claimsOf(view: ClusterView, { current }: Service): readonly string[] {
  return routesOfVersion(view.versions.get(current) ?? {}).map(claimOf)
}

/** Whether a deploy of a service that waits for its turn, as one that came with that of the other, makes it leave a claim. */
function givesUp(view: ClusterView, { name }: Service, claim: string): boolean {
  return view.tasksOf(serviceKey(project, name)).some(({ finishedAt, order }) => {
    if (finishedAt !== null || order?.kind !== 'rollout' || order.version === null) return false
    return !routesOfVersion(view.versions.get(order.version) ?? {}).some((route) => claimOf(route) === claim)
  })
}

/** Whether who asks why a service is as it is gets an answer. */
function isExplained(view: ClusterView, name: string, now: number): boolean {
  const { needs } = openUnitReader((hash) => view.files.get(hash))
  const told = explain(view, new Explainer(view, needs), project, name, now)
  if (isProblem(told)) return false
  const { instances, because } = told
  return because.length > 0 || instances.some((one) => one.because.length > 0)
}

/** Whether a service serves that others wait for; `over`: it does not, and nothing is being done about that. */
function whyNotServing(view: ClusterView, name: string): 'serves' | 'comes' | 'over' {
  const service = view.services.get(serviceKey(project, name))
  if (service === undefined || service.deleting) return 'over'
  const own = view
    .instancesOf(serviceKey(project, name))
    .filter(({ retired, version }) => retired === null && version === service.current)
  const up = own.filter((one) => isUp(view, one))
  const isOpen = view.tasksOf(serviceKey(project, name)).some(({ finishedAt }) => finishedAt === null)
  if (up.length > 0 && (!isOpen || up.length === own.length)) return 'serves'
  return service.scale === 0 && !isOpen ? 'over' : 'comes'
}
