// One pass of the engine: take in what changed, decide, commit under our epoch. All the deciding is in the scheduler.

import { heldMachines } from '../../leader/lost-machines.js'
import { type ClockJump, elapsedAt } from '../../lib/elapsed.js'
import type { Log } from '../../lib/io/log.js'
import type { Pass } from '../../lib/io/loop.js'
import { Slices } from '../../lib/io/slices.js'
import { earlier, type Instant, type Time } from '../../lib/time.js'
import type { MachineId } from '../../model/machine.js'
import type { UnitName } from '../../model/unit.js'
import type { EventLog } from '../../store/io/event-log.js'
import { ledBy, type Registry } from '../../store/io/registry.js'
import { inPortions } from '../../store/portions.js'
import type { RecordKind } from '../../store/records.js'
import type { Losses } from '../../store/steady-losses.js'
import { type Change, type Compare, type Op, sizeOf } from '../../store/store.js'
import type { ClusterView } from '../../store/view.js'
import type { EngineAction, EnginePlan } from '../pass-decisions.js'
import { Scheduler } from '../scheduler.js'
import type { NeedsOf } from '../state/unit-index.js'
import {
  eventsOf,
  guardsOf,
  type MachineGuards,
  machineByMachine,
  machinesOf,
  opsOf,
  type UnitGuards,
  unitGuardsOf,
  type VolumeGuards,
  volumeGuardsOf,
} from '../writes.js'

interface EnginePassOptions {
  readonly registry: Registry
  readonly needsOf: NeedsOf
  readonly events: EventLog
  readonly losses: Losses
  readonly log: Log
  /** Our epoch, or null while we do not lead. */
  readonly epoch: () => number | null
  /** How often the clock on the wall was set until now. */
  readonly jumps: () => readonly ClockJump[]
  /** What a slice of work is measured by; default: the machine's time. */
  readonly time?: Pick<Time, 'steady'>
}

/** The records that its decisions depend on; a change of any other is no reason for a pass. */
export const engineReads: ReadonlySet<RecordKind | 'leader'> = new Set([
  'leader',
  'machine',
  'order',
  'knownMachine',
  'unit',
  'file',
  'placement',
  'waiting',
  'report',
  'volume',
])

/**
 * A transaction costs a round trip and a write to the disk, so one that holds much is worth more. etcd takes 1.5 MiB, and
 * 128 comparisons: two for each machine, one for each unit that is no instance and for each volume, and fewer of them the more there is to write.
 */
const perWrite = { items: 1000, bytes: 1024 * 1024, things: 80 }
/** Transactions on their way at once. */
const writesAtOnce = 4

/** How often the leader starts from the view again, whatever it believes to know: a net under its own mistakes. */
export const startAnewEveryMs = 600_000

/** What a leader knows: a scheduler that follows the view since it began to lead, or since it last started anew. */
interface Lead {
  readonly epoch: number
  readonly scheduler: Scheduler
  readonly since: Instant
}

/** A plan, with the machines as they were in the turn in which it was made. */
interface GuardedPlan {
  readonly plan: EnginePlan
  readonly guards: Guards
}

interface Guards {
  readonly machines: MachineGuards
  readonly units: UnitGuards
  readonly volumes: VolumeGuards
}

