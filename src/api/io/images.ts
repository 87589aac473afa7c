// Finding out what images mean: this machine's Docker, or that of another machine, is asked.
import type { FastifyInstance } from 'fastify'
import { agreedImage, type ImageAnswer } from '../../changes/resolved-images.js'
import { paths } from '../../contract/contract.js'
import { imageQuery } from '../../contract/queries.js'
import { driverAnswers } from '../../engine/constraints.js'
import { abortAfter } from '../../lib/io/clock.js'
import { describeError } from '../../lib/io/log.js'
import type { ResolvedImage, ResolvedImages } from '../../model/image.js'
import type { MachineId } from '../../model/machine.js'
import { type ApiContext, ProblemError } from './context.js'
import { jsonLinesOf } from './peers.js'

/** How long all of it may take: a deploy waits for it. */
const answeredWithinMs = 10_000

/** What images mean now. One that nobody can tell of is unknown, with the reason. */
export async function resolveImages(context: ApiContext, images: readonly string[]): Promise<ResolvedImages> {
  const signal = abortAfter(context.clock, answeredWithinMs)
  const found = images.map(async (image) => [image, await resolveImage(context, image, signal)] as const)
  return new Map(await Promise.all(found))
}

/** GET: what the Docker of this machine says. Other daemons ask for it, and it is never passed on. */
export function imageRoutes(server: FastifyInstance, context: ApiContext): void {
  server.get<{ Querystring: { name?: string } }>(
    paths.imageMeaning,
    { schema: { querystring: imageQuery } },
    async ({ query: { name = '' } }) => {
      const resolve = context.imageResolver()
      if (resolve === null) throw new ProblemError(noDocker)
      return await resolve(name, abortAfter(context.clock, answeredWithinMs))
    },
  )
}

export const noDocker = {
  status: 404,
  code: 'image/no-docker',
  message: 'this machine has no Docker to look up an image',
  hint: 'ask a machine with the driver docker: mariposa machine list shows which have it',
} as const

/** The nearest machine with Docker is asked; where the image has no registry, every one of them. */
async function resolveImage(context: ApiContext, image: string, signal: AbortSignal): Promise<ResolvedImage> {
  const machines = machinesWithDocker(context)
  const answers: ImageAnswer[] = []
  for (const [n, machine] of machines.entries()) {
    const answer = { machine, image: await ask(context, machine, image, signal) }
    answers.push(answer)
    if (answer.image.kind === 'digest') return answer.image
    if (answer.image.kind === 'unknown') continue
    const others = machines.slice(n + 1)
    const more = others.map(async (other) => ({
      machine: other,
      image: await ask(context, other, image, signal),
    }))
    answers.push(...(await Promise.all(more)))
    break
  }
  const { machines: known } = context.registry.view
  return agreedImage(answers, (machine) => known.get(machine)?.hostname ?? machine)
}

/** This one first: nobody else has to be asked then. */
function machinesWithDocker({ machine, registry, imageResolver }: ApiContext): readonly MachineId[] {
  const others = [...registry.view.machines.values()]
    .filter((one) => one.id !== machine && driverAnswers('docker', one))
    .map(({ id }) => id)
  return [...(imageResolver() === null ? [] : [machine]), ...others.sort()]
}

async function ask(
  { machine: own, imageResolver, peers, clock }: ApiContext,
  machine: MachineId,
  image: string,
  signal: AbortSignal,
): Promise<ResolvedImage> {
  try {
    const resolve = imageResolver()
    if (machine === own && resolve !== null) return await resolve(image, signal)
    const path = `${paths.imageMeaning}?${new URLSearchParams({ name: image }).toString()}`
    const answer = await peers.ask(machine, { method: 'GET', path }, signal)
    for await (const [image] of jsonLinesOf<ResolvedImage>(answer, clock)) {
      if (image !== undefined) return image
    }
    return { kind: 'unknown', reason: 'the answer of another machine is empty' }
  } catch (error) {
    return { kind: 'unknown', reason: describeError(error) }
  }
}
