// Listings as answers: bodies that are known already as they are, the others made a slice at a time.
import type { FastifyReply, FastifyRequest } from 'fastify'
import { servicesOfProject } from '../../changes/projects.js'
import { sha1 } from '../../lib/hash.js'
import type { Instant } from '../../lib/time.js'
import type { Service } from '../../model/service.js'
import type { Bodies } from '../bodies.js'
import { namesTag } from '../etag.js'
import type { ListText } from '../kept-bodies.js'
import { serviceOrder } from '../orders.js'
import type { ApiContext } from './context.js'
import { isPaged, pageOf } from './pages.js'

type Listed = Pick<ApiContext, 'registry' | 'bodies' | 'clock' | 'slices'>

/** Makes ready what is shown of some services, or of their instances. Resolves, with the time that it is shown for, in the turn of the last slice. */
export async function madeReady(
  { bodies, clock, slices }: Listed,
  services: () => readonly Service[],
  what: 'services' | 'instances' = 'services',
): Promise<Instant> {
  const now = clock.now()
  await slices.run(bodies.steps(services, now, what), Number.POSITIVE_INFINITY)
  return now
}

/** The bodies of some services and their instances, all as they are in one turn. */
export async function bodiesFor(listed: Listed, services: () => readonly Service[]): Promise<Bodies> {
  return listed.bodies.at(await madeReady(listed, services))
}

/** Gets whoever explains ready for a question. */
export async function explainerReady({
  explainer,
  slices,
}: Pick<ApiContext, 'explainer' | 'slices'>): Promise<void> {
  await slices.run(explainer.takeIn(), Number.POSITIVE_INFINITY)
}

/** Answers with the services of a project, or with 304 where the caller has the list as it is. */
export async function answerServices(
  listed: Listed,
  project: string,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<FastifyReply> {
  const services = (): readonly Service[] => servicesOfProject(listed.registry.view, project)
  const { bodies } = listed
  const list = isPaged(request)
    ? await pageOfServices(listed, services, request, reply)
    : (bodies.knownServiceList(project) ??
      bodies.serviceList(project, services, await madeReady(listed, services)))
  reply.header('etag', list.tag)
  if (namesTag(request.headers['if-none-match'], list.tag)) return reply.code(304).send()
  return answerJson(reply, bytesOf(list))
}

async function pageOfServices(
  listed: Listed,
  services: () => readonly Service[],
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<ListText> {
  const page = (): readonly Service[] => pageOf(request, reply, serviceOrder, services())
  const now = await madeReady(listed, page)
  const text = listed.bodies.serviceTexts(page(), now)
  // Whether there is more is a part of what is answered.
  return { text, tag: `"${sha1(`${text} ${String(reply.getHeader('link') ?? '')}`)}"` }
}

/** A list that is asked for again and again is made ready for the wire once. */
export function bytesOf(list: ListText): Buffer {
  const known = sent.get(list)
  if (known !== undefined) return known
  const bytes = Buffer.from(list.text, 'utf8')
  sent.set(list, bytes)
  return bytes
}

const sent = new WeakMap<ListText, Buffer>()

/** What answers of JSON are. */
export const jsonType = 'application/json; charset=utf-8'

/** Answers with a JSON text as it is. */
export function answerJson(reply: FastifyReply, text: string | Buffer): FastifyReply {
  return reply.type(jsonType).send(text)
}
