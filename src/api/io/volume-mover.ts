// Carries out a move on the machine that the volumes of a slot go to: copies each, and then writes that the slot is here.

import type { Driver, KeptVolume } from '../../agent/driver.js'
import { replaceData } from '../../agent/io/volume-data.js'
import { arrivedBy, arrivingBy, markArrived, markArriving } from '../../agent/io/volume-revival.js'
import { paths, sha256Header } from '../../contract/contract.js'
import { backoffMs } from '../../lib/backoff.js'
import { abortAfter, pause } from '../../lib/io/clock.js'
import { describeError } from '../../lib/io/log.js'
import { tryUntilDone } from '../../lib/io/tries.js'
import { DriverError } from '../../model/driver-error.js'
import { type VolumeRecord, volumeKey } from '../../model/volume.js'
import { hostnameOf } from '../../store/hostname.js'
import { decidesOnSlot, volumesOfSlot } from '../../volumes/holds.js'
import { arrived, copyOf, fateOfCopy, type Move } from '../../volumes/moves.js'
import { type ApiContext, contended, retryPolicy } from './context.js'
import { PeerError } from './peers.js'
import { measured } from './volume-archives.js'
import { driverHeader } from './volume-export.js'
import { releaseSlot } from './volume-holds.js'

/** Resolves once the slot is here, or the move is over without that. Rejects where it was aborted: it is taken up again. */
export async function carryOut(context: ApiContext, move: Move, signal: AbortSignal): Promise<void> {
  const { volumeFiles: files } = context
  const made = new Set<KeptVolume>()
  const dirs: string[] = []
  try {
    await files.refuseWithoutPrograms()
    for (const record of move.records) {
      const volume: KeptVolume = { ...copyOf(move, record), createdAt: record.createdAt }
      const before = await dirHere(context, volume, signal)
      // The store was restored from a backup of the time when it was on its way: it may have been written to since, and is nowhere else.
      if (before !== null && arrivedBy(files, before) === move.id) continue
      if (before !== null && arrivingBy(files, before) === move.id) made.add(volume)
      const source = new ResumedSource(context, move, record, signal)
      // Which driver keeps it there says which one is to keep it here.
      const keeper = await makeRoom(context, volume, await source.driver(), signal)
      made.add(volume)
      const dir = (await keeper.volumeData?.(volume, signal)) ?? ''
      markArriving(files, dir, move.id)
      await copy(context, { record, dir, source }, signal)
      dirs.push(dir)
    }
    await arrive(context, move)
  } catch (error) {
    if (isHeldFor(context, move)) {
      signal.throwIfAborted()
      await giveUp(context, move, describeError(error))
    }
  }
  // A write that failed may have taken effect all the same: the records of the slot say how the move has ended.
  if (isHere(context, move)) for (const dir of dirs) markArrived(files, dir, move.id)
  else await discard(context, move, made)
}

/** Whether the slot's volumes are the copies on this machine. */
function isHere({ registry, machine }: ApiContext, move: Move): boolean {
  return move.records.every(
    (record) => fateOfCopy(registry.view, machine, copyOf(move, record), move.id) === 'here',
  )
}

function isHeldFor({ registry }: ApiContext, move: Move): boolean {
  return volumesOfSlot(registry.view, move).some((one) => one.hold?.id === move.id)
}

/** What is copied, and where to. */
interface Copying {
  readonly record: VolumeRecord
  readonly dir: string
  readonly source: ResumedSource
}

/** Copies a volume; resolves once what is here has the checksum of what is there. */
async function copy(
  context: ApiContext,
  { record, dir, source }: Copying,
  signal: AbortSignal,
): Promise<void> {
  await replaceData(context.volumeFiles, dir, async (incoming) => {
    const told = measured(source.chunks())
    await context.volumeFiles.unpack(incoming, told.stream, {
      compressed: false,
      signal,
      policy: context.manifests.policy ?? null,
    })
    if (told.sha256() === source.sha256) return
    throw new DriverError(
      'volume/bad-checksum',
      `the data received for the volume ${volumeKey(record)} differ from the data sent`,
    )
  })
}

