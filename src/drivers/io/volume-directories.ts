// Named volumes as directories: <dir>/<project>/<service>/<name>/data, beside what is known of the volume. A unit that
// may use one has a mark there from when it is loaded until it is unloaded, so that nobody deletes it meanwhile.
import { randomUUID } from 'node:crypto'
import {
  chmodSync,
  chownSync,
  mkdirSync,
  readFileSync,
  renameSync,
  rmSync,
  type Stats,
  statSync,
  writeFileSync,
} from 'node:fs'
import { rm } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import type { KeptVolume, LeftVolume, OwnerOfVolumes, VolumeInUse, VolumeUser } from '../../agent/driver.js'
import { reviveData } from '../../agent/io/volume-revival.js'
import { namesIn } from '../../lib/io/names-in.js'
import type { Clock } from '../../lib/time.js'
import { DriverError } from '../../model/driver-error.js'
import type { DriverKind } from '../../model/driver-kind.js'
import type { UnitName } from '../../model/unit.js'
import { nameWithSlot, parseVolumeKey, type VolumeName, volumeKey } from '../../model/volume.js'
import { factsOf, readPlaceholder, type VolumeFacts } from '../volume-marks.js'
import { listVolumeDirectories } from './volume-listing.js'
import { deleteVolumesOfService } from './volumes-of-service.js'

export interface VolumeDirectoriesOptions {
  /** Where they are, as the programs see it. */
  readonly dir: string
  /** Put before it where another machine sees it as `/`. */
  readonly root?: string
  readonly driver: DriverKind
  readonly clock: Clock
}

/** Who a program runs as. */
export interface VolumeOwner {
  readonly uid: number
  readonly gid: number
  readonly groups: readonly number[]
}

/** The directories of named volumes on a machine. */
export interface VolumeDirectories {
  /** Where programs find a volume. */
  pathOf(volume: VolumeName): string
  /**
   * Makes a volume for a unit where there is none yet, and marks it as used by it. `owner` null: whoever the daemon is.
   * Throws DriverError `volume/gone`, `volume/other-owner`, `volume/failed`.
   */
  use(volume: VolumeName, unit: UnitName, owner: VolumeOwner | null): void
  /** Loads a unit that uses volumes: nobody deletes them meanwhile. What fails to be loaded, and is not held, lets go. */
  loading<T>(unit: UnitName, held: HeldUnits, load: () => Promise<T>): Promise<T>
  /** Takes the marks of a unit back. */
  release(unit: UnitName): void
  /** What is there, with the units that have it. A mark of a unit that this driver has no more is none. */
  list(held: HeldUnits): Promise<readonly VolumeInUse[]>
  /** Where the data of a volume are, as the daemon sees it. Throws DriverError `volume/gone`. */
  dataOf(volume: VolumeName): string
  /** Makes an empty volume where there is none. Throws DriverError `volume/failed`. */
  make(volume: VolumeName): void
  /** Deletes a volume that no unit may use, as long as it is this one. Throws DriverError `volume/in-use`, `volume/failed`. */
  delete(volume: KeptVolume, held: HeldUnits): Promise<void>
  /** Deletes those of a service, unless another has its name by now. Resolves to those that stay. */
  deleteOf(service: OwnerOfVolumes, held: HeldUnits): Promise<readonly LeftVolume[]>
}

/** The units that the driver has: a mark may have outlived its unit, as a reboot takes some away. */
export type HeldUnits = () => Promise<ReadonlySet<UnitName>>

/** A directory that everybody may pass through: what is in it has owners of its own. */
const passable = 0o711
const ownersAlone = 0o700
/** Beside the data of a volume of which some are deleted, and some could not be. */
const deletedInPart = 'deleted-in-part'

