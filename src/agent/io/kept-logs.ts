// Keeps what instances wrote once they leave the machine. What runs a unit forgets its log with it (the supervisor removes
// its files, Docker the container's); a copy is made just before. systemd's journal keeps lines by itself: there, only when
// the instance was here is kept. Nothing of this holds up an instance for long, or keeps it from going.
import { type FileHandle, mkdir, open, readdir, readFile, rename, rm, writeFile } from 'node:fs/promises'
import { basename, join } from 'node:path'
import { elapsedAt } from '../../lib/elapsed.js'
import { sha1 } from '../../lib/hash.js'
import { InvariantError } from '../../lib/invariant.js'
import type { JumpWatch } from '../../lib/io/clock.js'
import { errorCode } from '../../lib/io/error-code.js'
import { createLimit } from '../../lib/io/limit.js'
import { lineBatches } from '../../lib/io/lines.js'
import { describeError, type Log } from '../../lib/io/log.js'
import { type Loop, startLoop } from '../../lib/io/loop.js'
import { ownTurn } from '../../lib/io/turns.js'
import type { Instant, Time } from '../../lib/time.js'
import { DriverError } from '../../model/driver-error.js'
import type { DriverKind } from '../../model/driver-kind.js'
import type { DesiredUnit, UnitName } from '../../model/unit.js'
import { parseServiceUnit } from '../../unit/name.js'
import type { Driver, LogLine } from '../driver.js'
import {
  inRows,
  type KeptLog,
  type LogRetention,
  logsNamed,
  logsToRemove,
  printKeptLine,
  readKeptLine,
  readKeptLog,
} from '../kept-logs.js'

interface KeptLogsOptions {
  /** Made with the first that is kept. */
  readonly dir: string
  readonly retention: () => LogRetention
  readonly drivers: ReadonlyMap<DriverKind, Driver>
  readonly clock: Time
  readonly clockWatch: Pick<JumpWatch, 'jumps'>
  readonly log: Log
}

/** A line, and the instance that wrote it. */
export interface KeptLine {
  readonly instance: string
  readonly line: LogLine
}

/** Who wrote a log. */
type Writer = Pick<KeptLog, 'unit' | 'project' | 'service' | 'instance' | 'uuid' | 'driver'>

interface Here {
  readonly uuid: string
  readonly createdAt: Instant
}

/** What is copied of one instance at most, the last lines. */
const copied = { lines: 50_000, bytes: 16 * 1024 ** 2 } as const
const copiesAtOnce = 8
/** What a copy gathers before it writes: files cost more than lines. */
const gatheredBytes = 256 * 1024
/** An instance goes without a copy where that takes longer. */
const copyWithinMs = 10_000
const lookForOldEveryMs = 600_000

export async function openKeptLogs(options: KeptLogsOptions): Promise<KeptLogs> {
  const logs = new Map<string, KeptLog>()
  for (const file of await filesIn(options.dir)) {
    const log = file.endsWith('.json') ? readKeptLog(await textOf(join(options.dir, file))) : null
    if (log !== null && file === `${log.id}.json`) logs.set(log.id, log)
  }
  await sweep(options.dir, logs)
  return new KeptLogs(options, logs)
}

/** The logs of instances that are gone. */
export class KeptLogs {
  readonly #options: KeptLogsOptions
  readonly #logs: Map<string, KeptLog>
  /** Instances that are here, by their units: who they are is forgotten before they go. */
  readonly #here = new Map<UnitName, Here>()
  readonly #copying: ReturnType<typeof createLimit>
  readonly #loop: Loop

