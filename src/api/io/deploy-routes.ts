// Routes that deploy manifests, or tell what deploying them would change.
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { openVersionUnits } from '../../compile/version-unit.js'
import { Slices } from '../../lib/io/slices.js'
import type { ImageMeanings } from '../../model/image.js'
import { bearsOnPlan } from '../bears-on-plan.js'
import type { CompileRequest, DeployRequest, PlanResponse } from '../contract.js'
import { compileSources, type Deploy } from '../deploy.js'
import { imagesToRead, mayNameImages } from '../image-meanings.js'
import { withSecrets } from '../made-secrets.js'
import { decideAsPlanned, decidePlaceable, type PlanTools, planDeploy } from '../plan.js'
import type { Problem } from '../problem.js'
import { compileRequest, deployRequest } from '../requests.js'
import { type ApiContext, actorOf, applyChange, orRefuse, ProblemError } from './context.js'
import { readImageMeanings } from './images.js'
import { secretMaker } from './make-secret.js'

interface InProject {
  readonly project: string
}

/** How much time of the daemon's thread a plan may take; what it has come to by then is the answer. */
const planBudgetMs = 30_000
/** How often a plan is made anew where something that bears on it has changed meanwhile. */
const comparesAtMost = 4

export function deployRoutes(server: FastifyInstance, context: ApiContext): void {
  const { registry, clock, manifests, explainer } = context
  const tools = { settings: manifests, unitOf: openVersionUnits(manifests), explainer }
  const slices = new Slices()
  const deployer = { context, tools, slices, maker: secretMaker(context.secrets) }
  server.post<{ Params: InProject; Body: CompileRequest }>(
    '/v1/projects/:project/compile',
    { schema: { body: compileRequest } },
    ({ params, body }) => orRefuse(compileSources(registry.view, manifests, params.project, body.sources)),
  )
  server.post<{ Params: InProject; Body: DeployRequest }>(
    '/v1/projects/:project/plan',
    { schema: { body: deployRequest } },
    async ({ params: { project }, body }) => {
      const meanings = body.refresh === true ? await meaningsFor(context, tools, project, body) : null
      const plan = orRefuse(planDeploy(registry.view, tools, project, body, clock.now(), meanings))
      return await slices.run(plan.steps, planBudgetMs)
    },
  )
  server.post<{ Params: InProject; Body: DeployRequest }>(
    '/v1/projects/:project/deploy',
    { schema: { body: deployRequest } },
    async (request) => {
      const meanings = await meaningsFor(context, tools, request.params.project, request.body)
      const change =
        request.body.expect === undefined
          ? await deploy(deployer, request, meanings, null)
          : await deployAsPlanned(deployer, request, meanings)
      return change.response
    },
  )
}

interface Deployer {
  readonly context: ApiContext
  readonly tools: PlanTools
  readonly slices: Slices
  readonly maker: ReturnType<typeof secretMaker>
}

type Request = FastifyRequest<{ Params: InProject; Body: DeployRequest }>

/** What the images of a deploy mean now, those of them on which it depends. */
async function meaningsFor(
  context: ApiContext,
  tools: PlanTools,
  project: string,
  request: DeployRequest,
): Promise<ImageMeanings> {
  if (!mayNameImages(request)) return new Map()
  const { registry, clock } = context
  const decided = orRefuse(decidePlaceable(registry.view, tools, project, request, clock.now(), null))
  return await readImageMeanings(context, imagesToRead(decided))
}

/** `held`: the plan that would be carried out now, and whether nothing that bears on it has changed since it was made. */
async function deploy(
  { context, tools, maker }: Deployer,
  request: Request,
  meanings: ImageMeanings,
  held: { readonly plan: PlanResponse; readonly isCurrent: () => boolean } | null,
): Promise<Deploy> {
  const { params, body } = request
  return await applyChange(context, actorOf(request), (view, now) => {
    // In the turn in which it is decided: what is compared is what is done.
    if (held !== null && !held.isCurrent()) throw new PlanOutdated()
    const decided = decideAsPlanned(view, tools, params.project, body, now, meanings, held?.plan ?? null)
    return withSecrets(view, decided, maker, now)
  })
}

/** Plans, and deploys if nothing that bears on the plan has changed by then; else once more. */
async function deployAsPlanned(
  deployer: Deployer,
  request: Request,
  meanings: ImageMeanings,
): Promise<Deploy> {
  const { registry, clock } = deployer.context
  const { params, body } = request
  for (let tries = 0; tries < comparesAtMost; tries++) {
    const { view } = registry
    const planned = orRefuse(planDeploy(view, deployer.tools, params.project, body, clock.now(), meanings))
    let isCurrent = true
    const stop = registry.onChange((_kinds, changes) => {
      isCurrent &&= !changes.some(({ key }) => bearsOnPlan(view, planned.services, key))
    })
    try {
      const plan = await deployer.slices.run(planned.steps, planBudgetMs)
      return await deploy(deployer, request, meanings, { plan, isCurrent: () => isCurrent })
    } catch (error) {
      if (!(error instanceof PlanOutdated)) throw error
    } finally {
      stop()
    }
  }
  throw new ProblemError(changesTooFast)
}

class PlanOutdated extends Error {
  override readonly name = 'PlanOutdated'
}

const changesTooFast: Problem = {
  status: 409,
  code: 'api/contended',
  message: 'the cluster changes faster than the plan could be compared with it; nothing was changed',
  hint: 'try again, or deploy without --expect',
}
