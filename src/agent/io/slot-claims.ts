// Nobody starts with the volumes of a slot while another unit of this machine may still write to them: what is to stop, what
// the store knows nothing of any more, and what is just being started. A volume is on one machine, so its machine knows.
import { DriverError } from '../../model/driver-error.js'
import type { UnitName } from '../../model/unit.js'
import { type VolumeName, volumeKey } from '../../model/volume.js'
import type { Driver, VolumeUser } from '../driver.js'
import { runs } from '../plan-local.js'

export class SlotClaims {
  readonly #drivers: () => Iterable<Driver>
  /** By volume, the unit that is just being started with it. */
  readonly #claims = new Map<string, UnitName>()
  /** All volumes of the units that are just being started. */
  readonly #starts = new Map<UnitName, ReadonlySet<string>>()
  /** By volume, what is being done with its data. */
  readonly #held = new Map<string, string>()
  /** Of those, how often a volume is held beside the units that run with it. */
  readonly #beside = new Map<string, number>()

  constructor(drivers: () => Iterable<Driver>) {
    this.#drivers = drivers
  }

  /**
   * Claims volumes for a unit of a driver until it is released. Throws DriverError `volume/in-use`, and those of drivers that
   * keep volumes of the same sort: nobody knows then who has them.
   */
  async claim(
    unit: UnitName,
    own: Pick<Driver, 'kind'>,
    volumes: readonly VolumeName[],
    signal: AbortSignal,
  ): Promise<void> {
    if (volumes.length === 0) return
    for (const volume of volumes) {
      const key = volumeKey(volume)
      const other = this.#claims.get(key)
      if (other !== undefined && other !== unit) throw inUse(key, other)
      this.#claims.set(key, unit)
    }
    await this.#refuseUsers(unit, own.kind, volumes, signal)
  }

  async #refuseUsers(
    unit: UnitName | null,
    own: Driver['kind'],
    volumes: readonly VolumeName[],
    signal: AbortSignal,
  ): Promise<void> {
    for (const driver of this.#drivers()) {
      // Volumes of Docker are others than the directories that programs of the machine share, whoever runs those.
      const isOther = (driver.kind === 'docker') !== (own === 'docker')
      if (driver.unexpected === true || isOther) continue
      for (const { volume, users } of await usersOf(driver, volumes, signal))
        for (const user of users) await this.#refuseRunning(user, unit, volumeKey(volume), signal)
    }
  }

  /** Notes that a unit is being started with volumes, until it is released. Throws DriverError `volume/held`. */
  begin(unit: UnitName, volumes: readonly VolumeName[]): void {
    const keys = volumes.map(volumeKey)
    const key = keys.find((one) => this.#held.has(one))
    if (key !== undefined)
      throw new DriverError('volume/held', `the volume ${key} is held: ${this.#held.get(key) ?? ''}`)
    if (keys.length > 0) this.#starts.set(unit, new Set(keys))
  }

  /**
   * Keeps every unit from being started with a volume until it is let go of. Throws DriverError `volume/in-use` where one
   * runs with it, or is just being started, and `volume/held`. `why` is what those are told who want it.
   */
  async hold(volume: VolumeName, own: Driver['kind'], why: string, signal: AbortSignal): Promise<() => void> {
    const key = volumeKey(volume)
    const before = this.#held.get(key)
    if (before !== undefined) throw new DriverError('volume/held', `the volume ${key} is held: ${before}`)
    for (const [unit, keys] of this.#starts) if (keys.has(key)) throw inUse(key, unit)
    this.#held.set(key, why)
    const letGo = (): void => {
      this.#held.delete(key)
    }
    try {
      await this.#refuseUsers(null, own, [volume], signal)
      return letGo
    } catch (error) {
      letGo()
      throw error
    }
  }

  /**
   * Keeps every unit from being started with a volume until it is let go of, beside those that run with it; any number may do so at
   * once. Throws DriverError `volume/held`, and `volume/cannot-pause` where one is just being started.
   */
  keepFromStarting(volume: VolumeName, why: string): () => void {
    const key = volumeKey(volume)
    const before = this.#held.get(key)
    const count = this.#beside.get(key) ?? 0
    if (before !== undefined && count === 0)
      throw new DriverError('volume/held', `the volume ${key} is held: ${before}`)
    for (const [unit, keys] of this.#starts)
      if (keys.has(key))
        throw new DriverError('volume/cannot-pause', `${unit} is just being started with it: try again`)
    this.#held.set(key, why)
    this.#beside.set(key, count + 1)
    let isHeld = true
    return () => {
      if (!isHeld) return
      isHeld = false
      const left = (this.#beside.get(key) ?? 1) - 1
      if (left > 0) this.#beside.set(key, left)
      else {
        this.#beside.delete(key)
        this.#held.delete(key)
      }
    }
  }

  /** Whether something is being done with the data of a volume of a service. */
  holdsVolumeOf({ project, name }: { readonly project: string; readonly name: string }): boolean {
    return [...this.#held.keys()].some((key) => key.startsWith(`${project}.${name}.`))
  }

  release(unit: UnitName): void {
    this.#starts.delete(unit)
    for (const [key, holder] of this.#claims) if (holder === unit) this.#claims.delete(key)
  }

  async #refuseRunning(
    user: VolumeUser,
    unit: UnitName | null,
    key: string,
    signal: AbortSignal,
  ): Promise<void> {
    if (user.name === unit) return
    for (const driver of this.#drivers()) {
      if (driver.kind !== user.driver) continue
      const observed = await driver.observe(user.name as UnitName, signal)
      if (observed !== null && runs(observed)) throw inUse(key, user.name)
    }
  }
}

/** The units that have volumes, by a driver that can tell without a look at all of its volumes or not. */
async function usersOf(
  driver: Driver,
  volumes: readonly VolumeName[],
  signal: AbortSignal,
): Promise<readonly { readonly volume: VolumeName; readonly users: readonly VolumeUser[] }[]> {
  const all = driver.volumeUsers === undefined ? ((await driver.listVolumes?.(signal)) ?? []) : []
  return await Promise.all(
    volumes.map(async (volume) => {
      const key = volumeKey(volume)
      const listed = all.find((one) => volumeKey(one) === key)?.users ?? []
      return { volume, users: (await driver.volumeUsers?.(volume, signal)) ?? listed }
    }),
  )
}

function inUse(key: string, unit: string): DriverError {
  return new DriverError(
    'volume/in-use',
    `the volume ${key} is in use by ${unit}, which has not stopped: the instance starts once the volume is free`,
  )
}