/** Opens the directories; what an earlier daemon was about to make or delete is deleted. */
export function openVolumeDirectories(options: VolumeDirectoriesOptions): VolumeDirectories {
  const { dir, root = '', driver, clock } = options
  const below = (...steps: readonly string[]): string => join(`${root}${dir}`, ...steps)
  const at = (volume: VolumeName, ...more: readonly string[]): string =>
    below(volume.project, volume.service, nameWithSlot(volume), ...more)
  const inWork = `.in-work-${driver}`
  clearAway(below(), inWork)

  const make = (volume: VolumeName, owner: VolumeOwner | null): void => {
    makeDirectories(`${root}${dir}`, [volume.project, volume.service])
    makeDirectories(`${root}${dir}`, [inWork])
    const draft = below(inWork, randomUUID())
    mkdirSync(join(draft, 'data'), { recursive: true })
    if (owner !== null) chownSync(join(draft, 'data'), owner.uid, owner.gid)
    chmodSync(join(draft, 'data'), ownersAlone)
    const facts: VolumeFacts = { uuid: volume.uuid ?? randomUUID(), createdAt: clock.now() }
    writeFileSync(join(draft, 'volume.json'), `${JSON.stringify(facts)}\n`, { mode: 0o600 })
    chmodSync(draft, passable)
    renameSync(draft, at(volume))
  }
  const usersOf = (volume: VolumeName): readonly User[] =>
    namesIn(at(volume, 'users')).map((mark) => ({ mark, ...readPlaceholder(mark) }))
  const kept = (): readonly KeptVolume[] =>
    namesIn(below()).flatMap((project) =>
      namesIn(below(project)).flatMap((service) =>
        namesIn(below(project, service)).flatMap((name): KeptVolume[] => {
          const volume = parseVolumeKey(`${project}.${service}.${name}`)
          const facts = volume === null ? null : readFacts(at(volume, 'volume.json'))
          return volume === null || facts === null ? [] : [{ ...volume, ...facts }]
        }),
      ),
    )
  /** Units that are just loaded. */
  const loads = new Set<UnitName>()
  /** The volumes that units of this driver may use. */
  const used = new Map<UnitName, Map<string, VolumeName>>()
  const note = (volume: VolumeName, unit: UnitName): void => {
    used.set(unit, (used.get(unit) ?? new Map()).set(volumeKey(volume), volume))
  }
  for (const volume of kept())
    for (const user of usersOf(volume)) if (user.driver === driver) note(volume, user.unit)

  const remove = async (
    volume: VolumeName,
    heldUnits: HeldUnits,
    uuid: string | null = null,
  ): Promise<void> => {
    const before = usersOf(volume).map(({ mark }) => mark)
    const held = before.length === 0 ? new Set<UnitName>() : await heldUnits()
    // Nothing is waited for from here until it is out of the way.
    for (const { mark, driver: kind, unit } of usersOf(volume)) {
      const isStale = kind === driver && before.includes(mark) && !loads.has(unit) && !held.has(unit)
      if (!isStale) throw inUse(volume, unit)
    }
    if (statOf(at(volume)) === null) return
    if (uuid !== null && readFacts(at(volume, 'volume.json'))?.uuid !== uuid) return
    makeDirectories(`${root}${dir}`, [inWork])
    const doomed = below(inWork, randomUUID())
    renameSync(at(volume), doomed)
    try {
      // What is known of the volume stays beside its data for as long as there are any.
      await rm(join(doomed, 'data'), { recursive: true, force: true })
      await rm(doomed, { recursive: true, force: true })
    } catch (error) {
      bringBack(doomed, volume)
      throw asVolumeError(volume, error)
    }
  }
  /** What could not be deleted is listed again, and can be deleted again; nobody gets it as if it were whole. */
  const bringBack = (doomed: string, volume: VolumeName): void => {
    if (statOf(join(doomed, 'volume.json')) === null) return
    writeFileSync(join(doomed, deletedInPart), '')
    makeDirectories(`${root}${dir}`, [volume.project, volume.service])
    if (statOf(at(volume)) === null) renameSync(doomed, at(volume))
  }
  const release = (unit: UnitName): void => {
    for (const volume of used.get(unit)?.values() ?? [])
      rmSync(at(volume, 'users', `${driver}~${unit}`), { force: true })
    used.delete(unit)
  }
  return {
    pathOf: (volume) => join(dir, volume.project, volume.service, nameWithSlot(volume), 'data'),
    use: (volume, unit, owner) => {
      try {
        if (statOf(at(volume)) === null) make(volume, owner)
        if (statOf(at(volume, deletedInPart)) !== null) throw goneInPart(volume)
        reviveData(at(volume, 'data'))
        const data = statOf(at(volume, 'data'))
        if (data === null) throw gone(volume, at(volume, 'data'))
        refuseOther(volume, at(volume, 'data'), data, owner)
        mkdirSync(at(volume, 'users'), { recursive: true, mode: ownersAlone })
        writeFileSync(at(volume, 'users', `${driver}~${unit}`), '')
        note(volume, unit)
      } catch (error) {
        throw asVolumeError(volume, error)
      }
    },
    dataOf: (volume) => {
      if (!reviveData(at(volume, 'data'))) throw gone(volume, at(volume, 'data'))
      return at(volume, 'data')
    },
    make: (volume) => {
      try {
        if (statOf(at(volume)) === null) make(volume, null)
      } catch (error) {
        throw asVolumeError(volume, error)
      }
    },
    loading: async (unit, heldUnits, load) => {
      loads.add(unit)
      try {
        return await load()
      } catch (error) {
        const held = await heldUnits().catch(() => null)
        if (held?.has(unit) === false) release(unit)
        throw error
      } finally {
        loads.delete(unit)
      }
    },
    release,
    list: async (heldUnits) => {
      const all = await listVolumeDirectories(below())
      const isMarked = all.some(({ users }) => users.some((user) => user.driver === driver))
      const held = isMarked ? await heldUnits() : new Set<string>()
      const has = (user: VolumeUser): boolean =>
        user.driver !== driver || held.has(user.name as UnitName) || loads.has(user.name as UnitName)
      return all.map((volume) => ({ ...volume, users: volume.users.filter(has) }))
    },
    delete: (volume, held) => remove(volume, held, volume.uuid),
    deleteOf: (service, held) => deleteVolumesOfService(kept(), service, (volume) => remove(volume, held)),
  }
}

