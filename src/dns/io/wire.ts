// Messages as they are on the wire: the one place that knows the library for their format.
import { type Answer, AUTHORITATIVE_ANSWER, decode, encode, TRUNCATED_RESPONSE } from 'dns-packet'
import { drawn } from '../draw.js'
import { type DnsRecord, recordBytes } from '../records.js'

interface WireQuestion {
  readonly name: string
  readonly type: string
  readonly class: string
}

export interface WireQuery {
  readonly packet: Buffer
  readonly opcode: number
  /** How many questions it has; `question` is the first. */
  readonly questions: number
  readonly question: WireQuestion | null
  /** Where the first question ends. */
  readonly questionEnd: number
  /** What it says by EDNS; null where it says nothing. */
  readonly edns: { readonly size: number; readonly version: number } | null
}

/** Codes of answers (RFC 1035, RFC 6891). */
const rcodes = {
  NOERROR: 0,
  FORMERR: 1,
  SERVFAIL: 2,
  NXDOMAIN: 3,
  NOTIMP: 4,
  REFUSED: 5,
  BADVERS: 16,
} as const
type Rcode = keyof typeof rcodes

const headerBytes = 12

/** What answers have for options: that we read EDNS, and how much we take. */
export const optionBytes = 11
/** What goes through every network in one piece (DNS flag day 2020). */
const udpBytes = 1232
/** What a message has at most that says nothing of its size. */
const plainBytes = 512

/** A packet as a query; null for what is none, and is not answered. `unreadable`: it says that it is one, and is not. */
export function readQuery(packet: Buffer): WireQuery | 'unreadable' | null {
  if (packet.length < headerBytes || (packet.readUInt16BE(2) & 0x8000) !== 0) return null
  const questions = packet.readUInt16BE(4)
  try {
    const { questions: asked = [], additionals = [] } = decode(packet)
    const [first] = asked
    const options = additionals.find((one) => one.type === 'OPT')
    if (questions <= 1) checkOptions(packet, first === undefined ? headerBytes : endOfQuestion(packet))
    return {
      packet,
      opcode: (packet.readUInt16BE(2) >> 11) & 0xf,
      questions,
      question: first === undefined ? null : { ...first, class: first.class ?? 'IN' },
      questionEnd: first === undefined ? headerBytes : endOfQuestion(packet),
      edns: options === undefined ? null : { size: options.udpPayloadSize, version: options.ednsVersion },
    }
  } catch {
    return 'unreadable'
  }
}

/** A question's name is written out: there is nothing before it that it could point to. */
function endOfQuestion(packet: Buffer): number {
  let at = headerBytes
  for (let length = packet[at] ?? 0; length !== 0; length = packet[at] ?? 0) {
    if (length > 63) throw new Error('a question points elsewhere')
    at += length + 1
  }
  if (at + 5 > packet.length) throw new Error('a question is cut off')
  return at + 5
}

const optType = 41

/** Throws for a second record of options, and for options that do not end with it: the library takes both (RFC 6891, 6.1.1). */
function checkOptions(packet: Buffer, from: number): void {
  const records = packet.readUInt16BE(6) + packet.readUInt16BE(8) + packet.readUInt16BE(10)
  let [at, found] = [from, 0]
  for (let n = 0; n < records; n++) {
    const head = endOfName(packet, at)
    const data = head + 10
    at = data + packet.readUInt16BE(head + 8)
    if (packet.readUInt16BE(head) !== optType) continue
    if (++found > 1) throw new Error('options are given twice')
    let end = data
    while (end < at) end += 4 + packet.readUInt16BE(end + 2)
    if (end !== at || at > packet.length) throw new Error('an option is cut off')
  }
}

function endOfName(packet: Buffer, from: number): number {
  let at = from
  for (let length = packet.readUInt8(at); length !== 0; length = packet.readUInt8(at)) {
    if (length > 63) return at + 2
    at += length + 1
  }
  return at + 1
}

