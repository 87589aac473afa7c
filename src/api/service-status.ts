// How a service is, in one word and one line.

import type { InstanceBody, ServiceBody } from '../contract/contract.js'
import { elapsedAt } from '../lib/elapsed.js'
import { type Instant, toIso } from '../lib/time.js'
import type { Service } from '../model/service.js'
import { cannotBeMade } from '../service/failing.js'
import { nextInstanceAt } from '../service/scaling.js'
import { versionIsGone } from '../service/situation.js'
import { describeUnreadable, unreadableOf } from '../store/unreadable.js'
import { type ClusterView, serviceKey } from '../store/view.js'
import { slotsHeld } from '../volumes/holds.js'

type Status = Pick<ServiceBody, 'status' | 'reason' | 'restarts' | 'nextTryAt'>

/** A live instance of a service, and how it does. */
export interface Member {
  readonly body: InstanceBody
  readonly healthy: boolean
  /** It crashes again and again, also in the moments in which it runs. */
  readonly crashing: boolean
}

/** Instances that failed in a row from which on a service counts as one that crashes again and again. */
const streakOfCrashes = 3

/** Names of instances that are to be gone. */
interface Leaving {
  /** Their programs are still there. */
  readonly stopping: readonly string[]
  /** Their machines are down: nobody knows. */
  readonly unseen: readonly string[]
}

export function statusOf(
  view: ClusterView,
  service: Service,
  members: readonly Member[],
  leaving: Leaving,
  now: Instant,
): Status {
  const bodies = members.map(({ body }) => body)
  const remade = nextInstanceAt(service, elapsedAt(now))
  const tries = bodies.flatMap(({ nextTryAt }) => nextTryAt ?? [])
  const nextTryAt = [...tries, ...(remade !== null ? [toIso(remade)] : [])].sort()[0] ?? null
  const restarts = bodies.reduce((sum, body) => sum + body.restarts, 0)
  const { status, reason } = conditionOf(view, service, members, leaving, now)
  return { status, reason: holeOf(view, service) ?? reason, restarts, nextTryAt }
}

/** What is not known of a service, though it has to be for anything to be decided about it; null where all is. */
export function holeOf(view: ClusterView, service: Service): string | null {
  const unreadable = unreadableOf(view, serviceKey(service.project, service.name))
  if (unreadable.length > 0) return describeUnreadable(unreadable)
  return view.versions.has(service.current) || service.deleting ? null : versionIsGone
}

function conditionOf(
  view: ClusterView,
  service: Service,
  members: readonly Member[],
  leaving: Leaving,
  now: Instant,
): Pick<Status, 'status' | 'reason'> {
  // What the service pass begins by itself and what holds it are no news of how the service is.
  const tasks = view
    .tasksOf(serviceKey(service.project, service.name))
    .filter(({ kind }) => kind !== 'replace' && kind !== 'freeze')
  const active = tasks.find((task) => task.finishedAt === null)
  const last = tasks.filter((task) => task.finishedAt !== null).at(-1)
  if (service.deleting) return { status: 'stopping', reason: 'it is being deleted' }
  if (service.type === 'continuous' && service.scale === 0) {
    const stopping = members.length > 0 || leaving.stopping.length > 0
    const held = service.blocked === null ? '' : cannotBeMade(service, service.blocked)
    return { status: stopping ? 'stopping' : 'stopped', reason: held || waitFor(leaving) }
  }
  if (active?.kind === 'stop' && members.length === 0) return { status: 'stopping', reason: waitFor(leaving) }
  const trouble = troubleOf(view, service, members, now)
  if (active !== undefined) return { status: 'deploying', reason: trouble }
  const steady = members.filter(({ healthy, crashing }) => healthy && !crashing).length
  const complete = service.type === 'continuous' ? steady >= service.scale : !members.some(isCrashing)
  const crashes = members.some(isCrashing) || streakOf(service) >= streakOfCrashes
  if (!complete && crashes && steady === 0) return { status: 'failing', reason: trouble }
  if (last?.state === 'failed' && !(complete && isAsItsManifest(service, members))) {
    return {
      status: complete || steady > 0 ? 'degraded' : 'failing',
      reason: reasonOfFailed(last.error, members, trouble),
    }
  }
  if (!complete) return { status: 'degraded', reason: trouble }
  const isIdle = service.type !== 'continuous' && members.length === 0
  return { status: isIdle ? 'idle' : 'running', reason: '' }
}

/** Why a change failed; or what is wrong with what there is, where that tells of an instance that is gone by now. */
function reasonOfFailed(error: string | null, members: readonly Member[], trouble: string): string {
  const [, named] = /^(\S+-\d+)[ :]/.exec(error ?? '') ?? []
  const isGone = named !== undefined && !members.some(({ body }) => body.name === named)
  return error === null || (isGone && trouble !== '') ? trouble : error
}

/**
 * Whether as many as are asked for run what is current: a change that failed is over then, and what is left of it (an old
 * instance, one that is lost) is no trouble of the service.
 */
function isAsItsManifest(service: Service, members: readonly Member[]): boolean {
  if (service.type !== 'continuous' || service.rollout !== null || service.blocked !== null) return false
  const steady = members.filter(({ healthy, crashing }) => healthy && !crashing)
  return steady.filter(({ body }) => body.version === service.current).length >= service.scale
}

function waitFor({ stopping, unseen }: Leaving): string {
  const [first, ...others] = stopping.length > 0 ? stopping : unseen
  if (first === undefined) return ''
  const what =
    stopping.length > 0
      ? 'not stopped yet'
      : `not been seen to stop: ${others.length === 0 ? 'its machine is' : 'their machines are'} down`
  return `${first}${others.length === 0 ? ' has' : ` and ${others.length} more have`} ${what}`
}

/** What is wrong, in one line: why none can be made, what an instance says, or that they fail one after the other. */
function troubleOf(view: ClusterView, service: Service, members: readonly Member[], now: Instant): string {
  if (service.blocked !== null) return cannotBeMade(service, service.blocked)
  const told = [...members].sort((a, b) => Number(b.crashing) - Number(a.crashing))
  const reason = told.find(({ body }) => body.reason !== '')?.body.reason
  if (reason !== undefined) return reason
  const [held] = slotsHeld(view, service)
  if (held !== undefined) return held
  return whyNotRemade(service, now) ?? ''
}

/** Why the next instance is not made yet: the last ones failed. Null where it may be. */
export function whyNotRemade(service: Service, now: Instant): string | null {
  const remade = nextInstanceAt(service, elapsedAt(now))
  if (remade === null) return null
  return `its last ${streakOf(service)} instances failed; the next one is made at ${toIso(remade)}`
}

function streakOf({ failures }: Service): number {
  return failures?.count ?? 0
}

function isCrashing({ crashing }: Member): boolean {
  return crashing
}
