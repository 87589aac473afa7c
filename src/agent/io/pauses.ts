// Units that are frozen while a backup of their volume is read, and that go on afterwards whatever happens. What is frozen is
// noted in a file before, so that a daemon that is killed leaves nothing frozen for longer than until the next one starts.
import { readFile } from 'node:fs/promises'
import { abortAfter } from '../../lib/io/clock.js'
import { errorCode } from '../../lib/io/error-code.js'
import { describeError, type Log } from '../../lib/io/log.js'
import { replaceFile } from '../../lib/io/replace-file.js'
import { parseJsonOrNone } from '../../lib/json.js'
import type { Time } from '../../lib/time.js'
import { DriverError } from '../../model/driver-error.js'
import { type DriverKind, driverKinds } from '../../model/driver-kind.js'
import { isPaused, pausedForBackup } from '../../model/instance-state.js'
import type { ObservedUnit, UnitName } from '../../model/unit.js'
import { type Driver, isUnreachable, type VolumeUser } from '../driver.js'

interface PausesOptions {
  readonly drivers: ReadonlyMap<DriverKind, Driver>
  readonly clock: Time
  readonly log: Log
  /** Where it is noted what is frozen; default: an end of the daemon in the middle leaves it frozen. */
  readonly file?: string | undefined
  /** Called with a unit that is frozen from now on, or goes on. */
  readonly onChange: (driver: Driver, name: UnitName) => void
}

/** What stands still for one backup. */
export interface Pause {
  /** Aborts with a DriverError `volume/pause-ended` once something of it does not stand still any more. */
  readonly signal: AbortSignal
  /** Throws DriverError `volume/pause-ended` unless all of it has stood still until now. */
  confirm(): Promise<void>
  /** Has all go on that nobody else needs to stand still; may be called again. */
  end(): Promise<void>
}

/** A unit that is frozen for at least one backup. */
interface Frozen {
  readonly name: UnitName
  readonly driver: Driver
  /** As it was seen before: another run of it is another program. */
  readonly run: string
  readonly pauses: Set<RunningPause>
  /** Resolves once it is frozen. */
  readonly done: Promise<void>
}

interface RunningPause {
  readonly abort: AbortController
}

/** How soon what could not be thawed, as its driver does not answer, is tried again. */
const thawAgainMs = 500
/** How long freezing and thawing may take. */
const carriedOutWithinMs = 10_000

export class Pauses {
  readonly #options: PausesOptions
  readonly #frozen = new Map<UnitName, Frozen>()
  /** What is to go on and could not be told so yet. */
  readonly #toThaw = new Map<UnitName, DriverKind>()
  /** Why it could not, as the log has it: the same is said once, however often it is tried. */
  readonly #said = new Map<UnitName, string>()
  readonly #ends = new AbortController()
  #written: Promise<void> = Promise.resolve()
  #thawing: Promise<void> = Promise.resolve()
  #timer: { cancel(): void } | null = null

  constructor(options: PausesOptions) {
    this.#options = options
  }

