// Routes about the system itself: versions, readiness, machines, units.
import type { FastifyInstance } from 'fastify'
import {
  changeMachine,
  findListedMachine,
  findMachine,
  listedMachines,
  removeMachine,
} from '../../changes/machines.js'
import { noSuchTask } from '../../changes/queue.js'
import {
  type MachineChangeRequest,
  type MachineDetails,
  type PolicyBody,
  paths,
  type VersionBody,
} from '../../contract/contract.js'
import { pageQuery } from '../../contract/queries.js'
import { machineChangeRequest } from '../../contract/requests.js'
import { machineBodyOf, machineDetailsOf } from '../bodies.js'
import { drainBodyOf } from '../drain.js'
import { machineOrder } from '../orders.js'
import { type ApiContext, actorOf, applyChange, orRefuse, ProblemError } from './context.js'
import { explainerReady } from './listings.js'
import { pageOf } from './pages.js'
import { sendLooks } from './progress-stream.js'
import { streamEvents } from './streams.js'

export function systemRoutes(server: FastifyInstance, context: ApiContext): void {
  const { registry, units, machine, version } = context
  const { view } = registry
  const detailsOf = (id: string): MachineDetails =>
    machineDetailsOf(view, orRefuse(findListedMachine(view, id)), units.needs)
  server.get(paths.health, () => ({ status: 'ok' }))
  server.get(paths.ready, (_request, reply) => {
    const reason = context.notReady()
    const unreadable = view.unreadable.size
    const body = { status: reason ?? 'ok', ...(unreadable > 0 && { unreadable }) }
    return reply.code(reason === null ? 200 : 503).send(body)
  })
  server.get(paths.version, (): VersionBody => ({ version, machine, leader: view.leader?.machine ?? null }))
  server.get(
    paths.policy,
    (): PolicyBody => context.manifests.policy ?? { policy: null, asRoot: process.geteuid?.() === 0 },
  )
  server.get(paths.machines, { schema: { querystring: pageQuery } }, (request, reply) =>
    pageOf(request, reply, machineOrder, listedMachines(view)).map((one) =>
      machineBodyOf(view, one, units.needs),
    ),
  )
  server.get<{ Params: { id: string } }>('/v1/machines/:id', ({ params }) => detailsOf(params.id))
  server.patch<{ Params: { id: string }; Body: MachineChangeRequest }>(
    '/v1/machines/:id',
    { schema: { body: machineChangeRequest } },
    async (request) => {
      const { id } = request.params
      await applyChange(context, actorOf(request), (view, now) => changeMachine(view, id, request.body, now))
      return detailsOf(id)
    },
  )
  server.delete<{ Params: { id: string } }>('/v1/machines/:id', async (request) => {
    const { id } = request.params
    const removed = detailsOf(id)
    await applyChange(context, actorOf(request), (view) => removeMachine(view, removed.id))
    return removed
  })
  server.get<{ Params: { id: string } }>('/v1/machines/:id/drain', async ({ params }, reply) => {
    const { id } = orRefuse(findMachine(view, params.id))
    await explainerReady(context)
    await sendLooks(context, streamEvents(reply, context.clock), async () => {
      const look = drainBodyOf(view, context.explainer, id)
      return look && { look, over: look.state !== 'going' }
    })
  })
}

export function findTask({ registry }: ApiContext, uuid: string) {
  const task = registry.view.tasks.get(uuid)
  if (task === undefined) throw new ProblemError(noSuchTask(uuid))
  return task
}
