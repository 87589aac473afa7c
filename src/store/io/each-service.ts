// How a pass of the leader goes over services: each is decided on the view as it is when its turn comes.
import { describeError, type Log } from '../../lib/io/log.js'
import { ownTurn } from '../../lib/io/turns.js'
import { ReportedStates } from '../../lib/reported-states.js'
import { earlier, type Instant } from '../../lib/time.js'
import type { Service, ServiceVersion } from '../../model/service.js'
import type { Decision } from '../decision.js'
import { keys } from '../records.js'
import { unreadableOf } from '../unreadable.js'
import type { ClusterView, ServiceKey } from '../view.js'
import { ledBy, type Registry } from './registry.js'

/** What a pass decides of a service. */
export interface ServiceDecision extends Decision {
  /** When the answer could change without an event. */
  readonly wakeAt: Instant | null
}

interface EachService<D extends ServiceDecision> {
  readonly log: Log
  /** Under this epoch. */
  readonly epoch: number
  readonly now: Instant
  readonly signal: AbortSignal
  /** Those that it goes over; left out: all. */
  readonly services?: Iterable<ServiceKey>
  /** Decides for one service; null: it is left alone. */
  readonly decide: (view: ClusterView, service: Service) => D | null
  /** Called with what took effect, nothing to write included. */
  readonly onDecided: (decision: D, service: Service) => void
}

/** How often a service is decided again when others were faster, before the pass goes on with the next. */
const triesAtMost = 5
/** When one that others were faster with is looked at again. */
const lookAgainMs = 50
/** How many are decided before others have their turn. */
const decidedInATurn = 100

/**
 * Decides and commits service by service. A decision holds only if neither the service nor the freezes of its project
 * have changed since: whoever changes anything of a service writes its record. Resolves to when to look again.
 */
export async function eachService<D extends ServiceDecision>(
  registry: Registry,
  {
    log,
    epoch,
    now,
    signal,
    services = registry.view.services.keys(),
    decide: decideAny,
    onDecided,
  }: EachService<D>,
): Promise<Instant | null> {
  const decide = containing(registry, log, decideAny)
  await hearOfUnanswered(registry)
  let wakeAt: Instant | null = null
  let last: string | undefined
  for (const [index, key] of [...services].entries()) {
    if (index % decidedInATurn === decidedInATurn - 1) await ownTurn()
    for (let tries = 0; ; tries++) {
      if (signal.aborted) return wakeAt
      const decideNow = () =>
        registry.decide(
          (view) => {
            // What is not known of a service may be what matters.
            if (unreadableOf(view, key).length > 0) return leftAlone
            const service = view.services.get(key)
            const decided = service === undefined ? null : decide(view, service)
            if (service === undefined || decided === null) return leftAlone
            const { project, name } = service
            const decidedOn = [...decided.decidedOn, keys.service(project, name), keys.freezes(project)]
            // What is deleted does not say since when it is not there; with each deletion an event is put.
            last = decided.ops.findLast((op) => op.op === 'put')?.key
            return { decidedOn, ops: decided.ops, decided: { service, decided } }
          },
          [ledBy(epoch)],
        )
      const { decision, committed } = await registry.rightOfWay.beside(decideNow).catch((error: unknown) => {
        if (last !== undefined) unansweredOf(registry).add(last)
        throw error
      })
      if (decision.decided === null) break
      if (committed) {
        onDecided(decision.decided.decided, decision.decided.service)
        wakeAt = earlier(wakeAt, decision.decided.decided.wakeAt)
        break
      }
      if (tries + 1 < triesAtMost && registry.view.leader?.epoch === epoch) continue
      wakeAt = earlier(wakeAt, now + lookAgainMs)
      break
    }
  }
  return wakeAt
}

/** Keys of writes that nobody knows the end of, by registry: by a view that has not heard of them the same would be decided, and told, again. */
const unanswered = new WeakMap<Registry, Set<string>>()

function unansweredOf(registry: Registry): Set<string> {
  const known = unanswered.get(registry) ?? new Set()
  unanswered.set(registry, known)
  return known
}

/** Resolves when the view has what became of such writes. */
async function hearOfUnanswered(registry: Registry): Promise<void> {
  const asked = [...unansweredOf(registry)]
  if (asked.length > 0) await registry.holds(asked)
  for (const key of asked) unansweredOf(registry).delete(key)
}

/** The services whose current versions are of a kind: a walk over records costs little beside a decision about each. */
export function servicesWhere(
  { services, versions }: ClusterView,
  isIt: (version: ServiceVersion) => boolean,
): readonly ServiceKey[] {
  return [...services].flatMap(([key, { current }]) => {
    const version = versions.get(current)
    return version !== undefined && isIt(version) ? [key] : []
  })
}

/** What could not be decided, by registry and service, with why: it is said once. */
const faults = new WeakMap<Registry, ReportedStates>()

/** One service that cannot be decided on is left alone, even for a bug of ours: it is not to end all others. */
function containing<D>(
  registry: Registry,
  log: Log,
  decide: (view: ClusterView, service: Service) => D,
): (view: ClusterView, service: Service) => D | null {
  const reported = faults.get(registry) ?? new ReportedStates()
  faults.set(registry, reported)
  return (view, service) => {
    const key = `${service.project}/${service.name}`
    try {
      const decided = decide(view, service)
      reported.over(key)
      return decided
    } catch (error) {
      const problem = describeError(error)
      if (reported.isNews(key, problem))
        log.error('service', 'cannot plan this service; leaving it unchanged', { service: key, problem })
      return null
    }
  }
}

const leftAlone = { decidedOn: [], ops: [], decided: null }