/** Where a volume is on this machine; null where it is not, as far as its drivers answer. */
async function dirHere(
  { driversHere }: ApiContext,
  { uuid }: KeptVolume,
  signal: AbortSignal,
): Promise<string | null> {
  for (const driver of driversHere.values()) {
    if (driver.unexpected === true) continue
    const all = (await driver.listVolumes?.(signal).catch(() => [])) ?? []
    const found = all.find((one) => one.uuid === uuid)
    if (found !== undefined) return (await driver.volumeData?.(found, signal)) ?? null
  }
  return null
}

/**
 * Makes an empty volume. What bears its name is left from a move that was ended, and goes; unless a slot has had it, as records
 * say that the store no longer has after a restore from a backup.
 */
async function makeRoom(
  { driversHere, volumeFiles: files }: ApiContext,
  volume: KeptVolume,
  kind: string,
  signal: AbortSignal,
): Promise<Driver> {
  const isContainer = kind === 'docker'
  const drivers = [...driversHere.values()].filter((one) => (one.kind === 'docker') === isContainer)
  const driver = drivers.find((one) => one.kind === kind) ?? drivers[0]
  if (driver?.makeVolume === undefined || driver.volumeData === undefined)
    throw new DriverError('volume/failed', `this machine has no driver ${kind} that could store it`)
  const key = volumeKey(volume)
  const stale = ((await driver.listVolumes?.(signal)) ?? []).find((one) => volumeKey(one) === key)
  if (stale !== undefined) {
    const dir = await driver.volumeData(stale, signal).catch(nothingIfGone)
    if (dir !== null && arrivingBy(files, dir) === null && !(await files.isEmpty(dir))) throw hasData(stale)
    if (stale.uuid !== volume.uuid) await driver.deleteVolume?.(stale, signal)
  }
  await driver.makeVolume(volume, signal)
  return driver
}

/** Nobody is to have data again that were deleted, if only in part. */
function nothingIfGone(error: unknown): null {
  if (error instanceof DriverError && error.code === 'volume/gone') return null
  throw error
}

/** Nobody but an operator can say which of two is to be kept. */
function hasData(volume: KeptVolume): DriverError {
  return new DriverError(
    'volume/has-data',
    `this machine has data under the name ${volumeKey(volume)} that no record accounts for, as after a restore of the store: back them up (mariposa volume backup ${volume.uuid} FILE), delete them (mariposa volume rm ${volume.uuid} --force), and try again`,
  )
}

/** The stream of a volume of another machine. A connection that is lost is made anew, and goes on where it was. */
class ResumedSource {
  readonly #context: ApiContext
  readonly #move: Move
  readonly #record: VolumeRecord
  readonly #signal: AbortSignal
  #first: Awaited<ReturnType<ApiContext['peers']['ask']>> | null = null
  #at = 0
  #failures = 0
  /** How often in a row nothing came for too long. */
  #silences = 0
  sha256: string | null = null

  constructor(context: ApiContext, move: Move, record: VolumeRecord, signal: AbortSignal) {
    this.#context = context
    this.#move = move
    this.#record = record
    this.#signal = signal
  }

