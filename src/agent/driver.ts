// What an agent asks of the thing that runs units. test/drivers/driver-contract.ts is the suite for every driver.

import type { Instant } from '../lib/time.js'
import type { FileDirectories } from '../model/arriving-file.js'
import type { Diagnostic } from '../model/diagnostic.js'
import { DriverError } from '../model/driver-error.js'
import { type DriverKind, driverKinds } from '../model/driver-kind.js'
import type { ResolvedImage, TidiedImage } from '../model/image.js'
import type {
  InstanceRef,
  ObservedUnit,
  OutputLine,
  PortBinding,
  PullProgress,
  UnitName,
} from '../model/unit.js'
import type { VolumeName } from '../model/volume.js'
import type { UnitFile } from '../unit/parse.js'
import type { NamedVolume } from '../unit/volumes.js'

/** A unit as handed to a driver: everything that placement decides is filled in. */
export interface UnitToRun {
  readonly name: UnitName
  /** The hash that `list` gives back; covers the text and the placement. */
  readonly hash: string
  readonly file: UnitFile
  readonly instance: InstanceRef | null
  /** It runs once: what ended it from outside, such as an end of its machine, is never followed by another run. */
  readonly runsOnce?: true
  /** It holds the place of a program that `exec` with `bound` runs, joined to its caller. */
  readonly joined?: true
  /** The uuid of the instance's service; absent where it has none. */
  readonly serviceUuid?: string
  readonly ports: readonly PortBinding[]
  /** Its named volumes; absent for none. */
  readonly volumes?: readonly NamedVolume[]
  /** Variables on top of the unit's own `Environment=`: PORT and the like. */
  readonly environment: Readonly<Record<string, string>>
  /** More of them, which nobody but the program may read; absent for none. */
  readonly secrets?: Readonly<Record<string, string>>
  /** The files that the program finds; absent for none. Nothing may tell on what is in them. */
  readonly files?: readonly FilledFile[]
}

/** A file of a unit with all that is in it. */
export interface FilledFile {
  /** Absolute, or relative to the directory of files of its own. */
  readonly path: string
  /** Octal; null for what fits the rest. */
  readonly mode: string | null
  /** `user[:group]`; null for whom the unit runs as. */
  readonly owner: string | null
  readonly secret: boolean
  readonly content: Uint8Array
}

/** A line that a unit wrote. */
export type LogLine = OutputLine

/** Which lines of a log are asked for. */
export interface LogQuery {
  readonly follow: boolean
  /** Only lines at or after this instant. */
  readonly since: number | null
  /** Only the last so many of what is there already; null for all. */
  readonly tail: number | null
}

export interface ExecRequest {
  /** Passed to the program as they are, never through a shell. */
  readonly argv: readonly string[]
  readonly user: string | null
  readonly stdin: AsyncIterable<Uint8Array> | null
  /** Null, or absent: pipes. */
  readonly terminal?: ExecTerminal | null
  /** Takes what the program writes. No more is read of that stream before what it returned has resolved. */
  readonly onOutput: (stream: 'stdout' | 'stderr', chunk: Uint8Array) => Promise<void> | void
  /**
   * Called when the program is seen to run; until then it is the host that takes its time. `stillRuns`, where the driver
   * can tell at once, says whether it does: its end may be told late as well.
   */
  readonly onRunning?: (stillRuns?: () => boolean) => void
  /** It is what the unit is there for: the limits of that hold it, and what ends the unit ends it. */
  readonly bound?: true
}

/** A terminal for a program: what it writes comes on `stdout` alone, and what is typed is its `stdin`. */
export interface ExecTerminal {
  /** `TERM`. */
  readonly type: string
  readonly size: TerminalSize
  /** Calls back with each further size. */
  onResize(listener: (size: TerminalSize) => void): void
}

/** Columns and rows of a terminal. */
export interface TerminalSize {
  readonly columns: number
  readonly rows: number
}

/** What may be sent to a unit's processes. */
export const killSignals = [
  'SIGKILL',
  'SIGTERM',
  'SIGINT',
  'SIGQUIT',
  'SIGHUP',
  'SIGUSR1',
  'SIGUSR2',
  'SIGABRT',
] as const
/** A signal that a unit is stopped with. */
export type KillSignal = (typeof killSignals)[number]

/** Use of resources by one unit; null where the host does not tell. */
export interface UnitStats {
  readonly cpuNs: number | null
  readonly memoryBytes: number | null
  readonly memoryLimitBytes: number | null
  readonly processes: number | null
  /** Of a unit without a control group of its own: the part of the time that its programs themselves spent. */
  readonly cpuUserNs?: number
  /** Of a unit without a control group of its own: its processes. */
  readonly pids?: readonly number[]
}

export interface UnloadOptions {
  readonly deleteVolumes: boolean
}

