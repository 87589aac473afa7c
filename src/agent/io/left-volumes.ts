// What the instances of a service left behind on this machine, once the service is deleted with its volumes: containers
// that were replaced have gone long before, and only labels tell whose their volumes are.
import { describeError, type Log } from '../../lib/io/log.js'
import type { DriverKind } from '../../model/driver-kind.js'
import type { MachineId } from '../../model/machine.js'
import type { EventLog } from '../../store/io/event-log.js'
import type { Registry } from '../../store/io/registry.js'
import { decode, prefixes } from '../../store/records.js'
import type { Change } from '../../store/store.js'
import { type ServiceKey, serviceKey } from '../../store/view.js'
import type { Driver, LeftVolume, OwnerOfVolumes } from '../driver.js'

export interface LeftVolumesOptions {
  readonly machine: MachineId
  readonly registry: Registry
  readonly events: EventLog
  readonly drivers: ReadonlyMap<DriverKind, Driver>
  readonly log: Log
}

export class LeftVolumes {
  readonly #options: LeftVolumesOptions
  /** Services that are deleted with their volumes, by uuid. */
  readonly #of = new Map<string, Omit<OwnerOfVolumes, 'isReplaced'>>()
  #sweeping: Promise<void> | null = null

  constructor(options: LeftVolumesOptions) {
    this.#options = options
  }

  /** Takes note of services that are to go with their volumes. */
  note(changes: readonly Change[]): void {
    for (const change of changes) {
      if (change.type !== 'put' || !change.key.startsWith(prefixes.service)) continue
      if (!change.entry.value.includes('"deleteVolumes"')) continue
      const { uuid, project, name, deleting, deleteVolumes } = decode('service', change.entry)
      if (deleting && deleteVolumes === true) this.#of.set(uuid, { uuid, project, name })
    }
  }

  /** Whether something is still to be deleted of services that are gone. */
  get isDue(): boolean {
    return this.#due().length > 0
  }

  /** Deletes what is due, beside all else. What cannot be deleted now stays due. */
  sweep(signal: AbortSignal): void {
    if (this.#sweeping !== null || !this.isDue) return
    this.#sweeping = this.#delete(signal).finally(() => {
      this.#sweeping = null
    })
  }

  /** Resolves when nothing is under way. */
  async stop(): Promise<void> {
    await this.#sweeping
  }

  #due(): readonly OwnerOfVolumes[] {
    const { services } = this.#options.registry.view
    return [...this.#of.values()].flatMap((service) => {
      const now = services.get(keyOf(service))?.uuid
      return now === service.uuid ? [] : [{ ...service, isReplaced: now !== undefined }]
    })
  }

  async #delete(signal: AbortSignal): Promise<void> {
    const { drivers, log } = this.#options
    for (const service of this.#due()) {
      try {
        for (const driver of drivers.values())
          if (driver.unexpected !== true)
            await this.#tellLeft(service, (await driver.deleteVolumesOf?.(service, signal)) ?? [])
        this.#of.delete(service.uuid)
      } catch (error) {
        if (signal.aborted) return
        log.warn('agent', `volumes of ${keyOf(service)} are left: ${describeError(error)}`)
        return
      }
    }
  }

  /** What bears the name of a service and is not its own is for people to decide on. */
  async #tellLeft(service: OwnerOfVolumes, left: readonly LeftVolume[]): Promise<void> {
    const { registry, events, machine, log } = this.#options
    const now = registry.view.services.get(keyOf(service))?.uuid
    const names = left.filter((one) => now === undefined || one.service !== now).map(({ name }) => name)
    if (names.length === 0) return
    const message = `${count(names.length)} left by another service with the name ${service.name}: ${names.join(', ')}`
    log.warn('agent', message, { project: service.project })
    const about = { project: service.project, service: service.name, instance: null, machine }
    await registry.commit([], events.append([{ kind: 'delete', ...about, message }]))
  }
}

function count(n: number): string {
  return n === 1 ? 'a volume stays that was' : `${n} volumes stay that were`
}

function keyOf({ project, name }: Omit<OwnerOfVolumes, 'isReplaced'>): ServiceKey {
  return serviceKey(project, name)
}
