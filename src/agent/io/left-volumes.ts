// What the instances of a service left behind on this machine, once the service is deleted with its volumes: containers
// that were replaced have gone long before, and only labels tell whose their volumes are.
import { readFile } from 'node:fs/promises'
import { errorCode } from '../../lib/io/error-code.js'
import { describeError, type Log } from '../../lib/io/log.js'
import { replaceFile } from '../../lib/io/replace-file.js'
import { parseJsonOrNone } from '../../lib/json.js'
import type { DriverKind } from '../../model/driver-kind.js'
import type { MachineId } from '../../model/machine.js'
import type { Service } from '../../model/service.js'
import type { EventLog } from '../../store/io/event-log.js'
import type { Registry } from '../../store/io/registry.js'
import { keys, prefixes, read } from '../../store/records.js'
import type { Change } from '../../store/store.js'
import { type ServiceKey, serviceKey } from '../../store/view.js'
import { type Driver, isUnreachable, type LeftVolume, type OwnerOfVolumes } from '../driver.js'

interface LeftVolumesOptions {
  readonly machine: MachineId
  readonly registry: Registry
  readonly events: EventLog
  readonly drivers: ReadonlyMap<DriverKind, Driver>
  readonly log: Log
  /** Where it is noted whose volumes are still to be deleted; default: an end of the daemon forgets that. */
  readonly leftVolumesFile?: string
  /** Whether a backup or the like of a volume of a service goes on: nothing is deleted beneath it. */
  readonly isHeld: (service: OwnerOfVolumes) => boolean
}

/** A service whose volumes go with it. */
type Deleted = Omit<OwnerOfVolumes, 'isReplaced'>

export class LeftVolumes {
  readonly #options: LeftVolumesOptions
  /** Services that are deleted with their volumes, by uuid: each as it was last heard of. */
  readonly #of = new Map<string, Deleted>()
  #noted = '[]'
  #sweeping: Promise<void> | null = null

  constructor(options: LeftVolumesOptions) {
    this.#options = options
  }

  /** Goes on with what an agent before this one had not come to. */
  async open(): Promise<void> {
    const file = this.#options.leftVolumesFile
    if (file === undefined) return
    let text: string
    try {
      text = await readFile(file, 'utf8')
    } catch (error) {
      if (errorCode(error) !== 'ENOENT') this.#tellUnreadable(file)
      return
    }
    const noted = parseJsonOrNone(text)
    if (!isListOfDeleted(noted)) {
      this.#tellUnreadable(file)
      return
    }
    this.#noted = text
    for (const service of noted) this.#of.set(service.uuid, service)
  }

  #tellUnreadable(file: string): void {
    this.#options.log.warn('agent', `cannot read ${file}: volumes marked for deletion may remain`)
  }

  /** Begins with the services of the view, as of which changes are taken note of. */
  follow(): void {
    for (const service of this.#options.registry.view.services.values()) this.#noteService(service)
  }

  /** Takes note of services that are to go with their volumes, and of those of which that is true no more. */
  note(changes: readonly Change[]): void {
    for (const change of changes) {
      if (change.type !== 'put' || !change.key.startsWith(prefixes.service)) continue
      // Of most of them nothing is to be known.
      if (this.#of.size === 0 && !change.entry.value.includes('"deleteVolumes"')) continue
      // An unreadable record changes nothing: the last readable one still counts once the record is gone.
      const found = read('service', change.entry)
      if ('record' in found) this.#noteService(found.record)
    }
  }

  /** A deletion that was ended takes nothing along any more, whoever deletes the service after that. */
  #noteService({ uuid, project, name, deleting, deleteVolumes }: Service): void {
    if (deleting && deleteVolumes === true) this.#of.set(uuid, { uuid, project, name })
    else this.#of.delete(uuid)
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
    const { services, unreadable } = this.#options.registry.view
    return [...this.#of.values()].flatMap((service) => {
      // The service exists, and whether its volumes are to be deleted is not known.
      if (unreadable.has(keys.service(service.project, service.name))) return []
      const now = services.get(keyOf(service))?.uuid
      return now === service.uuid ? [] : [{ ...service, isReplaced: now !== undefined }]
    })
  }

  async #delete(signal: AbortSignal): Promise<void> {
    const { isHeld } = this.#options
    await this.#keep()
    /** Drivers that did not answer in this sweep. */
    const away = new Set<Driver>()
    for (const service of this.#due()) {
      if (isHeld(service)) continue
      const isDone = await this.#deleteOf(service, away, signal)
      if (signal.aborted) return
      if (!isDone) continue
      this.#of.delete(service.uuid)
      await this.#keep()
    }
  }

  /** False where a driver could not delete its volumes; that keeps no other driver, and no other service, from it. */
  async #deleteOf(service: OwnerOfVolumes, away: Set<Driver>, signal: AbortSignal): Promise<boolean> {
    const { drivers, log } = this.#options
    let isDone = true
    for (const driver of drivers.values()) {
      if (driver.unexpected === true) continue
      try {
        if (away.has(driver)) isDone = false
        else await this.#tellLeft(service, (await driver.deleteVolumesOf?.(service, signal)) ?? [])
      } catch (error) {
        isDone = false
        if (signal.aborted) break
        if (isUnreachable(error)) away.add(driver)
        log.warn('agent', `cannot delete the volumes of ${keyOf(service)}: ${describeError(error)}`)
      }
    }
    return isDone
  }

  /** What is to be deleted for sure is gone on with after an end of the daemon. */
  async #keep(): Promise<void> {
    const { leftVolumesFile: file, log } = this.#options
    const text = JSON.stringify(
      this.#due().map(({ uuid, project, name }): Deleted => ({ uuid, project, name })),
    )
    if (file === undefined || text === this.#noted) return
    try {
      await replaceFile(file, text)
      this.#noted = text
    } catch (error) {
      log.warn('agent', `cannot write ${file}: ${describeError(error)}`)
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
  return n === 1 ? 'a volume remains,' : `${n} volumes remain,`
}

function isListOfDeleted(value: unknown): value is readonly Deleted[] {
  const isText = (one: unknown): boolean => typeof one === 'string'
  return Array.isArray(value) && value.every((one) => [one?.uuid, one?.project, one?.name].every(isText))
}

function keyOf({ project, name }: Deleted): ServiceKey {
  return serviceKey(project, name)
}
