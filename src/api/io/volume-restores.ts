// What is restored into the volumes of this machine, and into those of slots that are made here for it.
import type { Readable } from 'node:stream'
import { chooseDriver } from '../../agent/choose-driver.js'
import type { Driver } from '../../agent/driver.js'
import { replaceData } from '../../agent/io/volume-data.js'
import { noSuchService, type Problem } from '../../changes/problem.js'
import type { VolumeBody, VolumeRestored } from '../../contract/contract.js'
import { uuidByChance } from '../../lib/hash.js'
import { tryUntilDone } from '../../lib/io/tries.js'
import type { Actor } from '../../model/actor.js'
import { DriverError } from '../../model/driver-error.js'
import type { DesiredUnit } from '../../model/unit.js'
import type { VolumeHold } from '../../model/volume.js'
import { keys } from '../../store/records.js'
import { type ClusterView, serviceKey } from '../../store/view.js'
import { describeVolumeOf, volumeBodyOf } from '../../volumes/bodies.js'
import { decidesOnHold, heldToFill, type VolumeToMake } from '../../volumes/holds.js'
import { nextUnitOf } from '../../volumes/moves.js'
import { volumeEvent } from '../../volumes/removal.js'
import { type ApiContext, contended, orRefuse, ProblemError, retryPolicy } from './context.js'
import { watchSlowEnd } from './slow-ends.js'
import { asProblems, dataOf, keptOf, whenFree } from './volume-access.js'
import { haveFree, measured } from './volume-archives.js'
import { isOfSlot, releaseSlot } from './volume-holds.js'

/** What is to come in. */
interface Incoming {
  /** A tar archive compressed by zstd. */
  readonly archive: Readable
  /** Whether what is in the volume is to go. */
  readonly force: boolean
  /** The SHA-256 of the archive, asked for once all of it has come; null where nobody knows it. */
  readonly sum: () => string | null
}

/** A volume that is had for oneself. */
interface Opened {
  readonly volume: VolumeBody
  readonly dir: string
  /** Lets its slot have an instance again; `isWhole`: what was to come in is in it. */
  end(isWhole: boolean): Promise<void>
}

/**
 * Puts what an archive holds in the place of what a volume of this machine has, or into one that is made for it. Throws
 * ProblemError; then a volume is as it was, and one that is new stays incomplete, and its slot without an instance.
 */
export async function restore(
  context: ApiContext,
  actor: Actor,
  target: VolumeBody | VolumeToMake,
  { archive, force, sum }: Incoming,
  signal: AbortSignal,
): Promise<VolumeRestored> {
  await asProblems(() => context.volumeFiles.refuseWithoutPrograms())
  const { volume, dir, end } = await open(context, actor, target, force, signal)
  const told = measured(archive)
  const watched = { bytes: told.bytes, isHeldUp: () => archive.readableLength === 0 }
  const unwatch = watchSlowEnd(context.clock, watched, (error) => archive.destroy(error))
  let isWhole = false
  try {
    await asProblems(
      async () =>
        await replaceData(context.volumeFiles, dir, async (incoming) => {
          await context.volumeFiles.unpack(incoming, told.stream, {
            compressed: true,
            signal,
            policy: context.manifests.policy ?? null,
          })
          const [wanted, found] = [sum(), told.sha256()]
          if (wanted !== null && wanted !== found) throw badChecksum(wanted, found)
        }),
    )
    isWhole = true
    return { ...volume, work: null, incomplete: false, bytes: told.bytes(), sha256: told.sha256() }
  } finally {
    unwatch()
    await end(isWhole)
  }
}

async function open(
  context: ApiContext,
  actor: Actor,
  target: VolumeBody | VolumeToMake,
  force: boolean,
  signal: AbortSignal,
): Promise<Opened> {
  if (!('uuid' in target)) return await openNew(context, actor, target, signal)
  if (target.incomplete && isOfSlot(target)) return await openNew(context, actor, target, signal)
  const { keeper, dir } = await dataOf(context, target, signal)
  if (!force && !(await context.volumeFiles.isEmpty(dir))) throw notForced(target)
  const work = { work: 'restore', what: 'is restored from a backup' } as const
  return { volume: target, dir, end: await haveFree(context, actor, target, { ...work, keeper, signal }) }
}

