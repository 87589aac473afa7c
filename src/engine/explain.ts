// Why machines would take a unit or not, for people. Follows the view as the scheduler does, from the first question on
// and for as long as questions come.
import { byKeys } from '../lib/sort.js'
import type { Steps } from '../lib/steps.js'
import type { MachineId } from '../model/machine.js'
import type { DesiredUnit, Refusal, UnitName, Waiting } from '../model/unit.js'
import type { Change } from '../store/store.js'
import type { ClusterView } from '../store/view.js'
import type { Requirements } from '../unit/requirements.js'
import { tryOut } from './choose-machine.js'
import { ClusterIndex } from './cluster-index.js'
import { Round } from './decisions.js'
import { circlesOn, partyTogether, withoutSeats } from './drain.js'
import { everyRefusal } from './refusals.js'
import { byAge, type Kind, type Seat, type Tenant } from './state/model.js'
import { partyOf, Shapes } from './state/placement-group.js'
import type { NeedsOf } from './state/unit-index.js'

/** Units that leave a machine together when it is drained, and what every other machine says to that. */
export interface Leaving {
  readonly units: readonly UnitName[]
  /** Some machine can take them, so that they are about to go. */
  readonly isGoing: boolean
  /** One machine for each kind of reason, and how many say the same. */
  readonly refusals: Waiting['refusals']
}

/** After so many changes without a question the index is given up: the next question makes another one. */
const keptForChanges = 10_000

export class Explainer {
  readonly #view: ClusterView
  readonly #needsOf: NeedsOf
  #index: ClusterIndex | null = null
  /** Indexes that are being made in steps: nobody asks them anything yet. */
  readonly #coming = new Set<ClusterIndex>()
  #changesSince = 0
  /** What machines say to units of a kind that are on one machine, or on none, as long as nothing changes. */
  #told = new Map<Kind, Map<Seat | null, Map<Seat, readonly Refusal[]>>>()

  constructor(view: ClusterView, needsOf: NeedsOf) {
    this.#view = view
    this.#needsOf = needsOf
  }

