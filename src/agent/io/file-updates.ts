// Writes files anew that follow the metadata, and tells their programs. What is decided is in `../file-updates.ts`.
//
// Nothing of it is remembered but what is on the disk: the files themselves, and a note of those that were replaced until the
// program was told. So a daemon that was down, or killed in between, finds out by looking.
import { InvariantError } from '../../lib/invariant.js'
import { describeError, type Log } from '../../lib/io/log.js'
import type { Instant, Time } from '../../lib/time.js'
import type { EventDraft } from '../../model/event.js'
import type { MachineId } from '../../model/machine.js'
import { type MadeOf, madeOf } from '../../model/meta-fingerprints.js'
import type { DesiredUnit, ObservedUnit, UnitName } from '../../model/unit.js'
import type { Registry } from '../../store/io/registry.js'
import type { UnitReader } from '../../unit/reader.js'
import { lastOf } from '../../unit/values.js'
import { type Driver, isUnreachable, type UnitToRun } from '../driver.js'
import {
  beginsAnew,
  changedKeys,
  earliest,
  type FollowingFile,
  type FollowingUnit,
  followingFiles,
  isSame,
  lookAtFiles,
  signalsFor,
} from '../file-updates.js'
import type { PlacedUnit } from '../plan-local.js'
import { nextAttempt } from '../report.js'
import { refuseMissing, type SomeFiles } from './deferred-values.js'

interface FileUpdatesOptions {
  readonly machine: MachineId
  readonly registry: Registry
  readonly units: UnitReader
  readonly clock: Time
  readonly log: Log
  readonly driverOf: (name: UnitName) => Driver | null
  readonly observed: (name: UnitName) => ObservedUnit | null
  /** The unit with some of its files as they are now; null where it is not here any more. Throws DriverError. */
  readonly prepare: (name: UnitName, driver: Driver, some: SomeFiles) => UnitToRun | null
  readonly tell: (event: EventDraft) => void
  /** Called when a look has ended. */
  readonly wake: () => void
}

/** What is remembered of a unit between looks. */
interface Looked {
  readonly at: MadeOf | null
  readonly attempts: number
  readonly retryAt: Instant | null
  /** The values at the last look if that failed, else null. */
  readonly failedWith: MadeOf | null
  /** What was logged last. */
  readonly problem: string | null
}

const neverLooked: Looked = { at: null, attempts: 0, retryAt: null, failedWith: null, problem: null }

interface Following {
  readonly project: string
  readonly files: readonly FollowingFile[]
  readonly keys: readonly string[]
}

/** Keeps the files of running units as the metadata says. */
export class FileUpdates {
  readonly #options: FileUpdatesOptions
  /** Of records, which never change: most units have no such file, and are not read twice. */
  readonly #following = new WeakMap<DesiredUnit, Following>()
  readonly #looked = new Map<UnitName, Looked>()
  readonly #running = new Map<UnitName, Promise<void>>()
  readonly #abort = new AbortController()
  #isFollowing = false

  constructor(options: FileUpdatesOptions) {
    this.#options = options
  }

  /** Units whose files are being seen to. */
  get units(): Iterable<UnitName> {
    return this.#running.keys()
  }

  /** Whether a unit of the last look has such files, so that a change of the metadata may matter here. */
  get isFollowing(): boolean {
    return this.#isFollowing
  }

