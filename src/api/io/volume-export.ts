// A volume as its machine sends it to the one that it moves to. Nobody has it meanwhile, so that the stream is the same each
// time: after a broken connection it goes on where it was.
import { pipeline } from 'node:stream/promises'
import type { FastifyReply } from 'fastify'
import { pack } from '../../agent/io/volume-archive.js'
import { sha256Header, type VolumeBody } from '../../contract/contract.js'
import { describeError } from '../../lib/io/log.js'
import { volumesOfSlot } from '../volume-holds.js'
import { type ApiContext, ProblemError } from './context.js'
import { answersInStream } from './serving.js'
import { goneSignal } from './streams.js'
import { dataOf, keptOf, problemOf } from './volume-access.js'
import { measured } from './volume-archives.js'
import { isOfSlot } from './volume-holds.js'

/** Which driver keeps the volume that is sent. */
export const driverHeader = 'x-mariposa-driver'

/** Sends volumes, each to one who asks at a time: who asks anew has lost the connection before. */
export class VolumeExports {
  readonly #context: ApiContext
  readonly #running = new Map<string, { readonly abort: AbortController; readonly done: Promise<void> }>()

  constructor(context: ApiContext) {
    this.#context = context
  }

  /** Sends what is behind `offset`. Throws ProblemError before anything is sent. */
  async send(volume: VolumeBody, hold: string, offset: number, reply: FastifyReply): Promise<void> {
    const { registry, machine, agent } = this.#context
    const isHeld =
      isOfSlot(volume) &&
      volumesOfSlot(registry.view, volume).some(
        (one) => one.uuid === volume.uuid && one.hold?.id === hold && one.machine === machine,
      )
    if (!isHeld || agent === null) throw notHeld(volume)
    const before = this.#running.get(volume.uuid)
    before?.abort.abort()
    await before?.done
    const abort = new AbortController()
    const signal = AbortSignal.any([goneSignal(reply), abort.signal])
    const { keeper, dir } = await dataOf(this.#context, volume, signal)
    const letGo = await agent
      .holdVolume(keptOf(volume), keeper.kind, 'it moves to another machine', signal)
      .catch((error: unknown) => {
        throw problemOf(error)
      })
    const done = this.#stream(volume, dir, keeper.kind, offset, reply, signal).finally(letGo)
    this.#running.set(volume.uuid, { abort, done })
    await done.finally(() => {
      if (this.#running.get(volume.uuid)?.abort === abort) this.#running.delete(volume.uuid)
    })
  }

  async #stream(
    volume: VolumeBody,
    dir: string,
    driver: string,
    offset: number,
    reply: FastifyReply,
    signal: AbortSignal,
  ): Promise<void> {
    reply.hijack()
    const answer = reply.raw
    answersInStream(answer)
    answer.writeHead(200, {
      'content-type': 'application/x-tar',
      'cache-control': 'no-store',
      [driverHeader]: driver,
      trailer: sha256Header,
    })
    answer.flushHeaders()
    const packed = pack(dir, { compressed: false, signal })
    try {
      const told = measured(packed.stream)
      const rest = behind(told.stream, offset, (bytes) => this.#context.sentBytes.set(volume.uuid, bytes))
      await pipeline(rest, answer, { end: false, signal })
      const { isChanged } = await packed.done
      // What somebody has changed all the same is not what was sent before.
      if (isChanged) throw new Error('something in it was changed while it was read')
      answer.addTrailers({ [sha256Header]: told.sha256() })
      answer.end()
    } catch (error) {
      packed.stream.destroy()
      answer.destroy()
      this.#context.log.warn(
        'volumes',
        `the volume ${volume.uuid} was not sent to its end: ${describeError(error)}`,
      )
    }
  }
}

/** What is behind so many bytes. */
async function* behind(
  source: AsyncIterable<Uint8Array>,
  offset: number,
  onSent: (bytes: number) => void,
): AsyncGenerator<Uint8Array, void, undefined> {
  let at = 0
  for await (const chunk of source) {
    const skip = Math.max(0, offset - at)
    at += chunk.length
    if (skip >= chunk.length) continue
    onSent(at)
    yield skip === 0 ? chunk : chunk.subarray(skip)
  }
}

function notHeld(volume: VolumeBody): ProblemError {
  return new ProblemError({
    status: 409,
    code: 'volume/not-held',
    message: `the volume ${volume.uuid} is not held for this move here, or not yet`,
  })
}
