// What a question is answered with. It takes as much work as the answer is long, however large the cluster.
import type { Instant } from '../lib/time.js'
import type { CnsSuffixes } from '../manifest/cns.js'
import { defaultTtl } from '../model/cns-labels.js'
import { drawn } from './draw.js'
import { addressesOf, type Member } from './group.js'
import type { Names } from './name-index.js'
import { labelOf, type NamedInstance } from './named-instance.js'
import { type InstanceTarget, type ServiceTarget, serverLabel, targetOf, type Zone } from './names.js'
import { portAt, portOfService, type Reach, reachOf } from './reach.js'
import { type DnsRecord, nameBytes, recordBytes } from './records.js'

interface Question {
  /** In whatever case it was asked: the answer has the same. */
  readonly name: string
  /** `A`, `SRV`, `ANY`, or a type that we have nothing of. */
  readonly type: string
}

/** What an answer depends on beside names. */
export interface Asked {
  readonly suffixes: CnsSuffixes
  readonly now: Instant
  /** From 0 up to 1. */
  readonly random: () => number
  /** Bytes of the whole message, and those of them that are taken by its options. */
  readonly limit: number
  readonly optionBytes: number
}

type Reply =
  /** The name is not ours. */
  { readonly kind: 'forward' } | Answer

export interface Answer {
  readonly kind: 'answer'
  readonly code: 'NOERROR' | 'NXDOMAIN'
  readonly answers: readonly DnsRecord[]
  readonly authorities: readonly DnsRecord[]
  readonly additionals: readonly DnsRecord[]
  /** There are more answers than there is room for. */
  readonly truncated: boolean
  /**
   * Whether the same question has the same records at a later moment, in whatever order, once changes of names are taken in; null
   * where nobody can say.
   */
  readonly holds: ((now: Instant) => boolean) | null
}

/** Seconds that may be remembered of names that are not there, and for what a zone says of itself. */
const negativeTtl = 1
const zoneTtl = 3600

const headerBytes = 12

export function answerTo(names: Names, question: Question, asked: Asked): Reply {
  const target = targetOf(question.name, asked.suffixes)
  const room = openRoom(question, asked)
  switch (target.kind) {
    case 'foreign':
      return { kind: 'forward' }
    case 'reverse': {
      const found = names.atAddress(target.address)
      if (found.length === 0) return { kind: 'forward' }
      const zone: Zone = { suffix: asked.suffixes.private, network: 'private' }
      return reply(names, zone, room.fill(question.type, reverseRecords(found, question, asked)))
    }
    case 'apex':
      return reply(names, target.zone, room.fill(question.type, apexRecords(names, target.zone, question)))
    case 'server': {
      const address = names.ownAddress()
      const records = address === null ? [] : [addressRecord(question.name, address, zoneTtl)]
      return reply(names, target.zone, room.fill(question.type, records))
    }
    case 'branch':
      return names.hasProject(target.project)
        ? reply(names, target.zone, nothing)
        : missing(names, target.zone)
    case 'nothing':
      return missing(names, target.zone)
    case 'service':
      return answerOfService(names, target, question, asked, room)
    case 'instance':
      return answerOfInstance(names, target, question, room)
  }
}