/** When an image is fetched: never, where it is not here, or each time. */
const pullRules = ['missing', 'always', 'never'] as const
/** When an image is fetched. */
export type PullRule = (typeof pullRules)[number]

/** The rule that a word says; null for any other word. */
export function pullRuleOf(word: string): PullRule | null {
  return pullRules.find((rule) => rule === word) ?? null
}

/** Told how far a pull is that a unit waits for. */
export type PullListener = (progress: PullProgress) => void

/** A service whose volumes go. */
export interface OwnerOfVolumes {
  readonly uuid: string
  readonly project: string
  readonly name: string
  /** Whether there is another service of that name by now: its named volumes may be in use, and stay. */
  readonly isReplaced: boolean
}

/** A named volume that a driver keeps. */
export interface KeptVolume extends VolumeName {
  readonly uuid: string
  readonly createdAt: Instant
}

/** What has a volume now: a unit by its name, or a container that is none of ours by its own. */
export interface VolumeUser {
  readonly driver: DriverKind
  readonly name: string
}

/** A named volume with all that has it: nobody may delete it meanwhile. */
export interface VolumeInUse extends KeptVolume {
  readonly users: readonly VolumeUser[]
}

/** A volume of a service of some name; null where nothing tells which. */
export interface LeftVolume {
  readonly name: string
  readonly service: string | null
}

/**
 * Runs units. Verbs are idempotent: "already so" succeeds, "gone" is no error. Each verb may be called for many
 * units at once; a driver bounds and batches what its host needs bounded and batched.
 * A verb that cannot do its work throws DriverError.
 */
