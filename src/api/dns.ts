// Names as JSON: who is listed and why not, and what a question is answered with.

import { noSuchService, type Problem } from '../changes/problem.js'
import { servicesOfProject } from '../changes/projects.js'
import type { DnsInstanceBody, DnsLookupBody } from '../contract/contract.js'
import { answerTo, instancesBehind } from '../dns/answer.js'
import { describeListing } from '../dns/listing.js'
import type { NameIndex } from '../dns/name-index.js'
import { type NamedInstance, servicesOf } from '../dns/named-instance.js'
import { reachOf } from '../dns/reach.js'
import { describeRecord } from '../dns/records.js'
import type { Instant } from '../lib/time.js'
import { type CnsSuffixes, cnsName } from '../manifest/cns.js'
import { type ClusterView, serviceKey } from '../store/view.js'
import { describePort } from './bodies.js'
import { namedInstanceOrder } from './orders.js'
import { takePage } from './paging.js'

/** What names are told from. */
export interface NamesAsked {
  readonly view: ClusterView
  readonly names: NameIndex
  readonly suffixes: CnsSuffixes
  readonly now: Instant
}

/** The instances of a project, or of one service. */
export function dnsInstancesOf(
  asked: NamesAsked,
  project: string,
  service: string | undefined,
): readonly NamedInstance[] | Problem {
  const { view, names, now } = asked
  if (service !== undefined && !view.services.has(serviceKey(project, service)))
    return noSuchService(view, project, service)
  names.refresh(now)
  const services = service === undefined ? servicesOfProject(view, project) : [{ name: service }]
  return services
    .flatMap(({ name }) => view.instancesOf(serviceKey(project, name)))
    .flatMap(({ unit }) => names.instanceOfUnit(unit) ?? [])
}

/** What a question of this machine is answered with now. */
export function dnsLookup(
  asked: NamesAsked,
  question: { readonly name: string; readonly type: string },
  {
    random,
    endpoints,
    upstream,
  }: {
    readonly random: () => number
    readonly endpoints: readonly string[]
    readonly upstream: readonly string[]
  },
): DnsLookupBody | Problem {
  const { names, suffixes, now } = asked
  const type = question.type.toUpperCase()
  if (!isName(question.name)) return noName(question.name)
  if (!recordTypes.includes(type)) return noType(question.type)
  names.refresh(now)
  const reply = answerTo(
    names,
    { name: question.name, type },
    { suffixes, now, random, limit: 65_535, optionBytes: 0 },
  )
  const about = { name: question.name, type, endpoints }
  if (reply.kind === 'forward') return { ...about, code: 'FORWARDED', answers: [], upstream, instances: [] }
  const answers = reply.answers.map((record) => ({
    name: record.name,
    type: record.type,
    ttl: record.ttl,
    data: describeRecord(record),
  }))
  const behind = instancesBehind(names, question.name, suffixes)
  return {
    ...about,
    code: reply.code,
    answers,
    upstream: [],
    instances: dnsBodiesOf(asked, takePage(namedInstanceOrder, behind).entries),
  }
}

function isName(name: string): boolean {
  return name.length <= 254 && /^[!-~]+$/.test(name) && name.split('.').every((label) => label.length <= 63)
}

function noName(name: string): Problem {
  return {
    status: 400,
    code: 'names/bad-question',
    message: `'${name}' is not a name that can be looked up`,
    hint: 'example: web.svc.default.cns.mariposa.internal',
  }
}

/** What the daemon may have records of, and all of them. */
const recordTypes: readonly string[] = ['A', 'AAAA', 'SRV', 'TXT', 'PTR', 'NS', 'SOA', 'ANY']

function noType(type: string): Problem {
  return {
    status: 400,
    code: 'names/bad-question',
    message: `'${type}' is not a record type that can be looked up`,
    hint: `types are ${recordTypes.join(', ')}`,
  }
}

const lingers = '; with hysteresis it is removed from the answers only after a while'

/** Instances with their names. */
export function dnsBodiesOf(asked: NamesAsked, named: readonly NamedInstance[]): readonly DnsInstanceBody[] {
  const { view, names, suffixes, now } = asked
  const listed = new Set<NamedInstance>()
  const groups = new Set(named.map(({ instance: { project, service } }) => names.groupOf(project, service)))
  for (const group of groups) for (const { of } of group?.listed(now).all ?? []) listed.add(of)
  return named.map((one) => {
    const { instance, listing, where } = one
    const { name, uuid, service, project } = instance
    return {
      name,
      uuid,
      service,
      project,
      machine: view.placements.get(instance.unit)?.machine ?? null,
      listed: listed.has(one),
      reason: `${describeListing(listing, now)}${one.lingersSince !== null && listed.has(one) ? lingers : ''}`,
      names: servicesOf(one).map(({ label }) => cnsName('svc', label, project, 'private', suffixes)),
      privateAddress: reachOf(where, 'private')?.address ?? null,
      publicAddress: reachOf(where, 'public')?.address ?? null,
      ports: where.ports.map(describePort),
    }
  })
}