  /** The driver that keeps it there; resolves once it is sent. */
  async driver(): Promise<string> {
    this.#first = await this.#open()
    return [this.#first.headers[driverHeader]].flat()[0] ?? ''
  }

  async *chunks(): AsyncGenerator<Uint8Array, void, undefined> {
    for (;;) {
      const answer = this.#first ?? (await this.#open())
      this.#first = null
      answer.setTimeout(quietAtMostMs(this.#at, this.#silences), () => {
        this.#silences += 1
        answer.destroy(new Error('no more data arrived'))
      })
      try {
        for await (const chunk of answer as AsyncIterable<Buffer>) {
          this.#at += chunk.length
          this.#failures = 0
          this.#silences = 0
          yield chunk
        }
        const sum = answer.trailers[sha256Header]
        if (sum !== undefined) {
          this.sha256 = sum
          return
        }
      } catch (error) {
        this.#tell(error)
      } finally {
        answer.destroy()
      }
      await this.#rest()
    }
  }

  async #open(): Promise<Awaited<ReturnType<ApiContext['peers']['ask']>>> {
    const path = `${paths.volumeExport(this.#record.uuid)}?hold=${this.#move.id}&offset=${this.#at}`
    const from = this.#record.machine ?? this.#move.from
    for (;;) {
      try {
        return await this.#context.peers.ask(from, { method: 'POST', path }, this.#signal)
      } catch (error) {
        if (!(error instanceof PeerError) || forGood.has(error.refusal?.code ?? '')) throw error
        if (error.refusal === null) this.#tell(error)
      }
      await this.#rest()
    }
  }

  async #rest(): Promise<void> {
    this.#failures += 1
    await pause(
      this.#context.clock,
      backoffMs(this.#failures, { firstMs: 250, longestMs: 5000 }),
      this.#signal,
    )
    this.#signal.throwIfAborted()
  }

  #tell(error: unknown): void {
    if (this.#failures > 0) return
    const { log } = this.#context
    log.warn('volumes', `cannot receive the volume ${this.#record.uuid}, retrying: ${describeError(error)}`)
  }
}

/** What another try does not change. */
const forGood: ReadonlySet<string> = new Set(['volume/no-tar', 'volume/unreadable', 'volume/gone'])

/**
 * Who skips what was sent before says nothing for as long as that takes, which nobody knows of a busy machine or a slow disk: each
 * time that it was not enough it may take twice as long, or no try would ever come to what is new.
 */
function quietAtMostMs(skippedBytes: number, silences: number): number {
  return (30_000 + skippedBytes / 20_000) * 2 ** Math.min(silences, 8)
}

/** Writes that the slot is here, unless the move was ended. */
async function arrive(context: ApiContext, move: Move): Promise<void> {
  const { registry, events, clock, random } = context
  const done = await tryUntilDone({ time: clock, random }, retryPolicy, async () => {
    const { committed } = await registry.decide((view) => {
      const ops = arrived(view, move)
      const what = `has moved from ${hostnameOf(view, move.from)} to ${hostnameOf(view, move.to)}`
      const drafts = ops === null ? [] : [eventOf(move, what)]
      return {
        decidedOn: decidesOnSlot(view, move),
        ops: ops === null ? [] : [...ops, ...events.append(drafts)],
      }
    })
    return committed ? {} : null
  })
  if (done === null) throw contended()
}

/** Ends a move that cannot be made: the slot stays where it was. After that no delayed write can move it. */
async function giveUp(context: ApiContext, move: Move, why: string): Promise<void> {
  const { registry, events, log } = context
  await releaseSlot(context, move, move.id)
  if (isHere(context, move)) return
  log.warn('volumes', `slot ${move.slot} of ${move.service} is not moved: ${why}`)
  await registry.commit([], events.append([eventOf(move, `is not moved: ${why}`)]))
}

/** Deletes copies that nobody is to have. */
async function discard(context: ApiContext, move: Move, made: Iterable<KeptVolume>): Promise<void> {
  const { registry, machine, deleteVolume, clock, log } = context
  for (const volume of made) {
    if (fateOfCopy(registry.view, machine, volume, move.id) !== 'nobodys') continue
    await deleteVolume(volume, abortAfter(clock, deletesWithinMs)).catch((error: unknown) => {
      log.warn('volumes', `cannot remove a copy of ${volumeKey(volume)}: ${describeError(error)}`)
    })
  }
}

const deletesWithinMs = 3_600_000

function eventOf(move: Move, what: string) {
  const { project, service, slot, to, records } = move
  const names = records.map(({ name }) => name).join(', ')
  return {
    ...{ kind: 'volume' as const, project, service, instance: null, machine: to },
    message: `slot ${slot} of ${service} (${names}) ${what}`,
  }
}
