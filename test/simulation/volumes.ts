// The named volumes of a machine: what programs write there stays, whatever becomes of them, of the daemon and of the power.
import type {
  KeptVolume,
  LeftVolume,
  OwnerOfVolumes,
  UnitToRun,
  VolumeInUse,
} from '../../src/agent/driver.js'
import type { VolumeFiles } from '../../src/agent/io/volume-files.js'
import { beforeMark, reviveData } from '../../src/agent/io/volume-revival.js'
import { deleteVolumesOfService } from '../../src/drivers/io/volumes-of-service.js'
import { sha1 } from '../../src/lib/hash.js'
import { DriverError } from '../../src/model/driver-error.js'
import type { UnitName } from '../../src/model/unit.js'
import { parseVolumeKey, type VolumeName, volumeKey } from '../../src/model/volume.js'
import type { Clockwork } from './clockwork.js'
import type { Program } from './host.js'
import { VolumeTree } from './volume-tree.js'

/** Where the data of a volume are on its machine. */
export function dirOf(key: string): string {
  return `/volumes/${key}/data`
}

/** What lies in a volume. */
export interface Kept {
  readonly key: string
  readonly uuid: string
  readonly createdAt: number
  /** The last that a program has written there; null: it is empty. */
  readonly written: Written | 'torn' | null
  /** Units that are loaded with it. */
  readonly users: Set<UnitName>
}

/** What one program has written: no two write the same. */
export interface Written {
  /** The machine that it ran on. */
  readonly by: string
  readonly n: number
  /** The uuid of its service. */
  readonly service: string
}

/** Is told what becomes of volumes here, at once. */
export interface VolumesWatch {
  /** A program begins, and is about to write to volumes that are as they were left. */
  readonly onWriting: (program: Program, volumes: readonly Kept[], written: Written) => void
  /**
   * `owner`: the service that takes it along; null: the volume itself is deleted. `isOnItsWay`: it is marked as a copy that
   * nobody has yet.
   */
  readonly onDeleted: (volume: Kept, owner: OwnerOfVolumes | null, isOnItsWay: boolean) => void
}

export class HostVolumes {
  readonly #machine: string
  readonly tree: VolumeTree
  readonly #watch: VolumesWatch
  readonly #kept = new Map<string, Kept>()
  #made = 0
  #writes = 0

  /** `machine`: no two machines call volumes the same. */
  constructor(machine: string, clockwork: Clockwork, watch: VolumesWatch) {
    this.#machine = machine
    this.tree = new VolumeTree(clockwork, machine)
    this.#watch = watch
  }

  /** A unit is loaded: its volumes are made where there are none. */
  load({ name, volumes = [] }: Pick<UnitToRun, 'name' | 'volumes'>, now: number): void {
    for (const volume of volumes) {
      this.#refuseGone(volume)
      this.make(volume, now).users.add(name)
    }
  }

  /** An empty volume, where there is none of that name. */
  make(volume: VolumeName, now: number): Kept {
    const key = volumeKey(volume)
    this.#made += 1
    const before = this.#kept.get(key)
    if (before !== undefined) return before
    const { tree } = this
    const made: Kept = {
      ...{ key, uuid: volume.uuid ?? this.#uuidOf(this.#made), createdAt: now, users: new Set() },
      get written() {
        return tree.writtenIn(dirOf(key))
      },
    }
    this.#kept.set(key, made)
    tree.make(dirOf(key))
    return made
  }

  /** Where the data of a volume are. `files`: as the daemon sees them that asks. */
  dataOf(volume: VolumeName, files: VolumeFiles): string {
    const dir = dirOf(volumeKey(volume))
    if (!reviveData(dir, files)) throw new DriverError('volume/gone', `there is no ${dir}`)
    return dir
  }

  #refuseGone(volume: VolumeName): void {
    const key = volumeKey(volume)
    const isThere = this.tree.has(dirOf(key)) || this.tree.has(`${dirOf(key)}${beforeMark}`)
    if (this.#kept.has(key) && !isThere) throw new DriverError('volume/gone', `there is no ${dirOf(key)}`)
  }

  #uuidOf(n: number): string {
    return sha1(`volume ${n} of ${this.#machine}`).slice(0, 32)
  }

  unload(unit: UnitName): void {
    for (const { users } of this.#kept.values()) users.delete(unit)
  }

  /** A program of a unit begins. */
  begin({ volumes = [], serviceUuid = '' }: UnitToRun, program: Program): void {
    const own = volumes.flatMap((volume) => this.#kept.get(volumeKey(volume)) ?? [])
    if (own.length === 0) return
    this.#writes += 1
    const written: Written = { by: this.#machine, n: this.#writes, service: serviceUuid }
    this.#watch.onWriting(program, own, written)
    for (const { key } of own) this.tree.write(dirOf(key), written)
  }

  /** The machine has lost its power: nothing is loaded any more. */
  powerOff(): void {
    for (const { users } of this.#kept.values()) users.clear()
    this.tree.powerOff()
  }

  /** Volumes by uuid but copies on their way, which are none yet. */
  whole(): readonly string[] {
    const isCopy = ({ key, written }: Kept): boolean =>
      this.#isOnItsWay(key) || (written === null && (parseVolumeKey(key)?.generation ?? 0) > 0)
    return [...this.#kept.values()].filter((one) => !isCopy(one)).map(({ uuid }) => uuid)
  }

  #isOnItsWay(key: string): boolean {
    return this.tree.has(`${dirOf(key)}.arriving`)
  }

  list(): readonly VolumeInUse[] {
    return [...this.#kept.values()].flatMap(({ key, uuid, createdAt, users }): VolumeInUse[] => {
      const volume = parseVolumeKey(key)
      const has = [...users].map((name) => ({ driver: 'process' as const, name }))
      return volume === null ? [] : [{ ...volume, uuid, createdAt, users: has }]
    })
  }

  delete(volume: KeptVolume): void {
    if (this.#kept.get(volumeKey(volume))?.uuid === volume.uuid) this.#remove(volume, null)
  }

  deleteOf(owner: OwnerOfVolumes): Promise<readonly LeftVolume[]> {
    return deleteVolumesOfService(this.list(), owner, async (volume) => this.#remove(volume, owner))
  }

  #remove(volume: VolumeName, owner: OwnerOfVolumes | null): void {
    const key = volumeKey(volume)
    const kept = this.#kept.get(key)
    if (kept === undefined) return
    const [user] = kept.users
    if (user !== undefined) throw new DriverError('volume/in-use', `${key} is in use by ${user}`)
    const { written } = kept
    const isOnItsWay = this.#isOnItsWay(key)
    this.#kept.delete(key)
    this.tree.drop(dirOf(key))
    this.#watch.onDeleted({ ...kept, written }, owner, isOnItsWay)
  }
}
