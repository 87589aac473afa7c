// What the instances of a service left behind on this machine, once the service is deleted with its volumes: containers
// that were replaced have gone long before, and only labels tell whose their volumes are.
import { describeError, type Log } from '../../lib/io/log.js'
import type { DriverKind } from '../../model/driver-kind.js'
import type { Registry } from '../../store/io/registry.js'
import { decode, prefixes } from '../../store/records.js'
import type { Change } from '../../store/store.js'
import { type ServiceKey, serviceKey } from '../../store/view.js'
import type { Driver } from '../driver.js'

export interface LeftVolumesOptions {
  readonly registry: Registry
  readonly drivers: ReadonlyMap<DriverKind, Driver>
  readonly log: Log
}

export class LeftVolumes {
  readonly #options: LeftVolumesOptions
  /** Services that are deleted with their volumes, by uuid. */
  readonly #of = new Map<string, ServiceKey>()
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
      if (deleting && deleteVolumes === true) this.#of.set(uuid, serviceKey(project, name))
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

  #due(): readonly string[] {
    const { services } = this.#options.registry.view
    return [...this.#of].flatMap(([uuid, key]) => (services.get(key)?.uuid === uuid ? [] : [uuid]))
  }

  async #delete(signal: AbortSignal): Promise<void> {
    const { drivers, log } = this.#options
    for (const uuid of this.#due()) {
      try {
        for (const driver of drivers.values())
          if (driver.unexpected !== true) await driver.deleteVolumesOf?.(uuid, signal)
        this.#of.delete(uuid)
      } catch (error) {
        if (signal.aborted) return
        log.warn('agent', `volumes of ${this.#of.get(uuid) ?? uuid} are left: ${describeError(error)}`)
        return
      }
    }
  }
}
