// Questions that are not ours, handed on to the resolvers of the host as they are, and their answers handed back.
import { randomInt } from 'node:crypto'
import { createSocket } from 'node:dgram'
import { connect } from 'node:net'
import type { Timers } from '../../lib/time.js'
import type { DnsAddress } from '../resolv-conf.js'
import { framed, MessageReader } from './frames.js'
import type { WireQuery } from './wire.js'

export type Transport = 'udp' | 'tcp'

/** Questions that are with others at a time. */
const pendingAtMost = 512
/** How long a resolver is waited for, and how often one is asked in all: a stub resolver waits some five seconds. */
const waitMs = { udp: 1500, tcp: 3000 } as const
const triesAtMost = 3

export class Forwarder {
  readonly #resolvers: () => readonly DnsAddress[]
  readonly #clock: Timers
  /** Ends each question that is with a resolver: a signal for all of them would keep something of each for ever. */
  readonly #asked = new Set<() => void>()
  #pending = 0
  #isClosed = false

  constructor(resolvers: () => readonly DnsAddress[], clock: Timers) {
    this.#resolvers = resolvers
    this.#clock = clock
  }

  /** The answer of the first resolver that gives one; null where none does. */
  async ask(query: WireQuery, transport: Transport): Promise<Buffer | null> {
    const resolvers = this.#resolvers()
    if (resolvers.length === 0 || this.#pending >= pendingAtMost) return null
    this.#pending += 1
    try {
      for (let tries = 0; tries < triesAtMost && !this.#isClosed; tries++) {
        const resolver = resolvers[tries % resolvers.length] as DnsAddress
        const answer = await this.#askOne(query, transport, resolver)
        if (answer !== null) return answer
      }
      return null
    } finally {
      this.#pending -= 1
    }
  }

  close(): void {
    this.#isClosed = true
    for (const giveUp of this.#asked) giveUp()
  }

  /** Under a number that nobody else can know, as the port is: what comes from elsewhere is not taken for the answer. */
  async #askOne(query: WireQuery, transport: Transport, resolver: DnsAddress): Promise<Buffer | null> {
    const asked = Buffer.from(query.packet)
    asked.writeUInt16BE(randomInt(0x1_0000), 0)
    const isAnswer = (packet: Buffer): boolean =>
      packet.length >= query.questionEnd &&
      packet.readUInt16BE(0) === asked.readUInt16BE(0) &&
      (packet.readUInt16BE(2) & 0x8000) !== 0 &&
      packet.readUInt16BE(4) === 1 &&
      packet.subarray(12, query.questionEnd).equals(asked.subarray(12, query.questionEnd))
    const ending = new AbortController()
    const giveUp = (): void => ending.abort()
    const timer = this.#clock.after(waitMs[transport], giveUp)
    this.#asked.add(giveUp)
    try {
      const answer =
        transport === 'udp'
          ? await overUdp(asked, resolver, isAnswer, ending.signal)
          : await overTcp(asked, resolver, isAnswer, ending.signal)
      if (answer !== null) query.packet.copy(answer, 0, 0, 2)
      return answer
    } finally {
      timer.cancel()
      this.#asked.delete(giveUp)
    }
  }
}

type IsAnswer = (packet: Buffer) => boolean

function overUdp(
  asked: Buffer,
  { host, port }: DnsAddress,
  isAnswer: IsAnswer,
  signal: AbortSignal,
): Promise<Buffer | null> {
  return new Promise((resolve) => {
    const socket = createSocket(host.includes(':') ? 'udp6' : 'udp4')
    let isOver = false
    const end = (answer: Buffer | null): void => {
      if (isOver) return
      isOver = true
      signal.removeEventListener('abort', giveUp)
      socket.close()
      resolve(answer)
    }
    const giveUp = (): void => end(null)
    signal.addEventListener('abort', giveUp)
    socket.on('error', giveUp)
    // A connected socket hears of nobody else.
    socket.on('message', (packet) => {
      if (isAnswer(packet)) end(packet)
    })
    socket.connect(port, host, () => {
      if (!isOver) socket.send(asked, (error) => error !== null && giveUp())
    })
  })
}

function overTcp(
  asked: Buffer,
  { host, port }: DnsAddress,
  isAnswer: IsAnswer,
  signal: AbortSignal,
): Promise<Buffer | null> {
  return new Promise((resolve) => {
    const socket = connect(port, host)
    const end = (answer: Buffer | null): void => {
      signal.removeEventListener('abort', giveUp)
      socket.destroy()
      resolve(answer)
    }
    const giveUp = (): void => end(null)
    signal.addEventListener('abort', giveUp)
    const reader = new MessageReader()
    socket.on('error', giveUp)
    socket.on('close', giveUp)
    socket.on('data', (chunk) => {
      for (const packet of reader.read(chunk)) if (isAnswer(packet)) end(packet)
    })
    socket.write(framed(asked))
  })
}