interface User {
  readonly mark: string
  readonly driver: string
  readonly unit: UnitName
}

/** What an earlier daemon was about to make or delete goes, beside all else. */
function clearAway(dir: string, inWork: string): void {
  for (const name of namesIn(dir)) {
    if (name !== inWork && !name.startsWith(goneMark)) continue
    const doomed = join(dir, `${goneMark}${randomUUID()}`)
    renameSync(join(dir, name), doomed)
    // What cannot be deleted now is tried again by the next daemon.
    rm(doomed, { recursive: true, force: true }).catch(() => {})
  }
}

const goneMark = '.gone-'

/** Makes directories below one that may be there, whatever umask the daemon has. */
function makeDirectories(dir: string, steps: readonly string[]): void {
  const all = [dir, ...steps.map((_, index) => join(dir, ...steps.slice(0, index + 1)))]
  for (const one of all) {
    if (statOf(one) !== null) continue
    mkdirSync(one, { recursive: true })
    chmodSync(one, passable)
  }
}

function readFacts(file: string): VolumeFacts | null {
  try {
    return factsOf(readFileSync(file, 'utf8'))
  } catch {
    // None of ours, or one that is just going.
    return null
  }
}

function statOf(path: string): Stats | null {
  return statSync(path, { throwIfNoEntry: false }) ?? null
}

/** Another program's data is not taken over: whoever is to have it is said by its owner. Root may read all. */
function refuseOther(volume: VolumeName, path: string, { uid }: Stats, owner: VolumeOwner | null): void {
  if (owner === null || owner.uid === 0 || owner.uid === uid) return
  throw new DriverError(
    'volume/other-owner',
    `the volume ${volumeKey(volume)} belongs to user ${uid}, and the unit runs as user ${owner.uid}: chown -R ${owner.uid}:${owner.gid} ${path}, or run it as user ${uid}`,
  )
}

/**
 * Refuses a volume that a program cannot reach, as some directory above it lets others not pass. Throws DriverError
 * `volume/unreachable`.
 */
export function refuseUnreachable(path: string, owner: VolumeOwner): void {
  if (owner.uid === 0) return
  for (let above = dirname(path); ; above = dirname(above)) {
    const seen = statOf(above)
    if (seen !== null && !mayPass(seen, owner))
      throw new DriverError(
        'volume/unreachable',
        `user ${owner.uid} cannot reach the volume at ${path}, as ${above} is closed to others: chmod o+x ${above}`,
      )
    if (above === dirname(above)) return
  }
}

function mayPass({ mode, uid, gid }: Stats, owner: VolumeOwner): boolean {
  if (uid === owner.uid) return (mode & 0o100) !== 0
  if (gid === owner.gid || owner.groups.includes(gid)) return (mode & 0o010) !== 0
  return (mode & 0o001) !== 0
}

function gone(volume: VolumeName, path: string): DriverError {
  return new DriverError(
    'volume/gone',
    `the data of the volume ${volumeKey(volume)} are gone: there is no ${path}; put them back, or delete the directory above it to begin anew`,
  )
}

function goneInPart(volume: VolumeName): DriverError {
  return new DriverError(
    'volume/gone',
    `the volume ${volumeKey(volume)} was to be deleted, and some of it could not be: see what holds it (a mount, an immutable file), and delete it again: mariposa volume rm`,
  )
}

function inUse(volume: VolumeName, unit: string): DriverError {
  return new DriverError('volume/in-use', `the volume ${volumeKey(volume)} is in use by ${unit}`)
}

function asVolumeError(volume: VolumeName, error: unknown): DriverError {
  if (error instanceof DriverError) return error
  const why = error instanceof Error ? error.message : String(error)
  return new DriverError('volume/failed', `the volume ${volumeKey(volume)}: ${why}`, { cause: error })
}
