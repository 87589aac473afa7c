// Images that machines are to have before something needs them: the daemon of each fetches its own, and all that is told of
// it goes to the caller.
import type { FastifyInstance } from 'fastify'
import { pullRuleOf } from '../../agent/driver.js'
import type { MadeVersion } from '../../changes/deploy-service.js'
import { findMachine } from '../../changes/machines.js'
import { currentVersion, type ImageWanted, imagesWanted } from '../../changes/prefetch.js'
import { type PrefetchBody, type PrefetchRequest, paths } from '../../contract/contract.js'
import { fetchImageQuery } from '../../contract/queries.js'
import { prefetchRequest } from '../../contract/requests.js'
import { InvariantError } from '../../lib/invariant.js'
import { abortAfter } from '../../lib/io/clock.js'
import { describeError } from '../../lib/io/log.js'
import type { Timer } from '../../lib/time.js'
import type { PullProgress } from '../../model/unit.js'
import { imageProblem } from '../../unit/policy.js'
import { type ApiContext, orRefuse, ProblemError } from './context.js'
import { noDocker } from './images.js'
import { jsonLinesOf, machineHeader, PeerError } from './peers.js'
import { streamLines } from './streams.js'

const fetchedWithinMs = 10 * 60_000
/** Timers take no more; beyond it a limit is none. */
const longestMs = 2_147_000_000
/** Another daemon shows a sign of life every few seconds while it fetches: one that is silent for so long is cut off, or hangs. */
const silentForMs = 30_000
/** How much longer than the machine itself somebody who asks it waits. */
const graceMs = 10_000
/** Machines that fetch at a time, so that a registry is not asked by hundreds at once. */
const machinesAtATime = 16

type Tell = (line: PrefetchBody) => Promise<void>

interface FetchQuery {
  readonly name?: string
  readonly pull?: string
  readonly deadline_ms?: string
}

/** POST: the Docker of a machine fetches an image. */
export function fetchImageRoutes(server: FastifyInstance, context: ApiContext): void {
  const { view } = context.registry
  server.post<{ Params: { id: string }; Querystring: FetchQuery }>(
    '/v1/machines/:id/images',
    { schema: { querystring: fetchImageQuery } },
    async ({ params, query, headers }, reply) => {
      const isForUs = headers[machineHeader] !== undefined
      const { id, hostname } = orRefuse(findMachine(view, isForUs ? context.machine : params.id))
      const { image, pull, deadlineMs } = asked(query)
      if (id === context.machine && context.imageFetcher() === null) throw new ProblemError(noDocker)
      const stream = streamLines(reply, context.clock)
      const wanted = { machine: id, hostname, image, pull, skipped: null }
      await fetchOn(context, wanted, deadlineMs, stream.signal, (line) => stream.send(line))
      stream.end()
    },
  )
}

function asked({ name = '', pull = 'missing', deadline_ms }: FetchQuery) {
  const rule = pullRuleOf(pull)
  const deadlineMs = deadline_ms === undefined ? fetchedWithinMs : Number(deadline_ms)
  if (name === '' || rule === null || !(Number.isInteger(deadlineMs) && deadlineMs >= 1000))
    throw new ProblemError({
      status: 400,
      code: 'image/bad-request',
      message:
        'name has to be an image, pull one of missing, always and never, deadline_ms a whole number from 1000 on',
    })
  return { image: name, pull: rule, deadlineMs }
}

/** Finds the versions that a deploy would make. Throws ProblemError. */
type MadeByDeploy = (
  project: string,
  deploy: NonNullable<PrefetchRequest['deploy']>,
) => Promise<readonly MadeVersion[]>

/** POST: the machines that may run a service, or what a deploy would make, fetch its images. */
export function prefetchRoutes(
  server: FastifyInstance,
  context: ApiContext,
  unitOf: Parameters<typeof currentVersion>[1],
  madeBy: MadeByDeploy,
): void {
  server.post<{ Params: { project: string }; Body: PrefetchRequest }>(
    '/v1/projects/:project/prefetch',
    { schema: { body: prefetchRequest } },
    async ({ params: { project }, body }, reply) => {
      const { service, deploy, deadlineMs = fetchedWithinMs } = body
      const { registry, explainer, clock } = context
      if ((service === undefined) === (deploy === undefined)) throw new ProblemError(oneOfBoth)
      const made =
        deploy === undefined
          ? [orRefuse(currentVersion(registry.view, unitOf, project, service ?? '', clock.now()))]
          : await madeBy(project, deploy)
      const wanted = imagesWanted(registry.view, explainer, made)
      const stream = streamLines(reply, context.clock)
      const left = [...wanted]
      const worker = async (): Promise<void> => {
        for (let next = left.shift(); next !== undefined && !stream.signal.aborted; next = left.shift())
          await fetchOn(context, next, deadlineMs, stream.signal, (line) => stream.send(line))
      }
      await Promise.all(Array.from({ length: machinesAtATime }, worker))
      stream.end()
    },
  )
}

