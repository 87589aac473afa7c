// Carries out chains of steps on the drivers of one machine, one chain at a time for each unit, and remembers how they
// end. A failed step ends its own chain only.
import { InvariantError } from '../../lib/invariant.js'
import { describeError, type Log, roundMs } from '../../lib/io/log.js'
import type { Time } from '../../lib/time.js'
import { inNamespace } from '../../model/arriving-file.js'
import { DriverError } from '../../model/driver-error.js'
import type { MachineId } from '../../model/machine.js'
import type { PolicyHere } from '../../model/policy.js'
import type { DesiredUnit, Placement, PullProgress, UnitName } from '../../model/unit.js'
import type { Registry } from '../../store/io/registry.js'
import type { SecretBox } from '../../store/io/secret-box.js'
import { serviceKey } from '../../store/view.js'
import { policyProblems } from '../../unit/policy.js'
import { isHashOf } from '../../unit/print.js'
import type { UnitReader } from '../../unit/reader.js'
import { type NamedVolume, namedVolumesOf } from '../../unit/volumes.js'
import { type Driver, isUnreachable, type UnitToRun } from '../driver.js'
import type { Chain, Step } from '../plan-local.js'
import type { PullOutcome } from '../pull-news.js'
import { nextAttempt, type UnitMemory } from '../report.js'
import { withSlots } from '../slot-volumes.js'
import type { StopsAsked } from '../stops-asked.js'
import { placedVolumes, runHash, unitToRun } from '../unit-to-run.js'
import { deferredValuesOf, filledFilesOf, metaTaken, type SomeFiles } from './deferred-values.js'
import type { KeptLogs } from './kept-logs.js'
import type { MovedVolumes } from './moved-volumes.js'
import { PortTakenError, type refuseTakenPorts } from './port-check.js'
import type { ReadyVolumes } from './ready-volumes.js'
import { SlotClaims } from './slot-claims.js'

interface ChainsOptions {
  readonly machine: MachineId
  readonly registry: Registry
  readonly units: UnitReader
  readonly secrets: SecretBox
  readonly clock: Time
  readonly log: Log
  /** What the operator of this machine lets units do; null: anything. The same one until another is said. */
  readonly policy: () => PolicyHere | null
  /** Looks whether ports are free before a unit is started. */
  readonly refuseTakenPorts: typeof refuseTakenPorts
  readonly readyVolumes: ReadyVolumes
  /** Which volumes moves have taken away; null: nobody notes it. */
  readonly movedVolumes: MovedVolumes | null
  readonly driverOf: (name: UnitName) => Driver | null
  /** All of this machine. */
  readonly drivers: () => Iterable<Driver>
  /** Whether a unit runs once, as an instance of a service that is not continuous does. */
  readonly runsOnce: (unit: DesiredUnit) => boolean
  readonly stopsAsked: StopsAsked
  /** Has a unit go on that is frozen for a backup. */
  readonly release: (name: UnitName) => Promise<void>
  /** What is remembered of units: how often a chain failed, and what it came to. */
  readonly memoryOf: (name: UnitName) => UnitMemory
  readonly remember: (name: UnitName, change: Partial<UnitMemory>) => void
  /** Called with how far the pull is that a unit waits for, now and then. */
  readonly onPull: (name: UnitName, progress: PullProgress) => void
  /** Called when a pull that was told of is over, and how. */
  readonly onPulled: (name: UnitName, outcome: PullOutcome) => void
  /** Keeps what units have written; left out: it goes with them. */
  readonly keptLogs?: Pick<KeptLogs, 'keep' | 'note' | 'forget'> | undefined
  /** Called when a step failed because its driver did not answer. */
  readonly onUnreachable: (driver: Driver, error: unknown) => void
  /** Called when a chain has ended; with the driver that it changed something in, if there was one. */
  readonly onEnd: (name: UnitName, driver: Driver | null) => void
}

/** When what the policy refuses is looked at again, unless it or the policy changes before. */
const refusedForMs = 86_400_000

/** What an error says that says nothing of when to try again. */
const passing = { permanent: false, retryAfterMs: null }

/** How many tries, with the one that was cut off, may fail before it is told as a failure of the unit. */
const triesAfterCutOff = 3

interface RunningChain {
  readonly chain: Chain
  /** The hash of what it works on. */
  readonly hash: string | null
  readonly abort: AbortController
  readonly done: Promise<void>
}

