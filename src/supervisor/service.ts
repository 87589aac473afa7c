// A unit as the process supervisor runs it: the `[Service]` options with everything decided that text can decide.
// It is plain JSON, so that it crosses the supervisor's socket and rests in the unit's directory as it is.
import type { CapabilitySet } from '../model/capability.js'
import type { ResourceLimit, ResourceName } from '../model/resource-limit.js'
import type { ExecCommand } from '../unit/exec.js'

/** Lists of commands, by systemd's option and sub state: `ExecStartPre=` is run in `start-pre`, and so on. */
export const commandLists = ['start-pre', 'start', 'start-post', 'stop', 'stop-post'] as const
/** Names a list of commands of a unit, such as `ExecStart`. */
export type CommandList = (typeof commandLists)[number]

/** `Type=` of a unit. */
export type ServiceType = 'simple' | 'exec' | 'oneshot'

/** `control-group` signals everything that the unit started, `mixed` the main process first, `process` it alone. */
export type KillMode = 'control-group' | 'mixed' | 'process'

export const restartWords = [
  'no',
  'on-success',
  'on-failure',
  'on-abnormal',
  'on-watchdog',
  'on-abort',
  'always',
] as const
/** `Restart=` of a unit. */
export type SystemdRestart = (typeof restartWords)[number]
export type DockerRestart = 'no' | 'on-failure' | 'always' | 'unless-stopped'

/** `[Service] Restart=` with its fixed wait, or `[X-Mariposa] Restart=` with Docker's growing one. */
export type RestartRule =
  | { readonly kind: 'systemd'; readonly when: SystemdRestart; readonly waitMs: number }
  | { readonly kind: 'docker'; readonly when: DockerRestart; readonly max: number | null }

/** Where a stream of the program goes. */
export type Output =
  | { readonly kind: 'log' }
  | { readonly kind: 'null' }
  | { readonly kind: 'file'; readonly path: string; readonly mode: 'append' | 'truncate' }

/** Ends of a program: exit statuses and signal names (`SIGTERM`). */
export interface ExitSet {
  readonly codes: readonly number[]
  readonly signals: readonly string[]
}

export type ProcessLimits = Readonly<Partial<Record<ResourceName, ResourceLimit>>>

/** A unit file as the supervisor runs it. */
export interface Service {
  readonly type: ServiceType
  readonly commands: Readonly<Record<CommandList, readonly ExecCommand[]>>
  readonly remainAfterExit: boolean
  readonly environment: Readonly<Record<string, string>>
  readonly environmentFiles: readonly { readonly path: string; readonly optional: boolean }[]
  /** `~` is the home directory of the user; null is the root directory, as for a system service of systemd. */
  readonly workingDirectory: { readonly path: string; readonly optional: boolean } | null
  /** Names or numbers; null is the supervisor's own. */
  readonly user: string | null
  readonly group: string | null
  /** Groups beside those of the user; names or numbers. Absent for none, as in units of an older supervisor. */
  readonly groups?: readonly string[]
  /** Limits of each process; absent for those of the supervisor. */
  readonly limits?: ProcessLimits
  /** Set-user-id bits and capabilities of files raise nothing. Absent: they do, as in units of an older supervisor. */
  readonly noNewPrivileges?: true
  /** The capabilities that it can have at all; absent for those of the supervisor. */
  readonly bounding?: CapabilitySet
  readonly umask: number
  readonly nice: number
  readonly restart: RestartRule
  /** At most `burst` starts within the interval; an interval of 0 sets no limit. */
  readonly startLimit: { readonly intervalMs: number; readonly burst: number }
  /** Null waits without end. */
  readonly timeoutStartMs: number | null
  readonly timeoutStopMs: number | null
  readonly killMode: KillMode
  readonly killSignal: string
  readonly sendSigkill: boolean
  /** Ends that are clean besides systemd's own. */
  readonly success: ExitSet
  readonly restartPrevent: ExitSet
  readonly output: { readonly stdout: Output; readonly stderr: Output }
  /** Resident memory of all its processes above which it is killed; null sets no limit. */
  readonly memoryBytes: number | null
  /** `CPUQuota=`, of a core; absent for no limit, as in units of an older supervisor. */
  readonly cpuPercent?: number
  /** `TasksMax=`: processes and threads at a time; absent likewise. */
  readonly tasks?: number
}

/** systemd's defaults for what a unit does not say. */
export const serviceDefaults = {
  environment: {},
  environmentFiles: [],
  remainAfterExit: false,
  workingDirectory: null,
  user: null,
  group: null,
  umask: 0o022,
  nice: 0,
  restart: { kind: 'systemd', when: 'no', waitMs: 100 },
  startLimit: { intervalMs: 10_000, burst: 5 },
  timeoutStartMs: 90_000,
  timeoutStopMs: 90_000,
  killMode: 'control-group',
  killSignal: 'SIGTERM',
  sendSigkill: true,
  success: { codes: [], signals: [] },
  restartPrevent: { codes: [], signals: [] },
  output: { stdout: { kind: 'log' }, stderr: { kind: 'log' } },
  memoryBytes: null,
} as const satisfies Omit<Service, 'type' | 'commands'>
