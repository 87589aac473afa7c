// One pass of the engine: read the view, decide, commit under our epoch. All the deciding is in `plan`.
import type { Log } from '../../lib/io/log.js'
import type { Pass } from '../../lib/io/loop.js'
import type { HistoryEvent } from '../../model/event.js'
import type { DesiredUnit } from '../../model/unit.js'
import type { EventLog } from '../../store/io/event-log.js'
import { ledBy, type Registry } from '../../store/io/registry.js'
import { keys, putOf } from '../../store/records.js'
import type { Op } from '../../store/store.js'
import type { ClusterView } from '../../store/view.js'
import { describeEviction, describePlacementCause, describeRefusal } from '../describe.js'
import { type EngineAction, type NeedsOf, plan } from '../plan.js'

export interface EnginePassOptions {
  readonly registry: Registry
  readonly needsOf: NeedsOf
  readonly events: EventLog
  readonly log: Log
  /** Our epoch, or null while we do not lead. */
  readonly epoch: () => number | null
}

/** Actions in one transaction at most: stores bound how much one may hold. */
const actionsPerWrite = 32

export function enginePass({ registry, needsOf, events, log, epoch }: EnginePassOptions): Pass {
  return async (now, signal) => {
    const leading = epoch()
    if (leading === null) return { wakeAt: null }
    const decided = plan(registry.view, needsOf, now)
    for (let from = 0; from < decided.actions.length && !signal.aborted; from += actionsPerWrite) {
      const actions = decided.actions.slice(from, from + actionsPerWrite)
      const ops = actions.flatMap((action) => opsOf(registry.view, action))
      const told = actions.flatMap((action) => eventsOf(registry.view, action))
      // Deposed: the new leader decides anew, nothing of ours took effect.
      if (!(await registry.commit([ledBy(leading)], [...ops, ...events.append(told)])))
        return { wakeAt: null }
      for (const event of told) log.info('engine', event.message)
    }
    return { wakeAt: decided.wakeAt }
  }
}

function opsOf(view: ClusterView, action: EngineAction): readonly Op[] {
  switch (action.kind) {
    case 'place': {
      const { placement } = action
      const waited = view.waiting.has(placement.unit)
      return [putOf('placement', placement), ...(waited ? [forget(placement.unit)] : [])]
    }
    case 'evict':
      return [{ op: 'delete', key: keys.placement(action.unit) }]
    case 'wait':
      return [putOf('waiting', action.waiting)]
    case 'stop-waiting':
      return [forget(action.unit)]
  }
}

function forget(unit: DesiredUnit['name']): Op {
  return { op: 'delete', key: keys.waiting(unit) }
}

type EventDraft = Omit<HistoryEvent, 'id' | 'at'>

function eventsOf(view: ClusterView, action: EngineAction): readonly EventDraft[] {
  switch (action.kind) {
    case 'place': {
      const { unit, machine, cause } = action.placement
      const hostname = view.machines.get(machine)?.hostname ?? machine.slice(0, 8)
      return [
        about(
          view,
          unit,
          'placed',
          `${nameOf(view, unit)} goes to ${hostname}: ${describePlacementCause(cause)}`,
          machine,
        ),
      ]
    }
    case 'evict': {
      const { unit, machine, cause } = action
      // That a removed unit leaves its machine is told by whoever removed it.
      if (cause !== 'machine-lost') return []
      return [
        about(
          view,
          unit,
          'evicted',
          `${nameOf(view, unit)} leaves its machine: ${describeEviction(cause)}`,
          machine,
        ),
      ]
    }
    case 'wait': {
      const { unit, refusals } = action.waiting
      const reasons = refusals.map(({ machine, refusal }) => {
        return `${view.machines.get(machine)?.hostname ?? machine.slice(0, 8)} ${describeRefusal(refusal)}`
      })
      const why = reasons.length === 0 ? 'there is no machine' : reasons.join('; ')
      return [about(view, unit, 'unplaceable', `no machine can take ${nameOf(view, unit)}: ${why}`, null)]
    }
    case 'stop-waiting':
      return []
  }
}

function about(
  view: ClusterView,
  unit: DesiredUnit['name'],
  kind: HistoryEvent['kind'],
  message: string,
  machine: HistoryEvent['machine'],
): EventDraft {
  const instance = view.instances.get(unit)
  return {
    kind,
    project: instance?.project ?? null,
    service: instance?.service ?? null,
    instance: instance?.name ?? null,
    machine,
    message,
  }
}

function nameOf(view: ClusterView, unit: DesiredUnit['name']): string {
  return view.instances.get(unit)?.name ?? unit
}