/** The engine's pass. It follows the registry from now on, for as long as that is open. */
export function enginePass(options: EnginePassOptions): Pass {
  const { registry, epoch, events, log } = options
  const planner = new FollowingPlanner(options)
  registry.onChange((_, changes) => planner.note(changes))
  /** A key that is put by each write that nobody knows the end of: what that did the view may not have yet. */
  const unheard = new Set<string>()
  return async (now, signal) => {
    const leading = epoch()
    if (leading === null) {
      planner.startAnew()
      return { wakeAt: null }
    }
    // By what the view had before, a unit that got its place would get another one.
    if (unheard.size > 0) await registry.holds([...unheard])
    unheard.clear()
    const decided = await planner.plan(leading, now, signal)
    if (decided === null) return { wakeAt: null }
    const { plan, guards } = decided
    const portions = inPortions(writesOf(registry.view, plan.actions), bytesOf, perWrite, (decided) =>
      comparesFor(guards, [decided]).map(({ key }) => key),
    )
    const written = async (portion: readonly Decided[]): Promise<boolean> => {
      const drafts = portion.flatMap((one) => one.events)
      const ops = [...portion.flatMap((one) => one.ops), ...events.append(drafts)]
      // What is deleted may have been gone before, and what is not there does not say since when.
      const key = ops.findLast((op) => op.op === 'put')?.key
      if (key !== undefined) unheard.add(key)
      const committed = await registry.commit([ledBy(leading), ...comparesFor(guards, portion)], ops)
      if (committed) for (const event of drafts) log.info('engine', event.message)
      if (key !== undefined) unheard.delete(key)
      return committed
    }
    let isWritten = false
    try {
      isWritten = await writeInTurn(portions, written, signal)
    } finally {
      // The scheduler takes its decisions for done, so it is of no use once one of them is not.
      if (!isWritten || signal.aborted) planner.startAnew()
    }
    return { wakeAt: isWritten ? planner.heldUntil(plan.wakeAt) : null }
  }
}

/** Plans by a scheduler that follows the view; where there is none, or an old one, by one that starts from the view. */
class FollowingPlanner {
  readonly #options: EnginePassOptions
  readonly #slices: Slices
  #lead: Lead | null = null
  /** Machines that are gone and keep their units, until when. */
  #held: ReadonlyMap<MachineId, Instant> = new Map()
  /** One that has not taken in yet all that there is. */
  #starting: Scheduler | null = null

  constructor(options: EnginePassOptions) {
    this.#options = options
    this.#slices = new Slices(options.time)
  }

  note(changes: readonly Change[]): void {
    for (const change of changes) {
      this.#lead?.scheduler.note(change)
      this.#starting?.note(change)
    }
  }

  startAnew(): void {
    this.#lead = null
  }

