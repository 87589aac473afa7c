// The route of a task's progress, which goes on until the task is over.
import type { FastifyInstance } from 'fastify'
import type { TaskProgress } from '../../contract/contract.js'
import type { MachineId } from '../../model/machine.js'
import type { Instance, ServiceType } from '../../model/service.js'
import type { Task } from '../../model/task.js'
import { type ClusterView, serviceKey } from '../../store/view.js'
import { blockedOf } from '../blocked.js'
import { instanceBodyOf, taskBodyOf } from '../bodies.js'
import { leadsRequests } from '../entry.js'
import { heldByRecords } from '../held.js'
import type { ApiContext } from './context.js'
import { logsOfFailedTask } from './failed-logs.js'
import { type Look, sendLooks } from './progress-stream.js'
import { streamEvents } from './streams.js'
import { findTask } from './system-routes.js'

export function progressRoutes(server: FastifyInstance, context: ApiContext): void {
  server.get<{ Params: { uuid: string } }>('/v1/tasks/:uuid/progress', async ({ params }, reply) => {
    const { uuid } = findTask(context, params.uuid)
    const { tasks } = context.registry.view
    const unseen = new UnseenStops()
    const take = async (): Promise<Look> => {
      const task = tasks.get(uuid)
      if (task === undefined) return null
      const look = await progressBodyOf(context, task, unseen)
      const held = heldByRecords(context.registry.view, [serviceKey(task.project, task.service)])
      return { look, over: task.finishedAt !== null, held }
    }
    await sendLooks(
      context,
      streamEvents(reply, context.clock),
      take,
      () => tasks.get(uuid)?.finishedAt !== null,
    )
  })
}

/** Who was given up between two looks at a service: whoever is gone with a machine that is away. */
class UnseenStops {
  readonly #names = new Set<string>()
  #before: readonly { readonly instance: Instance; readonly machine: MachineId }[] = []

  /** Takes a look, and says who was given up since the first. */
  look(view: ClusterView, instances: readonly Instance[]): readonly string[] {
    const here = new Set(instances.map(({ uuid }) => uuid))
    for (const { instance, machine } of this.#before)
      if (!here.has(instance.uuid) && !view.machines.has(machine)) this.#names.add(instance.name)
    this.#before = instances.flatMap((instance) => {
      const machine = view.placements.get(instance.unit)?.machine
      return machine === undefined || instance.retired?.kept === true ? [] : [{ instance, machine }]
    })
    return [...this.#names]
  }
}

async function progressBodyOf(
  context: ApiContext,
  task: Task,
  unseenStops: UnseenStops,
): Promise<TaskProgress> {
  const { view } = context.registry
  const now = context.clock.now()
  const service = view.services.get(serviceKey(task.project, task.service))
  const instances = view
    .instancesOf(serviceKey(task.project, task.service))
    .filter((one) => isOfTask(task, service?.type, one))
  const body = taskBodyOf(view, task, now)
  const blocked = blockedOf(view, task)
  const kept = instances.filter((one) => one.retired?.kept === true).map(({ uuid }) => uuid)
  const unseen = unseenStops.look(view, instances)
  return {
    task: body,
    done: body.done,
    total: body.total,
    instances: instances
      .filter((one) => one.retired?.kept !== true)
      .map((one) => instanceBodyOf(view, one, now)),
    ...(kept.length > 0 && { kept }),
    ...(unseen.length > 0 && { unseen }),
    ...(leadsRequests(view, task) && { entry: true }),
    ...(blocked !== null && { blocked }),
    ...(task.state === 'failed' && service !== undefined && { current: service.current }),
    logs: task.state === 'failed' ? await logsOfFailedTask(context, task, instances) : [],
  }
}

/** The start of a run shows that run alone, which is known once it has begun; other runs begin and end beside it. */
function isOfTask(task: Task, type: ServiceType | undefined, { n }: Instance): boolean {
  if (task.instance !== undefined) return n === task.instance
  return task.kind !== 'start' || task.state !== 'queued' || type === 'continuous'
}
