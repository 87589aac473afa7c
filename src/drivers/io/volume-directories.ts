// Named volumes as directories: <dir>/<project>/<service>/<name>/data, beside what is known of the volume. A unit that
// may use one has a mark there from when it is loaded until it is unloaded, so that nobody deletes it meanwhile.
import { randomUUID } from 'node:crypto'
import {
  chmodSync,
  chownSync,
  mkdirSync,
  readFileSync,
  renameSync,
  rmdirSync,
  rmSync,
  type Stats,
  statSync,
  writeFileSync,
} from 'node:fs'
import { dirname, join } from 'node:path'
import type { KeptVolume, LeftVolume, OwnerOfVolumes, VolumeInUse, VolumeUser } from '../../agent/driver.js'
import { reviveData } from '../../agent/io/volume-revival.js'
import { namesIn } from '../../lib/io/names-in.js'
import { removeTree } from '../../lib/io/remove-tree.js'
import type { Clock } from '../../lib/time.js'
import { DriverError } from '../../model/driver-error.js'
import type { DriverKind } from '../../model/driver-kind.js'
import type { UnitName } from '../../model/unit.js'
import { nameWithSlot, parseVolumeKey, type VolumeName, volumeKey } from '../../model/volume.js'
import { factsOf, readPlaceholder, type VolumeFacts } from '../volume-marks.js'
import { listVolumeDirectories, usersOfVolume } from './volume-listing.js'
import { deleteVolumesOfService } from './volumes-of-service.js'

interface VolumeDirectoriesOptions {
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
  /** The units that have one of them: to look at all costs as much as there are. */
  usersOf(volume: VolumeName, held: HeldUnits): Promise<readonly VolumeUser[]>
  /** Where the data of a volume are, as the daemon sees it. Throws DriverError `volume/gone`. */
  dataOf(volume: VolumeName): string
  /** Makes an empty volume where there is none. `owner` null: whoever the daemon is. Throws DriverError `volume/failed`. */
  make(volume: VolumeName, owner: VolumeOwner | null): void
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
  return new Directories(options)
}

class Directories implements VolumeDirectories {
  readonly #dir: string
  /** The same as this daemon sees it. */
  readonly #seenDir: string
  readonly #driver: DriverKind
  readonly #clock: Clock
  readonly #inWork: string
  /** Units that are just loaded. */
  readonly #loads = new Set<UnitName>()
  /** The volumes that units of this driver may use. */
  readonly #used = new Map<UnitName, Map<string, VolumeName>>()