/** Makes a volume that is not whole until something has come into it: nobody starts with it before. */
async function openNew(
  context: ApiContext,
  actor: Actor,
  { project, service, slot, name, machine, ...more }: VolumeToMake,
  signal: AbortSignal,
): Promise<Opened> {
  const wanted = { project, service, slot, name, machine, ...('sizeMb' in more && { sizeMb: more.sizeMb }) }
  const id = uuidByChance(context.random, 'work', `${context.clock.now()}`)
  // Known before it is written: what this daemon does not know of is taken back.
  context.volumeWorks.add(id)
  let isHeld = false
  const release = async (isWhole: boolean): Promise<void> => {
    try {
      if (isHeld) await releaseSlot(context, wanted, id, isWhole ? name : null)
    } finally {
      // The keeper releases a hold that could not be released here, like one of an earlier daemon.
      context.volumeWorks.delete(id)
    }
  }
  try {
    const volume = await holdToFill(context, actor, wanted, {
      id,
      gone: await goneFrom(context, wanted, signal),
    })
    isHeld = true
    const { driver, unit } = driverFor(context, wanted)
    const why = 'its data are being received'
    const letGo = await whenFree(context, volume, { keeper: driver, why, signal })
    try {
      const file = context.units.file(unit.hash)
      await asProblems(
        async () => await driver.makeVolume?.(keptOf(volume), signal, { name: unit.name, file }),
      )
      const { dir } = await dataOf(context, volume, signal)
      const end = async (isWhole: boolean): Promise<void> => {
        letGo()
        await release(isWhole)
      }
      return { volume, dir, end }
    } catch (error) {
      letGo()
      throw error
    }
  } catch (error) {
    await release(false)
    throw error
  }
}

/** Writes the record of a volume that is to be filled, and holds its slot. Throws ProblemError. */
async function holdToFill(
  context: ApiContext,
  actor: Actor,
  wanted: VolumeToMake,
  { id, gone }: { readonly id: string; readonly gone: string | null },
): Promise<VolumeBody> {
  const { registry, events, clock, random, machine } = context
  const hold: VolumeHold = { id, work: 'restore', by: machine, at: clock.now() }
  const done = await tryUntilDone({ time: clock, random }, retryPolicy, async () => {
    const { decision, committed } = await registry.decide((view) => {
      const { ops, record } = orRefuse(heldToFill(view, wanted, hold, gone))
      const here = view.machines.get(machine)
      if (here === undefined) throw contended()
      const volume = volumeBodyOf(view, here, { ...record, users: [] })
      const event = {
        ...volumeEvent(volume, 'is created for a backup to be restored'),
        kind: 'volume' as const,
      }
      const decidedOn = [...new Set([...decidesOnHold(view, wanted), keyOf(wanted)])]
      return { volume, decidedOn, ops: [...ops, ...events.append([{ ...event, by: actor }])] }
    })
    return committed ? decision.volume : null
  })
  if (done === null) throw contended()
  return { ...done, current: true }
}

/** The uuid of what the slot has by its record, where a move that the record knows nothing of has taken the data away. */
async function goneFrom(
  { registry, agent }: ApiContext,
  wanted: VolumeToMake,
  signal: AbortSignal,
): Promise<string | null> {
  const known = registry.view.volumesOf(serviceKey(wanted.project, wanted.service)).get(keyOf(wanted))
  if (known === undefined || agent === null) return null
  return (await agent.hasMovedAway(known.uuid, signal)) ? known.uuid : null
}

function keyOf({ project, service, name, slot }: VolumeToMake): string {
  return keys.volume(project, service, name, slot)
}

/** The driver that runs the instance of a slot here, and the unit of that. Throws ProblemError. */
function driverFor(
  { registry: { view }, units, driversHere }: ApiContext,
  slot: VolumeToMake,
): { readonly driver: Driver; readonly unit: DesiredUnit } {
  const unit = nextUnitOf(view, slot)
  if (unit === null) throw new ProblemError(noSuchService(view, slot.project, slot.service))
  const kind = chooseDriver(units.needs(unit), [...driversHere.keys()])
  const driver = kind === null ? undefined : driversHere.get(kind)
  if (driver?.makeVolume !== undefined) return { driver, unit }
  throw new ProblemError(noDriver(view, slot))
}

function noDriver(view: ClusterView, { service, name, machine }: VolumeToMake): Problem {
  const where = view.machines.get(machine)?.hostname ?? machine
  return {
    status: 409,
    code: 'volume/cannot-make',
    message: `the volume ${name} of ${service} cannot be created: ${where} has no driver that runs its instances`,
    hint: `mariposa service explain ${service} shows why machines refuse its instances`,
  }
}

function badChecksum(wanted: string, found: string): DriverError {
  return new DriverError(
    'volume/bad-checksum',
    `the backup has the SHA-256 ${found} instead of ${wanted}: it was truncated or changed; the volume is unchanged`,
  )
}

function notForced(volume: VolumeBody): ProblemError {
  return new ProblemError({
    status: 409,
    code: 'volume/not-forced',
    message: `${describeVolumeOf(volume)} holds data, which the backup would replace`,
    hint: 'add --force',
  })
}
