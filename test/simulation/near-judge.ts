// Where units are placed that ask to be near others, or have a wish: what they are to be near to is there, all of it, and a wish
// is met where a machine that meets it could have had them. Judged at each placement, by what was so for as long as a
// decision takes; whether what waits has to wait is for other judges.
import type { MachineId } from '../../src/model/machine.js'
import type { UnitName } from '../../src/model/unit.js'
import { kindOfKey } from '../../src/store/records.js'
import type { Change } from '../../src/store/store.js'
import type { ClusterView } from '../../src/store/view.js'
import { groupOf, isSamePlace, type NearRule, nearRuleOf } from './near.js'
import { instancesOn, whyNotThere } from './places.js'
import { asksOf, unitsOn, whyNotUnitThere, zoneOf } from './units.js'

export interface NearParts {
  readonly now: () => number
  /** Every machine has room for everything. */
  readonly isRoomy: boolean
  readonly broke: (what: string) => void
  readonly count: (what: string) => void
}

interface MachineIs {
  readonly isThere: boolean
  /** It takes what it is given. */
  readonly isOpen: boolean
  readonly zone: string | undefined
  readonly since: number
}

/** What a placement takes at most from its decision until it is written. */
const decidesWithinMs = 15_000
const bearing: ReadonlySet<string | null> = new Set([
  ...['placement', 'instance', 'unit', 'machine', 'order', 'version', 'file'],
])

export class NearJudge {
  readonly #parts: NearParts
  #placed: ReadonlySet<string> = new Set()
  /** What is of a group on a machine now. */
  #there: ReadonlyMap<string, readonly UnitName[]> = new Map()
  /** Since when a group (`service s1 MACHINE`) surely counts on a machine. */
  #firmSince: ReadonlyMap<string, number> = new Map()
  /** When something of a group was last seen on a machine, whether it counts or not. */
  readonly #seenAt = new Map<string, number>()
  /** How machines are, and since when. */
  readonly #machines = new Map<MachineId, MachineIs>()
  /** When units were last given another text or state. */
  readonly #changedAt = new Map<string, number>()
  /** When something last left a machine. */
  readonly #leftAt = new Map<string, number>()

  constructor(parts: NearParts) {
    this.#parts = parts
  }

