// Looks after what is done with volumes on this machine: takes back holds of a daemon that was killed, carries out the moves
// that come here, and deletes what moves have left here.

import type { KeptVolume } from '../../agent/driver.js'
import { listVolumes } from '../../agent/io/local-volumes.js'
import { clearLeft, settleData } from '../../agent/io/volume-data.js'
import { arrivingBy, markArrived } from '../../agent/io/volume-revival.js'
import { describeError } from '../../lib/io/log.js'
import { type Loop, startLoop } from '../../lib/io/loop.js'
import { tryUntilDone } from '../../lib/io/tries.js'
import { type VolumeRecord, volumeKey } from '../../model/volume.js'
import { decidesOnSlot, forgottenHolds, type Slot, volumesOfSlot } from '../../volumes/holds.js'
import { fateOfCopy, leftOn, type Move, movesTo, nothingLeft } from '../../volumes/moves.js'
import type { ApiContext } from './context.js'
import { retryPolicy } from './context.js'
import { ToldOnce } from './told-once.js'
import { releaseSlot } from './volume-holds.js'
import { carryOut } from './volume-mover.js'

/** Begins to look after volumes; returns the way to end that. */
export function startVolumeKeeper(context: ApiContext): () => Promise<void> {
  const keeper = new VolumeKeeper(context)
  return async () => await keeper.stop()
}

const lookEveryMs = 30_000

class VolumeKeeper {
  readonly #context: ApiContext
  readonly #abort = new AbortController()
  /** By the id of its hold, what ends the work on a move. */
  readonly #moves = new Map<string, { readonly abort: AbortController; readonly done: Promise<void> }>()
  readonly #attempts: ToldOnce
  /** Whether it has looked for copies that an earlier daemon has not got to the end of. */
  #isSettled = false
  readonly #loop: Loop
  readonly #unsubscribe: () => void

  constructor(context: ApiContext) {
    this.#context = context
    this.#attempts = new ToldOnce(context.log, this.#abort.signal)
    this.#loop = startLoop({
      pass: async () => {
        if (context.registry.isComplete()) await this.#look()
        return { wakeAt: null }
      },
      clock: context.clock,
      intervalMs: lookEveryMs,
      onError: (error) => context.log.warn('volumes', `cannot check volumes: ${describeError(error)}`),
    })
    this.#unsubscribe = context.registry.onChange((kinds) => {
      if (kinds.has('volume')) this.#loop.wake()
    })
  }

  async stop(): Promise<void> {
    this.#unsubscribe()
    this.#abort.abort()
    await this.#loop.stop()
    for (const { abort } of this.#moves.values()) abort.abort()
    await Promise.all([...this.#moves.values()].map(({ done }) => done))
  }

  async #look(): Promise<void> {
    const { registry, machine, volumeWorks } = this.#context
    const moves = movesTo(registry.view, machine)
    const wanted = new Set(moves.map(({ id }) => id))
    for (const [id, { abort }] of this.#moves) if (!wanted.has(id)) abort.abort()
    for (const move of moves) if (!this.#moves.has(move.id)) this.#begin(move)
    const isKnown = (id: string): boolean => volumeWorks.has(id) || wanted.has(id) || this.#moves.has(id)
    if (!this.#isSettled)
      await this.#attempts.alone('leftovers of an earlier daemon were not removed', () =>
        this.#settleCopies(),
      )
    for (const hold of forgottenHolds(registry.view, machine, isKnown))
      await this.#attempts.alone(`slot ${hold.slot} of ${hold.service} is still held`, () =>
        this.#takeBack(hold),
      )
    for (const record of leftOn(registry.view, machine))
      await this.#attempts.alone(`the copy of ${volumeKey(record)} that was left here was not deleted`, () =>
        this.#deleteLeft(record),
      )
  }

  #begin(move: Move): void {
    const abort = new AbortController()
    const done = carryOut(this.#context, move, AbortSignal.any([abort.signal, this.#abort.signal]))
      .catch((error: unknown) => {
        if (!this.#abort.signal.aborted && !abort.signal.aborted)
          this.#context.log.warn('volumes', `restarting a move: ${describeError(error)}`)
      })
      .finally(() => {
        this.#moves.delete(move.id)
        this.#loop.wake()
      })
    this.#moves.set(move.id, { abort, done })
  }

  /** Removes or completes the unfinished work of an earlier daemon: copies of moves, and restores that no slot is held for. */
  async #settleCopies(): Promise<void> {
    const { driversHere, volumeKeeper, volumeFiles } = this.#context
    const signal = this.#abort.signal
    const { volumes, silent } = await listVolumes(driversHere, signal)
    let isSettled = silent.length === 0
    for (const volume of volumes) {
      const dir = await (await volumeKeeper(volume, signal))?.volumeData?.(volume, signal).catch(() => null)
      if (dir == null) continue
      const move = volume.slot === undefined ? null : arrivingBy(volumeFiles, dir)
      const isDone = move === null ? await this.#clear(dir) : await this.#settleCopy(volume, dir, move)
      if (!isDone) isSettled = false
    }
    this.#isSettled = isSettled
  }

  /** False if it has to be tried again later. */
  async #clear(dir: string): Promise<boolean> {
    const { volumeWorks, volumeFiles: files } = this.#context
    return !(await clearLeft(files, dir, () => volumeWorks.size > 0 || arrivingBy(files, dir) !== null))
  }

  /** The copy of a move that has ended belongs to its slot, or is deleted. False if that is not known yet. */
  async #settleCopy(volume: KeptVolume, dir: string, move: string): Promise<boolean> {
    const { registry, machine, deleteVolume, volumeFiles } = this.#context
    const fate = fateOfCopy(registry.view, machine, volume, move)
    if (fate === 'here') markArrived(volumeFiles, dir, move)
    if (fate === 'nobodys') await deleteVolume(volume, this.#abort.signal)
    return fate !== 'unknown'
  }

  async #takeBack(hold: Slot & { readonly id: string }): Promise<void> {
    const { registry, log, volumeKeeper, volumeFiles } = this.#context
    const signal = this.#abort.signal
    for (const record of volumesOfSlot(registry.view, hold)) {
      const keeper = await volumeKeeper(record, signal)
      const dir = await keeper?.volumeData?.(record, signal)
      if (dir !== undefined) await settleData(volumeFiles, dir)
    }
    await releaseSlot(this.#context, hold, hold.id)
    const isIncomplete = volumesOfSlot(registry.view, hold).some(({ incomplete }) => incomplete === true)
    const now = isIncomplete ? 'waits, as it has an incomplete volume' : 'may start again'
    log.info('volumes', `slot ${hold.slot} of ${hold.service} ${now}: its daemon stopped before the end`)
  }

  async #deleteLeft(record: VolumeRecord): Promise<void> {
    const { agent, registry, clock, random, deleteVolume } = this.#context
    const { project, service, name, slot, left, createdAt, machine } = record
    if (left === undefined) return
    const { generation, uuid } = left
    const volume = { project, service, name, slot, ...(generation > 0 && { generation }), uuid, createdAt }
    if (machine !== null) await agent?.noteMoved(uuid, machine)
    await deleteVolume(volume, this.#abort.signal)
    await tryUntilDone({ time: clock, random }, retryPolicy, async () => {
      const { committed } = await registry.decide((view) => ({
        decidedOn: decidesOnSlot(view, record),
        ops: nothingLeft(view, record),
      }))
      return committed ? {} : null
    })
  }
}
