// What has to hold of units that are handed in by fleet's verbs: none is put where its text speaks against it, none loses its
// place without a reason, and what is to run does so soon; and in the end each is as it was asked for, global ones once on
// every machine that fits.
import type { MachineId } from '../../src/model/machine.js'
import type { DesiredState, Placement, UnitName } from '../../src/model/unit.js'
import { kindOfKey } from '../../src/store/records.js'
import type { Change } from '../../src/store/store.js'
import type { ClusterView } from '../../src/store/view.js'
import { usedMb } from './memory.js'
import { nearRuleOf } from './near.js'
import type { Node } from './node.js'
import { asksOf, isApart, isWanted, takesPlaceOf, unitsOn, whyNotUnitThere, zoneOf } from './units.js'

/** What somebody was told of a unit: what is wanted of it; null: it is destroyed. */
export type UnitTold = { readonly desired: DesiredState | null } | 'unknown'

export interface UnitsParts {
  readonly now: () => number
  readonly nodes: readonly Node[]
  /** Every machine has room for everything. */
  readonly isRoomy: boolean
  readonly broke: (what: string) => void
  readonly count: (what: string) => void
}

/** What a placement takes at most from its decision until it is written. */
const decidesWithinMs = 15_000
/** What is to run does within so long where nothing is wrong: a chain that failed before is tried again after a minute. */
const runsWithinMs = 90_000
/** How often that is looked at. */
const lookEveryMs = 5000

export class UnitsJudge {
  readonly #parts: UnitsParts
  /** By machine and unit. */
  #placed = new Set<string>()
  /** When each was last given another text, or another state. */
  readonly #changedAt = new Map<UnitName, number>()
  /** Which machines there are, in which zones, and which of them take units; and when that last changed. */
  #machines = ''
  #machinesChangedAt = 0
  /** Since when units are to run on machines and do not, by machine and unit. */
  #dueSince: ReadonlyMap<string, number> = new Map()
  #lookedAt = 0

  constructor(parts: UnitsParts) {
    this.#parts = parts
  }

  /** Whether one that speaks against a place was changed while that was decided: then it was decided before. */
  #isNews(against: string): boolean {
    const now = this.#parts.now()
    return [...this.#changedAt].some(([name, at]) => now - at < decidesWithinMs && against.includes(name))
  }

