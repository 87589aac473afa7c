// Finding out what images mean: this machine's Docker, or that of another machine, is asked.
import type { FastifyInstance } from 'fastify'
import { type Answered, agreedMeaning } from '../../changes/resolved-images.js'
import { paths } from '../../contract/contract.js'
import { imageQuery } from '../../contract/queries.js'
import { driverAnswers } from '../../engine/constraints.js'
import { describeError } from '../../lib/io/log.js'
import type { ImageMeaning, ImageMeanings } from '../../model/image.js'
import type { MachineId } from '../../model/machine.js'
import { type ApiContext, ProblemError } from './context.js'
import { jsonLinesOf } from './peers.js'

/** How long all of it may take: a deploy waits for it. */
const answeredWithinMs = 10_000

/** What images mean now. One that nobody can tell of is unknown, with the reason. */
export async function readImageMeanings(
  context: ApiContext,
  images: readonly string[],
): Promise<ImageMeanings> {
  const signal = AbortSignal.timeout(answeredWithinMs)
  const found = images.map(async (image) => [image, await meaningIn(context, image, signal)] as const)
  return new Map(await Promise.all(found))
}

/** GET: what the Docker of this machine says. Other daemons ask for it, and it is never passed on. */
export function imageRoutes(server: FastifyInstance, context: ApiContext): void {
  server.get<{ Querystring: { name?: string } }>(
    paths.imageMeaning,
    { schema: { querystring: imageQuery } },
    async ({ query: { name = '' } }) => {
      const readMeaning = context.meaningReader()
      if (readMeaning === null) throw new ProblemError(noDocker)
      return await readMeaning(name, AbortSignal.timeout(answeredWithinMs))
    },
  )
}

export const noDocker = {
  status: 404,
  code: 'image/no-docker',
  message: 'this machine runs no Docker that could be asked for an image',
  hint: 'ask a machine with the driver docker: mariposa machine list shows which have it',
} as const

/** The nearest machine with Docker is asked; where the image has no registry, every one of them. */
async function meaningIn(context: ApiContext, image: string, signal: AbortSignal): Promise<ImageMeaning> {
  const machines = machinesWithDocker(context)
  const answers: Answered[] = []
  for (const [n, machine] of machines.entries()) {
    const answer = { machine, meaning: await ask(context, machine, image, signal) }
    answers.push(answer)
    if (answer.meaning.kind === 'digest') return answer.meaning
    if (answer.meaning.kind === 'unknown') continue
    const others = machines.slice(n + 1)
    const more = others.map(async (other) => ({
      machine: other,
      meaning: await ask(context, other, image, signal),
    }))
    answers.push(...(await Promise.all(more)))
    break
  }
  const { machines: known } = context.registry.view
  return agreedMeaning(answers, (machine) => known.get(machine)?.hostname ?? machine)
}

/** This one first: nobody else has to be asked then. */
function machinesWithDocker({ machine, registry, meaningReader }: ApiContext): readonly MachineId[] {
  const others = [...registry.view.machines.values()]
    .filter((one) => one.id !== machine && driverAnswers('docker', one))
    .map(({ id }) => id)
  return [...(meaningReader() === null ? [] : [machine]), ...others.sort()]
}

async function ask(
  { machine: own, meaningReader, peers }: ApiContext,
  machine: MachineId,
  image: string,
  signal: AbortSignal,
): Promise<ImageMeaning> {
  try {
    const readMeaning = meaningReader()
    if (machine === own && readMeaning !== null) return await readMeaning(image, signal)
    const path = `${paths.imageMeaning}?${new URLSearchParams({ name: image }).toString()}`
    const answer = await peers.ask(machine, { method: 'GET', path }, signal)
    for await (const [meaning] of jsonLinesOf<ImageMeaning>(answer)) {
      if (meaning !== undefined) return meaning
    }
    return { kind: 'unknown', reason: 'the answer of another machine is empty' }
  } catch (error) {
    return { kind: 'unknown', reason: describeError(error) }
  }
}
