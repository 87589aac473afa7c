// Routes about services, their versions and their instances.
import type { FastifyInstance } from 'fastify'
import { noSuchService } from '../../changes/problem.js'
import { servicesOfProject } from '../../changes/projects.js'
import { findVersionAnywhere, reprovisionService, revertService } from '../../changes/rollouts.js'
import { changeScales, deleteService, startService, stopService } from '../../changes/services.js'
import type {
  ReprovisionRequest,
  RevertRequest,
  ScaleRequest,
  ServiceDetails,
  StartRequest,
  StopRequest,
} from '../../contract/contract.js'
import { deleteServiceQuery, ofServiceQuery, pageQuery } from '../../contract/queries.js'
import {
  reprovisionRequest,
  revertRequest,
  scaleRequest,
  startRequest,
  stopRequest,
} from '../../contract/requests.js'
import type { Instance, Service } from '../../model/service.js'
import { type ClusterView, serviceKey } from '../../store/view.js'
import { serviceDetailsOf, versionDetailsOf, versionOf } from '../bodies.js'
import { explain } from '../explain.js'
import { metricTriggerBodyOf } from '../metric-trigger-bodies.js'
import { instanceOrder, versionOrder } from '../orders.js'
import { type ApiContext, changeFor, ofKnownProject, orRefuse, ProblemError } from './context.js'
import { deployRoutes } from './deploy-routes.js'
import { listRoute } from './kept-lists.js'
import { answerJson, answerServices, bodiesFor, explainerReady, madeReady } from './listings.js'
import { isPaged, pageOf } from './pages.js'

interface InProject {
  readonly project: string
}
interface OfService extends InProject {
  readonly service: string
}

interface DeleteQuery {
  readonly force?: string
  readonly volumes?: string
  readonly join?: string
}

export function serviceRoutes(server: FastifyInstance, context: ApiContext): void {
  server.addHook('preValidation', (request, _reply, done) => {
    const { project } = request.params as Partial<InProject>
    done(project === undefined || isLabel(project) ? undefined : badProject(project))
  })
  lookRoutes(server, context)
  versionRoutes(server, context)
  deployRoutes(server, context)
  orderRoutes(server, context)
}

function lookRoutes(server: FastifyInstance, context: ApiContext): void {
  const { registry, explainer, triggerBase, clock, bodies, sightings } = context
  const { view } = registry
  server.get<{ Params: InProject }>(
    listRoute,
    { ...ofKnownProject(view), schema: { querystring: pageQuery } },
    (request, reply) => answerServices(context, request.params.project, request, reply),
  )
  server.get<{ Params: OfService }>(
    '/v1/projects/:project/services/:service',
    async ({ params }): Promise<ServiceDetails> => {
      findService(view, params)
      const made = await bodiesFor(context, () => servicesNamed(view, params.project, params.service))
      const service = findService(view, params)
      const triggers = sightings.of(service).map(metricTriggerBodyOf)
      return {
        ...serviceDetailsOf(view, service, triggerBase, made),
        ...(triggers.length > 0 && { triggers }),
      }
    },
  )
  server.get<{ Params: InProject; Querystring: { service?: string } }>(
    '/v1/projects/:project/instances',
    { ...ofKnownProject(view), schema: { querystring: ofServiceQuery } },
    async (request, reply) => {
      const { project } = request.params
      const { service } = request.query
      if (service !== undefined) findService(view, { project, service })
      const page = (): readonly Instance[] => {
        const services = servicesNamed(view, project, service)
        const instances = services.flatMap((one) => view.allInstancesOf(serviceKey(project, one.name)))
        // They are in order already.
        return isPaged(request) ? pageOf(request, reply, instanceOrder, instances) : instances
      }
      const now = await madeReady(context, () => servicesWith(view, page()), 'instances')
      return answerJson(reply, bodies.instanceList(page(), now))
    },
  )
  server.get<{ Params: InProject & { name: string } }>(
    '/v1/projects/:project/explain/:name',
    async ({ params }) => {
      await explainerReady(context)
      return orRefuse(explain(view, explainer, params.project, params.name, clock.now()))
    },
  )
}

