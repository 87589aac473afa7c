// What the drivers of this machine tell of its units. Kept up to date as they say that something has changed, and known to
// be old where one has yet to answer.
import { describeError, type Log } from '../../lib/io/log.js'
import { earlier, type Instant, type Time } from '../../lib/time.js'
import { askDriverAgainMs, type DriverKind } from '../../model/driver-kind.js'
import type { ObservedUnit, UnitName } from '../../model/unit.js'
import type { Driver } from '../driver.js'

interface ObservationOptions {
  readonly drivers: ReadonlyMap<DriverKind, Driver>
  readonly clock: Time
  readonly log: Log
  /** The driver that holds, or would hold, a unit. */
  readonly driverOf: (name: UnitName) => Driver | null
  /** A unit as the agent is to see it. */
  readonly shown: (unit: ObservedUnit) => ObservedUnit
  /** Called with the units of a driver once it has listed them for the first time. */
  readonly onFirstList: (driver: Driver, units: readonly ObservedUnit[]) => void
  /** Called when there is something to look at, or something was seen that no pass waits for. */
  readonly wake: () => void
  /** Ends the watching of drivers, and what they are asked. */
  readonly signal: AbortSignal
}

/** How long a driver may be silent until that is reported of its units: a stumble is nothing to tell. */
const silentForMs = 2000
/** How long a driver may take to tell of its units, or of one, before that is reported as silence. */
const answersWithinMs = 10_000
/** How long a run is so young that a silence of its driver is told at once: what it comes to is not known yet. */
const freshForMs = 3000

/** Something that a driver was asked. */
interface Look {
  readonly since: Instant
}

/** Since when a driver has not answered, and what it says of that. */
interface Silence {
  readonly since: Instant
  readonly why: string
}

export class Observation {
  readonly #options: ObservationOptions
  readonly #units = new Map<UnitName, ObservedUnit>()
  /** Units to look at again, with the driver that said so. */
  readonly #dirty = new Map<UnitName, Driver>()
  /** Drivers to be listed anew. */
  readonly #unlisted = new Set<Driver>()
  /** Units and drivers that are being looked at. */
  readonly #looks = new Map<UnitName, Look>()
  readonly #listings = new Map<Driver, Look>()
  /** Whether a pass waits for them. */
  #isWaiting = false
  /** Drivers that did not answer when they were last asked; said once each time. */
  readonly #silent = new Map<Driver, Silence>()
  /** Drivers whose units were found once: what was remembered of those was from before. */
  readonly #found = new Set<Driver>()

  constructor(options: ObservationOptions) {
    this.#options = options
  }

  /** What was seen of each unit last. */
  get units(): ReadonlyMap<UnitName, ObservedUnit> {
    return this.#units
  }