  /** The earliest of an instant and those at which machines that are gone keep their units no longer. */
  heldUntil(otherwise: Instant | null): Instant | null {
    return [...this.#held.values()].reduce(earlier, otherwise)
  }

  /** What is to be done under an epoch; null where that has passed meanwhile. */
  async plan(leading: number, now: Instant, signal: AbortSignal): Promise<GuardedPlan | null> {
    return this.#follow(leading, now) ?? (await this.#planAnew(leading, now, signal))
  }

  /** What follows from what has changed; null where it is time to start anew, with a leader who knows nothing too. */
  #follow(leading: number, now: Instant): GuardedPlan | null {
    const { registry, losses, jumps } = this.#options
    const before = this.#held
    this.#held = heldMachines(registry.view, losses, now)
    for (const machine of before.keys()) {
      if (this.#held.has(machine)) continue
      this.#lead?.scheduler.reconsider(machine)
      this.#starting?.reconsider(machine)
    }
    if (this.#lead?.epoch !== leading) return null
    const decided = this.#lead.scheduler.step(now)
    const isRecent = elapsedAt(now, jumps()).since(this.#lead.since) < startAnewEveryMs
    return decided.actions.length > 0 || isRecent ? this.#withGuards(decided) : null
  }

  /** Others have their turn while a scheduler takes in all that there is: ten thousand units take longer than they may wait. */
  async #planAnew(leading: number, now: Instant, signal: AbortSignal): Promise<GuardedPlan | null> {
    const { registry, needsOf, epoch, log } = this.#options
    const scheduler = new Scheduler(registry.view, needsOf, (machine) => this.#held.has(machine))
    this.#starting = scheduler
    try {
      await this.#slices.run(scheduler.takeIn(), Number.POSITIVE_INFINITY)
      if (signal.aborted || epoch() !== leading) return null
      const decided = this.#follow(leading, now)
      if (decided !== null) return decided
    } finally {
      this.#starting = null
    }
    const isFirst = this.#lead?.epoch !== leading
    this.#lead = { epoch: leading, scheduler, since: now }
    const anew = scheduler.step(now)
    if (!isFirst && anew.actions.length > 0)
      log.warn('engine', 'a fresh scheduler found missed actions', { actions: anew.actions.length })
    return this.#withGuards(anew)
  }

  #withGuards(plan: EnginePlan): GuardedPlan {
    const { view } = this.#options.registry
    const { actions } = plan
    const guards = {
      machines: guardsOf(view, actions),
      units: unitGuardsOf(view, actions),
      volumes: volumeGuardsOf(view, actions),
    }
    return { plan, guards }
  }
}

/** What has to be as it was of the machines, units and volumes of a portion, each once. */
function comparesFor({ machines, units, volumes }: Guards, portion: readonly Decided[]): readonly Compare[] {
  const all = portion.flatMap((one) => [
    ...one.machines.flatMap((machine) => machines.get(machine) ?? []),
    ...[one.unit].flatMap((unit) => (unit === null ? [] : (units.get(unit) ?? []))),
    ...one.ops.flatMap((op) => (op.op === 'put' ? (volumes.get(op.key) ?? []) : [])),
  ])
  return [...new Map(all.map((compare) => [compare.key, compare])).values()]
}

/** The writes and events of one action. */
interface Decided {
  readonly ops: readonly Op[]
  readonly events: ReturnType<typeof eventsOf>
  /** The machines that it depends on. */
  readonly machines: readonly MachineId[]
  /** That it places; null for none. */
  readonly unit: UnitName | null
  /** It places a unit and evicts none: where nothing is evicted in between, the order of two such does not matter. */
  readonly takes: boolean
}

/** One after the other as they are asked for, so that the store has something to do meanwhile. */
function* writesOf(view: ClusterView, actions: readonly EngineAction[]): Iterable<Decided> {
  for (const action of machineByMachine(actions))
    yield {
      ops: opsOf(view, action),
      events: eventsOf(view, action),
      machines: machinesOf(view, action),
      unit: action.kind === 'place' ? action.placement.unit : null,
      takes: action.kind !== 'evict',
    }
}

function bytesOf({ ops, events: drafts }: Decided): number {
  const events = drafts.reduce((sum, { message, data }) => {
    return sum + 400 + 2 * (message.length + (data?.reason?.length ?? 0))
  }, 0)
  return ops.reduce((sum, op) => sum + sizeOf(op), events)
}

/**
 * Writes portions, those that only take places beside each other; what gives places up is written before anything that
 * comes after it is begun. Resolves to false once one was refused: then none is begun any more, and none on its way.
 */
async function writeInTurn(
  portions: Iterable<readonly Decided[]>,
  write: (portion: readonly Decided[]) => Promise<boolean>,
  signal: AbortSignal,
): Promise<boolean> {
  const onTheirWay = new Set<Promise<void>>()
  let isRefused = false
  const begin = (portion: readonly Decided[]): void => {
    const written = write(portion).then((committed) => {
      onTheirWay.delete(written)
      if (!committed) isRefused = true
    })
    onTheirWay.add(written)
  }
  try {
    for (const portion of portions) {
      const alone = !portion.every(({ takes }) => takes)
      while (onTheirWay.size >= (alone ? 1 : writesAtOnce)) await Promise.race(onTheirWay)
      if (isRefused || signal.aborted) break
      begin(portion)
      if (alone) await Promise.all(onTheirWay)
    }
    await Promise.all(onTheirWay)
  } finally {
    // What is still on its way would come to places that the next pass has given to others.
    await Promise.allSettled(onTheirWay)
  }
  return !isRefused
}