function answerOfService(
  names: Names,
  target: ServiceTarget,
  question: Question,
  asked: Asked,
  room: Room,
): Answer {
  const { zone, project, label, ask } = target
  const group = names.groupOf(project, label)
  if (group === null && !names.hasService(project, label)) return missing(names, zone)
  const network = networkOf(target)
  const known = group?.listed(asked.now) ?? { all: [], here: [] }
  const { all, here } = known
  const holds = (now: Instant): boolean =>
    group !== null && names.groupOf(project, label) === group && group.listed(now) === known
  const listed = target.nearest && here.length > 0 ? here : all
  const ttl = group?.ttl() ?? defaultTtl
  if (ask.kind === 'branch') return reply(names, zone, nothing)
  if (ask.kind === 'challenge') {
    const own = [...(group?.members() ?? [])].flatMap(({ of }) => of.labels.challenges)
    const texts = [...new Set([...names.challengesOf(project), ...own])]
    return reply(names, zone, room.fill(question.type, texts.map(textRecord(question.name, ttl))))
  }
  const portOf = (member: Member, reach: Reach): number | null =>
    ask.kind === 'port'
      ? portAt(member.of.where, reach, ask.port, ask.protocol)
      : portOfService(member.of.where, reach, member.service)
  if (question.type === 'TXT' && ask.kind === 'itself') {
    const texts = [...listedTexts(listed, asked), ...unlistedTexts(group?.members() ?? [], all)]
    return reply(names, zone, room.fill('TXT', texts.map(textRecord(question.name, ttl))))
  }
  if (question.type === 'SRV') {
    const glue: DnsRecord[] = []
    const filled = room.fill('SRV', srvRecords())
    return { ...reply(names, zone, filled, room.also(glue)), holds }
    function* srvRecords(): Generator<DnsRecord> {
      for (const member of drawn(listed, asked.random)) {
        const reach = reachOf(member.of.where, network)
        const port = reach === null ? null : portOf(member, reach)
        if (reach === null || port === null) continue
        const target = instanceName(member.of, zone, network)
        const { priority, weight } = member.service
        yield { type: 'SRV', name: question.name, ttl, data: { priority, weight, port, target } }
        // Only beside one that there was room for.
        glue.push(addressRecord(target, reach.address, ttl))
      }
    }
  }
  return { ...reply(names, zone, room.fill(question.type, addressRecords())), holds }
  function* addressRecords(): Generator<DnsRecord> {
    if (ask.kind === 'itself') {
      for (const { address } of drawn(addressesOf(listed, network), asked.random))
        yield addressRecord(question.name, address, ttl)
      return
    }
    const seen = new Set<string>()
    for (const member of drawn(listed, asked.random)) {
      const reach = reachOf(member.of.where, network)
      if (reach === null || seen.has(reach.address)) continue
      if (portOf(member, reach) === null) continue
      seen.add(reach.address)
      yield addressRecord(question.name, reach.address, ttl)
    }
  }
}

function answerOfInstance(names: Names, target: InstanceTarget, question: Question, room: Room): Answer {
  const { zone, project, label, ask } = target
  const named = names.instanceOf(project, label)
  if (named === null) return missing(names, zone)
  const ttl = named.labels.ttl ?? defaultTtl
  if (ask.kind === 'challenge') {
    const texts = named.labels.challenges
    return reply(names, zone, room.fill(question.type, texts.map(textRecord(question.name, ttl))))
  }
  const reach = reachOf(named.where, networkOf(target))
  const records: DnsRecord[] = [textRecord(question.name, ttl)(named.instance.uuid)]
  if (reach !== null) records.unshift(addressRecord(question.name, reach.address, ttl))
  const holds = (): boolean => names.instanceOf(project, label) === named
  return { ...reply(names, zone, room.fill(question.type, records)), holds }
}

/** Those that a name leads to, listed or not; none for other names. */
export function instancesBehind(names: Names, name: string, suffixes: CnsSuffixes): readonly NamedInstance[] {
  const target = targetOf(name, suffixes)
  if (target.kind === 'service')
    return [...(names.groupOf(target.project, target.label)?.members() ?? [])].map(({ of }) => of)
  if (target.kind === 'reverse') return names.atAddress(target.address)
  const named = target.kind === 'instance' ? names.instanceOf(target.project, target.label) : null
  return named === null ? [] : [named]
}

/** The label of a network in front wins over that of the zone. */
function networkOf({ network, zone }: ServiceTarget | InstanceTarget): string {
  return network ?? zone.network
}

/** The name that an instance has on a network. */
function instanceName(named: NamedInstance, { suffix }: Zone, network: string): string {
  const name = `${labelOf(named)}.inst.${named.instance.project}.${suffix}`
  return network === 'public' || network === 'private' ? name : `${network}.${name}`
}

