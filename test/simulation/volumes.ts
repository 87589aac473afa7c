// The named volumes of a machine: what programs write there stays, whatever becomes of them, of the daemon and of the power.
import type {
  KeptVolume,
  LeftVolume,
  OwnerOfVolumes,
  UnitToRun,
  VolumeInUse,
} from '../../src/agent/driver.js'
import { deleteVolumesOfService } from '../../src/drivers/io/volumes-of-service.js'
import { sha1 } from '../../src/lib/hash.js'
import { DriverError } from '../../src/model/driver-error.js'
import type { UnitName } from '../../src/model/unit.js'
import { parseVolumeKey, type VolumeName, volumeKey } from '../../src/model/volume.js'
import type { Program } from './host.js'

/** What lies in a volume. */
export interface Kept {
  readonly key: string
  readonly uuid: string
  readonly createdAt: number
  /** The last that a program has written there; null: it is empty. */
  written: Written | null
  /** Units that are loaded with it. */
  readonly users: Set<UnitName>
}

/** What one program has written: no two write the same. */
export interface Written {
  readonly n: number
  /** The uuid of its service. */
  readonly service: string
}

/** Is told what becomes of volumes here, at once. */
export interface VolumesWatch {
  /** A program begins, and is about to write to volumes that are as they were left. */
  readonly onWriting: (program: Program, volumes: readonly Kept[], written: Written) => void
  /** `owner`: the service that takes it along; null: somebody deletes the volume itself. */
  readonly onDeleted: (volume: Kept, owner: OwnerOfVolumes | null) => void
}

export class HostVolumes {
  readonly #machine: string
  readonly #watch: VolumesWatch
  readonly #kept = new Map<string, Kept>()
  #made = 0
  #writes = 0

  /** `machine`: no two machines call volumes the same. */
  constructor(machine: string, watch: VolumesWatch) {
    this.#machine = machine
    this.#watch = watch
  }

  /** A unit is loaded: its volumes are made where there are none. */
  load({ name, volumes = [] }: Pick<UnitToRun, 'name' | 'volumes'>, now: number): void {
    for (const volume of volumes) {
      const key = volumeKey(volume)
      this.#made += 1
      const made: Kept = {
        ...{
          key,
          uuid: volume.uuid ?? this.#uuidOf(this.#made),
          createdAt: now,
          written: null,
          users: new Set(),
        },
      }
      const kept = this.#kept.get(key) ?? made
      this.#kept.set(key, kept)
      kept.users.add(name)
    }
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
    const written: Written = { n: this.#writes, service: serviceUuid }
    this.#watch.onWriting(program, own, written)
    for (const volume of own) volume.written = written
  }

  /** The machine has lost its power: nothing is loaded any more. */
  powerOff(): void {
    for (const { users } of this.#kept.values()) users.clear()
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
    this.#kept.delete(key)
    this.#watch.onDeleted(kept, owner)
  }
}
