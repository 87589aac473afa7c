// What the agent does on its machine: for each unit a chain of steps that leads from what is observed to what is
// desired. A failed step ends its own chain only.
import { byKeys } from '../lib/sort.js'
import { earlier, type Instant } from '../lib/time.js'
import type { DesiredUnit, ObservedUnit, Placement, UnitName } from '../model/unit.js'
import { freshMemory, type UnitMemory } from './report.js'
import { runHash } from './unit-to-run.js'

/** A unit that the engine placed here. */
export interface PlacedUnit {
  readonly unit: DesiredUnit
  readonly placement: Placement
  /** It runs once, as an instance of a service that is not continuous does: a run that was begun is never begun again. */
  readonly runsOnce?: boolean
  /** Another machine may still have it: it is made ready, and not started before it is gone there. */
  readonly isElsewhere?: boolean
  /** Its [Install] lets other units of the host start it: what one of these has started is not ours to stop. */
  readonly mayBeStartedByOthers?: boolean
}

interface LocalSituation {
  readonly placed: readonly PlacedUnit[]
  readonly observed: ReadonlyMap<UnitName, ObservedUnit>
  readonly memory: ReadonlyMap<UnitName, UnitMemory>
  /** Units whose chain has not ended yet: left alone until it has. */
  readonly busy: ReadonlySet<UnitName>
  /**
   * While the store has not been seen since the daemon started: the units that ran here when it was last seen. Only
   * these are brought back, and nothing else is begun, for where the others belong may have changed. Null otherwise.
   */
  readonly bringBack?: ReadonlySet<UnitName> | null
  /**
   * While nothing can be told: what runs once is not begun, for nobody would know of it after a loss of power, and it
   * would run again.
   */
  readonly holdsRuns?: boolean
}

export type Step = 'load' | 'start' | 'stop' | 'unload'

type ChainCause = 'placed' | 'to-start' | 'to-restart' | 'to-stop' | 'changed' | 'not-placed-here'

export interface Chain {
  readonly unit: UnitName
  readonly steps: readonly Step[]
  readonly cause: ChainCause
}

interface LocalPlan {
  readonly chains: readonly Chain[]
  /** When a failed chain is due again. */
  readonly wakeAt: Instant | null
}

/** Decides the chains that are due. */
export function planLocal(situation: LocalSituation, now: Instant): LocalPlan {
  const chains: Chain[] = []
  let wakeAt: Instant | null = null
  const wanted = new Set<UnitName>()
  for (const placed of situation.placed) {
    const { unit } = placed
    wanted.add(unit.name)
    if (situation.busy.has(unit.name)) continue
    const memory = situation.memory.get(unit.name) ?? freshMemory
    const observed = situation.observed.get(unit.name) ?? null
    const chain = chainFor(placed, observed, memory)
    if (chain === null || !mayBegin(situation, chain)) continue
    // One that was begun before is not begun by its restart.
    const begins = chain.steps.includes('start') && chain.cause !== 'to-restart'
    if (placed.runsOnce === true && situation.holdsRuns === true && begins) continue
    const restartAt = chain.cause === 'to-restart' ? (observed?.restartAt ?? now) : now
    const dueAt = Math.max(memory.retryAt ?? now, restartAt)
    if (dueAt > now) wakeAt = earlier(wakeAt, dueAt)
    else chains.push(chain)
  }
  for (const name of isOnItsOwn(situation) ? [] : situation.observed.keys()) {
    if (!wanted.has(name) && !situation.busy.has(name)) {
      chains.push({ unit: name, steps: ['stop', 'unload'], cause: 'not-placed-here' })
    }
  }
  return { chains: chains.sort(byKeys((chain) => chain.unit)), wakeAt }
}

function isOnItsOwn({ bringBack = null }: LocalSituation): boolean {
  return bringBack !== null
}

function mayBegin({ bringBack = null }: LocalSituation, { unit, steps, cause }: Chain): boolean {
  const isAsBefore = cause === 'to-restart' || (cause === 'placed' && steps.includes('start'))
  return bringBack === null || (isAsBefore && bringBack.has(unit))
}

function chainFor(
  { unit, placement, runsOnce = false, isElsewhere = false, mayBeStartedByOthers = false }: PlacedUnit,
  observed: ObservedUnit | null,
  { launched }: UnitMemory,
): Chain | null {
  const chain = (cause: ChainCause, ...steps: Step[]): Chain => ({ unit: unit.name, steps, cause })
  const launch = unit.desired === 'launched' && !isElsewhere
  // An instance that is to stop is never used again: it needs neither loading nor its newest text.
  if (unit.desired !== 'launched' && unit.instance !== null) {
    return observed !== null && (launched || runs(observed)) ? chain('to-stop', 'stop') : null
  }
  if (observed === null && launched && runsOnce) return null
  if (observed === null || observed.load !== 'loaded') {
    return launch ? chain('placed', 'load', 'start') : chain('placed', 'load')
  }
  if (observed.hash !== runHash(unit.hash, placement)) {
    return launch ? chain('changed', 'stop', 'load', 'start') : chain('changed', 'stop', 'load')
  }
  if (launch && observed.restartIsDue === true) return chain('to-restart', 'start')
  if (launch) return launched || runs(observed) ? null : chain('to-start', 'start')
  // What runs here already is the one that there is to be.
  if (unit.desired === 'launched') return null
  return launched || (runs(observed) && !mayBeStartedByOthers) ? chain('to-stop', 'stop') : null
}

/** Whether something of a unit is there, or on its way. */
export function runs(observed: ObservedUnit): boolean {
  return observed.active !== 'inactive' && observed.active !== 'failed'
}