/** How many bytes an answer may have over UDP. */
export function limitOf({ edns }: Pick<WireQuery, 'edns'>): number {
  return edns === null ? plainBytes : Math.max(plainBytes, Math.min(edns.size, udpBytes))
}

interface WireAnswer {
  readonly code: Rcode
  readonly answers?: readonly DnsRecord[]
  readonly authorities?: readonly DnsRecord[]
  readonly additionals?: readonly DnsRecord[]
  readonly truncated?: boolean
  /** Whether it is for us to say. */
  readonly authoritative?: boolean
}

const recursionAvailable = 1 << 7
/** Of a query, its answer repeats the kind, and whether it wanted and checked recursion. */
const repeatedFlags = (0xf << 11) | (1 << 8) | (1 << 4)

/** The answer to a query, with the question byte for byte as it was asked. */
export function writeAnswer(query: WireQuery, answer: WireAnswer): Buffer {
  const { packet, questionEnd, edns } = query
  const rcode = rcodes[answer.code]
  const body = encode({
    answers: [...(answer.answers ?? [])],
    authorities: [...(answer.authorities ?? [])],
    additionals: [...(answer.additionals ?? []), ...(edns === null ? [] : [options(rcode)])],
  })
  const written = Buffer.concat([
    body.subarray(0, headerBytes),
    packet.subarray(headerBytes, questionEnd),
    body.subarray(headerBytes),
  ])
  const flags =
    0x8000 |
    (packet.readUInt16BE(2) & repeatedFlags) |
    recursionAvailable |
    (answer.authoritative === true ? AUTHORITATIVE_ANSWER : 0) |
    (answer.truncated === true ? TRUNCATED_RESPONSE : 0) |
    (rcode & 0xf)
  packet.copy(written, 0, 0, 2)
  written.writeUInt16BE(flags, 2)
  written.writeUInt16BE(questionEnd > headerBytes ? 1 : 0, 4)
  return written
}

/** An answer in parts, of which the records may come in any order. */
export interface PreparedAnswer {
  /** The header and the question. */
  readonly head: Buffer
  readonly answers: readonly Buffer[]
  readonly rest: Buffer
  readonly length: number
}

/** An answer as it was written to a query, with these records first, ready to be written for the same question again. */
export function prepareAnswer(
  { questionEnd }: WireQuery,
  records: readonly DnsRecord[],
  written: Buffer,
): PreparedAnswer {
  let at = questionEnd
  const answers = records.map((record) => {
    const from = at
    at += recordBytes(record)
    return written.subarray(from, at)
  })
  return {
    head: written.subarray(0, questionEnd),
    answers,
    rest: written.subarray(at),
    length: written.length,
  }
}

/** That answer to a query with the same question, in an order that `random` makes. */
export function writePrepared(prepared: PreparedAnswer, packet: Buffer, random: () => number): Buffer {
  const written = Buffer.allocUnsafe(prepared.length)
  let at = prepared.head.copy(written)
  packet.copy(written, 0, 0, 2)
  for (const record of drawn(prepared.answers, random)) at += record.copy(written, at)
  prepared.rest.copy(written, at)
  return written
}

/** The answer to what says that it is a query, and is none. */
export function writeUnreadable(packet: Buffer): Buffer {
  const written = Buffer.alloc(headerBytes)
  packet.copy(written, 0, 0, 2)
  const flags = 0x8000 | (packet.readUInt16BE(2) & repeatedFlags) | recursionAvailable | rcodes.FORMERR
  written.writeUInt16BE(flags, 2)
  return written
}

function options(rcode: number): Answer {
  return {
    type: 'OPT',
    name: '.',
    udpPayloadSize: udpBytes,
    extendedRcode: rcode >> 4,
    ednsVersion: 0,
    flags: 0,
    flag_do: false,
    options: [],
  }
}
