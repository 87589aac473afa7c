// Routes about services and their instances.
import type { FastifyInstance } from 'fastify'
import { byKeys } from '../../lib/sort.js'
import type { Instance, Service } from '../../model/service.js'
import { serviceKey } from '../../store/view.js'
import { instanceBodyOf, serviceBodyOf, serviceDetailsOf, taskBodyOf } from '../bodies.js'
import { type Change, changeScales, deleteService, startService, stopService } from '../changes.js'
import type { CompileRequest, DeployRequest, ScaleRequest, StopRequest, TasksResponse } from '../contract.js'
import { compileSources, decideDeploy } from '../deploy.js'
import { explain } from '../explain.js'
import { withReceivers } from '../made-secrets.js'
import { noSuchService } from '../problem.js'
import { compileRequest, deployRequest, scaleRequest, startRequest, stopRequest } from '../requests.js'
import { type ApiContext, applyChange, orRefuse, ProblemError } from './context.js'
import { secretMaker } from './make-secret.js'

interface InProject {
  readonly project: string
}
interface OfService extends InProject {
  readonly service: string
}

export function serviceRoutes(server: FastifyInstance, context: ApiContext): void {
  server.addHook('preValidation', (request, _reply, done) => {
    const { project } = request.params as Partial<InProject>
    done(project === undefined || isLabel(project) ? undefined : badProject(project))
  })
  lookRoutes(server, context)
  changeRoutes(server, context)
}

function lookRoutes(server: FastifyInstance, { registry, units }: ApiContext): void {
  const { view } = registry
  const servicesOf = (project: string): readonly Service[] =>
    [...view.services.values()]
      .filter((service) => service.project === project)
      .sort(byKeys((service) => service.name))
  const findService = ({ project, service }: OfService): Service => {
    const found = view.services.get(serviceKey(project, service))
    if (found === undefined) throw new ProblemError(noSuchService(project, service))
    return found
  }

  server.get<{ Params: InProject }>('/v1/projects/:project/services', ({ params }) =>
    servicesOf(params.project).map((service) => serviceBodyOf(view, service)),
  )
  server.get<{ Params: OfService }>('/v1/projects/:project/services/:service', ({ params }) =>
    serviceDetailsOf(view, findService(params)),
  )
  server.get<{ Params: InProject; Querystring: { service?: string } }>(
    '/v1/projects/:project/instances',
    ({ params: { project }, query: { service } }) => {
      const services = service === undefined ? servicesOf(project) : [findService({ project, service })]
      return services
        .flatMap((one): readonly Instance[] => view.instancesOf(serviceKey(project, one.name)))
        .map((instance) => instanceBodyOf(view, instance))
    },
  )
  server.get<{ Params: InProject & { name: string } }>('/v1/projects/:project/explain/:name', ({ params }) =>
    orRefuse(explain(view, units.needs, params.project, params.name)),
  )
}

function changeRoutes(server: FastifyInstance, context: ApiContext): void {
  const maker = secretMaker(context.secrets)
  const respond = ({ tasks }: Change): TasksResponse => ({ tasks: tasks.map(taskBodyOf) })

  server.post<{ Params: InProject; Body: CompileRequest }>(
    '/v1/projects/:project/compile',
    { schema: { body: compileRequest } },
    ({ params, body }) =>
      orRefuse(compileSources(context.registry.view, context.manifests, params.project, body.sources)),
  )
  server.post<{ Params: InProject; Body: DeployRequest }>(
    '/v1/projects/:project/deploy',
    { schema: { body: deployRequest } },
    async ({ params, body }) => {
      const change = await applyChange(context, (view, now) =>
        withReceivers(view, decideDeploy(view, context.manifests, params.project, body, now), maker, now),
      )
      return change.response
    },
  )
  server.post<{ Params: InProject; Body: ScaleRequest }>(
    '/v1/projects/:project/scale',
    { schema: { body: scaleRequest } },
    async ({ params, body }) =>
      respond(
        await applyChange(context, (view, now) => changeScales(view, params.project, body.targets, now)),
      ),
  )
  server.post<{ Params: OfService; Body: StopRequest }>(
    '/v1/projects/:project/services/:service/stop',
    { schema: { body: stopRequest } },
    async ({ params: { project, service }, body }) =>
      respond(
        await applyChange(context, (view, now) => stopService(view, project, service, body.version, now)),
      ),
  )
  server.post<{ Params: OfService }>(
    '/v1/projects/:project/services/:service/start',
    { schema: { body: startRequest } },
    async ({ params: { project, service } }) =>
      respond(await applyChange(context, (view, now) => startService(view, project, service, now))),
  )
  server.delete<{ Params: OfService; Querystring: { force?: string } }>(
    '/v1/projects/:project/services/:service',
    async ({ params: { project, service }, query }) => {
      const force = query.force === 'true'
      return respond(
        await applyChange(context, (view, now) => deleteService(view, project, service, force, now)),
      )
    },
  )
}

/** RFC 1123, as for services (contract §1). */
function isLabel(text: string): boolean {
  return /^[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?$/.test(text)
}

function badProject(project: string): ProblemError {
  return new ProblemError({
    status: 400,
    code: 'project/bad-name',
    message: `"${project}" is no project name`,
    hint: 'a name has lower-case letters, digits and hyphens, 63 characters at most',
  })
}