  /** Watches all drivers from now on, and asks each what it has. */
  async start(): Promise<void> {
    for (const driver of this.#options.drivers.values()) {
      if (driver.unexpected !== true) this.#unlisted.add(driver)
      driver.watch((name) => this.noteChanged(driver, name), this.#options.signal)
    }
    await this.look(answersWithinMs)
  }

  /** A unit of a driver is to be looked at again; null: all of them. */
  noteChanged(driver: Driver, name: UnitName | null): void {
    if (name === null) this.#unlisted.add(driver)
    else this.#dirty.set(name, driver)
    this.#options.wake()
  }

  /**
   * Brings what is observed up to date: drivers not listed yet, and units that drivers told of. Waits for a while; until
   * the answer has come nothing is decided on what was asked for.
   */
  async look(withinMs: number): Promise<void> {
    const begun: Promise<void>[] = []
    for (const driver of [...this.#unlisted]) {
      if (driver.absent === true) this.#noteSilent(driver, '')
      else if (!this.#listings.has(driver))
        begun.push(this.#begin(this.#listings, driver, this.#list(driver)))
    }
    for (const [name, driver] of [...this.#dirty]) {
      // Its answer, or that of a list, may be from before the change.
      if (this.#looks.has(name) || this.#listings.has(driver)) continue
      this.#dirty.delete(name)
      if (this.isUnlisted(driver)) continue
      begun.push(this.#begin(this.#looks, name, this.#observe(name, driver)))
    }
    if (begun.length === 0) return
    let endWait = (): void => {}
    const late = new Promise<void>((resolve) => {
      const timer = this.#options.clock.after(withinMs, resolve)
      endWait = () => timer.cancel()
    })
    this.#isWaiting = true
    await Promise.race([Promise.all(begun), late])
    this.#isWaiting = false
    endWait()
  }

  #begin<T>(looks: Map<T, Look>, of: T, work: Promise<void>): Promise<void> {
    const done = work.finally(() => {
      looks.delete(of)
      if (!this.#isWaiting || this.#hasLeft()) this.#options.wake()
    })
    looks.set(of, { since: this.#options.clock.now() })
    return done
  }

  /** Whether a change was left to a later pass that can look at it: a driver that is away is asked again in its time. */
  #hasLeft(): boolean {
    for (const driver of this.#dirty.values()) if (!this.isUnlisted(driver)) return true
    return false
  }

  async #list(driver: Driver): Promise<void> {
    const { signal, driverOf, onFirstList } = this.#options
    try {
      this.#unlisted.delete(driver)
      const units = await driver.list(signal)
      this.#silent.delete(driver)
      for (const [name, unit] of this.#units) if (unit.driver === driver.kind) this.#units.delete(name)
      for (const unit of units) this.#units.set(unit.name, this.#options.shown(unit))
      // What is being asked of one may be told as it was before.
      for (const name of this.#looks.keys()) if (driverOf(name) === driver) this.#dirty.set(name, driver)
      if (!this.#found.has(driver)) onFirstList(driver, units)
      this.#found.add(driver)
    } catch (error) {
      this.noteAway(driver, error)
    }
  }

  async #observe(name: UnitName, driver: Driver): Promise<void> {
    try {
      const unit = await driver.observe(name, this.#options.signal)
      if (unit !== null) this.#units.set(name, this.#options.shown(unit))
      else if (this.#units.get(name)?.driver === driver.kind) this.#units.delete(name)
    } catch (error) {
      this.noteAway(driver, error)
    }
  }

  /** A driver that takes too long to tell of its units is silent. */
  noteLate(now: Instant): void {
    for (const [driver, { since }] of this.#listings) {
      if (since + answersWithinMs > now || this.#silent.has(driver)) continue
      this.#noteSilent(driver, 'it takes long to list its units')
      this.#options.log.warn('agent', `driver ${driver.kind} is slow to list its units`)
    }
  }

  /** A driver that does not answer is asked again; until then nothing is decided on its units, and others go on. */
  noteAway(driver: Driver, error: unknown): void {
    const { signal, log } = this.#options
    if (signal.aborted) return
    this.#unlisted.add(driver)
    if (this.#silent.has(driver)) return
    const why = describeError(error)
    this.#noteSilent(driver, why)
    log.warn('agent', `driver ${driver.kind} does not answer: ${why}`)
  }

  #noteSilent(driver: Driver, why: string): void {
    if (!this.#silent.has(driver)) this.#silent.set(driver, { since: this.#options.clock.now(), why })
  }

  /** What drivers are waited for goes on as long as it was to, by whatever clock. */
  clockSet(byMs: number): void {
    shift(this.#silent, byMs)
    shift(this.#looks, byMs)
    shift(this.#listings, byMs)
  }

  /** Whether a driver is yet to be listed, so that nothing is known of its units. */
  isUnlisted(driver: Driver): boolean {
    return this.#unlisted.has(driver) || this.#listings.has(driver)
  }

  /** Whether any driver is yet to be listed. */
  get hasUnlisted(): boolean {
    return this.#unlisted.size > 0 || this.#listings.size > 0
  }

  /** Whether there may be units of which nothing is known. */
  get isUnsure(): boolean {
    return this.hasUnlisted || this.#silent.size > 0
  }

  /** Units that have changed since they were seen. */
  *stale(): Iterable<UnitName> {
    yield* this.#dirty.keys()
    yield* this.#looks.keys()
  }

  /** Whether a unit has changed since it was seen: a later pass decides on it. */
  isStale(name: UnitName): boolean {
    return this.#dirty.has(name) || this.#looks.has(name)
  }

  /** Whether a driver does not answer now, so that nothing is known of its units. */
  isAway(kind: DriverKind): boolean {
    const driver = this.#options.drivers.get(kind)
    return driver !== undefined && this.isUnlisted(driver)
  }

  /** Since when nothing is known of a unit, once that is worth telling; null while something is. */
  unknownSince(name: UnitName, now: Instant): Instant | null {
    const since = this.#looks.get(name)?.since ?? null
    if (since !== null && since + answersWithinMs <= now) return since
    const driver = this.#options.driverOf(name)
    const silentSince = this.silentSince(driver, now)
    if (silentSince !== null || driver === null || !this.isUnlisted(driver)) return silentSince
    const silentAt = this.#silent.get(driver)?.since
    const began = this.#units.get(name)?.since ?? null
    // Others are about to take it for up.
    return silentAt !== undefined && began !== null && began + freshForMs > silentAt ? silentAt : null
  }

  /** Since when a driver has not answered, once that is worth telling; null while it does. */
  silentSince(driver: Driver | null, now: Instant): Instant | null {
    const since = driver === null || !this.isUnlisted(driver) ? undefined : this.#silent.get(driver)?.since
    return since === undefined || since + silentForMs > now ? null : since
  }

  isSilent(driver: Driver, now: Instant): boolean {
    return driver.absent === true || this.silentSince(driver, now) !== null
  }

  /** The drivers that should answer and do not, since when and why. */
  silent(now: Instant): readonly ({ readonly kind: DriverKind } & Silence)[] {
    return [...this.#silent]
      .filter(([driver]) => driver.unexpected !== true && this.isSilent(driver, now))
      .map(([{ kind }, silence]) => ({ kind, ...silence }))
  }

  /** When a driver is to be asked again, or its silence to be told; null where nothing is waited for. */
  dueAt(now: Instant): Instant | null {
    const askAt = [...this.#unlisted].some(({ absent }) => absent !== true) ? now + askDriverAgainMs : null
    const looks = [...this.#looks.values(), ...this.#listings.values()]
    return [
      ...[...this.#silent.values()].map(({ since }) => since + silentForMs),
      ...looks.map(({ since }) => since + answersWithinMs),
    ]
      .filter((at) => at > now)
      .reduce<Instant | null>(earlier, askAt)
  }
}

function shift<T, L extends Look>(looks: Map<T, L>, byMs: number): void {
  for (const [of, look] of looks) looks.set(of, { ...look, since: look.since + byMs })
}