function versionRoutes(server: FastifyInstance, { registry: { view } }: ApiContext): void {
  server.get<{ Params: OfService }>(
    '/v1/projects/:project/services/:service/versions',
    { schema: { querystring: pageQuery } },
    (request, reply) => {
      const service = findService(view, request.params)
      const versions = view.versionsOf(serviceKey(service.project, service.name))
      return pageOf(request, reply, versionOrder, versions).map((version) => versionOf(service, version))
    },
  )
  server.get<{ Params: InProject & { version: string } }>(
    '/v1/projects/:project/versions/:version',
    ({ params }) =>
      versionDetailsOf(view, orRefuse(findVersionAnywhere(view, params.project, params.version))),
  )
}

function orderRoutes(server: FastifyInstance, context: ApiContext): void {
  server.post<{ Params: InProject; Body: ScaleRequest }>(
    '/v1/projects/:project/scale',
    { schema: { body: scaleRequest } },
    (request) =>
      changeFor(context, request, (view, now) =>
        changeScales(view, request.params.project, request.body.targets, now, request.body.deadlineMs),
      ),
  )
  const path = '/v1/projects/:project/services/:service'
  server.post<{ Params: OfService; Body: StopRequest }>(
    `${path}/stop`,
    { schema: { body: stopRequest } },
    (request) => {
      const { project, service } = request.params
      return changeFor(context, request, (view, now) =>
        stopService(view, project, service, request.body, now),
      )
    },
  )
  server.post<{ Params: OfService; Body: StartRequest }>(
    `${path}/start`,
    { schema: { body: startRequest } },
    (request) => {
      const { project, service } = request.params
      return changeFor(context, request, (view, now) =>
        startService(
          view,
          project,
          service,
          request.body.version,
          now,
          request.body.deadlineMs,
          {},
          { set: request.body.set ?? {} },
        ),
      )
    },
  )
  server.post<{ Params: OfService; Body: RevertRequest }>(
    `${path}/revert`,
    { schema: { body: revertRequest } },
    (request) => {
      const { project, service } = request.params
      return changeFor(context, request, (view, now) =>
        revertService(view, project, service, request.body, now),
      )
    },
  )
  server.post<{ Params: OfService; Body: ReprovisionRequest }>(
    `${path}/reprovision`,
    { schema: { body: reprovisionRequest } },
    (request) => {
      const { project, service } = request.params
      return changeFor(context, request, (view, now) =>
        reprovisionService(view, project, service, request.body, now),
      )
    },
  )
  server.delete<{ Params: OfService; Querystring: DeleteQuery }>(
    path,
    { schema: { querystring: deleteServiceQuery } },
    (request) => {
      const { project, service } = request.params
      const { force, volumes, join } = request.query
      const wanted = { force: force === 'true', volumes: volumes === 'true', join: join === 'true' }
      return changeFor(context, request, (view, now) => deleteService(view, project, service, wanted, now))
    },
  )
}

/** All services of a project, or the one that is named, as far as it is there. */
function servicesNamed(view: ClusterView, project: string, name: string | undefined): readonly Service[] {
  if (name === undefined) return servicesOfProject(view, project)
  const found = view.services.get(serviceKey(project, name))
  return found === undefined ? [] : [found]
}

/** The services that instances are of. */
function servicesWith(view: ClusterView, instances: readonly Instance[]): readonly Service[] {
  const keys = new Set(instances.map(({ project, service }) => serviceKey(project, service)))
  return [...keys].flatMap((key) => view.services.get(key) ?? [])
}

function findService(view: ClusterView, { project, service }: OfService): Service {
  const found = view.services.get(serviceKey(project, service))
  if (found === undefined) throw new ProblemError(noSuchService(view, project, service))
  return found
}

/** RFC 1123, as for services (contract §1). */
function isLabel(text: string): boolean {
  return /^[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?$/.test(text)
}

function badProject(project: string): ProblemError {
  return new ProblemError({
    status: 400,
    code: 'project/bad-name',
    message: `"${project}" is not a project name`,
    hint: 'a name has lower-case letters, digits and hyphens, 63 characters at most',
  })
}