export class Chains {
  readonly #options: ChainsOptions
  readonly #claims: SlotClaims
  readonly #running = new Map<UnitName, RunningChain>()
  /** What the policy has refused: nothing changes of that until the unit or the policy does. */
  readonly #refused = new Map<UnitName, { readonly hash: string | null; readonly by: PolicyHere }>()

  constructor(options: ChainsOptions) {
    this.#options = options
    this.#claims = new SlotClaims(options.drivers)
  }

  /** The units whose chain goes on. */
  get units(): Iterable<UnitName> {
    return this.#running.keys()
  }

  /** The chain of a unit that goes on. */
  of(name: UnitName): Chain | undefined {
    return this.#running.get(name)?.chain
  }

  /** Whether a unit is refused by the policy, which is as it was then, as is the unit. */
  isRefused(name: UnitName): boolean {
    const refused = this.#refused.get(name)
    if (refused === undefined) return false
    if (refused.by === this.#options.policy() && refused.hash === this.#hashOf(name)) return true
    this.#refused.delete(name)
    return false
  }

  begin(chain: Chain): void {
    const abort = new AbortController()
    const done = this.#run(chain, abort.signal).then((driver) => {
      this.#running.delete(chain.unit)
      this.#options.onEnd(chain.unit, driver)
    })
    this.#running.set(chain.unit, { chain, hash: this.#hashOf(chain.unit), abort, done })
  }

  /**
   * A chain that brings up what is no longer wanted so is not waited for: a pull may take minutes. `keeps` says of a unit
   * whether it is to be started, or at least loaded; units that it says nothing of are not wanted at all.
   */
  abortBut(keeps: ReadonlyMap<UnitName, 'start' | 'load'>, held: ReadonlySet<UnitName>): void {
    for (const [name, { chain, hash, abort }] of this.#running) {
      if (held.has(name)) continue
      const wanted = keeps.get(name)
      const [loads, starts] = [chain.steps.includes('load'), chain.steps.includes('start')]
      const isWanted = starts ? wanted === 'start' : !loads || wanted !== undefined
      if (!isWanted || (loads && this.#hashOf(name) !== hash)) abort.abort()
    }
  }

  /** Aborts all; resolves when they have ended. */
  async stop(): Promise<void> {
    for (const { abort } of this.#running.values()) abort.abort()
    await Promise.all([...this.#running.values()].map(({ done }) => done))
  }

  async #run(chain: Chain, signal: AbortSignal): Promise<Driver | null> {
    const { driverOf, remember, clock, log } = this.#options
    const driver = driverOf(chain.unit)
    if (driver === null) return null
    try {
      // Before anything is stopped for what takes its place.
      this.#refuseByPolicy(chain, driver)
      await this.#claimSlot(chain, driver, signal)
      for (const step of chain.steps) {
        const from = clock.steady()
        await this.#take(step, chain, driver, signal)
        log.debug('agent', `${chain.unit}: ${step}`, () => ({
          driver: driver.kind,
          ms: roundMs(clock.steady() - from),
          cause: chain.cause,
        }))
        remember(chain.unit, {
          ...(step === 'start' && { launched: true }),
          // What is made ready here and waits for another machine has yet to be launched, whatever it was here before.
          ...((step === 'stop' || chain.steps.at(-1) === 'load') && { launched: false }),
        })
      }
      remember(chain.unit, { attempts: 0, retryAt: null, failure: null })
    } catch (error) {
      // A bug of ours is not the unit's failure.
      if (error instanceof InvariantError) throw error
      if (!signal.aborted) this.#failed(chain, error)
      if (!signal.aborted && isUnreachable(error)) this.#options.onUnreachable(driver, error)
    } finally {
      this.#claims.release(chain.unit)
    }
    return driver
  }

  /** Whatever is begun anew keeps to the policy; what ran before goes on, also when it has to be started again by itself. */
  #refuseByPolicy({ unit: name, steps, cause }: Chain, { kind }: Driver): void {
    const { registry, units, policy } = this.#options
    const [here, unit] = [policy(), registry.view.units.get(name)]
    const begins = cause !== 'to-restart' && (steps.includes('load') || steps.includes('start'))
    if (here === null || unit === undefined || !begins) return
    const [problem] = policyProblems(here, units.file(unit.hash), name, [kind])
    if (problem === undefined) return
    this.#refused.set(name, { hash: this.#hashOf(name), by: here })
    throw new DriverError(problem.code, `this machine refuses it: ${problem.message}`, {
      permanent: true,
      retryAfterMs: refusedForMs,
    })
  }

  async #take(step: Step, chain: Chain, driver: Driver, signal: AbortSignal): Promise<void> {
    const name = chain.unit
    switch (step) {
      case 'load':
        return this.#load(name, driver, signal)
      case 'start':
        await this.#options.refuseTakenPorts(this.#placementOf(name)?.ports ?? [])
        // What is secret does not outlive a reboot, and a program that is started anew gets it as it is now.
        // And a container that was stopped by name alone has lost what its unit says of restarts.
        if (this.#hasLateValues(name) || (driver.kind === 'docker' && !chain.steps.includes('load')))
          await this.#load(name, driver, signal)
        await this.#readyVolumes(name, driver, signal)
        this.#options.stopsAsked.forget(name)
        return driver.start(name, signal)
      case 'stop':
        this.#options.stopsAsked.note(name, this.#options.clock.steady())
        // What stands still does not stop.
        await this.#options.release(name)
        return driver.stop(name, signal)
      case 'unload':
        await this.#options.release(name)
        await this.#options.keptLogs?.keep(name, driver, signal)
        await driver.unload(name, signal, { deleteVolumes: this.#deletesVolumes(name) })
        this.#options.keptLogs?.forget(name)
        this.#options.stopsAsked.forget(name)
    }
  }

  /**
   * A unit with all that is filled in here and now; null where it is not to be here any more. Throws DriverError. What runs
   * already gets `some` of its files, and of those the ones of which nothing is missing.
   */
  prepare(name: UnitName, driver: Driver, some?: SomeFiles): UnitToRun | null {
    const { registry, machine, secrets, units } = this.#options
    const unit = registry.view.units.get(name)
    const placement = this.#placementOf(name)
    if (unit === undefined || placement === undefined) return null
    refuseAltered(unit.hash, registry.view.files.get(unit.hash))
    const file = units.file(unit.hash)
    const volumes = placedVolumes(this.#volumesOf(unit), driver)
    const paths = new Map(volumes.map(({ name: volume, at }) => [volume, at]))
    const files = units.files(unit)
    const at = files.length === 0 ? null : (driver.filesAt?.(name) ?? inNamespace)
    const known = { unit, file, machine, secrets, volumes: paths, files: at }
    const variables = units.deferredEnvironment(unit)
    // What runs has its variables already.
    const deferred = deferredValuesOf(registry.view, known, variables, some && (() => undefined))
    const asked = some === undefined ? files : files.filter(({ path }) => some.paths.includes(path))
    const filled = filledFilesOf(registry.view, known, asked, some?.onMissing)
    const arriving = at === null ? null : { files: filled, at }
    const of = unit.instance
    const service = of === null ? undefined : registry.view.services.get(serviceKey(of.project, of.service))
    const whole = unitToRun(unit, placement, file, deferred, service?.uuid, volumes, arriving)
    const isJoined = registry.view.instances.get(name)?.oneOff !== undefined
    const once = this.#options.runsOnce(unit) ? { ...whole, runsOnce: true as const } : whole
    return isJoined ? { ...once, joined: true } : once
  }

  async #load(name: UnitName, driver: Driver, signal: AbortSignal): Promise<void> {
    const { registry, units } = this.#options
    const unit = registry.view.units.get(name)
    const whole = this.prepare(name, driver)
    // Gone since the plan was made: the next pass sees that.
    if (unit === undefined || whole === null) return
    this.#options.keptLogs?.note(unit)
    // As they are now: to fetch the image may take minutes.
    const taken = metaTaken(registry.view, unit, units.deferredEnvironment(unit), units.files(unit))
    let isPulling = false
    const told = (progress: PullProgress): void => {
      isPulling = true
      this.#options.onPull(name, progress)
    }
    const over = (outcome: PullOutcome): void => {
      if (isPulling) this.#options.onPulled(name, outcome)
    }
    try {
      await driver.load(whole, signal, told)
      over({ kind: 'fetched' })
      if (taken !== null) this.#options.remember(name, { madeOf: taken })
    } catch (error) {
      over(signal.aborted ? { kind: 'not-wanted' } : { kind: 'failed', reason: describeError(error) })
      throw error
    }
  }

  async #readyVolumes(name: UnitName, driver: Driver, signal: AbortSignal): Promise<void> {
    const { registry, units, readyVolumes } = this.#options
    const unit = registry.view.units.get(name)
    if (unit === undefined) return
    await readyVolumes.prepare(unit, units.file(unit.hash), this.#volumesOf(unit), driver, signal)
  }

  /** The named volumes of a unit. Throws DriverError where one of its slot is not on this machine. */
  #volumesOf(unit: DesiredUnit): readonly NamedVolume[] {
    const { registry, machine, units } = this.#options
    const { volumes } = namedVolumesOf(units.file(unit.hash), { name: unit.name, machine: null })
    return withSlots(registry.view, machine, unit, volumes)
  }

  /** Keeps units from being started with a volume of this machine until it is let go of. Throws DriverError. */
  async holdVolume(...args: Parameters<SlotClaims['hold']>): Promise<() => void> {
    return await this.#claims.hold(...args)
  }

  /** Keeps units from being started with a volume until it is let go of, beside those that run. Throws DriverError. */
  keepFromStarting(...args: Parameters<SlotClaims['keepFromStarting']>): () => void {
    return this.#claims.keepFromStarting(...args)
  }

  /** Whether a volume of a service is kept so. */
  holdsVolumeOf(service: Parameters<SlotClaims['holdsVolumeOf']>[0]): boolean {
    return this.#claims.holdsVolumeOf(service)
  }

  /** Claims the volumes of its slot for a unit that is begun, and those that it shares as far as others do. */
  async #claimSlot({ unit: name, steps }: Chain, driver: Driver, signal: AbortSignal): Promise<void> {
    const unit = this.#options.registry.view.units.get(name)
    const starts = steps.includes('load') || steps.includes('start')
    if (unit === undefined || !starts || this.#placementOf(name) === undefined) return
    const volumes = this.#volumesOf(unit)
    this.#claims.begin(name, volumes)
    const ofSlot = volumes.filter(({ perSlot }) => perSlot === true)
    await this.#claims.claim(name, driver, ofSlot, signal)
    await this.#options.movedVolumes?.refuse(ofSlot, signal)
  }

  /** Of what a unit is to be here; null where it is not to be here. */
  #hashOf(name: UnitName): string | null {
    const unit = this.#options.registry.view.units.get(name)
    const placement = this.#placementOf(name)
    return unit === undefined || placement === undefined ? null : runHash(unit.hash, placement)
  }

  #placementOf(name: UnitName): Placement | undefined {
    const { registry, machine } = this.#options
    return registry.view.placedOn(machine).get(name)
  }

  /** What nobody knows any more keeps what it has written. */
  #deletesVolumes(name: UnitName): boolean {
    return this.#options.registry.view.units.get(name)?.deleteVolumes === true
  }

  #hasLateValues(name: UnitName): boolean {
    const { registry, units } = this.#options
    const unit = registry.view.units.get(name)
    return unit !== undefined && (units.deferredEnvironment(unit).length > 0 || units.files(unit).length > 0)
  }

  #failed(chain: Chain, error: unknown): void {
    const { clock, log, memoryOf, remember } = this.#options
    const before = memoryOf(chain.unit)
    const attempts = before.attempts + 1
    // What a driver that does not answer leaves undone is no failure of the unit.
    if (isUnreachable(error) || meetsWhatWasCutOff(before, error)) {
      remember(chain.unit, { attempts, retryAt: nextAttempt(attempts, passing, clock.now()) })
      return
    }
    const { permanent, retryAfterMs } = error instanceof DriverError ? error : passing
    const code =
      error instanceof DriverError || error instanceof PortTakenError ? error.code : 'driver/failed'
    const port = error instanceof PortTakenError ? { port: error.port } : {}
    const message = describeError(error)
    const retryAt = nextAttempt(attempts, { permanent, retryAfterMs }, clock.now())
    remember(chain.unit, { attempts, retryAt, failure: { code, message, permanent, ...port } })
    const isSame = before.failure?.code === code && before.failure.message === message
    if (!isSame) log.warn('agent', `${chain.unit}: ${message}`, { cause: chain.cause, code, attempts })
  }
}

/**
 * Whether a step may have failed only by what an earlier try of it has left: its driver went away in the middle of that,
 * and may be at an end with it only a moment after it is back.
 */
function meetsWhatWasCutOff({ attempts, failure }: UnitMemory, error: unknown): boolean {
  const isPermanent = error instanceof DriverError && error.permanent
  return !isPermanent && failure === null && attempts > 0 && attempts < triesAfterCutOff
}

/** What is run is what was submitted. Throws DriverError `unit/altered`. */
function refuseAltered(hash: string, text: string | undefined): void {
  if (text === undefined || isHashOf(hash, text)) return
  throw new DriverError(
    'unit/altered',
    `its text in the store does not match the hash ${hash}: it was changed there`,
  )
}
