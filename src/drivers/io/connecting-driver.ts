// Stands in for a driver whose host side does not answer yet, and tries to connect until it does.

import {
  type CheckedLogin,
  type Driver,
  type ExecRequest,
  isUnreachable,
  type KeptVolume,
  type KillSignal,
  type LeftVolume,
  type LogLine,
  type LogQuery,
  type OwnerOfVolumes,
  type PlainLogin,
  type PullListener,
  type TidyReport,
  tidied,
  type UnitStats,
  type UnitToRun,
  type UnloadOptions,
  type VolumeInUse,
} from '../../agent/driver.js'
import { pause, systemClock } from '../../lib/io/clock.js'
import { describeError, type Log } from '../../lib/io/log.js'
import { inNamespace } from '../../model/arriving-file.js'
import { DriverError } from '../../model/driver-error.js'
import { askDriverAgainMs, type DriverKind } from '../../model/driver-kind.js'
import type { ResolvedImage, TidiedImage } from '../../model/image.js'
import type { ObservedUnit, UnitName } from '../../model/unit.js'
import type { VolumeName } from '../../model/volume.js'

interface ConnectingDriverOptions {
  readonly kind: DriverKind
  /** Opens the driver itself; throws while that cannot be had. */
  readonly open: () => Promise<Driver>
  /** Whether the machine is known to have it; otherwise it does not count before it answers. */
  readonly expected: boolean
  readonly log: Log
}

/** How long the end waits for a look that is under way. */
const closesWithinMs = 1000

type Watcher = Parameters<Driver['watch']>

/** A driver whose host side may not answer yet. */
export class ConnectingDriver implements Driver {
  readonly kind: DriverKind
  readonly #options: ConnectingDriverOptions
  readonly #watchers: Watcher[] = []
  #driver: Driver | null = null
  #timer: NodeJS.Timeout | null = null
  #looking: Promise<void> | null = null
  #closed = false
  /** Why it is not there. */
  #why: string

  constructor(options: ConnectingDriverOptions) {
    this.kind = options.kind
    this.#why = `${options.kind} does not answer on this machine`
    this.#options = options
    this.#lookLater()
  }

  /** Whether it has never answered; as soon as it does, all who watch are told. */
  get absent(): boolean {
    return this.#driver === null
  }

  get unexpected(): boolean {
    return this.absent && !this.#options.expected
  }

  get keepsLogs(): boolean {
    return this.#driver?.keepsLogs === true
  }

  /** Nothing is loaded before it answers. */
  get volumePath(): NonNullable<Driver['volumePath']> {
    return (volume) => this.#here.volumePath?.(volume) ?? volume.path
  }

  get filesAt(): NonNullable<Driver['filesAt']> {
    return (name) => this.#here.filesAt?.(name) ?? inNamespace
  }

  get tell(): NonNullable<Driver['tell']> {
    return async (...args) => await this.#here.tell?.(...args)
  }

  get freeze(): NonNullable<Driver['freeze']> {
    return async (...args) => {
      const driver = this.#here
      if (driver.freeze === undefined)
        throw new DriverError('volume/cannot-pause', `the driver ${this.kind} cannot pause units`)
      await driver.freeze(...args)
    }
  }

  get thaw(): NonNullable<Driver['thaw']> {
    return async (...args) => await this.#here.thaw?.(...args)
  }

