// Makes, finds and removes the containers beside those of units. Their labels are all that is kept of them.
import type Docker from 'dockerode'
import type { Limit } from '../../../lib/io/limit.js'
import { DriverError } from '../../../model/driver-error.js'
import type { ImageConfig, Inspected } from '../api.js'
import { machineLabel, sideOfLabel } from '../labels.js'
import {
  type ListedSide,
  type MainContainer,
  nameOfSide,
  type SideProgram,
  sideRequest,
  withoutImage,
} from '../side-containers.js'
import { asDriverError, statusOf } from './connection.js'
import { imageConfig } from './image-config.js'

interface SideContainersOptions {
  readonly docker: Docker
  readonly machineId: string
  /** Makes, starts and removes containers, not too many at once. */
  readonly changes: Limit
}

/** Throws DriverError. Codes: `docker/name-taken`, and those of a container that cannot be made or started. */
export class SideContainers {
  readonly #options: SideContainersOptions

  constructor(options: SideContainersOptions) {
    this.#options = options
  }

  /** Those beside a container; null: beside any of this machine. */
  async list(mainId: string | null, signal: AbortSignal): Promise<readonly ListedSide[]> {
    const { docker, machineId } = this.#options
    const of = mainId === null ? sideOfLabel : `${sideOfLabel}=${mainId}`
    const filters = { label: [`${machineLabel}=${machineId}`, of] }
    try {
      return await docker.listContainers({ all: true, filters, abortSignal: signal })
    } catch (error) {
      throw asDriverError(error, 'Docker could not be asked for its containers')
    }
  }

  /** The container that one is beside; null where that is gone. */
  async mainOf({ Labels }: ListedSide, signal: AbortSignal): Promise<Inspected | null> {
    return await this.inspect(Labels?.[sideOfLabel] ?? '', signal)
  }

  /** Null for one that is gone. */
  async inspect(id: string, signal: AbortSignal): Promise<(Inspected & MainContainer) | null> {
    try {
      const found = await this.#options.docker.getContainer(id).inspect({ abortSignal: signal })
      return found as unknown as Inspected & MainContainer
    } catch (error) {
      if (statusOf(error) === 404) return null
      throw asDriverError(error, 'Docker could not be asked for a container')
    }
  }

  /** Makes one, and resolves to its id; `doing` says what did not work. */
  async create(mainId: string, program: SideProgram, doing: string, signal: AbortSignal): Promise<string> {
    const { docker, changes } = this.#options
    const main = await this.inspect(mainId, signal)
    if (main === null)
      throw new DriverError('docker/unknown-unit', `${doing}: the container of its unit is gone`)
    const image = program.image == null ? null : await this.#imageOf(main, doing, signal)
    const beside = image === null ? main : withoutImage(main, image)
    const request = { ...sideRequest(beside, program), abortSignal: signal }
    const create = () =>
      changes(() => docker.createContainer(request as unknown as Docker.ContainerCreateOptions), signal)
    try {
      return (await create()).id
    } catch (error) {
      if (statusOf(error) !== 409) throw asDriverError(error, doing)
    }
    await this.#removeOrphan(nameOfSide(main, program.place), signal)
    try {
      return (await create()).id
    } catch (error) {
      throw asDriverError(error, doing)
    }
  }

  async #imageOf({ Image }: MainContainer, doing: string, signal: AbortSignal): Promise<ImageConfig> {
    try {
      return await imageConfig(this.#options.docker, Image, signal)
    } catch (error) {
      throw asDriverError(error, doing)
    }
  }

  async start(id: string, doing: string, signal: AbortSignal): Promise<void> {
    const { docker, changes } = this.#options
    try {
      await changes(() => docker.getContainer(id).start({ abortSignal: signal }), signal)
    } catch (error) {
      if (statusOf(error) !== 304) throw asDriverError(error, doing)
    }
  }

  /**
   * Removes one, whether it runs or not. `volumes`: with those without a name that its own image has it have. Docker keeps what
   * another container has as well: that of its unit has to be there.
   */
  async remove(id: string, signal: AbortSignal, volumes = false): Promise<void> {
    const { docker, changes } = this.#options
    try {
      await changes(
        () => docker.getContainer(id).remove({ force: true, v: volumes, abortSignal: signal }),
        signal,
      )
    } catch (error) {
      const status = statusOf(error)
      // 409: somebody else is removing it already.
      if (status !== 404 && status !== 409) throw asDriverError(error, 'a container was not removed')
    }
  }

  /** Removes what is left beside a container that is gone, and has the name that is wanted. */
  async #removeOrphan(name: string, signal: AbortSignal): Promise<void> {
    const other = await this.inspect(name, signal)
    if (other === null) return
    const { [machineLabel]: machine, [sideOfLabel]: of } = other.Config.Labels ?? {}
    if (of === undefined || machine !== this.#options.machineId)
      throw new DriverError('docker/name-taken', `the name ${name} is taken, by no container of Mariposa`)
    await this.remove(other.Id, signal)
  }
}
