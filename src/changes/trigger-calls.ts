// What a call of a trigger URL changes: the task that the same command would begin.
import { sha1 } from '../lib/hash.js'
import type { Instant } from '../lib/time.js'
import type { RecentCall, TriggerRecord, TriggerUrl } from '../model/trigger-url.js'
import { putOf } from '../store/records.js'
import { type ClusterView, serviceKey } from '../store/view.js'
import { keptBody, type SentBody } from './call-bodies.js'
import type { Seal } from './meta.js'
import { isProblem, type Problem } from './problem.js'
import { type Change, changeScales, emptyChange, startService, stopService } from './services.js'

/** Where a trigger is. */
export interface TriggerPlace {
  readonly project: string
  readonly service: string
  readonly name: string
}

/** A trigger URL that a request names. */
export interface FoundTrigger {
  readonly trigger: TriggerUrl
  readonly record: TriggerRecord
}

/** The trigger at a place, as the current version of its service has it. */
export function findTrigger(view: ClusterView, place: TriggerPlace): FoundTrigger | null {
  const key = serviceKey(place.project, place.service)
  const version = view.versions.get(view.services.get(key)?.current ?? '')
  const trigger = version?.triggerUrls?.find(({ name }) => name === place.name)
  const record = view.triggersOf(key).get(place.name)
  return trigger === undefined || record === undefined ? null : { trigger, record }
}

/** A call that is let in. */
export interface AdmittedCall extends TriggerPlace {
  /** The name that it gave itself; null: it has none, and every such call takes effect. */
  readonly id: string | null
  readonly body: SentBody
}

/** How the body of a call is kept. */
interface Keeping {
  /** For this call alone. */
  readonly id: string
  readonly seal: Seal
}

export interface CallChange extends Change {
  readonly task: string
  /** The same call took effect before. */
  readonly repeated: boolean
}

/** For how long a call that named itself is known again. */
const rememberedForMs = 24 * 3_600_000
const rememberedAtMost = 200
/** A call with a signature is good for so long at most, so it must be known again for as long. */
const neverForgottenForMs = 11 * 60_000

/**
 * What a call changes. One that named itself like an earlier one changes nothing, on whichever machine it arrives: both
 * are decided on the same record.
 */
export function decideCall(
  view: ClusterView,
  call: AdmittedCall,
  keeping: Keeping,
  now: Instant,
): CallChange | Problem {
  const found = findTrigger(view, call)
  if (found === null) return noTrigger
  const { trigger, record } = found
  const id = call.id === null ? null : sha1(call.id)
  const before =
    id === null ? undefined : record.recent.find((one) => one.id === id && now - one.at < rememberedForMs)
  const print = trigger.body === undefined ? {} : { body: call.body.print }
  if (before?.body !== undefined && print.body !== undefined && before.body !== print.body) return otherBody
  if (before !== undefined) return { ...emptyChange, task: before.task, repeated: true }
  // By a clock that was ahead: these are known again, and say nothing of how often it is called.
  const ahead = record.recent.filter(({ at }) => at - now > neverForgottenForMs)
  // Those that seem old are kept as well: the clock may be ahead now, and be set back.
  const others = record.recent.filter((one) => one.id !== id && !ahead.includes(one))
  if (id !== null && others.filter(({ at }) => now - at < neverForgottenForMs).length >= rememberedAtMost)
    return tooOften
  const change = changeBy(view, trigger, call, keeping, now)
  if (isProblem(change)) return change
  const task = change.tasks[0]?.uuid ?? ''
  const mine = { id: id ?? '', at: now, task, ...print }
  const recent =
    id === null
      ? record.recent
      : [...ahead.slice(-rememberedAtMost), ...others.slice(1 - rememberedAtMost), mine]
  return { ...withCall(change, record, recent, now), task, repeated: false }
}

function withCall(
  change: Change,
  record: TriggerRecord,
  recent: readonly RecentCall[],
  now: Instant,
): Change {
  const called = { ...record, calls: record.calls + 1, lastCalledAt: now, recent }
  return {
    ...change,
    ops: [...change.ops, putOf('trigger', called)],
  }
}

function changeBy(
  view: ClusterView,
  { action, body }: TriggerUrl,
  { project, service, body: sent }: AdmittedCall,
  keeping: Keeping,
  now: Instant,
): Change | Problem {
  switch (action.kind) {
    case 'start': {
      const kept = keptBody(view, { project, service, id: keeping.id }, body, sent, keeping.seal)
      if (kept !== null && isProblem(kept)) return kept
      if (kept === null) return startService(view, project, service, undefined, now)
      const input = { body: kept.named }
      const change = startService(view, project, service, undefined, now, undefined, {}, input)
      if (isProblem(change)) return change
      return { ...change, ops: [...change.ops, putOf('callBody', kept.record)] }
    }
    case 'stop':
      return stopService(view, project, service, {}, now)
    case 'scale':
      return changeScales(view, project, { [service]: action.target }, now)
  }
}

const otherBody: Problem = {
  status: 422,
  code: 'trigger/other-body',
  message: 'a call with this id has taken effect already, with another body',
}

/** The same for a trigger that is not there and a secret that is wrong: nobody learns names by asking. */
export const noTrigger: Problem = {
  status: 401,
  code: 'trigger/refused',
  message: 'there is no such trigger, or this is not its secret',
}

/** For a caller that is not let in too often, and a trigger that is called too often. */
export const tooOften: Problem = {
  status: 429,
  code: 'trigger/too-often',
  message: 'this trigger is called too often',
}