  constructor({ dir, root = '', driver, clock }: VolumeDirectoriesOptions) {
    this.#dir = dir
    this.#seenDir = `${root}${dir}`
    this.#driver = driver
    this.#clock = clock
    this.#inWork = `.in-work-${driver}`
    clearAway(this.#below(), this.#inWork)
    for (const volume of this.#kept())
      for (const user of this.#usersOf(volume)) if (user.driver === driver) this.#note(volume, user.unit)
  }

  pathOf(volume: VolumeName): string {
    return join(this.#dir, volume.project, volume.service, nameWithSlot(volume), 'data')
  }

  use(volume: VolumeName, unit: UnitName, owner: VolumeOwner | null): void {
    orVolumeError(volume, () => {
      if (statOf(this.#at(volume)) === null) this.#make(volume, owner)
      if (statOf(this.#at(volume, deletedInPart)) !== null) throw goneInPart(volume)
      reviveData(this.#at(volume, 'data'))
      const data = statOf(this.#at(volume, 'data'))
      if (data === null) throw gone(volume, this.#at(volume, 'data'))
      refuseOther(volume, this.#at(volume, 'data'), data, owner)
      // What a loss of power has left empty: nobody would know the volume otherwise, nor that it is in use.
      if (readFacts(this.#at(volume, 'volume.json')) === null) this.#writeFacts(this.#at(volume), volume)
      mkdirSync(this.#at(volume, 'users'), { recursive: true, mode: ownersAlone })
      writeFileSync(this.#at(volume, 'users', `${this.#driver}~${unit}`), '')
      this.#note(volume, unit)
    })
  }

  dataOf(volume: VolumeName): string {
    if (statOf(this.#at(volume, deletedInPart)) !== null) throw goneInPart(volume)
    if (!reviveData(this.#at(volume, 'data'))) throw gone(volume, this.#at(volume, 'data'))
    return this.#at(volume, 'data')
  }

  make(volume: VolumeName, owner: VolumeOwner | null): void {
    orVolumeError(volume, () => {
      if (statOf(this.#at(volume)) === null) this.#make(volume, owner)
    })
  }

  async loading<T>(unit: UnitName, heldUnits: HeldUnits, load: () => Promise<T>): Promise<T> {
    this.#loads.add(unit)
    try {
      return await load()
    } catch (error) {
      const held = await heldUnits().catch(() => null)
      if (held?.has(unit) === false) this.release(unit)
      throw error
    } finally {
      this.#loads.delete(unit)
    }
  }

  release(unit: UnitName): void {
    for (const volume of this.#used.get(unit)?.values() ?? [])
      rmSync(this.#at(volume, 'users', `${this.#driver}~${unit}`), { force: true })
    this.#used.delete(unit)
  }

  async list(heldUnits: HeldUnits): Promise<readonly VolumeInUse[]> {
    const all = await listVolumeDirectories(this.#below())
    const has = await this.#having(
      all.flatMap(({ users }) => users),
      heldUnits,
    )
    return all.map((volume) => ({ ...volume, users: volume.users.filter(has) }))
  }

  async usersOf(volume: VolumeName, heldUnits: HeldUnits): Promise<readonly VolumeUser[]> {
    const users = await usersOfVolume(this.#at(volume))
    return users.filter(await this.#having(users, heldUnits))
  }

  /** Which of those that have left marks are there. */
  async #having(users: readonly VolumeUser[], heldUnits: HeldUnits): Promise<(user: VolumeUser) => boolean> {
    const isMarked = users.some(({ driver }) => driver === this.#driver)
    const held = isMarked ? await heldUnits() : new Set<string>()
    return ({ driver, name }) =>
      driver !== this.#driver || held.has(name as UnitName) || this.#loads.has(name as UnitName)
  }

  async delete(volume: KeptVolume, held: HeldUnits): Promise<void> {
    await this.#delete(volume, held, volume.uuid)
  }

  async deleteOf(service: OwnerOfVolumes, held: HeldUnits): Promise<readonly LeftVolume[]> {
    return await deleteVolumesOfService(this.#kept(), service, (volume) => this.#delete(volume, held, null))
  }

  #below(...steps: readonly string[]): string {
    return join(this.#seenDir, ...steps)
  }

  #at(volume: VolumeName, ...more: readonly string[]): string {
    return this.#below(volume.project, volume.service, nameWithSlot(volume), ...more)
  }

  #make(volume: VolumeName, owner: VolumeOwner | null): void {
    makeDirectories(this.#seenDir, [volume.project, volume.service])
    makeDirectories(this.#seenDir, [this.#inWork])
    const draft = this.#below(this.#inWork, randomUUID())
    mkdirSync(join(draft, 'data'), { recursive: true })
    if (owner !== null) chownSync(join(draft, 'data'), owner.uid, owner.gid)
    chmodSync(join(draft, 'data'), ownersAlone)
    this.#writeFacts(draft, volume)
    chmodSync(draft, passable)
    renameSync(draft, this.#at(volume))
  }

  #writeFacts(dir: string, volume: VolumeName): void {
    const facts: VolumeFacts = { uuid: volume.uuid ?? randomUUID(), createdAt: this.#clock.now() }
    writeFileSync(join(dir, 'volume.json.new'), `${JSON.stringify(facts)}\n`, { mode: 0o600 })
    renameSync(join(dir, 'volume.json.new'), join(dir, 'volume.json'))
  }

  #usersOf(volume: VolumeName): readonly User[] {
    return namesIn(this.#at(volume, 'users')).map((mark) => ({ mark, ...readPlaceholder(mark) }))
  }

  #kept(): readonly KeptVolume[] {
    const keys = namesIn(this.#below()).flatMap((project) =>
      namesIn(this.#below(project)).flatMap((service) =>
        namesIn(this.#below(project, service)).map((name) => `${project}.${service}.${name}`),
      ),
    )
    return keys.flatMap((key): KeptVolume[] => {
      const volume = parseVolumeKey(key)
      const facts = volume === null ? null : readFacts(this.#at(volume, 'volume.json'))
      return volume === null || facts === null ? [] : [{ ...volume, ...facts }]
    })
  }

  #note(volume: VolumeName, unit: UnitName): void {
    this.#used.set(unit, (this.#used.get(unit) ?? new Map()).set(volumeKey(volume), volume))
  }

  /** `uuid`: as long as the volume is this one. */
  async #delete(volume: VolumeName, heldUnits: HeldUnits, uuid: string | null): Promise<void> {
    const before = this.#usersOf(volume).map(({ mark }) => mark)
    const held = before.length === 0 ? new Set<UnitName>() : await heldUnits()
    // Nothing is waited for from here until it is out of the way.
    for (const { mark, driver, unit } of this.#usersOf(volume)) {
      const isLoaded = this.#loads.has(unit) || held.has(unit)
      const isStale = driver === this.#driver && before.includes(mark) && !isLoaded
      if (!isStale) throw inUse(volume, unit)
    }
    if (statOf(this.#at(volume)) === null) return
    if (uuid !== null && readFacts(this.#at(volume, 'volume.json'))?.uuid !== uuid) return
    makeDirectories(this.#seenDir, [this.#inWork])
    const doomed = this.#below(this.#inWork, randomUUID())
    renameSync(this.#at(volume), doomed)
    try {
      // What is known of the volume stays beside its data for as long as there are any.
      await removeTree(join(doomed, 'data'))
      await removeTree(doomed)
    } catch (error) {
      this.#bringBack(doomed, volume)
      throw asVolumeError(volume, error)
    }
    for (const above of [[volume.project, volume.service], [volume.project]])
      removeEmpty(this.#below(...above))
  }

  /** What could not be deleted is listed again, and can be deleted again; nobody gets it as if it were whole. */
  #bringBack(doomed: string, volume: VolumeName): void {
    if (statOf(join(doomed, 'volume.json')) === null) return
    writeFileSync(join(doomed, deletedInPart), '')
    makeDirectories(this.#seenDir, [volume.project, volume.service])
    if (statOf(this.#at(volume)) === null) renameSync(doomed, this.#at(volume))
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
    removeTree(doomed).catch(() => {})
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

function removeEmpty(dir: string): void {
  try {
    rmdirSync(dir)
  } catch {
    // Others are in it.
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
    `the data of the volume ${volumeKey(volume)} are gone: there is no ${path}; put them back, or delete the directory above it to start with an empty volume`,
  )
}

function goneInPart(volume: VolumeName): DriverError {
  return new DriverError(
    'volume/gone',
    `the volume ${volumeKey(volume)} was only deleted in part: find out why (a mount, an immutable file), and delete it again: mariposa volume rm`,
  )
}

function inUse(volume: VolumeName, unit: string): DriverError {
  return new DriverError('volume/in-use', `the volume ${volumeKey(volume)} is in use by ${unit}`)
}

function orVolumeError(volume: VolumeName, act: () => void): void {
  try {
    act()
  } catch (error) {
    throw asVolumeError(volume, error)
  }
}

function asVolumeError(volume: VolumeName, error: unknown): DriverError {
  if (error instanceof DriverError) return error
  const why = error instanceof Error ? error.message : String(error)
  return new DriverError('volume/failed', `the volume ${volumeKey(volume)}: ${why}`, { cause: error })
}
