// Backs up the volumes of this machine by schedule: decides firings, makes what is due, deletes what has expired, and takes away
// what an earlier daemon has not come to the end of.
import { LeftBehind } from '../../backup/io/place.js'
import { backupName, backupPath } from '../../backup/names.js'
import {
  afterFailure,
  afterFirings,
  afterSuccess,
  begun,
  describeMissed,
  firstRecord,
  isAtRestSince,
  isMade,
  notNeeded,
  startsAt,
  takenOver,
  withoutPlan,
} from '../../backup/record.js'
import type { VolumeBody } from '../../contract/contract.js'
import { uuidByChance } from '../../lib/hash.js'
import { pause } from '../../lib/io/clock.js'
import { describeError } from '../../lib/io/log.js'
import { type Loop, startLoop } from '../../lib/io/loop.js'
import { earlier, type Instant } from '../../lib/time.js'
import type { BackupOf, BackupRecord, RunningBackup } from '../../model/backup.js'
import type { EventDraft } from '../../model/event.js'
import { describeSize } from '../../model/pull.js'
import { nameWithSlot } from '../../model/volume.js'
import { keys } from '../../store/records.js'
import { serviceKey } from '../../store/view.js'
import {
  type BackupTarget,
  backupTargets,
  hasPlans,
  machineOfBackup,
  planOf,
  volumeOfBackup,
  waitsFor,
} from '../../volumes/backup-targets.js'
import { BackupChores } from './backup-chores.js'
import { placeOfPlan } from './backup-places.js'
import { changeBackup } from './backup-records.js'
import { makeBackup, restingOf } from './backup-run.js'
import type { ApiContext } from './context.js'
import { ToldOnce } from './told-once.js'
import { HookFailed } from './volume-hooks.js'
import { volumesHere } from './volumes-here.js'

/** Begins to back up volumes; returns the way to end that. */
export function startBackupKeeper(context: ApiContext): () => Promise<void> {
  const keeper = new BackupKeeper(context)
  return async () => await keeper.stop()
}

/**
 * Backups of a machine that are made at a time into directories, and into each store: each reads as fast as the disk lets it, and a store
 * that does not answer holds up no backups to other places.
 */
const backupsAtOnce = 2
const lookEveryMs = 30_000
const restMs = 1000
const storeRetryMs = 5000
const reasonAtMost = 500

/** A backup that is being made. */
interface Run {
  /** Of the store that it goes into; empty for Amazon's own, null for a directory. */
  readonly endpoint: string | null
  readonly ended: Promise<void>
}

class BackupKeeper {
  readonly #context: ApiContext
  readonly #abort = new AbortController()
  /** Backups that are being made, by their ids. */
  readonly #runs = new Map<string, Run>()
  readonly #attempts: ToldOnce
  readonly #chores: BackupChores
  readonly #loop: Loop
  readonly #unsubscribe: () => void