  get isFrozen(): NonNullable<Driver['isFrozen']> {
    return async (...args) => (await this.#here.isFrozen?.(...args)) ?? true
  }

  get replaceFiles(): NonNullable<Driver['replaceFiles']> {
    return (...args) => this.#here.replaceFiles?.(...args) ?? []
  }

  get filesTaken(): NonNullable<Driver['filesTaken']> {
    return (name) => this.#here.filesTaken?.(name)
  }

  async list(signal: AbortSignal): Promise<readonly ObservedUnit[]> {
    return await this.#here.list(signal)
  }

  async load(unit: UnitToRun, signal: AbortSignal, onPull?: PullListener): Promise<void> {
    await this.#here.load(unit, signal, onPull)
  }

  async start(name: UnitName, signal: AbortSignal): Promise<void> {
    await this.#here.start(name, signal)
  }

  async stop(name: UnitName, signal: AbortSignal): Promise<void> {
    await this.#here.stop(name, signal)
  }

  async kill(name: UnitName, how: KillSignal, signal: AbortSignal): Promise<boolean> {
    return await this.#here.kill(name, how, signal)
  }

  async unload(name: UnitName, signal: AbortSignal, options?: UnloadOptions): Promise<void> {
    await this.#here.unload(name, signal, options)
  }

  watch(...watcher: Watcher): void {
    if (this.#driver === null) this.#watchers.push(watcher)
    else this.#driver.watch(...watcher)
  }

  async observe(name: UnitName, signal: AbortSignal): Promise<ObservedUnit | null> {
    return await this.#here.observe(name, signal)
  }

  async *logs(name: UnitName, query: LogQuery, signal: AbortSignal): AsyncIterable<readonly LogLine[]> {
    yield* this.#here.logs(name, query, signal)
  }

  async exec(name: UnitName, request: ExecRequest, signal: AbortSignal): Promise<{ readonly code: number }> {
    return await this.#here.exec(name, request, signal)
  }

  async stats(name: UnitName, signal: AbortSignal): Promise<UnitStats> {
    return await this.#here.stats(name, signal)
  }

  async listVolumes(signal: AbortSignal): Promise<readonly VolumeInUse[]> {
    return (await this.#here.listVolumes?.(signal)) ?? []
  }

  async deleteVolume(volume: KeptVolume, signal: AbortSignal): Promise<void> {
    await this.#here.deleteVolume?.(volume, signal)
  }

  async volumeData(volume: VolumeName, signal: AbortSignal): Promise<string> {
    const driver = this.#here
    if (driver.volumeData !== undefined) return await driver.volumeData(volume, signal)
    throw new DriverError('volume/unreadable', `${this.kind} does not list where its volumes are`)
  }

  async makeVolume(...args: Parameters<NonNullable<Driver['makeVolume']>>): Promise<void> {
    await this.#here.makeVolume?.(...args)
  }

  async deleteVolumesOf(service: OwnerOfVolumes, signal: AbortSignal): Promise<readonly LeftVolume[]> {
    return (await this.#here.deleteVolumesOf?.(service, signal)) ?? []
  }

  async resolveImage(image: string, signal: AbortSignal): Promise<ResolvedImage> {
    const driver = this.#here
    return (
      (await driver.resolveImage?.(image, signal)) ?? {
        kind: 'unknown',
        reason: `${this.kind} does not use images`,
      }
    )
  }

  async fetchImage(...args: Parameters<NonNullable<Driver['fetchImage']>>): Promise<'present' | 'fetched'> {
    const driver = this.#here
    if (driver.fetchImage !== undefined) return await driver.fetchImage(...args)
    throw new DriverError('docker/image-missing', `${this.kind} does not use images`)
  }

  async checkLogin(login: PlainLogin, signal: AbortSignal): Promise<CheckedLogin> {
    const reason = `${this.kind} does not use images`
    return (await this.#here.checkLogin?.(login, signal)) ?? { kind: 'unknown', reason }
  }

  async tidyImages(needed: readonly string[], signal: AbortSignal): Promise<TidyReport> {
    return (await this.#here.tidyImages?.(needed, signal)) ?? tidied
  }

  async tellImages(needed: readonly string[], signal: AbortSignal): Promise<readonly TidiedImage[]> {
    return (await this.#here.tellImages?.(needed, signal)) ?? []
  }

  async close(): Promise<void> {
    this.#closed = true
    if (this.#timer !== null) clearTimeout(this.#timer)
    // One that hangs is looked for up to its own limits, and is closed when it answers after all.
    if (this.#looking !== null) await Promise.race([this.#looking, pause(systemClock, closesWithinMs)])
    await this.#driver?.close()
  }

  get #here(): Driver {
    if (this.#driver === null) throw new DriverError(`${this.kind}/unreachable`, this.#why)
    return this.#driver
  }

  #lookLater(): void {
    if (this.#closed) return
    this.#timer = setTimeout(() => {
      this.#looking = this.#look().finally(() => {
        this.#looking = null
      })
    }, askDriverAgainMs)
  }

  async #look(): Promise<void> {
    const { open, log, kind } = this.#options
    try {
      const driver = await open()
      if (this.#closed) return await driver.close()
      log.info('daemon', `driver ${kind} connected`)
      this.#driver = driver
      for (const watcher of this.#watchers.splice(0)) {
        driver.watch(...watcher)
        if (!watcher[1].aborted) watcher[0](null)
      }
    } catch (error) {
      const why = describeError(error)
      if (!isUnreachable(error) && why !== this.#why) log.warn('daemon', `driver ${kind} unavailable: ${why}`)
      this.#why = why
      this.#lookLater()
    }
  }
}