  /** What was placed since the last look was allowed to be there. */
  look(view: ClusterView, changes: readonly Change[]): void {
    const { broke, count, now } = this.#parts
    for (const { key } of changes)
      if (kindOfKey(key) === 'unit')
        this.#changedAt.set(key.slice(key.lastIndexOf('/') + 1) as UnitName, now())
    if (changes.some(({ key }) => ['machine', 'order'].includes(kindOfKey(key) ?? '')))
      this.#noteMachines(view)
    this.#checkRuns(view)
    if (!changes.some(({ key }) => kindOfKey(key) === 'placement')) return
    const placed = new Set<string>()
    for (const { unit, machine: id } of placementsOf(view)) {
      placed.add(`${id} ${unit}`)
      if (this.#placed.has(`${id} ${unit}`)) continue
      count(`placed ${asksOf(view, unit)?.isGlobal ? 'everywhere' : 'unit'}`)
      // Who is put near it later does not ask to be far.
      const wasThere = (other: UnitName, at: MachineId): boolean => this.#placed.has(`${at} ${other}`)
      const against = whyNotUnitThere(view, unit, id, { wasThere })
      if (against !== null && !this.#isNews(against)) broke(`${unit} is placed on ${id}, and ${against}`)
      if (view.orders.get(id)?.cordoned === true) broke(`${unit} is placed on ${id}, which is cordoned`)
    }
    this.#checkSpread(view, placed)
    for (const one of this.#placed) {
      const [id, unit] = one.split(' ') as [MachineId, UnitName]
      if (!placed.has(one)) this.#checkLeft(view, unit, id)
    }
    this.#placed = placed
  }

  /** One that is to be somewhere loses its place only for a reason: its text, another unit's, or its machine. */
  #checkLeft(view: ClusterView, unit: UnitName, id: MachineId): void {
    const { broke, count, now } = this.#parts
    const [spec, asks, machine] = [view.units.get(unit), asksOf(view, unit), view.machines.get(id)]
    if (spec === undefined || asks === null || asks.isGlobal || !isWanted(spec)) return
    if (machine === undefined || machine.away !== undefined || !isTaking(view, id)) return
    const isRecent = (at = 0): boolean => now() - at < decidesWithinMs
    const wereThere = [...this.#changedAt.keys()].filter((one) => this.#placed.has(`${id} ${one}`))
    const concerned = [unit, ...(asks.after === null ? [] : [asks.after]), ...wereThere, ...unitsOn(view, id)]
    if (isRecent(this.#machinesChangedAt)) return
    if (concerned.some((one) => isRecent(this.#changedAt.get(one)))) return
    const replaced = unitsOn(view, id).some((other) => takesPlaceOf(view, other, unit))
    count(replaced ? 'place taken' : 'place lost')
    if (whyNotUnitThere(view, unit, id) === null) broke(`${unit} has lost its place on ${id}, for no reason`)
  }

  /** Where nothing is wrong with its machine, and no other may still have it, a unit that is to run runs soon. */
  #checkRuns(view: ClusterView): void {
    const { broke, nodes, now } = this.#parts
    if (now() - this.#lookedAt < lookEveryMs) return
    this.#lookedAt = now()
    const due = new Map<string, number>()
    for (const { unit, machine } of placementsOf(view)) {
      const node = nodes.find(({ id }) => id === machine)
      const isElsewhere = nodes.some((one) => one !== node && view.reportsOf(one.id).has(unit))
      const isToRun = view.units.get(unit)?.desired === 'launched'
      if (node === undefined || !isToRun || isElsewhere || node.host.runs(unit)) continue
      const since = this.#dueSince.get(`${machine} ${unit}`) ?? now()
      due.set(`${machine} ${unit}`, since)
      const forMs = now() - Math.max(since, node.troubledAt, this.#changedAt.get(unit) ?? 0)
      if (forMs > runsWithinMs) broke(`${unit} is to run on ${node.name}, and does not for ${forMs} ms`)
    }
    this.#dueSince = due
  }

  #noteMachines(view: ClusterView): void {
    const machines = [...view.machines.values()]
      .map(({ id, away }) => `${id} ${zoneOf(view, id)} ${isTaking(view, id) && away === undefined}`)
      .join()
    if (machines === this.#machines) return
    this.#machines = machines
    this.#machinesChangedAt = this.#parts.now()
  }

  /**
   * One that is spread, and is placed while neither machines change nor others of its template come or go, is where there are
   * fewest of them. What kept it off a machine may have gone while that was decided. Rules to be near others, and soft ones,
   * come first (`near-judge.ts`).
   */
  #checkSpread(view: ClusterView, placed: ReadonlySet<string>): void {
    const { broke, count, now, isRoomy } = this.#parts
    const spread = (all: ReadonlySet<string>): readonly string[] =>
      [...all].filter((one) => one.includes(' u5@'))
    const anew = spread(placed).filter((one) => !this.#placed.has(one))
    const stays = spread(this.#placed)
    const [machine = '', unit = ''] = anew[0]?.split(' ') ?? []
    const isQuiet = [...this.#changedAt].every(
      ([name, at]) => name === unit || !name.startsWith('u5@') || now() - at > decidesWithinMs,
    )
    const isSettled = isQuiet && now() - this.#machinesChangedAt > decidesWithinMs
    if (anew.length !== 1 || nearRuleOf(view, unit as UnitName) !== null) return
    if (!isRoomy || !isSettled || !stays.every((one) => placed.has(one))) return
    const isNews = (id: MachineId): boolean =>
      [...this.#changedAt].some(
        ([name, at]) => name !== unit && now() - at < decidesWithinMs && isThere(name, id),
      )
    const isThere = (name: UnitName, id: MachineId): boolean =>
      [...view.machines.keys()].some(
        (one) =>
          zoneOf(view, one) === zoneOf(view, id) &&
          (view.placedOn(one).has(name) || this.#placed.has(`${one} ${name}`)),
      )
    const countIn = (zone: string | undefined): number =>
      stays.filter((one) => zoneOf(view, one.split(' ')[0] ?? '') === zone).length
    const here = countIn(zoneOf(view, machine))
    count('spread judged')
    for (const { id, away } of view.machines.values())
      if (isTaking(view, id) && away === undefined && whyNotUnitThere(view, unit as UnitName, id) === null)
        if (countIn(zoneOf(view, id)) < here && !isNews(id))
          broke(`${unit} is placed on ${machine}, with ${here} in its zone, and in that of ${id} are fewer`)
  }

  /** After a long quiet. */
  judgeRest(view: ClusterView, told: ReadonlyMap<UnitName, UnitTold>, nodes: readonly Node[]): void {
    for (const [name, one] of told) {
      if (one === 'unknown') continue
      const desired = view.units.get(name)?.desired ?? null
      if (desired !== one.desired)
        this.#parts.broke(
          `${name} is ${desired ?? 'not there'}, and was asked to be ${one.desired ?? 'destroyed'}`,
        )
    }
    for (const [name, { instance, desired }] of view.units) {
      if (instance !== null) continue
      this.#parts.count('units judged')
      for (const what of judgeUnit(view, name, desired, nodes)) this.#parts.broke(`${name}: ${what}`)
    }
  }
}

/** Whether a machine is given new units, as far as operators have a say. */
function isTaking(view: ClusterView, machine: MachineId): boolean {
  return view.orders.get(machine)?.cordoned !== true
}

/** Those of units that are no instances, global ones too. */
function placementsOf(view: ClusterView): readonly Placement[] {
  const everywhere = [...view.globallyPlaced()].flatMap((unit) => [...view.globalPlacementsOf(unit).values()])
  return [...view.placements.values(), ...everywhere].filter(({ unit }) => asksOf(view, unit) !== null)
}

function judgeUnit(
  view: ClusterView,
  name: UnitName,
  desired: DesiredState,
  nodes: readonly Node[],
): readonly string[] {
  const on = [...view.machines.keys()].filter((machine) => view.placedOn(machine).has(name))
  if (!isWanted({ desired }))
    return on.length === 0 ? [] : [`it is ${desired}, and has a place on ${on.join(', ')}`]
  const asks = asksOf(view, name)
  if (asks === null) return ['its text is not there']
  const runsOn = (machine: MachineId): boolean =>
    nodes.some(({ id, host }) => id === machine && host.runs(name))
  const wrong = on.filter((machine) => runsOn(machine) !== (desired === 'launched'))
  return [
    ...wrong.map(
      (machine) => `it is to be ${desired}, and ${runsOn(machine) ? 'runs' : 'does not run'} on ${machine}`,
    ),
    ...on.flatMap((machine) => beside(view, name, machine)),
    ...(asks.isGlobal ? lacking(view, name, on, nodes) : []),
    ...(!asks.isGlobal && on.length > 1 ? [`it is on ${on.join(', ')}`] : []),
    ...(!asks.isGlobal && on.length === 0 && !view.waiting.has(name) && !isOnLost(view, name)
      ? ['it has no place, and nothing says why']
      : []),
  ]
}

/** Its place is on a machine that is away: it waits until that is back, or given up. */
function isOnLost(view: ClusterView, name: UnitName): boolean {
  return view.placements.has(name)
}

/** What speaks against its place now; what is far from others is only looked at when it is placed. */
function beside(view: ClusterView, name: UnitName, machine: MachineId): readonly string[] {
  const asks = asksOf(view, name)
  const target = asks?.after ?? null
  const near = target === null || view.placements.get(target)?.machine === machine
  return [
    ...(near ? [] : [`it is on ${machine}, and ${target} is not`]),
    ...unitsOn(view, machine)
      .filter((other) => other !== name && isApart(view, name, other))
      .map((other) => `it is beside ${other} on ${machine}`),
    ...unitsOn(view, machine)
      .filter((other) => takesPlaceOf(view, name, other))
      .map((other) => `it has taken the place of ${other}, which is on ${machine} as well`),
  ]
}

/** Machines that would take one of a global unit, and have none. */
function lacking(
  view: ClusterView,
  name: UnitName,
  on: readonly MachineId[],
  nodes: readonly Node[],
): readonly string[] {
  const runs = (unit: UnitName, machine: string): boolean =>
    nodes.some(({ id, host }) => id === machine && host.runs(unit))
  const used = usedMb(view, runs)
  const needed = asksOf(view, name)?.memoryMb ?? 0
  return [...view.machines.values()]
    .filter(({ id }) => !on.includes(id) && isTaking(view, id))
    .filter(
      ({ id, capacity }) => (capacity.memoryMb ?? Number.POSITIVE_INFINITY) - (used.get(id) ?? 0) >= needed,
    )
    .filter(({ id }) => whyNotUnitThere(view, name, id) === null)
    .map(({ id }) => `it is global, and not on ${id}, which could take it`)
}