  /** Gets ready for the first question, which takes long where there is much: else that makes its index in one go. */
  *takeIn(atATime?: number): Steps<void> {
    if (this.#index !== null) return
    const index = new ClusterIndex(this.#view, this.#needsOf)
    this.#coming.add(index)
    try {
      yield* index.takeIn(atATime)
      this.#index ??= index
      this.#changesSince = 0
    } finally {
      this.#coming.delete(index)
    }
  }

  /** Notes a change that the view has taken in. */
  note(change: Change): void {
    this.#index?.note(change)
    for (const index of this.#coming) index.note(change)
    this.#told.clear()
    this.#changesSince++
    if (this.#changesSince > keptForChanges) this.#index = null
  }

  /**
   * Every rule that speaks against each machine for a unit, in the order in which they are judged; none for a machine
   * that takes it. The unit's own place is left out of the count.
   */
  explain(unit: DesiredUnit): ReadonlyMap<MachineId, readonly Refusal[]> {
    const index = this.#upToDate()
    const known = this.#toldLike(index, unit)
    const own = index.roster.tenant(unit.name)?.seat ?? null
    const ask = (seat: Seat): readonly Refusal[] => {
      // Where it is itself, others of its kind may be what is in its way.
      const before = seat === own ? undefined : known?.get(seat)
      const refusals = before ?? refusalsOn(index, unit, seat)
      if (before === undefined) known?.set(seat, refusals)
      return refusals
    }
    return new Map(index.seating.present.map((seat) => [seat.id, ask(seat)]))
  }

  /** What machines have said to units like this one; null for one that goes where others are. */
  #toldLike({ roster }: ClusterIndex, unit: DesiredUnit): Map<Seat, readonly Refusal[]> | null {
    const tenant = roster.tenant(unit.name)
    if (tenant === undefined || roster.isBound(tenant) || !tenant.active) return null
    const bySeat = this.#told.get(tenant.kind) ?? new Map<Seat | null, Map<Seat, readonly Refusal[]>>()
    const known = bySeat.get(tenant.seat) ?? new Map<Seat, readonly Refusal[]>()
    this.#told.set(tenant.kind, bySeat)
    bySeat.set(tenant.seat, known)
    return known
  }

  /**
   * What every machine says to a unit that is not there yet, as if some others had left theirs; none for a machine that
   * takes it.
   */
  explainNew(
    unit: DesiredUnit,
    needs: Requirements,
    leaving: readonly UnitName[],
  ): ReadonlyMap<MachineId, readonly Refusal[]> {
    const { roster, seating } = this.#upToDate()
    const tenant = roster.stranger(unit, needs)
    roster.sortAgain()
    const gone = leaving.flatMap((one) => roster.tenant(one) ?? [])
    return withoutSeats(seating, gone, () => {
      const party = partyOf(tenant, roster, new Shapes())
      return new Map(seating.present.map((seat) => [seat.id, everyRefusal(party, seat)]))
    })
  }

  /**
   * Whether there are machines, and each refuses a unit that is not there yet for a reason that `lasts`, as if some others
   * had left theirs. It looks no further than the first that does not: what every machine says, `explainNew` tells.
   */
  isRefusedByAll(
    unit: DesiredUnit,
    needs: Requirements,
    leaving: readonly UnitName[],
    lasts: (refusal: Refusal) => boolean,
  ): boolean {
    const { roster, seating } = this.#upToDate()
    const tenant = roster.stranger(unit, needs)
    roster.sortAgain()
    const party = partyOf(tenant, roster, new Shapes())
    const refuses = (seat: Seat): boolean => everyRefusal(party, seat).some(lasts)
    const { present } = seating
    // Who leaves takes reasons away and brings none: a machine that could take it beside them needs nobody to leave.
    if (present.length === 0 || !present.every(refuses)) return false
    const gone = leaving.flatMap((one) => roster.tenant(one) ?? [])
    return withoutSeats(seating, gone, () => present.every(refuses))
  }

  /**
   * Whether a machine takes a unit that waits once others have left theirs, and not before. Nobody leaves for a unit
   * whose place would go to one that has waited for longer.
   */
  makesRoom(name: UnitName, leaving: readonly UnitName[]): boolean {
    const { roster, seating } = this.#upToDate()
    const tenant = roster.tenant(name)
    const gone = leaving.flatMap((one) => roster.tenant(one) ?? [])
    if (tenant === undefined || tenant.seat !== null || gone.length === 0) return false
    const shapes = new Shapes()
    const party = partyOf(tenant, roster, shapes)
    const left = new Set(gone.map(({ seat }) => seat))
    // Rules about other machines can open any of them.
    const isNear = (seat: Seat): boolean => party.shape.farReaching.length > 0 || left.has(seat)
    const seats = seating.present.filter(isNear)
    if (seats.some((seat) => tryOut(party, seat) !== null)) return false
    const isFirst = (seat: Seat): boolean =>
      ahead(tenant, roster, gone).every((one) => tryOut(partyOf(one, roster, shapes), seat) === null)
    return withoutSeats(seating, gone, () =>
      seats.some((seat) => tryOut(party, seat) !== null && isFirst(seat)),
    )
  }

  /** What of a machine that is drained the engine moves by itself: everything but instances and global units. */
  leaving(id: MachineId): readonly Leaving[] {
    const index = this.#upToDate()
    const seat = index.seating.get(id)
    if (seat === undefined) return []
    return circlesOn(seat, index.roster).map((circle) => leavingOf(index, circle, seat))
  }

  #upToDate(): ClusterIndex {
    this.#changesSince = 0
    this.#index ??= new ClusterIndex(this.#view, this.#needsOf)
    this.#index.follow(new Round(0))
    return this.#index
  }
}

/** Those that wait and have their turn before a unit: the oldest of each kind stands for all of it. */
function ahead(tenant: Tenant, roster: ClusterIndex['roster'], gone: readonly Tenant[]): readonly Tenant[] {
  const oldest = [...roster.waiting].flatMap(({ waiting }) => waiting.oldest() ?? [])
  const isSibling = ({ unit }: Tenant): boolean =>
    unit.instance !== null &&
    unit.instance.service === tenant.unit.instance?.service &&
    unit.instance.project === tenant.unit.instance.project
  return [...oldest, ...roster.bound].filter(
    (one) => byAge(one, tenant) < 0 && !isSibling(one) && !gone.includes(one),
  )
}

function refusalsOn({ roster, seating }: ClusterIndex, unit: DesiredUnit, seat: Seat): readonly Refusal[] {
  const tenant =
    roster.globals.get(unit.name)?.tenants.get(seat.id) ??
    roster.tenant(unit.name) ??
    strangerOn(roster, unit)
  return withoutSeats(seating, [tenant], () => everyRefusal(partyOf(tenant, roster, new Shapes()), seat))
}

/** A unit that is to be nowhere, or everywhere: what its rules pick has to be counted before it is judged. */
function strangerOn(roster: ClusterIndex['roster'], unit: DesiredUnit): Tenant {
  const tenant = roster.stranger(unit)
  roster.sortAgain()
  return tenant
}

function leavingOf({ seating }: ClusterIndex, circle: readonly Tenant[], from: Seat): Leaving {
  const party = partyTogether(circle, new Shapes())
  const others = seating.present.filter((seat) => seat !== from)
  const told = withoutSeats(seating, circle, () =>
    others.map((seat) => ({ machine: seat.id, refusal: everyRefusal(party, seat)[0] ?? null })),
  )
  return {
    units: circle.map(({ unit }) => unit.name),
    isGoing: told.some(({ refusal }) => refusal === null),
    refusals: tallied(
      told.flatMap(({ machine, refusal }) => (refusal === null ? [] : [{ machine, refusal }])),
    ),
  }
}

/** The first machine for each kind of reason, with how many there are of it. */
function tallied(told: Waiting['refusals']): Waiting['refusals'] {
  const kinds = new Set(told.map(({ refusal }) => refusal.kind))
  return [...kinds]
    .flatMap((kind) => {
      const [first, ...more] = told.filter(({ refusal }) => refusal.kind === kind)
      return first === undefined ? [] : [{ ...first, machines: 1 + more.length }]
    })
    .sort(
      byKeys(
        ({ machine }) => machine,
        ({ refusal }) => refusal.kind,
      ),
    )
}
