// What of backups by schedule is to go: what is left of those that failed, and those that have expired.
import type { Written } from '../../backup/io/place.js'
import { afterFoundWhole, expiredOn, forgottenBackup, leftOn, withoutLeft } from '../../backup/record.js'
import type { Instant } from '../../lib/time.js'
import {
  type BackupRecord,
  isInObjectStore,
  type MadeBackup,
  type RunningBackup,
} from '../../model/backup.js'
import { nameWithSlot } from '../../model/volume.js'
import { keys } from '../../store/records.js'
import { machineOfBackup, planOf } from '../../volumes/backup-targets.js'
import { placeOfBackup } from './backup-places.js'
import { changeBackup } from './backup-records.js'
import type { ApiContext } from './context.js'
import type { ToldOnce } from './told-once.js'

/** What a store has refused, or has not answered, is tried again so much later. */
const retryMs = 5 * 60_000

interface Aside {
  /** Null once it has failed. */
  readonly work: Promise<void> | null
  readonly notBefore: Instant
}

/** Takes away what is to go: of directories at once, of stores beside all else, as they may be slow. */
export class BackupChores {
  readonly #context: ApiContext
  readonly #attempts: ToldOnce
  readonly #ends: AbortSignal
  /** By the names of objects. */
  readonly #aside = new Map<string, Aside>()

  constructor(context: ApiContext, attempts: ToldOnce, ends: AbortSignal) {
    this.#context = context
    this.#attempts = attempts
    this.#ends = ends
  }

  /** Does, or begins, what there is to do for a record. */
  async takeAway(record: BackupRecord): Promise<void> {
    const isOurs = (one: RunningBackup | MadeBackup): boolean => this.#isOurs(record, one)
    for (const one of leftOn(record, isOurs))
      await this.#alone(one, `the remains of a backup of ${keys.backup(record)}`, async () => {
        await this.#cleanUp(record, one)
      })
    for (const one of expiredOn(record, isOurs))
      await this.#alone(one, `the expired backup ${one.to} was not deleted`, async () => {
        await this.#remove(record, one)
      })
  }

  /** Ends with the signal. */
  async settled(): Promise<void> {
    await Promise.all([...this.#aside.values()].flatMap(({ work }) => work ?? []))
  }

  async #cleanUp(record: BackupRecord, one: RunningBackup): Promise<void> {
    const place = placeOfBackup(this.#context, record.project, one)
    const written = (await place?.whole(one, this.#ends)) ?? null
    if (written !== null) return await this.#noteWhole(record, one, written)
    await place?.cleanUp(one, this.#ends)
    await changeBackup(this.#context, record, (now) =>
      now === undefined ? null : { record: withoutLeft(now, one.id) },
    )
  }

  /** A backup that was finished is listed and counts, whatever the store says of its end. */
  async #noteWhole(record: BackupRecord, one: RunningBackup, written: Written): Promise<void> {
    const { machine, registry, clock } = this.#context
    const { project, service, name, slot } = record
    const { id: _id, ...of } = one
    const made: MadeBackup = { ...of, endedAt: clock.now(), ...written }
    const message = `the volume ${service}.${nameWithSlot({ name, slot })} is backed up to ${one.to} after all (SHA-256 ${written.sha256})`
    const event = { kind: 'backup-succeeded', project, service, instance: null, machine, message } as const
    await changeBackup(this.#context, record, (now) => {
      if (now?.left?.some(({ id }) => id === one.id) !== true) return null
      const keep = planOf(registry.view, record)?.keep ?? Number.POSITIVE_INFINITY
      return { record: afterFoundWhole(now, one, made, keep), events: [event] }
    })
  }

  async #remove(record: BackupRecord, made: MadeBackup): Promise<void> {
    const what = await placeOfBackup(this.#context, record.project, made)?.remove(made, this.#ends)
    if (what === 'foreign')
      this.#context.log.warn(
        'volumes',
        `${made.to} is not deleted: it is no longer the backup that was written there`,
      )
    await changeBackup(this.#context, record, (now) =>
      now === undefined ? null : { record: forgottenBackup(now, made.to) },
    )
  }

  /** Its own machine takes away what it has made; an object, where that machine is not there, also the one where the volume is. */
  #isOurs(record: BackupRecord, { machine, to }: RunningBackup | MadeBackup): boolean {
    const { machine: here, registry } = this.#context
    if (machine === here) return true
    if (!isInObjectStore(to) || registry.view.machines.has(machine)) return false
    return machineOfBackup(registry.view, record) === here
  }

  async #alone({ to }: Pick<MadeBackup, 'to'>, what: string, work: () => Promise<void>): Promise<void> {
    if (!isInObjectStore(to)) return await this.#attempts.alone(what, work)
    const before = this.#aside.get(to)
    const { clock } = this.#context
    const now = clock.now()
    const waitMs = (before?.notBefore ?? now) - now
    // A clock that was set back holds nothing up for longer than that.
    if (before !== undefined && (before.work !== null || (waitMs > 0 && waitMs <= retryMs))) return
    this.#aside.set(to, { work: this.#tried(to, what, work), notBefore: now })
  }

  async #tried(to: string, what: string, work: () => Promise<void>): Promise<void> {
    let isDone = false
    try {
      await this.#attempts.alone(what, async () => {
        await work()
        isDone = true
      })
    } catch {
      // The daemon ends: the next one goes on with it.
    }
    if (isDone) this.#aside.delete(to)
    else this.#aside.set(to, { work: null, notBefore: this.#context.clock.now() + retryMs })
  }
}