  look(view: ClusterView, changes: readonly Change[]): void {
    if (!changes.some(({ key }) => bearing.has(kindOfKey(key)))) return
    const now = this.#parts.now()
    for (const { key } of changes)
      if (kindOfKey(key) === 'unit') this.#changedAt.set(key.slice(key.lastIndexOf('/') + 1), now)
    this.#noteMachines(view)
    // What was there until now was so a moment ago.
    for (const key of this.#firmSince.keys()) this.#seenAt.set(key, now)
    const { placed, there, firm } = this.#groupsIn(view)
    this.#firmSince = new Map([...firm].map((key) => [key, this.#firmSince.get(key) ?? now]))
    for (const one of this.#placed) if (!placed.has(one)) this.#leftAt.set(one.split(' ')[0] ?? '', now)
    this.#there = there
    for (const one of placed) {
      if (this.#placed.has(one)) continue
      const [machine, unit] = one.split(' ') as [MachineId, UnitName]
      const rule = nearRuleOf(view, unit)
      if (rule?.isSoft === true) this.#judgeWish(view, unit, machine, rule)
      else if (rule !== null) this.#judgeNear(view, unit, machine, rule)
    }
    for (const key of there.keys()) this.#seenAt.set(key, now)
    this.#placed = placed
  }

  #noteMachines(view: ClusterView): void {
    const since = this.#parts.now()
    for (const { id, away, driversAway = [] } of view.machines.values()) {
      const isThere = away === undefined
      const isOpen = isThere && driversAway.length === 0 && view.orders.get(id)?.cordoned !== true
      const zone = zoneOf(view, id)
      const known = this.#machines.get(id)
      if (known?.isThere === isThere && known.isOpen === isOpen && known.zone === zone) continue
      this.#machines.set(id, { isThere, isOpen, zone, since })
    }
    for (const id of this.#machines.keys()) if (!view.machines.has(id)) this.#machines.delete(id)
  }

  #groupsIn(view: ClusterView) {
    const [placed, there, firm] = [new Set<string>(), new Map<string, UnitName[]>(), new Set<string>()]
    const note = (unit: UnitName, machine: MachineId): void => {
      const group = groupOf(view, unit)
      if (group === null) return
      const key = `${group} ${machine}`
      there.set(key, [...(there.get(key) ?? []), unit])
      const isRetired = (view.instances.get(unit)?.retired ?? null) !== null
      const isToRun = view.units.get(unit)?.desired === 'launched' && !isRetired
      if (isToRun && this.#machines.get(machine)?.isThere === true) firm.add(key)
    }
    for (const { unit, machine } of view.placements.values()) {
      note(unit, machine)
      placed.add(`${machine} ${unit}`)
    }
    for (const unit of view.globallyPlaced())
      for (const machine of view.globalPlacementsOf(unit).keys()) note(unit, machine)
    return { placed, there, firm }
  }

  /** Nothing of it but that unit has been there for a while. */
  #isFree(of: string, machine: string, but: UnitName): boolean {
    const key = `${of} ${machine}`
    const seenAt = this.#seenAt.get(key) ?? Number.NEGATIVE_INFINITY
    const isAlone = (this.#there.get(key) ?? []).every((unit) => unit === but)
    return isAlone && this.#parts.now() - seenAt > decidesWithinMs
  }

  /** Something of it has been there all the while, and its machine as it is. */
  #isHeld(of: string, machine: MachineId): boolean {
    const now = this.#parts.now()
    const since = this.#firmSince.get(`${of} ${machine}`) ?? now
    return now - since > decidesWithinMs && this.#isSteady(machine)
  }

  #isSteady(machine: MachineId): boolean {
    const now = this.#parts.now()
    return now - (this.#machines.get(machine)?.since ?? now) > decidesWithinMs
  }

  #judgeNear(view: ClusterView, unit: UnitName, machine: MachineId, rule: NearRule): void {
    const { broke, count } = this.#parts
    const machines = [...this.#machines.keys()]
    if (rule.byZone && !machines.every((id) => this.#isSteady(id))) return
    count('placed near')
    const far = machines.find((id) => this.#isHeld(rule.of, id) && !isSamePlace(view, rule, id, machine))
    if (far !== undefined) broke(`${unit} is placed on ${machine}, and ${rule.of} is on ${far}`)
    if (groupOf(view, unit) === rule.of) return
    if (machines.every((id) => !isSamePlace(view, rule, id, machine) || this.#isFree(rule.of, id, unit)))
      broke(`${unit} is placed on ${machine}, where ${rule.of} is not`)
  }

  #judgeWish(view: ClusterView, unit: UnitName, machine: MachineId, rule: NearRule): void {
    const { broke, count, isRoomy } = this.#parts
    // What goes with it has a say in where it goes.
    const isFollowed = [...view.units.keys()].some((other) => asksOf(view, other)?.after === unit)
    if (isFollowed || !isRoomy) return
    const isOf = rule.of.startsWith('zone ')
      ? (id: MachineId, meets: boolean) =>
          this.#isSteady(id) && (`zone ${this.#machines.get(id)?.zone}` === rule.of) === meets
      : (id: MachineId, meets: boolean) =>
          rule.isNear === meets ? this.#isHeld(rule.of, id) : this.#isFree(rule.of, id, unit)
    if (!isOf(machine, false)) {
      count('wish met')
      return
    }
    const better = [...this.#machines.keys()].find(
      (id) => id !== machine && isOf(id, true) && this.#couldHave(view, unit, id),
    )
    count('wish not met')
    if (better !== undefined)
      broke(`${unit} is placed on ${machine} against its wish about ${rule.of}, and not on ${better}`)
  }

  /** A machine that has been as it is for a while, and where nothing that has gone meanwhile was in the way. */
  #couldHave(view: ClusterView, unit: UnitName, id: MachineId): boolean {
    const isRecent = (at = Number.NEGATIVE_INFINITY): boolean => this.#parts.now() - at <= decidesWithinMs
    if (!this.#isSteady(id) || this.#machines.get(id)?.isOpen !== true || isRecent(this.#leftAt.get(id)))
      return false
    if (unitsOn(view, id).some((other) => isRecent(this.#changedAt.get(other)))) return false
    const there = instancesOn(view, id, () => true)
    return whyNotThere(view, unit, id, there) === null && whyNotUnitThere(view, unit, id) === null
  }
}
