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
    const keys = new Set(volumes.map(volumeKey))
    for (const driver of this.#drivers()) {
      // Volumes of Docker are others than the directories that programs of the machine share, whoever runs those.
      const isOther = (driver.kind === 'docker') !== (own.kind === 'docker')
      if (driver.unexpected === true || isOther) continue
      for (const volume of (await driver.listVolumes?.(signal)) ?? [])
        if (keys.has(volumeKey(volume)))
          for (const user of volume.users) await this.#refuseRunning(user, unit, volumeKey(volume), signal)
    }
  }

  release(unit: UnitName): void {
    for (const [key, holder] of this.#claims) if (holder === unit) this.#claims.delete(key)
  }

  async #refuseRunning(user: VolumeUser, unit: UnitName, key: string, signal: AbortSignal): Promise<void> {
    if (user.name === unit) return
    for (const driver of this.#drivers()) {
      if (driver.kind !== user.driver) continue
      const observed = await driver.observe(user.name as UnitName, signal)
      if (observed !== null && runs(observed)) throw inUse(key, user.name)
    }
  }
}

function inUse(key: string, unit: string): DriverError {
  return new DriverError(
    'volume/in-use',
    `the volume ${key} is in use by ${unit}, which has not stopped: it is started once that has let go of it`,
  )
}
