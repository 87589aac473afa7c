// A service that is removed while others take its place in the entry: it goes on until those serve, and stays where they do not.
import { type Elapsed, elapsedAt } from '../lib/elapsed.js'
import { earlier, type Instant } from '../lib/time.js'
import type { Service } from '../model/service.js'
import { isRollout, type Task, takersOf } from '../model/task.js'
import { type Assessed, assess, isLive } from './assess.js'
import type { ServiceInstance, ServiceSituation } from './situation.js'
import type { Taker } from './takers.js'

/** Whether those serve that a deletion waits for: it goes on then, and has failed where they do not come to it. */
type HandOver =
  | { readonly kind: 'waits' | 'ready' }
  | { readonly kind: 'off' /** Why the service stays. */; readonly reason: string }

const waits: HandOver = { kind: 'waits' }
const ready: HandOver = { kind: 'ready' }

/** How far the hand-over is that a task waits for; one that waits for none may begin. */
export function handOverOf(
  task: Task,
  { service, takers = [], jumps, connectedForMs }: ServiceSituation,
  now: Instant,
): HandOver {
  if (takersOf(task) === null) return ready
  const time = elapsedAt(now, jumps, connectedForMs)
  const states = takers.map((taker) =>
    stateOf(taker, { ...assessed(taker, service, time), time }, task, service.name),
  )
  return states.find(({ kind }) => kind === 'off') ?? states.find(({ kind }) => kind === 'waits') ?? ready
}

/** When one of those that take over counts as up if nothing happens; null where none does. */
export function takerUpAt({ service, takers = [] }: ServiceSituation, time: Elapsed): Instant | null {
  const live = takers.flatMap((taker) => assessed(taker, service, time).live)
  return live.reduce<Instant | null>((first, { up, upAt }) => (up ? first : earlier(first, upAt)), null)
}

function assessed(
  { instances, tasks, ...taker }: Taker<ServiceInstance>,
  service: Service,
  time: Elapsed,
): { readonly open: readonly Task[]; readonly live: readonly Assessed[] } {
  const open = tasks.filter(({ finishedAt }) => finishedAt === null)
  return {
    open,
    live: instances.filter(isLive).map((item) => assess(item, taker.service ?? service, open, time)),
  }
}

function stateOf(
  { name, service, tasks }: Taker<ServiceInstance>,
  { open, live, time }: { open: readonly Task[]; live: readonly Assessed[]; time: Elapsed },
  { createdAt }: Task,
  own: string,
): HandOver {
  const off = (why: string): HandOver => ({ kind: 'off', reason: `${own} goes on serving: ${why}` })
  if (service === null || service.deleting) return off(`${name} is deleted`)
  const current = live.filter(({ instance }) => instance.version === service.current)
  const isServing = current.some(({ up }) => up)
  if (open.some((one) => isRollout(one) || one.kind === 'start' || one.kind === 'scale')) {
    // What still waits for a place may wait for that of the one that is to go.
    const isShort = current.some(hasNoPlace) && current.every((item) => item.up || hasNoPlace(item))
    return isServing && isShort ? ready : waits
  }
  // The clock may have been set back since either.
  const agoOf = ({ finishedAt }: Task): number => time.since(finishedAt ?? 0)
  const since = tasks.filter((one) => isRollout(one) && agoOf(one) <= time.since(createdAt))
  const last = since.toSorted((a, b) => agoOf(b) - agoOf(a)).at(-1)
  if (last !== undefined && last.state !== 'completed')
    return off(`the ${last.kind} of ${name} ${last.state}`)
  if (isServing) return ready
  return service.scale === 0 ? off(`${name} is stopped`) : waits
}

function hasNoPlace({ placement, waiting }: Assessed): boolean {
  return placement === null && waiting !== null
}