  constructor(context: ApiContext) {
    this.#context = context
    this.#attempts = new ToldOnce(context.log, this.#abort.signal)
    this.#chores = new BackupChores(context, this.#attempts, this.#abort.signal)
    this.#loop = startLoop({
      pass: async (now) => ({ wakeAt: context.registry.isComplete() ? await this.#look(now) : null }),
      clock: context.clock,
      intervalMs: lookEveryMs,
      restMs,
      onError: (error) =>
        context.log.warn('volumes', `cannot back up volumes by schedule: ${describeError(error)}`),
    })
    this.#unsubscribe = context.registry.onChange((kinds) => {
      if (kinds.has('version') || kinds.has('volume')) this.#loop.wake()
    })
  }

  async stop(): Promise<void> {
    this.#unsubscribe()
    this.#abort.abort()
    await this.#loop.stop()
    await Promise.all([...this.#runs.values()].map(({ ended }) => ended))
    await this.#chores.settled()
  }

  async #look(now: Instant): Promise<Instant | null> {
    const { registry, machine } = this.#context
    const { view } = registry
    const here = view.machines.get(machine)
    if (here === undefined) return null
    await this.#settle()
    if (!hasPlans(view)) return null
    const { volumes } = await volumesHere(this.#context, here)
    let wakeAt: Instant | null = null
    for (const target of backupTargets(view, machine, volumes)) {
      const at = await this.#decide(target, now)
      wakeAt = earlier(wakeAt, at)
    }
    return earlier(wakeAt, await this.#begin(backupTargets(view, machine, volumes), volumes, now))
  }

  /** Decides the firings of a volume; resolves to when the next one is. */
  async #decide({ of, key, plan, deployedAt }: BackupTarget, now: Instant): Promise<Instant | null> {
    let wakeAt: Instant | null = null
    await this.#attempts.alone(`the schedule of backups of ${key}`, async () => {
      await changeBackup(this.#context, of, (before, { service }) => {
        if (service === undefined) return null
        const record = before ?? firstRecord(of)
        const after = afterFirings(record, plan, { service, deployedAt, now })
        wakeAt = after.wakeAt
        return {
          record: before === undefined || after.record !== record ? after.record : before,
          events: after.missed.map((one) => this.#event(of, 'backup-missed', describeMissed(one))),
        }
      })
    })
    return wakeAt
  }

  /** Begins what is due, the oldest first; resolves to when the next one may begin. */
  async #begin(
    targets: readonly BackupTarget[],
    volumes: readonly VolumeBody[],
    now: Instant,
  ): Promise<Instant | null> {
    const { view } = this.#context.registry
    let wakeAt: Instant | null = null
    const due = targets
      .flatMap((target) => {
        const { project, service } = target.of
        const record = view.backupsOf(serviceKey(project, service)).get(target.key)
        const at = record === undefined ? null : startsAt(record, now)
        return record === undefined || at === null ? [] : [{ target, record, at }]
      })
      .sort((a, b) => (a.record.due?.dueAt ?? 0) - (b.record.due?.dueAt ?? 0))
    for (const { target, record, at } of due) {
      const volume = volumeOfBackup(target.of, volumes)
      if (at > now) wakeAt = earlier(wakeAt, at)
      else if (volume !== null && waitsFor(volume) === null) {
        const where = placeOrProblem(() => placeOfPlan(this.#context, target.of.project, target.plan))
        if (this.#runsTo(endpointOf(where)) < backupsAtOnce)
          await this.#attempts.alone(`the backup of ${target.key}`, () =>
            this.#beginOne(target, record, volume, where),
          )
      }
    }
    return wakeAt
  }

  #runsTo(wanted: string | null): number {
    return [...this.#runs.values()].filter(({ endpoint }) => endpoint === wanted).length
  }

  async #beginOne(
    { of, plan }: BackupTarget,
    { due }: BackupRecord,
    volume: VolumeBody,
    where: PlaceOrProblem,
  ): Promise<void> {
    const { clock, machine, random } = this.#context
    const atRest = await restingOf(this.#context, volume, this.#abort.signal).catch(() => null)
    const startedAt = clock.now()
    const running: RunningBackup = {
      ...{
        id: uuidByChance(random, 'backup', `${startedAt}`),
        dueAt: due?.dueAt ?? startedAt,
        startedAt,
        machine,
      },
      to: backupPath(plan.to, backupName(of, machine, startedAt)),
      ...('store' in where && { store: where.store }),
      // Nothing has it that could be stopped.
      consistency: atRest === null ? plan.consistency : 'stopped',
    }
    const after = await changeBackup(this.#context, of, (record) => {
      if (record?.due == null || record.running !== null || record.due.dueAt !== due?.dueAt) return null
      if (atRest !== null && isAtRestSince(record, atRest)) return { record: notNeeded(record) }
      return { record: begun(record, running) }
    })
    if (after?.running?.id !== running.id) return
    const ended = this.#run(of, volume, running, where).finally(() => {
      this.#runs.delete(running.id)
      this.#loop.wake()
    })
    this.#runs.set(running.id, { endpoint: endpointOf(where), ended })
  }

  async #run(of: BackupOf, volume: VolumeBody, running: RunningBackup, where: PlaceOrProblem): Promise<void> {
    const { signal } = this.#abort
    try {
      if ('problem' in where) throw where.problem
      const { place } = where
      const made = await makeBackup(this.#context, volume, { running, place }, signal)
      const size = `${describeSize(made.bytes)}, SHA-256 ${made.sha256}`
      const event = this.#event(of, 'backup-succeeded', `${titleOf(of)} is backed up to ${made.to} (${size})`)
      const isNoted = await this.#note(of, running, (record) => ({
        // As many as are to be kept by now; where there is no plan any more, all.
        record: afterSuccess(
          record,
          made,
          planOf(this.#context.registry.view, of)?.keep ?? Number.POSITIVE_INFINITY,
        ),
        events: [event],
      }))
      // The volumes of its service were deleted meanwhile, or this machine was held as lost.
      if (isNoted === false)
        await this.#attempts.alone(`the remains at ${running.to} were not deleted`, async () => {
          await place.cleanUp(running, signal)
        })
    } catch (error) {
      // Of what ends with the daemon, the next one takes away what is left, and tells.
      if (signal.aborted) return
      const isLeft = error instanceof LeftBehind
      await this.#failed(of, running, reasonOf(isLeft ? error.why : error), isLeft)
    }
  }

  async #failed(of: BackupOf, running: RunningBackup, reason: string, isLeft: boolean): Promise<void> {
    const { clock } = this.#context
    const event = this.#event(of, 'backup-failed', `${titleOf(of)} is not backed up: ${reason}`, reason)
    await this.#note(of, running, (record) => ({
      record: (isLeft ? takenOver : afterFailure)(record, reason, clock.now()),
      events: [event],
    }))
  }

  /** Notes how a backup has ended, for as long as that takes. Resolves to whether its record says so; null at the end. */
  async #note(
    of: BackupOf,
    running: RunningBackup,
    step: (record: BackupRecord) => { readonly record: BackupRecord; readonly events: readonly EventDraft[] },
  ): Promise<boolean | null> {
    const { clock, log } = this.#context
    for (let isTold = false; !this.#abort.signal.aborted; ) {
      try {
        let isThere = false
        const noted = await changeBackup(this.#context, of, (record) => {
          // A try whose outcome nobody knew may have noted it.
          isThere = isMade(record, running)
          return record?.running?.id === running.id ? step(record) : null
        })
        const [event] = noted === null ? [] : step(noted).events
        if (event?.kind === 'backup-failed') log.warn('volumes', event.message)
        else if (event !== undefined) log.info('volumes', event.message)
        return noted !== null || isThere
      } catch (error) {
        if (!isTold)
          log.warn('volumes', `cannot record the end of a backup, retrying: ${describeError(error)}`)
        isTold = true
        await pause(clock, storeRetryMs, this.#abort.signal)
      }
    }
    return null
  }

  /** What is left of earlier daemons, plans that are gone, and backups that have expired. */
  async #settle(): Promise<void> {
    const { view } = this.#context.registry
    for (const service of view.servicesWithBackups())
      for (const known of view.backupsOf(service).values()) {
        const what = keys.backup(known)
        const record = await this.#givenUp(known)
        if (record.state !== null && !this.#hasPlan(record))
          await this.#attempts.alone(`the schedule of backups of ${what}`, async () => {
            await changeBackup(this.#context, record, (now) =>
              now === undefined || this.#hasPlan(now) ? null : { record: withoutPlan(now) },
            )
          })
        await this.#chores.takeAway(record)
      }
  }

  /**
   * The record of a volume whose backup nobody makes any more. Only once that is noted anything of it is taken away: by then it
   * cannot have come to a good end that is not known here yet.
   */
  async #givenUp(record: BackupRecord): Promise<BackupRecord> {
    const { clock, log } = this.#context
    const { running } = record
    const why = running === null ? null : this.#whyEnded(record, running)
    if (running === null || why === null) return record
    let after = record
    await this.#attempts.alone(`the remains of a backup of ${keys.backup(record)}`, async () => {
      const message = `${titleOf(record)} is not backed up: ${why}`
      const events = [this.#event(record, 'backup-failed', message, why)]
      const noted = await changeBackup(this.#context, record, (now) =>
        now?.running?.id === running.id ? { record: takenOver(now, why, clock.now()), events } : null,
      )
      if (noted === null) return
      log.warn('volumes', message)
      after = noted
    })
    return after
  }

  /** Why a backup was ended that has no end; null while somebody makes it. */
  #whyEnded(record: BackupRecord, running: RunningBackup): string | null {
    if (running.machine === this.#context.machine)
      return this.#runs.has(running.id) ? null : 'its daemon stopped before the end'
    return this.#isOfLost(record, running) ? 'its machine was lost before the end' : null
  }

  /** Whether a backup was begun on a machine that is lost, and the volume is on this one now. */
  #isOfLost(record: BackupRecord, running: RunningBackup): boolean {
    const { registry, machine } = this.#context
    const { view } = registry
    if (view.machines.has(running.machine) || record.slot === null) return false
    return machineOfBackup(view, record) === machine
  }

  #hasPlan(of: BackupOf): boolean {
    return planOf(this.#context.registry.view, of) !== undefined
  }

  #event(of: BackupOf, kind: EventDraft['kind'], message: string, reason?: string): EventDraft {
    const { project, service } = of
    const data = reason === undefined ? {} : { data: { reason } }
    return { kind, project, service, instance: null, machine: this.#context.machine, message, ...data }
  }
}

/** A place, or why there is none: that is told as a failure of the backup. */
type PlaceOrProblem = ReturnType<typeof placeOfPlan> | { readonly problem: unknown }

function placeOrProblem(find: () => ReturnType<typeof placeOfPlan>): PlaceOrProblem {
  try {
    return find()
  } catch (problem) {
    return { problem }
  }
}

function endpointOf(where: PlaceOrProblem): string | null {
  return 'store' in where && where.store !== undefined ? (where.store.endpoint ?? '') : null
}

function titleOf({ service, name, slot }: BackupOf): string {
  return `the volume ${service}.${nameWithSlot({ name, slot })}`
}

/** Without what a program has written: that may be anything. */
function reasonOf(error: unknown): string {
  return (error instanceof HookFailed ? error.discreet : describeError(error)).slice(0, reasonAtMost)
}