  /** Begins what is due. When the next look is, if nothing happens; null for never. */
  look(placed: readonly PlacedUnit[], busy: ReadonlySet<UnitName>, now: Instant): Instant | null {
    const wanted = new Set(placed.map(({ unit }) => unit.name))
    for (const name of this.#looked.keys()) if (!wanted.has(name)) this.#looked.delete(name)
    this.#isFollowing = false
    const due = placed.map((one): Instant | null => {
      const following = this.#followingOf(one.unit)
      if (following.files.length === 0) return null
      this.#isFollowing = true
      const { name } = one.unit
      const looked = this.#looked.get(name)
      if (looked !== undefined && beginsAnew(this.#options.observed(name), busy.has(name)))
        this.#looked.set(name, { ...looked, at: null })
      const known = this.#unitOf(one, following, busy)
      const when = lookAtFiles(known, now)
      if (when !== 'now') return when
      const done = this.#see(one.unit, following, known).then(() => {
        this.#running.delete(name)
        this.#options.wake()
      })
      this.#running.set(name, done)
      return null
    })
    return earliest(due)
  }

  /** The clock was set: what is tried again later is tried by it when it would have been. */
  clockSet(byMs: number): void {
    for (const [name, looked] of this.#looked)
      if (looked.retryAt !== null) this.#looked.set(name, { ...looked, retryAt: looked.retryAt + byMs })
  }

  /** Ends it; what was not done is found by the next agent. */
  async stop(): Promise<void> {
    this.#abort.abort()
    await Promise.all(this.#running.values())
  }

  #followingOf(unit: DesiredUnit): Following {
    const known = this.#following.get(unit)
    if (known !== undefined) return known
    const { units, registry } = this.#options
    const files = registry.view.files.has(unit.hash) ? followingFiles(units.files(unit)) : []
    const ofText = files.length === 0 ? null : lastOf(units.file(unit.hash), 'X-Mariposa', 'Project')
    const project = unit.instance?.project ?? ofText ?? ''
    const following = { project, files, keys: [...new Set(files.flatMap(({ keys }) => keys))].sort() }
    if (registry.view.files.has(unit.hash)) this.#following.set(unit, following)
    return following
  }

  #unitOf(
    { unit, isElsewhere = false }: PlacedUnit,
    { project, keys }: Following,
    busy: ReadonlySet<UnitName>,
  ): FollowingUnit {
    const { at, retryAt, failedWith } = this.#looked.get(unit.name) ?? neverLooked
    return {
      now: madeOf(keys, this.#options.registry.view.metaOf(project)),
      lookedAt: at,
      observed: this.#options.observed(unit.name),
      isBusy: busy.has(unit.name) || this.#running.has(unit.name),
      isWanted: unit.desired === 'launched' && !isElsewhere,
      retryAt,
      failedWith,
    }
  }

  async #see(unit: DesiredUnit, { files }: Following, known: FollowingUnit): Promise<void> {
    const { name } = unit
    try {
      const missing: string[] = []
      const replaced = await this.#replace(name, files, missing)
      if (replaced.length > 0) this.#tell(unit, files, replaced, changedKeys(known))
      // The others have what they read.
      refuseMissing(missing)
      this.#looked.set(name, { ...neverLooked, at: known.now })
    } catch (error) {
      if (error instanceof InvariantError) throw error
      if (!this.#abort.signal.aborted) this.#failed(unit, known.now, error)
    }
  }

  /** Replaces what has changed, and tells the program. Resolves to the paths. */
  async #replace(
    name: UnitName,
    files: readonly FollowingFile[],
    missing: string[],
  ): Promise<readonly string[]> {
    const { driverOf, prepare } = this.#options
    const driver = driverOf(name)
    if (driver?.replaceFiles === undefined) return []
    const paths = files.map(({ path }) => path)
    const unit = prepare(name, driver, { paths, onMissing: (some) => missing.push(...some) })
    if (unit === null) return []
    const replaced = driver.replaceFiles(unit)
    for (const signal of signalsFor(files, replaced)) await driver.tell?.(name, signal, this.#abort.signal)
    driver.filesTaken?.(name)
    return replaced
  }

  #tell(
    { name, instance }: DesiredUnit,
    files: readonly FollowingFile[],
    replaced: readonly string[],
    changed: readonly string[],
  ): void {
    const why = changed.length === 0 ? '' : ` for ${changed.join(', ')}`
    const sent = signalsFor(files, replaced).join(' and ')
    const message = `${instance?.name ?? name} was sent ${sent}: ${replaced.join(', ')} was rewritten${why}`
    this.#options.log.info('agent', message)
    this.#note('files-replaced', { name, instance }, message, `${replaced.join(', ')}${why}`)
  }

  /** The files stay as they are, and the program with them. */
  #failed({ name, instance }: DesiredUnit, values: MadeOf, error: unknown): void {
    const { clock, log } = this.#options
    const before = this.#looked.get(name) ?? neverLooked
    const isAgain = before.failedWith !== null && isSame(before.failedWith, values)
    const attempts = isAgain ? before.attempts + 1 : 1
    const retryAt = nextAttempt(attempts, { permanent: false }, clock.now())
    const problem = isUnreachable(error) ? before.problem : describeError(error)
    this.#looked.set(name, { ...before, attempts, retryAt, failedWith: values, problem })
    if (problem === null || problem === before.problem) return
    const message = `cannot update the files of ${instance?.name ?? name}: ${problem}`
    log.warn('agent', message)
    this.#note('files-not-replaced', { name, instance }, message, problem)
  }

  #note(
    kind: EventDraft['kind'],
    { name, instance }: Pick<DesiredUnit, 'name' | 'instance'>,
    message: string,
    reason: string,
  ): void {
    const { machine, tell } = this.#options
    tell({
      kind,
      project: instance?.project ?? null,
      service: instance?.service ?? null,
      instance: instance?.name ?? null,
      machine,
      message,
      data: { reason, ...(instance === null && { unit: name }) },
    })
  }
}
