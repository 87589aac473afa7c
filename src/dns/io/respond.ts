// From a packet to its answer: who asks, what is asked, and who knows it.

import type { Clock } from '../../lib/time.js'
import type { CnsSuffixes } from '../../manifest/cns.js'
import { answerTo } from '../answer.js'
import type { NameIndex } from '../name-index.js'
import type { AnswerCache } from './answer-cache.js'
import type { Forwarder, Transport } from './forward.js'
import type { OurNetworks } from './networks.js'
import { limitOf, optionBytes, readQuery, type WireQuery, writeAnswer, writeUnreadable } from './wire.js'

export interface Responder {
  readonly names: NameIndex
  readonly suffixes: CnsSuffixes
  readonly networks: OurNetworks
  readonly answers: AnswerCache
  readonly forwarder: Forwarder
  readonly clock: Clock
  readonly random: () => number
  /** Whether the index has all instances. While it has not, nobody is told that there is no such name. */
  readonly isComplete: () => boolean
}

/** What a message over TCP can hold. */
const tcpBytes = 65_535
/** Zone transfers: nobody copies our zones. */
const transfers: ReadonlySet<string> = new Set(['AXFR', 'IXFR'])

/** The answer to a packet; null for what gets none. */
export function respond(
  responder: Responder,
  packet: Buffer,
  from: string,
  transport: Transport,
): Buffer | null | Promise<Buffer | null> {
  return knownAnswer(responder, packet, from, transport) ?? newAnswer(responder, packet, from, transport)
}

/** What the same question was answered with, where that is still so. */
function knownAnswer(
  { names, networks, answers, clock, random }: Responder,
  packet: Buffer,
  from: string,
  transport: Transport,
): Buffer | null {
  if (transport === 'tcp' || !networks.mayAsk(from)) return null
  const now = clock.now()
  names.refresh(now)
  return answers.find(packet, now, random)
}

function newAnswer(
  responder: Responder,
  packet: Buffer,
  from: string,
  transport: Transport,
): Buffer | null | Promise<Buffer | null> {
  const query = readQuery(packet)
  if (query === null) return null
  if (query === 'unreadable') return responder.networks.mayAsk(from) ? writeUnreadable(packet) : null
  if (!responder.networks.mayAsk(from)) return writeAnswer(query, { code: 'REFUSED' })
  if (query.opcode !== 0) return writeAnswer(query, { code: 'NOTIMP' })
  const { question } = query
  if (question === null || query.questions !== 1) return writeAnswer(query, { code: 'FORMERR' })
  if (query.edns !== null && query.edns.version !== 0) return writeAnswer(query, { code: 'BADVERS' })
  if (question.class !== 'IN' || transfers.has(question.type)) return writeAnswer(query, { code: 'REFUSED' })
  return answerOf(responder, query, question, transport)
}

function answerOf(
  { names, suffixes, clock, random, forwarder, answers, isComplete }: Responder,
  query: WireQuery,
  question: NonNullable<WireQuery['question']>,
  transport: Transport,
): Buffer | Promise<Buffer> {
  const now = clock.now()
  names.refresh(now)
  const limit = transport === 'tcp' ? tcpBytes : limitOf(query)
  const asked = { suffixes, now, random, limit, optionBytes: query.edns === null ? 0 : optionBytes }
  const reply = answerTo(names, question, asked)
  if (reply.kind === 'forward') {
    return forwarder
      .ask(query, transport)
      .then((answer) => answer ?? writeAnswer(query, { code: 'SERVFAIL' }))
  }
  if (reply.answers.length === 0 && !isComplete()) return writeAnswer(query, { code: 'SERVFAIL' })
  // Over TCP there is no other way to ask for the rest.
  const truncated = reply.truncated && transport === 'udp'
  const answer = writeAnswer(query, { ...reply, truncated, authoritative: true })
  if (transport === 'udp' && answer.length <= limit) answers.keep(query, reply, answer)
  return answer.length <= limit ? answer : writeAnswer(query, { code: reply.code, truncated: true })
}