const oneOfBoth = {
  status: 400,
  code: 'image/bad-request',
  message: 'give either service or deploy',
} as const

/** Has one machine fetch an image, and tells how far that is; the last line says how it ended. Never throws but for our bugs. */
async function fetchOn(
  context: ApiContext,
  wanted: ImageWanted,
  deadlineMs: number,
  gone: AbortSignal,
  tell: Tell,
): Promise<void> {
  if (wanted.skipped !== null) return tell(lineOf(wanted, 'skipped', wanted.skipped))
  const late = abortAfter(
    context.clock,
    Math.min(deadlineMs, longestMs) + (wanted.machine === context.machine ? 0 : graceMs),
  )
  const signal = AbortSignal.any([gone, late])
  try {
    if (wanted.machine === context.machine) await fetchHere(context, wanted, signal, tell)
    else await fetchThere(context, wanted, deadlineMs, signal, tell)
  } catch (error) {
    if (gone.aborted) return
    if (late.aborted) return tell(lineOf(wanted, 'failed', `it was not fetched in ${deadlineMs / 1000} s`))
    if (error instanceof InvariantError) throw error
    await tell(lineOf(wanted, 'failed', reasonOf(error, wanted)))
  }
}

async function fetchHere(
  context: ApiContext,
  wanted: ImageWanted,
  signal: AbortSignal,
  tell: Tell,
): Promise<void> {
  const fetchImage = context.imageFetcher()
  if (fetchImage === null) return tell(lineOf(wanted, 'skipped', 'its Docker does not answer'))
  const { policy } = context.manifests
  const problem = policy ? imageProblem(policy, wanted.image) : null
  if (problem !== null) return tell(lineOf(wanted, 'failed', problem))
  let last: PullProgress | null = null
  const state = await fetchImage(wanted.image, wanted.pull, signal, (progress) => {
    last = progress
    // Whoever has gone is told nothing more.
    tell(lineOf(wanted, 'pulling', '', progress)).catch(() => {})
  })
  await tell(lineOf(wanted, state, '', last))
}

async function fetchThere(
  { peers, clock }: ApiContext,
  wanted: ImageWanted,
  deadlineMs: number,
  signal: AbortSignal,
  tell: Tell,
): Promise<void> {
  const { machine, image, pull } = wanted
  const query = new URLSearchParams({ name: image, pull, deadline_ms: String(deadlineMs) })
  const path = `${paths.machineImages(machine)}?${query.toString()}`
  const answer = await peers.ask(machine, { method: 'POST', path }, signal)
  const silent = new PeerError(`its daemon has not answered for ${silentForMs / 1000} s`)
  const wait = (): Timer => clock.after(silentForMs, () => answer.destroy(silent))
  let patience = wait()
  const heard = (): void => {
    patience.cancel()
    patience = wait()
  }
  let last: PrefetchBody['state'] = 'pulling'
  try {
    for await (const lines of jsonLinesOf<PrefetchBody>(answer, clock, heard))
      for (const line of lines) {
        last = line.state
        await tell({ ...line, machine, hostname: wanted.hostname, image })
      }
  } finally {
    patience.cancel()
  }
  if (last === 'pulling') await tell(lineOf(wanted, 'failed', 'its daemon ended before it was fetched'))
}

function reasonOf(error: unknown, { hostname }: ImageWanted): string {
  if (error instanceof PeerError && error.refusal?.code === 'api/unknown-path')
    return `the daemon of ${hostname} has a version that cannot prefetch images: upgrade it, or continue without`
  return describeError(error)
}

function lineOf(
  { machine, hostname, image }: Pick<ImageWanted, 'machine' | 'hostname' | 'image'>,
  state: PrefetchBody['state'],
  reason: string,
  progress: PullProgress | null = null,
): PrefetchBody {
  const { layers = 0, layersDone = 0, bytes = 0, totalBytes = 0 } = progress ?? {}
  return { machine, hostname, image, state, layers, layersDone, bytes, totalBytes, reason }
}
