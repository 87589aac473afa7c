// Wherever a request names a project, a service, an instance or a task, its uuid will do as well; of all but projects its beginning too.
import type { FastifyInstance, FastifyRequest } from 'fastify'
import type { ClusterView } from '../../store/view.js'
import { memberName, projectName, serviceName, taskUuid } from '../by-uuid.js'

/** Goes before the routes, which then see names alone. */
export function takeUuids(server: FastifyInstance, view: ClusterView): void {
  server.addHook('preHandler', (request, _reply, done) => {
    if (request.routeOptions.url?.startsWith('/v1/')) nameAll(request, view)
    done()
  })
}

interface Named {
  project?: string
  service?: string
  instance?: string
  name?: string
  uuid?: string
  targets?: Record<string, unknown>
}

function nameAll(request: FastifyRequest, view: ClusterView): void {
  const params = request.params as Named
  const query = (request.query ?? {}) as Named
  const body = isPlain(request.body) ? request.body : {}
  for (const part of [params, query]) {
    if (part.project !== undefined) part.project = projectName(view, part.project)
  }
  const project = params.project ?? query.project
  for (const part of [params, body]) {
    if (part.service !== undefined) part.service = serviceName(view, project, part.service)
  }
  // Where a list is narrowed to a service, an instance does as well for events.
  if (query.service !== undefined) query.service = memberName(view, project, query.service)
  if (params.instance !== undefined) params.instance = memberName(view, project, params.instance)
  // Of units there are names alone.
  if (params.name !== undefined && params.project !== undefined)
    params.name = memberName(view, project, params.name)
  if (params.uuid !== undefined && request.routeOptions.url?.startsWith('/v1/tasks/'))
    params.uuid = taskUuid(view, params.uuid)
  if (isPlain(body.targets)) {
    const entries = Object.entries(body.targets)
    body.targets = Object.fromEntries(entries.map(([name, to]) => [serviceName(view, project, name), to]))
  }
}

function isPlain(value: unknown): value is Named & Record<string, unknown> {
  return typeof value === 'object' && value !== null && Object.getPrototypeOf(value) === Object.prototype
}
