// Named volumes of services as volumes of Docker, called <project>.<service>.<name>. Their labels say whose they are: what
// has none of them is not taken for one.
import { randomUUID } from 'node:crypto'
import { constants } from 'node:fs'
import { access } from 'node:fs/promises'
import type Docker from 'dockerode'
import type { KeptVolume, LeftVolume, OwnerOfVolumes, VolumeInUse } from '../../../agent/driver.js'
import { reviveData } from '../../../agent/io/volume-revival.js'
import { abortable } from '../../../lib/io/abortable.js'
import type { Clock } from '../../../lib/time.js'
import { DriverError } from '../../../model/driver-error.js'
import { type VolumeName, volumeKey } from '../../../model/volume.js'
import { deleteVolumesOfService } from '../../io/volumes-of-service.js'
import { machineLabel } from '../labels.js'
import {
  keptVolume,
  type ListedContainer,
  namedVolumeLabels,
  refuseForeign,
  usersByVolume,
  volumeLabel,
} from '../volumes.js'
import { asDriverError, statusOf } from './connection.js'

interface NamedVolumesOptions {
  readonly docker: Docker
  /** What containers and volumes of ours are labelled with. */
  readonly machineId: string
  readonly clock: Clock
}

/** Throws DriverError. Codes: `docker/foreign-volume`, `volume/in-use`, and those of a Docker that does not do it. */
export class NamedVolumes {
  readonly #options: NamedVolumesOptions
  /** How many containers are just made with a volume: Docker does not count it as used yet. */
  readonly #wanted = new Map<string, number>()
  /** Volumes that are just deleted. Who wants one waits, as Docker would make it anew without its labels. */
  readonly #removals = new Map<string, Promise<void>>()

  constructor(options: NamedVolumesOptions) {
    this.#options = options
  }

  /** Has volumes there while a container is made that uses them. */
  async during<T>(volumes: readonly VolumeName[], signal: AbortSignal, work: () => Promise<T>): Promise<T> {
    const keys = volumes.map(volumeKey)
    for (const key of keys) this.#count(key, 1)
    try {
      for (const key of keys) await abortable(this.#removals.get(key) ?? Promise.resolve(), signal)
      for (const volume of volumes) await this.#make(volume, signal)
      return await work()
    } finally {
      for (const key of keys) this.#count(key, -1)
    }
  }

  async list(signal: AbortSignal): Promise<readonly KeptVolume[]> {
    const { machineId } = this.#options
    const found = await this.#listed(signal, `${machineLabel}=${machineId}`, volumeLabel)
    return found.flatMap(({ Labels }) => keptVolume(Labels) ?? [])
  }

  /** Those that bear their own name, with the containers that have them, whether those run or not. */
  async listInUse(signal: AbortSignal): Promise<readonly VolumeInUse[]> {
    const found = await this.#listed(signal, `${machineLabel}=${this.#options.machineId}`, volumeLabel)
    const kept = found.flatMap(({ Name, Labels }) => {
      const volume = keptVolume(Labels)
      return volume !== null && volumeKey(volume) === Name ? [volume] : []
    })
    const keys = kept.map(volumeKey)
    const users = usersByVolume(await this.#containersWith(keys, signal))
    return kept.map((volume) => ({ ...volume, users: users.get(volumeKey(volume)) ?? [] }))
  }

  /** Deletes this one, and no other that has its name by now. */
  async deleteOne(volume: KeptVolume, signal: AbortSignal): Promise<void> {
    const own = (await this.list(signal)).some(({ uuid }) => uuid === volume.uuid)
    if (own) await this.delete(volume, signal)
  }

  /** Where Docker keeps the data, if the daemon may look there: not of a Docker on another machine. */
  async dataOf(volume: VolumeName, signal: AbortSignal): Promise<string> {
    const Name = volumeKey(volume)
    try {
      const { Mountpoint } = await abortable(this.#options.docker.getVolume(Name).inspect(), signal)
      reviveData(Mountpoint)
      await access(Mountpoint, constants.R_OK | constants.W_OK | constants.X_OK)
      return Mountpoint
    } catch (error) {
      const why = error instanceof Error ? error.message : String(error)
      throw new DriverError(
        'volume/unreadable',
        `the daemon cannot read the volume ${Name} of Docker: ${why}; it has to run as root, on the machine of that Docker`,
        { cause: error },
      )
    }
  }

  async delete(volume: VolumeName, signal: AbortSignal): Promise<void> {
    const key = volumeKey(volume)
    if (this.#wanted.has(key)) throw inUse(key)
    const removal = this.#options.docker.getVolume(key).remove()
    const forget = (): void => {
      this.#removals.delete(key)
    }
    this.#removals.set(key, removal.then(forget, forget))
    try {
      await abortable(removal, signal)
    } catch (error) {
      if (statusOf(error) === 409) throw inUse(key)
      if (statusOf(error) !== 404) throw asDriverError(error, `the volume ${key} was not deleted`)
    }
  }

  /** Deletes those of a service, unless another has its name by now. Resolves to those that stay. */
  async deleteOf(service: OwnerOfVolumes, signal: AbortSignal): Promise<readonly LeftVolume[]> {
    const all = await this.list(signal)
    return await deleteVolumesOfService(all, service, (volume) => this.delete(volume, signal))
  }

  async #make(volume: VolumeName, signal: AbortSignal): Promise<void> {
    const { docker, machineId, clock } = this.#options
    const Name = volumeKey(volume)
    try {
      const facts = { uuid: volume.uuid ?? randomUUID(), createdAt: clock.now() }
      // Docker leaves a volume of this name as it is.
      await abortable(
        docker.createVolume({ Name, Driver: 'local', Labels: namedVolumeLabels(volume, machineId, facts) }),
        signal,
      )
      const { Labels } = await abortable(docker.getVolume(Name).inspect(), signal)
      refuseForeign(volume, machineId, Labels)
    } catch (error) {
      if (error instanceof DriverError) throw error
      throw asDriverError(error, `the volume ${Name} was not made`)
    }
  }

  async #listed(signal: AbortSignal, ...label: readonly string[]) {
    try {
      const { docker } = this.#options
      return (await abortable(docker.listVolumes({ filters: { label: [...label] } }), signal)).Volumes
    } catch (error) {
      throw asDriverError(error, 'Docker could not be asked for its volumes')
    }
  }

  async #containersWith(keys: readonly string[], signal: AbortSignal): Promise<readonly ListedContainer[]> {
    const found: ListedContainer[] = []
    try {
      for (let at = 0; at < keys.length; at += keysInOneQuestion) {
        const filters = { volume: keys.slice(at, at + keysInOneQuestion) }
        found.push(...(await abortable(this.#options.docker.listContainers({ all: true, filters }), signal)))
      }
    } catch (error) {
      throw asDriverError(error, 'Docker could not be asked which containers have its volumes')
    }
    return found
  }

  #count(key: string, by: number): void {
    const count = (this.#wanted.get(key) ?? 0) + by
    if (count > 0) this.#wanted.set(key, count)
    else this.#wanted.delete(key)
  }
}

/** They are part of an address, which may be no longer than Docker reads. */
const keysInOneQuestion = 100

function inUse(key: string): DriverError {
  return new DriverError('volume/in-use', `the volume ${key} is in use by a container`)
}
