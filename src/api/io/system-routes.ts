// Routes about the system itself: versions, readiness, machines, units, tasks.
import type { FastifyInstance } from 'fastify'
import { byKeys } from '../../lib/sort.js'
import { machineBodyOf, taskBodyOf } from '../bodies.js'
import { type MachineChangeRequest, type MachineDetails, paths, type VersionBody } from '../contract.js'
import { changeMachine, findMachine, machineDetailsOf } from '../machines.js'
import { machineChangeRequest } from '../requests.js'
import { type ApiContext, applyChange, orRefuse, ProblemError } from './context.js'

export function systemRoutes(server: FastifyInstance, context: ApiContext): void {
  const { registry, units, machine, version } = context
  const { view } = registry
  const detailsOf = (id: string): MachineDetails =>
    machineDetailsOf(view, orRefuse(findMachine(view, id)), units.needs)
  server.get(paths.health, () => ({ status: 'ok' }))
  server.get(paths.ready, (_request, reply) => {
    const ready = view.leader !== null
    return reply.code(ready ? 200 : 503).send({ status: ready ? 'ok' : 'waiting for a leader' })
  })
  server.get(paths.version, (): VersionBody => ({ version, machine, leader: view.leader?.machine ?? null }))
  server.get(paths.machines, () =>
    [...view.machines.values()]
      .sort(byKeys((one) => one.id))
      .map((one) => machineBodyOf(view, one, units.needs)),
  )
  server.get<{ Params: { id: string } }>('/v1/machines/:id', ({ params }) => detailsOf(params.id))
  server.patch<{ Params: { id: string }; Body: MachineChangeRequest }>(
    '/v1/machines/:id',
    { schema: { body: machineChangeRequest } },
    async ({ params, body }) => {
      await applyChange(context, (now) => changeMachine(now, params.id, body))
      return detailsOf(params.id)
    },
  )
  server.get(paths.tasks, () =>
    [...view.tasks.values()]
      .sort(
        byKeys(
          (task) => task.createdAt,
          (task) => task.uuid,
        ),
      )
      .map(taskBodyOf),
  )
  server.get<{ Params: { uuid: string } }>('/v1/tasks/:uuid', (request) =>
    taskBodyOf(findTask(context, request.params.uuid)),
  )
}

export function findTask({ registry }: ApiContext, uuid: string) {
  const task = registry.view.tasks.get(uuid)
  if (task === undefined)
    throw new ProblemError({ status: 404, code: 'task/unknown', message: `there is no task ${uuid}` })
  return task
}