  constructor(options: KeptLogsOptions, logs: Map<string, KeptLog>) {
    this.#options = options
    this.#logs = logs
    this.#copying = createLimit(copiesAtOnce, { time: options.clock, heldUpAfterMs: copyWithinMs })
    this.#loop = startLoop({
      pass: async (now) => {
        await this.#removeOld(now)
        return { wakeAt: null }
      },
      clock: options.clock,
      intervalMs: lookForOldEveryMs,
      restMs: 1000,
      onError: (error) => options.log.warn('agent', `cannot delete old logs: ${describeError(error)}`),
    })
  }

  /** An instance is here, or about to be. */
  note({ name, instance, createdAt }: DesiredUnit): void {
    if (instance === null) return
    const { uuid } = instance
    const known = this.#here.get(name)
    // The clock of whoever made it may be ahead of the one that its lines are told by.
    const seenAt = known?.uuid === uuid ? known.createdAt : this.#options.clock.now()
    this.#here.set(name, { uuid, createdAt: Math.min(createdAt, seenAt) })
  }

  /** How long they are kept may have changed. */
  look(): void {
    this.#loop.wake()
  }

  /** Keeps the log of a unit that is about to be forgotten here. Never throws for what goes wrong with that. */
  async keep(name: UnitName, driver: Driver, signal: AbortSignal): Promise<void> {
    const of = parseServiceUnit(name)
    const { uuid, createdAt } = this.#here.get(name) ?? { uuid: null, createdAt: 0 }
    if (of === null || of.n === null || this.#options.retention().maxAgeMs === 0) return
    const { project, service, n } = of
    const what = { unit: name, project, service, instance: `${service}-${n}`, uuid, driver: driver.kind }
    const scope = new AbortController()
    const timer = this.#options.clock.after(copyWithinMs, () => scope.abort())
    const either = AbortSignal.any([signal, scope.signal])
    try {
      if (driver.keepsLogs === true) await this.#keepPlace(what, driver, createdAt, either)
      else await this.#copying(() => this.#copy(what, driver, either), either)
    } catch (error) {
      if (error instanceof InvariantError) throw error
      signal.throwIfAborted()
      // There never was anything of it, or it is gone.
      if (error instanceof DriverError && error.code.endsWith('/unknown-unit')) return
      const why = scope.signal.aborted ? 'that takes too long' : describeError(error)
      this.#options.log.warn('agent', `${name}: its log is not kept: ${why}`)
    } finally {
      timer.cancel()
    }
    this.#loop.wake()
  }

  /** An instance is here no more. Until then its log may be kept once more, as where its driver did not let go of it. */
  forget(name: UnitName): void {
    this.#here.delete(name)
  }

  /** Which there are of a service, or of an instance by name or uuid. */
  named(project: string, word: string): readonly KeptLog[] {
    return logsNamed(this.#logs.values(), project, word)
  }

  /** The lines of some of them, in streams that are each in the order of time. */
  lines(
    logs: readonly KeptLog[],
    since: Instant | null,
    signal: AbortSignal,
  ): readonly AsyncGenerator<readonly KeptLine[], void, undefined>[] {
    const wanted = logs.filter(({ until }) => since === null || until >= since)
    return inRows(wanted).map((row) => this.#linesOf(row, since, signal))
  }

  async stop(): Promise<void> {
    await this.#loop.stop()
  }

  async *#linesOf(
    row: readonly KeptLog[],
    since: Instant | null,
    signal: AbortSignal,
  ): AsyncGenerator<readonly KeptLine[], void, undefined> {
    for (const log of row) {
      const { from, until, instance } = log
      const first = Math.max(from, since ?? from)
      const source = log.bytes === null ? this.#fromDriver(log, first, signal) : this.#fromCopy(log)
      for await (const all of source) {
        if (signal.aborted) return
        const lines = all.filter(({ at }) => at >= first && at <= until)
        if (lines.length > 0) yield lines.map((line) => ({ instance, line }))
        if (lines.length === 0 && (all[0]?.at ?? until) > until) break
      }
    }
  }

  async *#fromDriver(
    { unit, driver }: KeptLog,
    since: Instant,
    signal: AbortSignal,
  ): AsyncGenerator<readonly LogLine[], void, undefined> {
    const keeper = this.#options.drivers.get(driver)
    if (keeper === undefined) return
    yield* keeper.logs(unit, { follow: false, since, tail: null }, signal)
  }

  async *#fromCopy({ id }: KeptLog): AsyncGenerator<readonly LogLine[], void, undefined> {
    for (const file of copiesOf(this.#options.dir, id)) {
      const handle = await openOrNull(file)
      if (handle === null) continue
      for await (const texts of lineBatches(handle.createReadStream())) {
        await ownTurn()
        yield texts.flatMap((text) => readKeptLine(text) ?? [])
      }
    }
  }

  /** What a journal keeps beyond the unit is that of the instance from the one before it of the same name on. */
  async #keepPlace(what: Writer, driver: Driver, createdAt: Instant, signal: AbortSignal): Promise<void> {
    await this.#copying(() => caughtUp(driver, what.unit, signal), signal)
    const until = this.#options.clock.now()
    // What seems to be of a later time is of before the clock was set back.
    const before = [...this.#logs.values()].filter((log) => log.unit === what.unit && log.until < until)
    const from = Math.max(createdAt, ...before.map((log) => log.until + 1))
    await this.#note({ ...what, id: this.#freshId(what.unit, until), from, until, bytes: null })
  }

  /** Of no other log, nor of one of the same unit that was kept at the same time. */
  #freshId(unit: UnitName, at: Instant): string {
    const id = idOf(unit, at)
    return this.#logs.has(id) ? this.#freshId(unit, at + 1) : id
  }

  async #copy(what: Writer, driver: Driver, signal: AbortSignal): Promise<void> {
    const copy = new Copy(this.#options.dir, this.#freshId(what.unit, this.#options.clock.now()))
    try {
      const query = { follow: false, since: null, tail: copied.lines }
      for await (const lines of driver.logs(what.unit, query, signal)) {
        signal.throwIfAborted()
        await copy.add(lines)
      }
      signal.throwIfAborted()
      const found = await copy.finish()
      if (found === null) return
      await this.#note({ ...what, ...found })
      await this.#forgetSame({ ...what, ...found })
    } catch (error) {
      await copy.drop()
      throw error
    }
  }

  /** What was copied before the unit could be let go of is copied once more: by another daemon, perhaps, that knows no uuid. */
  async #forgetSame({ id, unit, uuid, from }: Pick<KeptLog, 'id' | 'unit' | 'uuid' | 'from'>): Promise<void> {
    for (const log of [...this.#logs.values()]) {
      const isOther = log.uuid !== null && uuid !== null && log.uuid !== uuid
      if (log.id === id || log.unit !== unit || log.bytes === null || log.until < from || isOther) continue
      await this.#remove(log)
    }
  }

  async #note(found: Omit<KeptLog, 'keptAt'>): Promise<void> {
    const { dir, clock } = this.#options
    const log: KeptLog = { ...found, keptAt: clock.now() }
    // One that is not whole says nothing, and is removed at the next start.
    await writeInto(dir, `${log.id}.json`, JSON.stringify(log))
    this.#logs.set(log.id, log)
  }

  async #removeOld(now: Instant): Promise<void> {
    const old = logsToRemove(
      this.#logs.values(),
      this.#options.retention(),
      elapsedAt(now, this.#options.clockWatch.jumps()),
    )
    for (const log of old) await this.#remove(log)
  }

  async #remove({ id }: KeptLog): Promise<void> {
    const { dir } = this.#options
    for (const file of [join(dir, `${id}.json`), ...copiesOf(dir, id)]) await rm(file, { force: true })
    this.#logs.delete(id)
  }
}

