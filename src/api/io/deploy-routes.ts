// Routes that deploy manifests, or tell what deploying them would change.
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { bearsOnPlan } from '../../changes/bears-on-plan.js'
import { compiledSources, type Deploy } from '../../changes/deploy.js'
import type { MadeVersion } from '../../changes/deploy-service.js'
import { DeployDraft } from '../../changes/draft.js'
import { withSecrets } from '../../changes/generated-secrets.js'
import { decideAsPlanned, decidePlaceable, type PlanTools, planDeploy } from '../../changes/plan.js'
import { currentVersion } from '../../changes/prefetch.js'
import { Preparation } from '../../changes/prepare.js'
import type { Problem } from '../../changes/problem.js'
import { imagesToRead, mayNameImages } from '../../changes/resolved-images.js'
import { openVersionUnits } from '../../compile/version-unit.js'
import type { CompileRequest, DeployRequest } from '../../contract/contract.js'
import { compileRequest, deployRequest } from '../../contract/requests.js'
import type { Slices } from '../../lib/io/slices.js'
import { tryUntilDone } from '../../lib/io/tries.js'
import type { Steps } from '../../lib/sliced-work.js'
import type { ResolvedImages } from '../../model/image.js'
import { type ApiContext, actorOf, applyChange, orRefuse, ProblemError, retryPolicy } from './context.js'
import { resolveImages } from './images.js'
import { secretMaker } from './make-secret.js'
import { prefetchRoutes } from './prefetch-routes.js'

interface InProject {
  readonly project: string
}

/** How much time of the daemon's thread a plan may take; what it has come to by then is the answer. */
const planBudgetMs = 30_000
/** How often a draft is brought up to date before one decides on it, where the cluster changes while that is done. */
const roundsAtMost = 4

export function deployRoutes(server: FastifyInstance, context: ApiContext): void {
  const { registry, clock, slices, manifests, explainer } = context
  const tools = { settings: manifests, unitOf: openVersionUnits(manifests), explainer }
  const deployer = { context, tools, slices, maker: secretMaker(context.secrets, registry.view) }
  server.post<{ Params: InProject; Body: CompileRequest }>(
    '/v1/projects/:project/compile',
    { schema: { body: compileRequest } },
    async ({ params: { project }, body }) => {
      const asked = { settings: manifests, project, request: body, now: clock.now(), images: null }
      const preparation = new Preparation(asked)
      await slices.run(preparation.steps(registry.view), Number.POSITIVE_INFINITY)
      return orRefuse(compiledSources(preparation.soFar()))
    },
  )
  server.post<{ Params: InProject; Body: DeployRequest }>(
    '/v1/projects/:project/plan',
    { schema: { body: deployRequest } },
    async ({ params: { project }, body }) => {
      const images = body.refresh === true ? await resolvedFor(deployer, project, body) : null
      const draft = await drafted(deployer, project, body, images)
      const plan = orRefuse(planDeploy(registry.view, tools, project, body, clock.now(), images, draft))
      return await slices.run(plan.steps, planBudgetMs)
    },
  )
  prefetchRoutes(server, context, tools.unitOf, (project, request) => madeBy(deployer, project, request))
  server.post<{ Params: InProject; Body: DeployRequest }>(
    '/v1/projects/:project/deploy',
    { schema: { body: deployRequest } },
    async (request) => {
      const images = await resolvedFor(deployer, request.params.project, request.body)
      const change =
        request.body.expect === undefined
          ? await deploy(deployer, request, images)
          : await deployAsPlanned(deployer, request, images)
      return change.response
    },
  )
}

/** What a deploy would make, and what it would leave as it is; nothing is changed. */
async function madeBy(
  deployer: Deployer,
  project: string,
  request: DeployRequest,
): Promise<readonly MadeVersion[]> {
  const { context, tools } = deployer
  const images = await resolvedFor(deployer, project, request)
  const draft = await drafted(deployer, project, request, images)
  const { view } = context.registry
  const now = context.clock.now()
  const { made, response } = orRefuse(decidePlaceable(view, tools, project, request, now, images, draft))
  const same = response.services.filter(({ outcome }) => outcome === 'unchanged')
  const current = same.map(({ service }) => currentVersion(view, tools.unitOf, project, service, now))
  return [...made, ...current.map(orRefuse)]
}

interface Deployer {
  readonly context: ApiContext
  readonly tools: PlanTools
  readonly slices: Slices
  readonly maker: ReturnType<typeof secretMaker>
}

type Request = FastifyRequest<{ Params: InProject; Body: DeployRequest }>