  /** Has go on what an earlier daemon has left frozen, and watches what is frozen from now on. */
  async open(): Promise<void> {
    const { drivers, log } = this.#options
    for (const driver of drivers.values())
      driver.watch((name) => this.#noteChanged(driver, name), this.#ends.signal)
    for (const { name, driver } of await this.#left()) {
      log.info('agent', `${name}: resumed; an earlier daemon had frozen it for a backup`)
      this.#toThaw.set(name, driver)
    }
    if (this.#toThaw.size > 0) await this.#thawLeft()
  }

  /** A unit as those see it who are to leave it alone while it is frozen. */
  shown(unit: ObservedUnit): ObservedUnit {
    const isOurs = this.#frozen.has(unit.name) || this.#toThaw.has(unit.name)
    return isOurs && unit.active === 'active' ? { ...unit, sub: pausedForBackup } : unit
  }

  has(name: UnitName): boolean {
    return this.#frozen.has(name) || this.#toThaw.has(name)
  }

  /**
   * Freezes units that run, for at most so long. Throws DriverError `volume/cannot-pause`; then nothing of them is frozen that was
   * not before.
   */
  async begin(users: readonly VolumeUser[], atMostMs: number, signal: AbortSignal): Promise<Pause> {
    const units = await Promise.all(users.map(async (user) => await this.#toFreeze(user, signal)))
    const pause: RunningPause = { abort: new AbortController() }
    const running = units.filter((unit) => unit !== null)
    const late = this.#options.clock.after(atMostMs, () => {
      this.#fail(
        pause,
        `it was not read within ${atMostMs / 1000} s, the most that its instances are paused for`,
      )
    })
    let ending: Promise<void> | null = null
    const end = async (): Promise<void> => {
      late.cancel()
      ending ??= this.#letGo(pause)
      await ending
    }
    pause.abort.signal.addEventListener('abort', () => void end().catch(() => {}), { once: true })
    const until = AbortSignal.any([signal, pause.abort.signal, this.#within()])
    try {
      await Promise.all(running.map(async (unit) => await this.#freeze(unit, pause, until)))
      signal.throwIfAborted()
      pause.abort.signal.throwIfAborted()
    } catch (error) {
      await end()
      pause.abort.signal.throwIfAborted()
      throw error
    }
    const names = running.map(({ seen }) => seen.name)
    return {
      signal: pause.abort.signal,
      confirm: async () => {
        for (const name of names) await this.#look(name)
        pause.abort.signal.throwIfAborted()
        if (names.some((name) => this.#frozen.get(name)?.pauses.has(pause) !== true))
          throw ended('its instances ran on')
      },
      end,
    }
  }

  /** Has a unit go on that is to be stopped, or be done something else with: whatever it is frozen for fails. */
  async release(name: UnitName, why: string): Promise<void> {
    const frozen = this.#frozen.get(name)
    if (frozen === undefined) return
    await frozen.done.catch(() => {})
    for (const pause of [...frozen.pauses]) this.#fail(pause, why)
    await this.#thaw(frozen)
  }

  /** Has all go on. */
  async stop(): Promise<void> {
    await Promise.all(
      [...this.#frozen.keys()].map(async (name) => await this.release(name, 'the daemon ends')),
    )
    this.#ends.abort()
    await this.#thawLeft()
    this.#timer?.cancel()
    await this.#written.catch(() => {})
  }

  /** What is to be frozen of those that have a volume; null for what does not run. */
  async #toFreeze(
    { driver: kind, name }: VolumeUser,
    signal: AbortSignal,
  ): Promise<{ readonly seen: ObservedUnit; readonly driver: Driver } | null> {
    const driver = this.#options.drivers.get(kind)
    const seen = (await driver?.observe(name as UnitName, signal)) ?? null
    if (driver === undefined || seen === null)
      throw cannot(`${name} uses the volume as well; it is not a unit of Mariposa and cannot be paused`)
    if (seen.active === 'inactive' || seen.active === 'failed') return null
    if (this.#frozen.has(seen.name)) return { seen, driver }
    if (seen.active !== 'active') throw cannot(`${name} is just being started or stopped: try again`)
    if (isPaused({ ...seen })) throw cannot(`${name} is already paused by somebody else`)
    if (driver.freeze === undefined) throw cannot(`the driver ${kind} cannot pause ${name}`)
    return { seen, driver }
  }

  async #freeze(
    { seen, driver }: { readonly seen: ObservedUnit; readonly driver: Driver },
    pause: RunningPause,
    until: AbortSignal,
  ): Promise<void> {
    const { name } = seen
    const known = this.#frozen.get(name)
    if (known !== undefined) {
      known.pauses.add(pause)
      return await known.done
    }
    const carriedOut = (async () => {
      await this.#thawLeft()
      if (this.#toThaw.has(name)) throw cannot(`${name} is still frozen from before: try again`)
      await this.#note()
      this.#options.onChange(driver, name)
      await driver.freeze?.(name, until)
      this.#options.log.info('agent', `${name}: frozen while a backup of its volume is read`)
    })()
    carriedOut.catch(() => {})
    this.#frozen.set(name, { name, driver, run: runOf(seen), pauses: new Set([pause]), done: carriedOut })
    try {
      await carriedOut
    } catch (error) {
      throw error instanceof DriverError && error.code === 'volume/cannot-pause'
        ? error
        : cannot(`${name} was not frozen: ${describeError(error)}`)
    }
  }

  #fail(pause: RunningPause, why: string): void {
    pause.abort.abort(ended(why))
  }

  /** A backup is over: what no other needs goes on. */
  async #letGo(pause: RunningPause): Promise<void> {
    await Promise.all(
      [...this.#frozen.values()].map(async (frozen) => {
        if (!frozen.pauses.delete(pause) || frozen.pauses.size > 0) return
        await frozen.done.catch(() => {})
        // Another may have begun to need it meanwhile.
        if (frozen.pauses.size === 0) await this.#thaw(frozen)
      }),
    )
  }

  async #thaw(frozen: Frozen): Promise<void> {
    const { name, driver } = frozen
    if (this.#frozen.get(name) !== frozen) return
    this.#frozen.delete(name)
    this.#toThaw.set(name, driver.kind)
    await this.#thawLeft()
  }

  /** Has all go on that is to, one round behind the other: what is frozen anew is not met by one of before. */
  async #thawLeft(): Promise<void> {
    const round = async (): Promise<void> => await this.#thawRound()
    this.#thawing = this.#thawing.then(round, round)
    await this.#thawing
  }

  async #thawRound(): Promise<void> {
    const { drivers, clock, log, onChange } = this.#options
    if (this.#toThaw.size === 0) return
    await Promise.all(
      [...this.#toThaw].map(async ([name, kind]) => {
        const driver = drivers.get(kind)
        // It is noted until there is a daemon with that driver.
        if (driver === undefined) return
        try {
          await driver.thaw?.(name, this.#within())
          this.#toThaw.delete(name)
          if (this.#said.delete(name)) log.info('agent', `${name}: resumed`)
          onChange(driver, name)
        } catch (error) {
          const why = describeError(error)
          if (isUnreachable(error) || this.#said.get(name) === why) return
          this.#said.set(name, why)
          log.warn('agent', `${name} cannot be resumed: ${why}; retrying`)
        }
      }),
    )
    await this.#note().catch((error: unknown) => {
      // The next daemon has go on what does so already.
      log.warn('agent', `cannot record which units are frozen: ${describeError(error)}`)
    })
    const isDue = [...this.#toThaw.values()].some((kind) => drivers.has(kind))
    if (isDue && this.#timer === null && !this.#ends.signal.aborted)
      this.#timer = clock.after(thawAgainMs, () => {
        this.#timer = null
        this.#thawLeft().catch(() => {})
      })
  }

  #within(): AbortSignal {
    return abortAfter(this.#options.clock, carriedOutWithinMs)
  }

  #noteChanged(driver: Driver, name: UnitName | null): void {
    for (const frozen of this.#frozen.values())
      if (frozen.driver === driver && (name === null || frozen.name === name))
        this.#look(frozen.name).catch(() => {})
    if (name === null && this.#toThaw.size > 0) this.#thawLeft().catch(() => {})
  }

  /** Fails what a unit is frozen for where it does not stand still any more. */
  async #look(name: UnitName): Promise<void> {
    const frozen = this.#frozen.get(name)
    if (frozen === undefined) return
    const within = this.#within()
    try {
      await frozen.done
      const seen = await frozen.driver.observe(name, within)
      const isSame = seen?.active === 'active' && runOf(seen) === frozen.run
      if (isSame && (await frozen.driver.isFrozen?.(name, within)) !== false) return
      if (isSame) await this.release(name, `${name} was resumed by somebody else meanwhile`)
      else await this.release(name, `${name} was stopped or ended meanwhile`)
    } catch (error) {
      // A driver that does not answer freezes and thaws nothing.
      if (!isUnreachable(error)) await this.release(name, describeError(error))
    }
  }

  /** Notes what is frozen, or is about to be. Throws where it cannot. */
  async #note(): Promise<void> {
    const { file } = this.#options
    if (file === undefined) return
    const write = async (): Promise<void> => {
      const frozen = [...this.#frozen.values()].map(({ name, driver }) => [name, driver.kind] as const)
      const units = [...new Map([...this.#toThaw, ...frozen])].map(([name, driver]) => ({ name, driver }))
      await replaceFile(file, `${JSON.stringify({ units })}\n`)
    }
    const done = this.#written.then(write, write)
    this.#written = done
    await done
  }

  async #left(): Promise<readonly { readonly name: UnitName; readonly driver: DriverKind }[]> {
    const { file, log } = this.#options
    if (file === undefined) return []
    try {
      const noted = parseJsonOrNone(await readFile(file, 'utf8')) as { units?: unknown } | null | undefined
      if (!Array.isArray(noted?.units)) throw new Error('it is not a file of Mariposa')
      return noted.units.filter(isNoted)
    } catch (error) {
      if (errorCode(error) !== 'ENOENT')
        log.warn('agent', `cannot read ${file}: units frozen for a backup may still be frozen`)
      return []
    }
  }
}

function isNoted(value: unknown): value is { readonly name: UnitName; readonly driver: DriverKind } {
  const { name, driver } = (value ?? {}) as { name?: unknown; driver?: unknown }
  return typeof name === 'string' && driverKinds.some((kind) => kind === driver)
}

/** What tells one run of a unit from another. */
function runOf({ pid, containerId, restarts, since }: ObservedUnit): string {
  return JSON.stringify([pid, containerId, restarts, since])
}

function cannot(why: string): DriverError {
  return new DriverError('volume/cannot-pause', why)
}

function ended(why: string): DriverError {
  return new DriverError('volume/pause-ended', `the backup is incomplete: ${why}`)
}
