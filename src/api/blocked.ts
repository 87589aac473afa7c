// Why a task does not go on, in a sentence for those who wait for it.
import type { Task } from '../model/task.js'
import { cannotBeMade } from '../service/failing.js'
import { aheadOf } from '../service/queue.js'
import { type ClusterView, serviceKey } from '../store/view.js'

/** Its service can make no instance now, or another task has to be over first; null where nothing holds it up. */
export function blockedOf(view: ClusterView, task: Task): string | null {
  const key = serviceKey(task.project, task.service)
  const service = view.services.get(key)
  if (service === undefined || task.finishedAt !== null) return null
  if (task.state === 'active') return service.blocked === null ? null : cannotBeMade(service, service.blocked)
  const open = view.tasksOf(key).filter(({ finishedAt }) => finishedAt === null)
  const ahead = aheadOf(service, open, task)
  if (ahead === null) return null
  const { kind, state, uuid } = ahead
  return `${task.service}: this ${task.kind} waits until the ${state} ${kind} is over; mariposa queue stop ${uuid.slice(0, 8)} ends that one`
}
