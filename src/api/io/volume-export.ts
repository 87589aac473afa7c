// A volume as its machine sends it to the one that it moves to. After a broken connection it goes on where it was: with the archive
// that was begun, or with a new one, which is the same each time, as nobody has the volume meanwhile.
import { pipeline } from 'node:stream/promises'
import type { FastifyReply } from 'fastify'
import { sha256Header, type VolumeBody } from '../../contract/contract.js'
import { describeError } from '../../lib/io/log.js'
import type { Timer } from '../../lib/time.js'
import { volumesOfSlot } from '../../volumes/holds.js'
import { type ApiContext, ProblemError } from './context.js'
import { type OutgoingArchive, openOutgoing } from './outgoing-archive.js'
import { answersInStream } from './serving.js'
import { goneSignal } from './streams.js'
import { dataOf, keptOf, problemOf } from './volume-access.js'
import { isOfSlot } from './volume-holds.js'

/** Which driver keeps the volume that is sent. */
export const driverHeader = 'x-mariposa-driver'

/** Sends volumes, each to one who asks at a time: who asks anew has lost the connection before. */
export class VolumeExports {
  readonly #context: ApiContext
  readonly #running = new Map<string, Running>()
  readonly #kept = new Map<string, KeptArchive>()
  readonly #unsubscribe: () => void
  #isClosed = false

  constructor(context: ApiContext) {
    this.#context = context
    this.#unsubscribe = context.registry.onChange((kinds) => {
      if (kinds.has('volume')) this.#endThoseOver()
    })
  }

  /** Sends what is behind `offset`. Throws ProblemError before anything is sent. */
  async send(volume: VolumeBody, hold: string, offset: number, reply: FastifyReply): Promise<void> {
    const { agent } = this.#context
    if (!this.#isHeld(volume, hold) || agent === null) throw notHeld(volume)
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
    const sending = { volume, driver: keeper.kind, dir, hold, offset, reply, signal }
    const done = this.#stream(sending).finally(letGo)
    this.#running.set(volume.uuid, { volume, hold, abort, done })
    await done.finally(() => {
      if (this.#running.get(volume.uuid)?.abort === abort) this.#running.delete(volume.uuid)
    })
  }

  /** Ends what waits for a connection, and what will. */
  close(): void {
    this.#isClosed = true
    this.#unsubscribe()
    for (const uuid of this.#kept.keys()) this.#drop(uuid)
  }

  /** Ends transfers of moves that are over: the other machine may be unreachable, and the instance would wait for it. */
  #endThoseOver(): void {
    for (const { volume, hold, abort } of this.#running.values())
      if (!this.#isHeld(volume, hold)) abort.abort()
    for (const { volume, hold } of this.#kept.values())
      if (!this.#isHeld(volume, hold)) this.#drop(volume.uuid)
  }

  #isHeld(volume: VolumeBody, hold: string): boolean {
    const { registry, machine } = this.#context
    return (
      isOfSlot(volume) &&
      volumesOfSlot(registry.view, volume).some(
        (one) => one.uuid === volume.uuid && one.hold?.id === hold && one.machine === machine,
      )
    )
  }

  async #stream({ volume, driver, dir, hold, offset, reply, signal }: Export): Promise<void> {
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
    const archive = this.#take(volume.uuid, hold, offset) ?? openOutgoing(this.#context.volumeFiles, dir)
    // The pipeline leaves open what is to get trailers: it would wait for a silent link to take what was sent.
    const endAnswer = (): unknown => answer.destroy()
    signal.addEventListener('abort', endAnswer)
    try {
      const rest = archive.behind(offset, signal)
      await pipeline(this.#counted(volume.uuid, offset, rest), answer, { end: false, signal })
      answer.addTrailers({ [sha256Header]: archive.sha256() })
      answer.end()
    } catch (error) {
      answer.destroy()
      this.#context.log.warn('volumes', `sending the volume ${volume.uuid} failed: ${describeError(error)}`)
    } finally {
      signal.removeEventListener('abort', endAnswer)
      this.#keep({ volume, hold, archive })
    }
  }

  /** Notes how much has been sent. */
  async *#counted(
    uuid: string,
    offset: number,
    rest: AsyncIterable<Uint8Array>,
  ): AsyncGenerator<Uint8Array, void, undefined> {
    let at = offset
    for await (const bytes of rest) {
      at += bytes.length
      this.#context.sentBytes.set(uuid, at)
      yield bytes
    }
  }

  /** What was begun for the same move, where it can go on from there; anything else is ended. */
  #take(uuid: string, hold: string, offset: number): OutgoingArchive | null {
    const kept = this.#kept.get(uuid)
    if (kept?.hold !== hold || !kept.archive.reaches(offset)) {
      this.#drop(uuid)
      return null
    }
    kept.timer.cancel()
    this.#kept.delete(uuid)
    return kept.archive
  }

  /** Keeps what has lost its connection, or may have lost its end, for the next one. */
  #keep(one: Omit<KeptArchive, 'timer'>): void {
    const { uuid } = one.volume
    this.#drop(uuid)
    const timer = this.#context.clock.after(keptForMs, () => this.#drop(uuid)).unref()
    this.#kept.set(uuid, { ...one, timer })
    if (this.#isClosed || !this.#isHeld(one.volume, one.hold)) this.#drop(uuid)
  }

  #drop(uuid: string): void {
    const kept = this.#kept.get(uuid)
    this.#kept.delete(uuid)
    kept?.timer.cancel()
    kept?.archive.end()
  }
}

interface Running {
  readonly volume: VolumeBody
  readonly hold: string
  readonly abort: AbortController
  readonly done: Promise<void>
}

interface Export {
  readonly volume: VolumeBody
  readonly driver: string
  readonly dir: string
  readonly hold: string
  readonly offset: number
  readonly reply: FastifyReply
  readonly signal: AbortSignal
}

/** An archive that nobody asks for at the moment. */
interface KeptArchive {
  readonly volume: VolumeBody
  readonly hold: string
  readonly archive: OutgoingArchive
  readonly timer: Timer
}

/** Enough for several retries of the other machine, which are at most five seconds apart. Later ones start from the beginning. */
const keptForMs = 60_000

function notHeld(volume: VolumeBody): ProblemError {
  return new ProblemError({
    status: 409,
    code: 'volume/not-held',
    message: `the volume ${volume.uuid} is not held for this move here, or not yet`,
  })
}