/** A draft of a deploy, made a slice at a time: it may have to be made anew in part where the cluster changed meanwhile. */
async function drafted(
  deployer: Deployer,
  project: string,
  request: DeployRequest,
  images: ResolvedImages | null,
): Promise<DeployDraft> {
  const draft = newDraft(deployer, project, request, images)
  const { registry, explainer } = deployer.context
  await deployer.slices.run(draft.steps(registry.view, explainer), Number.POSITIVE_INFINITY)
  return draft
}

function newDraft(
  { context: { clock, manifests } }: Deployer,
  project: string,
  request: DeployRequest,
  images: ResolvedImages | null,
): DeployDraft {
  return new DeployDraft({ settings: manifests, project, request, now: clock.now(), images })
}

/** What the images of a deploy mean now, those of them on which it depends. */
async function resolvedFor(
  deployer: Deployer,
  project: string,
  request: DeployRequest,
): Promise<ResolvedImages> {
  if (!mayNameImages(request)) return new Map()
  const { context, tools } = deployer
  const { registry, clock } = context
  const draft = await drafted(deployer, project, request, null)
  const decided = orRefuse(decidePlaceable(registry.view, tools, project, request, clock.now(), null, draft))
  return await resolveImages(context, imagesToRead(decided))
}

/** Decides on a draft, which is brought up to date before each try: only what has changed since is found out anew. */
async function deploy(deployer: Deployer, request: Request, images: ResolvedImages): Promise<Deploy> {
  const { context, tools, maker } = deployer
  const { project } = request.params
  const draft = newDraft(deployer, project, request.body, images)
  return await applyChange(
    context,
    actorOf(request),
    (view, now) => {
      const decided = decidePlaceable(view, tools, project, request.body, now, images, draft)
      return withSecrets(view, decided, maker, now)
    },
    () => bringUpToDate(deployer, draft),
  )
}

/** Where the cluster changes faster than that goes, what is left is found out with the decision. */
async function bringUpToDate({ context, slices }: Deployer, draft: DeployDraft): Promise<void> {
  const { registry, explainer } = context
  for (let rounds = 0; rounds < roundsAtMost; rounds++) {
    await slices.run(draft.steps(registry.view, explainer), Number.POSITIVE_INFINITY)
    if (draft.isDone(registry.view)) return
  }
}

/**
 * Plans, and deploys if nothing that bears on the plan has changed by then; else once more. Where what is there goes on
 * changing for so long, it is refused.
 */
async function deployAsPlanned(
  deployer: Deployer,
  request: Request,
  images: ResolvedImages,
): Promise<Deploy> {
  const { clock, random } = deployer.context
  const draft = newDraft(deployer, request.params.project, request.body, images)
  const done = await tryUntilDone({ time: clock, random }, retryPolicy, async () => {
    await bringUpToDate(deployer, draft)
    return deployUnlessOutdated(deployer, request, images, draft)
  })
  if (done === null) throw new ProblemError(changesTooFast)
  return done
}

/** Null where something that bears on the plan has changed before it was done. */
async function deployUnlessOutdated(
  { context, tools, slices, maker }: Deployer,
  request: Request,
  images: ResolvedImages,
  draft: DeployDraft,
): Promise<Deploy | null> {
  const { registry, clock } = context
  const { view } = registry
  const { body, params } = request
  const { project } = params
  const planned = orRefuse(planDeploy(view, tools, project, body, clock.now(), images, draft))
  const scope = { project, services: planned.services }
  let isCurrent = true
  const stop = registry.onChange((_kinds, changes) => {
    isCurrent &&= !changes.some((change) => bearsOnPlan(view, scope, change))
  })
  try {
    const plan = await slices.run(
      whileIt(() => isCurrent, planned.steps),
      planBudgetMs,
    )
    if (plan === null) return null
    return await applyChange(context, actorOf(request), (now, at) => {
      // In the turn in which it is decided: what is compared is what is done.
      if (!isCurrent) throw new Outdated()
      const decided = decideAsPlanned(now, tools, project, body, at, images, plan, draft)
      return withSecrets(now, decided, maker, at)
    })
  } catch (error) {
    if (error instanceof Outdated) return null
    throw error
  } finally {
    stop()
  }
}

/** The same steps, given up as soon as it is of no use to go on: then null. */
function* whileIt<T>(isOfUse: () => boolean, steps: Steps<T>): Steps<T | null> {
  let isInTime = true
  while (isOfUse()) {
    const step = steps.next(isInTime)
    if (step.done === true) return step.value
    isInTime = yield
  }
  return null
}

/** Something that was found out beforehand is not so any more. */
class Outdated extends Error {
  override readonly name = 'Outdated'
}

const changesTooFast: Problem = {
  status: 409,
  code: 'api/contended',
  message:
    'machines, what runs on them, or the services of the plan change faster than the plan could be compared with them; nothing was changed',
  hint: 'try again, or deploy without --expect',
}