/** The copy of a log that is being made: of a long one its last part, in two files of which the older one is let go. */
class Copy {
  readonly #dir: string
  readonly #id: string
  #gathered: LogLine[] = []
  #gatheredSize = 0
  #size = 0
  #olderSize = 0
  #first: Instant | null = null
  #olderFirst: Instant | null = null
  #last: Instant = 0

  constructor(dir: string, id: string) {
    this.#dir = dir
    this.#id = id
  }

  async add(lines: readonly LogLine[]): Promise<void> {
    for (const line of lines) {
      this.#gathered.push(line)
      this.#gatheredSize += line.line.length
    }
    if (this.#gatheredSize >= gatheredBytes) await this.#write()
  }

  /** What there is of it; null for nothing. */
  async finish(): Promise<Pick<KeptLog, 'id' | 'from' | 'until' | 'bytes'> | null> {
    await this.#write()
    const from = this.#olderFirst ?? this.#first
    if (from === null) return null
    return { id: this.#id, from, until: this.#last, bytes: this.#size + this.#olderSize }
  }

  async drop(): Promise<void> {
    for (const file of copiesOf(this.#dir, this.#id)) await rm(file, { force: true }).catch(() => {})
  }

  async #write(): Promise<void> {
    const lines = this.#gathered
    if (lines.length === 0) return
    this.#gathered = []
    this.#gatheredSize = 0
    if (this.#size >= copied.bytes / 2) await this.#turn()
    for (const { at } of lines) {
      this.#first = Math.min(this.#first ?? at, at)
      this.#last = Math.max(this.#last, at)
    }
    const text = Buffer.from(lines.map((line) => `${printKeptLine(line)}\n`).join(''))
    await writeInto(this.#dir, basename(this.#current), text, this.#size === 0 ? 'w' : 'a')
    this.#size += text.length
  }

  async #turn(): Promise<void> {
    const [older = ''] = copiesOf(this.#dir, this.#id)
    await rename(this.#current, older)
    this.#olderFirst = this.#first
    this.#olderSize = this.#size
    this.#first = null
    this.#size = 0
  }

  get #current(): string {
    return copiesOf(this.#dir, this.#id)[1] ?? ''
  }
}

/**
 * Resolves when what a unit has written has its place in the journal, by the journal's own time: what it wrote last comes
 * there a moment later, and reading waits for that. What cannot be read now may be read later all the same.
 */
async function caughtUp(driver: Driver, unit: UnitName, signal: AbortSignal): Promise<void> {
  try {
    for await (const _ of driver.logs(unit, { follow: false, since: null, tail: 1 }, signal)) return
  } catch (error) {
    if (!(error instanceof DriverError) && !signal.aborted) throw error
  }
}

/** Writes a file of the directory, which is made with the first. */
async function writeInto(dir: string, name: string, text: string | Buffer, flag = 'w'): Promise<void> {
  const write = (): Promise<void> => writeFile(join(dir, name), text, { flag, mode: 0o600 })
  await write().catch(async (error: unknown) => {
    if (errorCode(error) !== 'ENOENT') throw error
    await mkdir(dir, { recursive: true, mode: 0o700 })
    await write()
  })
}

function idOf(unit: UnitName, at: Instant): string {
  return sha1(`${unit} ${at}`).slice(0, 20)
}

/** The files of a copy, the older one first. */
function copiesOf(dir: string, id: string): readonly string[] {
  return [join(dir, `${id}.older.log`), join(dir, `${id}.log`)]
}

/** Removes what a daemon that was killed has left in the middle of a copy. */
async function sweep(dir: string, logs: ReadonlyMap<string, KeptLog>): Promise<void> {
  for (const file of await filesIn(dir)) {
    const id = file.slice(0, file.indexOf('.'))
    if (!logs.has(id)) await rm(join(dir, file), { force: true })
  }
}

async function filesIn(dir: string): Promise<readonly string[]> {
  return readdir(dir).catch((error: unknown) => {
    if (errorCode(error) === 'ENOENT') return []
    throw error
  })
}

async function textOf(file: string): Promise<string> {
  return readFile(file, 'utf8').catch(() => '')
}

async function openOrNull(file: string): Promise<FileHandle | null> {
  try {
    return await open(file)
  } catch (error) {
    // Too old by now, or never that long.
    if (errorCode(error) === 'ENOENT') return null
    throw error
  }
}