function* listedTexts(listed: readonly Member[], { random }: Asked): Generator<string> {
  for (const { of } of drawn(listed, random)) yield of.instance.uuid
}

/** As Triton says that it knows of one, and does not list it. */
function* unlistedTexts(members: Iterable<Member>, listed: readonly Member[]): Generator<string> {
  const shown = new Set(listed)
  for (const member of members) {
    if (!shown.has(member) && member.of.instance.retired === null)
      yield `verifying:${member.of.instance.uuid}`
  }
}

function reverseRecords(
  found: readonly NamedInstance[],
  { name }: Question,
  { suffixes }: Asked,
): readonly DnsRecord[] {
  const zone: Zone = { suffix: suffixes.private, network: 'private' }
  const called = found.map(({ labels }) => labels.reversePtr).filter((one) => one !== null)
  const own = found.map((named) => instanceName(named, zone, zone.network))
  const targets = called.length > 0 ? [...new Set(called)] : own
  return targets.sort().map((data) => ({ type: 'PTR', name, ttl: defaultTtl, data }))
}

function apexRecords(names: Names, zone: Zone, { name }: Question): readonly DnsRecord[] {
  return [
    { ...soaOf(names, zone), name, ttl: zoneTtl },
    { type: 'NS', name, ttl: zoneTtl, data: `${serverLabel}.${zone.suffix}` },
  ]
}

/** It goes with every answer that has nothing, and says for how long to believe that. */
function soaOf({ serial }: Names, { suffix }: Zone): DnsRecord {
  const data = {
    mname: `${serverLabel}.${suffix}`,
    rname: `hostmaster.${suffix}`,
    serial,
    refresh: 60,
    retry: 10,
    expire: 3600,
    minimum: negativeTtl,
  }
  return { type: 'SOA', name: suffix, ttl: negativeTtl, data }
}

function addressRecord(name: string, data: string, ttl: number): DnsRecord {
  return { type: data.includes(':') ? 'AAAA' : 'A', name, ttl, data }
}

function textRecord(name: string, ttl: number): (data: string) => DnsRecord {
  return (data) => ({ type: 'TXT', name, ttl, data })
}

interface Filled {
  readonly answers: readonly DnsRecord[]
  readonly truncated: boolean
}

const nothing: Filled = { answers: [], truncated: false }

/** What is left of a message. */
interface Room {
  /** The records of a type that there is room for, in their order; the rest is not even looked at. */
  fill(type: string, records: Iterable<DnsRecord>): Filled
  /** Of what is of use beside the answer, as much as still fits. */
  also(records: readonly DnsRecord[]): readonly DnsRecord[]
}

function openRoom({ name }: Question, { limit, optionBytes }: Asked): Room {
  let left = limit - headerBytes - nameBytes(name) - 4 - optionBytes
  return {
    fill: (type, records) => {
      const answers: DnsRecord[] = []
      for (const record of records) {
        // Who asks for anything gets one kind of record, as RFC 8482 has it.
        const wanted = type === 'ANY' ? (answers[0]?.type ?? record.type) : type
        if (record.type !== wanted) continue
        const bytes = recordBytes(record)
        if (bytes > left) return { answers, truncated: true }
        left -= bytes
        answers.push(record)
      }
      return { answers, truncated: false }
    },
    also: (records) =>
      records.filter((record) => {
        const bytes = recordBytes(record)
        if (bytes > left) return false
        left -= bytes
        return true
      }),
  }
}

function reply(
  names: Names,
  zone: Zone,
  { answers, truncated }: Filled,
  additionals: readonly DnsRecord[] = [],
): Answer {
  const authorities = answers.length === 0 && !truncated ? [soaOf(names, zone)] : []
  return { kind: 'answer', code: 'NOERROR', answers, authorities, additionals, truncated, holds: null }
}

function missing(names: Names, zone: Zone): Answer {
  return { ...reply(names, zone, nothing), code: 'NXDOMAIN' }
}