export interface Driver {
  readonly kind: DriverKind
  /** Whether it has never answered yet; it tells those who watch it when it does. Left out where it has. */
  readonly absent?: boolean
  /** Nothing says that this machine has it, before it answers: it is not counted among the machine's until then. */
  readonly unexpected?: boolean
  /** What units have written can be read by their names after they were unloaded, too: a journal of the host keeps it. */
  readonly keepsLogs?: boolean
  /** Every unit that this driver holds for us, found again after a restart. */
  list(signal: AbortSignal): Promise<readonly ObservedUnit[]>
  /**
   * Makes the unit known and ready to start, without starting it. With another hash: replaces what is not running.
   * Where an image has to be fetched first, `onPull` is told: when that begins, and as it gets on, seldom enough to be
   * noted each time.
   */
  load(unit: UnitToRun, signal: AbortSignal, onPull?: PullListener): Promise<void>
  /** Starts a loaded unit. Resolves when the start was carried out, not when the program is up. */
  start(name: UnitName, signal: AbortSignal): Promise<void>
  /** Stops a unit by its own rules (stop command, signal, timeout) and resolves when it has stopped. */
  stop(name: UnitName, signal: AbortSignal): Promise<void>
  /**
   * Sends a signal to every process of a unit; resolves to whether there was one. What becomes of the unit is as if somebody
   * else had sent it.
   */
  kill(name: UnitName, how: KillSignal, signal: AbortSignal): Promise<boolean>
  /** Sends a signal to the main process of a unit alone; nothing where there is none. */
  tell?(name: UnitName, how: KillSignal, signal: AbortSignal): Promise<void>
  /**
   * Freezes all that runs of a unit, and resolves once nothing of it does anything any more. Throws DriverError `volume/cannot-pause`
   * where it cannot; some of it may be frozen then. Left out by drivers that cannot do it at all.
   */
  freeze?(name: UnitName, signal: AbortSignal): Promise<void>
  /** Has all go on of a unit that was frozen, by whichever daemon. What is not frozen, or is gone, is no error. */
  thaw?(name: UnitName, signal: AbortSignal): Promise<void>
  /** Whether all that runs of a unit is frozen still. */
  isFrozen?(name: UnitName, signal: AbortSignal): Promise<boolean>
  /**
   * Forgets a stopped unit and removes what was made for it; stops it first if it still runs. What a unit that was ever
   * started wrote into volumes of its own is kept, unless it is said to be deleted.
   */
  unload(name: UnitName, signal: AbortSignal, options?: UnloadOptions): Promise<void>
  /** Calls back with the name of a unit (or null: any) whose state may have changed, until `signal` aborts. */
  watch(onChange: (name: UnitName | null) => void, signal: AbortSignal): void
  /** One unit as seen now; null when the driver does not hold it. */
  observe(name: UnitName, signal: AbortSignal): Promise<ObservedUnit | null>
  /** In batches, as they come: each is little enough for one turn of the event loop. */
  logs(name: UnitName, query: LogQuery, signal: AbortSignal): AsyncIterable<readonly LogLine[]>
  /** Runs a program beside the unit (inside its container) and resolves to its exit status. */
  exec(name: UnitName, request: ExecRequest, signal: AbortSignal): Promise<{ readonly code: number }>
  stats(name: UnitName, signal: AbortSignal): Promise<UnitStats>
  /** Where programs find a volume, if that is not the path that their unit says. */
  volumePath?(volume: NamedVolume): string
  /** Where the program of a unit finds its files, if it is not where a namespace shows them. */
  filesAt?(name: UnitName): FileDirectories
  /**
   * Replaces those files of a loaded unit that are others by now, where its program sees them; files that are not among those of
   * `unit` stay. Gives the paths of all that were replaced since `filesTaken`. Throws DriverError.
   */
  replaceFiles?(unit: UnitToRun): readonly string[]
  /** The program of a unit knows of what was replaced. */
  filesTaken?(name: UnitName): void
  /** The named volumes that it keeps. What other drivers have of them is told as far as it is known. */
  listVolumes?(signal: AbortSignal): Promise<readonly VolumeInUse[]>
  /** The units that have one of them, where that takes no look at all; absent: the list says it. */
  volumeUsers?(volume: VolumeName, signal: AbortSignal): Promise<readonly VolumeUser[]>
  /**
   * Deletes one of its named volumes, unless something has it. Another one of the same name is left alone, and what is gone
   * is no error. Throws DriverError `volume/in-use`, and those of a driver that cannot do it.
   */
  deleteVolume?(volume: KeptVolume, signal: AbortSignal): Promise<void>
  /** Where the data of one of its named volumes lie on this machine. Throws DriverError `volume/unreadable`. */
  volumeData?(volume: VolumeName, signal: AbortSignal): Promise<string>
  /**
   * Makes a named volume, empty, where there is none; of a slot as what the store calls it. A directory belongs to whom `unit`
   * runs as, or to the daemon.
   */
  makeVolume?(volume: VolumeName, signal: AbortSignal, unit?: Pick<UnitToRun, 'name' | 'file'>): Promise<void>
  /**
   * Deletes the named volumes of a service, and what its instances, by uuid, have left behind in volumes of their own.
   * Resolves to those that stay though they bear its name: others have left them.
   */
  deleteVolumesOf?(service: OwnerOfVolumes, signal: AbortSignal): Promise<readonly LeftVolume[]>
  /** Asks a registry whether a login is right; only of a driver that runs images. Never throws. */
  checkLogin?(login: PlainLogin, signal: AbortSignal): Promise<CheckedLogin>
  /** What an image means now; only of a driver that runs images. */
  resolveImage?(image: string, signal: AbortSignal): Promise<ResolvedImage>
  /**
   * Has an image here before anything needs it, by the rules for a container that is made; resolves to whether it was here. Only of a
   * driver that runs images. Throws DriverError.
   */
  fetchImage?(
    image: string,
    pull: PullRule,
    signal: AbortSignal,
    onPull?: PullListener,
  ): Promise<'present' | 'fetched'>
  /**
   * Holds those of its images that are needed, and removes those that it fetched itself and that have not been for long
   * enough. Only of a driver that runs images.
   */
  tidyImages?(needed: readonly string[], signal: AbortSignal): Promise<TidyReport>
  /** What becomes of the images that it holds or has fetched; nothing is done. Only of a driver that runs images. */
  tellImages?(needed: readonly string[], signal: AbortSignal): Promise<readonly TidiedImage[]>
  /** Lets go of connections. What runs goes on running. */
  close(): Promise<void>
}

/** What is left to do about images. */
export interface TidyReport {
  /** When the next one comes of age; null for none. */
  readonly wakeAt: Instant | null
  /** Whether the disk is still fuller than it may be: what takes its space is no image that could go. */
  readonly isDiskFull: boolean
}

/** Where there is nothing to tidy. */
export const tidied: TidyReport = { wakeAt: null, isDiskFull: false }

/** The part of a driver that needs no host: what of a unit it cannot honour, refused at submission. */
export type CheckUnit = (file: UnitFile, name: UnitName) => readonly Diagnostic[]

const unreachable: ReadonlySet<string> = new Set(driverKinds.map((kind) => `${kind}/unreachable`))

/** Whether a driver could not do its work because what it drives does not answer. */
export function isUnreachable(error: unknown): boolean {
  return error instanceof DriverError && unreachable.has(error.code)
}

/** Who a registry is asked as, in the clear. */
export interface PlainLogin {
  /** As logins name it (`registryName`). */
  readonly host: string
  readonly username: string
  readonly password: string
}

/** Whether a registry takes a login. `reason` is what kept it from saying so. */
export type CheckedLogin =
  | { readonly kind: 'right' }
  | { readonly kind: 'refused'; readonly reason: string }
  | { readonly kind: 'unknown'; readonly reason: string }

/** Who the registry of an image is asked as; null for whom the machine's own configuration says. */
export type RegistryLogins = (image: string) => PlainLogin | { readonly problem: string } | null
