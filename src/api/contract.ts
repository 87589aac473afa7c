// Mariposa's own HTTP API under /v1: paths and JSON as both sides see them (contract §2, §5). Types only, and
// the few constants that client and server must agree on.

import type { DiffLine } from '../lib/line-diff.js'
import type { Actor } from '../model/actor.js'
import type { Diagnostic } from '../model/diagnostic.js'
import type { DriverKind } from '../model/driver-kind.js'
import type { EventData } from '../model/event.js'
import type { TidiedImage } from '../model/image.js'
import type { Capacity, MachineId } from '../model/machine.js'
import type { Run, Schedule } from '../model/schedule.js'
import type { InstanceState, ServiceType } from '../model/service.js'
import type { TaskKind, TaskState } from '../model/task.js'
import type { ActiveState, DesiredState, Health, LoadState } from '../model/unit.js'
import type { DeliveryState, WebhookEvent } from '../model/webhook.js'

/** The default project (contract §1). */
export const defaultProject = 'default'

/** Where the daemon listens unless told otherwise: as root, and as an ordinary user below its runtime directory. */
export const rootSocketPath = '/run/mariposa/mariposa.sock'
export const userSocketName = 'mariposa.sock'

/** Says of an answer since when (RFC 3339) it may be out of date: the daemon is out of touch with its store. */
export const staleHeader = 'x-mariposa-stale'
/** Says why, as the code of the error that a change meets. */
export const staleBecauseHeader = 'x-mariposa-stale-because'
/** Of the answer to an exec with a terminal: what its caller names it by to leave it. */
export const execHeader = 'x-mariposa-exec'

/** A body larger than this is refused with 413. */
export const maxBodyBytes = 4 * 1024 * 1024

/** Paths below the endpoint. Parts are encoded by the caller of these functions alone. */
export const paths = {
  version: '/v1/version',
  health: '/healthz',
  ready: '/readyz',
  unreadable: '/v1/store/unreadable',
  /** Query: `key`. */
  record: '/v1/store/record',
  removeRecord: '/v1/store/remove',
  events: '/v1/events',
  /** Query: `name`. What the Docker of this machine says that it means. */
  imageMeaning: '/v1/image-meaning',
  machines: '/v1/machines',
  machine: (id: string) => `/v1/machines/${encodeURIComponent(id)}`,
  /** Server-sent events, until the machine is drained or stuck. */
  drain: (id: string) => `/v1/machines/${encodeURIComponent(id)}/drain`,
  units: '/v1/units',
  unit: (name: string) => `/v1/units/${encodeURIComponent(name)}`,
  /** POST: what is wanted of units, as one change where they are few. */
  unitChanges: '/v1/unit-changes',
  /** POST, as the names of many units are too long for a URL: server-sent events. */
  unitProgress: '/v1/unit-progress',
  unitExplain: (name: string) => `/v1/units/${encodeURIComponent(name)}/explain`,
  unitJournal: (name: string) => `/v1/units/${encodeURIComponent(name)}/journal`,
  tasks: '/v1/tasks',
  task: (uuid: string) => `/v1/tasks/${encodeURIComponent(uuid)}`,
  taskProgress: (uuid: string) => `/v1/tasks/${encodeURIComponent(uuid)}/progress`,
  terminate: (uuid: string) => `/v1/tasks/${encodeURIComponent(uuid)}/terminate`,
  freeze: (project: string) => `${projectPath(project)}/freeze`,
  unfreeze: (project: string) => `${projectPath(project)}/unfreeze`,
  release: (project: string) => `${projectPath(project)}/release`,
  compile: (project: string) => `${projectPath(project)}/compile`,
  plan: (project: string) => `${projectPath(project)}/plan`,
  deploy: (project: string) => `${projectPath(project)}/deploy`,
  scale: (project: string) => `${projectPath(project)}/scale`,
  projects: '/v1/projects',
  project: (project: string) => projectPath(project),
  stopProject: (project: string) => `${projectPath(project)}/stop`,
  startProject: (project: string) => `${projectPath(project)}/start`,
  services: (project: string) => `${projectPath(project)}/services`,
  service: (project: string, service: string) => servicePath(project, service),
  stop: (project: string, service: string) => `${servicePath(project, service)}/stop`,
  start: (project: string, service: string) => `${servicePath(project, service)}/start`,
  revert: (project: string, service: string) => `${servicePath(project, service)}/revert`,
  reprovision: (project: string, service: string) => `${servicePath(project, service)}/reprovision`,
  versions: (project: string, service: string) => `${servicePath(project, service)}/versions`,
  /** `word` is its uuid, the beginning of that, or `service@ordinal`. */
  versionNamed: (project: string, word: string) =>
    `${projectPath(project)}/versions/${encodeURIComponent(word)}`,
  unitKill: (name: string) => `/v1/units/${encodeURIComponent(name)}/kill`,
  machineImages: (id: string) => `/v1/machines/${encodeURIComponent(id)}/images`,
  machineAdopt: (id: string) => `/v1/machines/${encodeURIComponent(id)}/adopt`,
  instances: (project: string) => `${projectPath(project)}/instances`,
  meta: (project: string) => `${projectPath(project)}/meta`,
  metaKey: (project: string, key: string) => metaPath(project, key),
  metaIncr: (project: string, key: string) => `${metaPath(project, key)}/incr`,
  metaDecr: (project: string, key: string) => `${metaPath(project, key)}/decr`,
  metaImport: (project: string) => `${projectPath(project)}/meta/import`,
  webhooks: (project: string) => `${projectPath(project)}/webhooks`,
  deliveries: (project: string) => `${projectPath(project)}/webhooks/deliveries`,
  webhookTest: (project: string) => `${projectPath(project)}/webhooks/test`,
  webhookRetry: (project: string) => `${projectPath(project)}/webhooks/retry`,
  schedules: (project: string) => `${projectPath(project)}/schedules`,
  runs: (project: string) => `${projectPath(project)}/schedules/runs`,
  /** `name` is a service or an instance. */
  logs: (project: string, name: string) => `${projectPath(project)}/logs/${encodeURIComponent(name)}`,
  explain: (project: string, name: string) => `${projectPath(project)}/explain/${encodeURIComponent(name)}`,
  exec: (project: string, instance: string) => `${projectPath(project)}/exec/${encodeURIComponent(instance)}`,
  detach: (project: string, instance: string) =>
    `${projectPath(project)}/exec/${encodeURIComponent(instance)}/detach`,
} as const

function projectPath(project: string): string {
  return `/v1/projects/${encodeURIComponent(project)}`
}

function servicePath(project: string, service: string): string {
  return `${projectPath(project)}/services/${encodeURIComponent(service)}`
}

function metaPath(project: string, key: string): string {
  return `${projectPath(project)}/meta/${encodeURIComponent(key)}`
}

/** Every 4xx and 5xx answer. */
export interface ErrorBody {
  readonly error: {
    readonly code: string
    readonly message: string
    readonly hint?: string
    readonly details: readonly Diagnostic[]
  }
}

export interface VersionBody {
  readonly version: string
  readonly machine: MachineId
  readonly leader: MachineId | null
}

/** One file of a deploy, as the operator submitted it. */
export interface SourceFile {
  readonly file: string
  readonly text: string
  /** The service's name where the file itself gives none. */
  readonly name?: string
}

/** POST compile: the units that manifests compile to; changes nothing. */
export interface CompileRequest {
  readonly sources: readonly SourceFile[]
}
export interface CompileResponse {
  readonly services: readonly {
    readonly service: string
    readonly unit: string
    readonly text: string
    readonly manifest: unknown
  }[]
  readonly warnings: readonly Diagnostic[]
}

/** POST deploy: create or update services as one change: all of them or none (contract §2). */
export interface DeployRequest {
  readonly sources: readonly SourceFile[]
  /** For every service of the request; a new service starts at 1, an existing one keeps its scale. */
  readonly scale?: number
  /** How many instances are replaced at a time; default 1. */
  readonly rolling?: number
  /** Only so many of an existing service's instances are replaced; the rest stay as they are. */
  readonly canary?: number
  /** How long each new instance may take until it is up; after that the rollout has failed. Default: 10 min. */
  readonly deadlineMs?: number
  /** When the rollout fails, the version before becomes current again. */
  readonly autoRevert?: boolean
  /** Refused unless this is the current version: its uuid, the beginning of that, or its number. */
  readonly previous?: string
  /** Refuse unless every service is new, or every service exists. */
  readonly only?: 'new' | 'existing'
  /** Refuse unless this is the service that the sources define, and the only one. */
  readonly service?: string
  /** The sources are all of the project: its other services are removed. */
  readonly prune?: boolean
  /** Refuse unless this plan, by its id, is still what would be done. */
  readonly expect?: string
  /** Not refused where no machine can take it now: it waits until one can, or its deadline has passed. */
  readonly waitForRoom?: boolean
  /** Resolve the tags of images anew: where one means other bits by now, a new version is made of the same text. */
  readonly refresh?: boolean
}
export interface DeployResponse {
  readonly services: readonly DeployedService[]
  readonly warnings: readonly Diagnostic[]
  /** With `expect`: what was planned, to be compared with what has come of it. */
  readonly planned?: readonly PlannedService[]
}
export interface DeployedService {
  readonly service: string
  /** `removed`: the deploy does not name it, and prunes. */
  readonly outcome: 'created' | 'updated' | 'unchanged' | 'removed'
  readonly version: string
  readonly ordinal: number
  /** The task to follow; null where nothing is to be done. */
  readonly task: string | null
  /** Secrets that were made because the manifest gave none; no later answer holds them. */
  readonly secrets?: readonly MadeSecret[]
}
export interface MadeSecret {
  readonly of: 'webhook' | 'trigger'
  /** The webhook's URL, or the trigger's name. */
  readonly name: string
  readonly secret: string
}

/** POST plan, with the body of a deploy: what that would change; changes nothing. */
export interface PlanResponse {
  /** Tells plans apart, to hand back as `expect`: two of one id start and stop the same instances in the same places. */
  readonly id: string
  /** It would have taken too long to play the change through to its end: this is how far it came. No deploy expects it. */
  readonly cut?: true
  /** Whether anything would change. */
  readonly changes: boolean
  readonly services: readonly PlannedService[]
  readonly warnings: readonly Diagnostic[]
}
export interface PlannedService {
  readonly service: string
  readonly outcome: DeployedService['outcome']
  readonly ordinal: number
  /** uuid of the version that is current now, to hand back as `previous`; null for a new service. */
  readonly previous: string | null
  readonly scale: { readonly from: number; readonly to: number }
  /** The number of the last instance that was ever made of it; those that the deploy starts are numbered higher. */
  readonly lastInstance: number
  /** Lines of the manifest that go and come. */
  readonly diff: readonly DiffLine[]
  /** With `refresh`: what its image was pinned to and is then; null where nobody knew. */
  readonly pinned?: { readonly from: string | null; readonly to: string | null }
  readonly start: readonly PlannedInstance[]
  readonly stop: readonly PlannedInstance[]
  /** Instances that no machine could take. */
  readonly unplaced: readonly PlannedInstance[]
}
export interface PlannedInstance {
  readonly name: string
  readonly ordinal: number
  readonly machine: MachineId | null
  readonly hostname: string | null
  readonly reason: string
}

/** POST scale: `3`, `"+2"` or `"-1"` for each service named. */
export interface ScaleRequest {
  readonly targets: Readonly<Record<string, string | number>>
  /** How long each instance that is to come may take until it is up, before the task has failed; without: for ever. */
  readonly deadlineMs?: number
}
/** The tasks that a change began, one per service. */
export interface TasksResponse {
  readonly tasks: readonly TaskBody[]
  /** What a freeze ended; left out where that is nothing. */
  readonly ended?: readonly TaskBody[]
}
export interface StopRequest {
  /** Its uuid, the beginning of that, or its ordinal. */
  readonly version?: string
  /** Where it is being done already: the answer is that task, and not a refusal. */
  readonly join?: boolean
}
/** POST start: with a version, that one becomes current first. */
export interface StartRequest {
  readonly version?: string
  /** As for a scale. */
  readonly deadlineMs?: number
}
/** How instances are replaced. */
export interface RolloutRequest {
  readonly rolling?: number
  readonly canary?: number
  readonly deadlineMs?: number
  /** Refused unless this is the current version: its uuid, the beginning of that, or its number. */
  readonly previous?: string
}
/** POST revert: makes a version current. */
export interface RevertRequest extends RolloutRequest {
  readonly version: string
}
/** POST reprovision: replaces instances that meet every filter given; all without one. */
export interface ReprovisionRequest extends RolloutRequest {
  readonly version?: string
  readonly image?: string
  /** Its name or uuid. */
  readonly instance?: string
  /** Its id, the beginning of that, or its hostname. */
  readonly machine?: string
}

/** The contract's JSON for services. */
/** What goes with a service that is deleted. */
export interface DeleteRequest {
  /** Stops what runs first. */
  readonly force?: boolean
  /** Deletes the volumes without a name of its containers as well. */
  readonly volumes?: boolean
  /** Where it is being deleted already: the answer is that task, and not a refusal. */
  readonly join?: boolean
}

export interface ServiceBody {
  readonly name: string
  readonly uuid: string
  readonly project: string
  readonly type: ServiceType
  readonly scale: number
  readonly running: number
  readonly healthy: number
  readonly version: string
  readonly ordinal: number
  readonly image: string
  readonly status: ServiceStatus
  /** Why the status is what it is, in one line; empty when all is well. */
  readonly reason: string
  /** Local restarts of the instances that it has now, together. */
  readonly restarts: number
  /** When something that does not run is tried again, the soonest; null where nothing is due. */
  readonly nextTryAt: string | null
}
/** Failing: its last change failed, or nothing of it stays up; degraded: not all is as it should be. */
export type ServiceStatus = 'running' | 'deploying' | 'degraded' | 'failing' | 'stopped' | 'stopping'

/** A project as a whole. */
export interface ProjectBody {
  readonly name: string
  /** That of the service which is worst off. */
  readonly status: ProjectStatus
  readonly serviceCount: number
  /** Instances of all its services together. */
  readonly scale: number
  readonly running: number
  readonly healthy: number
  /** As its manifest writes them. */
  readonly tags: Readonly<Record<string, string>>
  /** Whether all of it is frozen. */
  readonly frozen: boolean
  /** null for one that has nothing but metadata. */
  readonly createdAt: string | null
  /** Which service is worst off and why; empty when all is well. */
  readonly reason: string
}
export type ProjectStatus = ServiceStatus | 'empty'

/** GET one project. */
export interface ProjectDetails extends ProjectBody {
  readonly services: readonly ServiceBody[]
  /** How many keys of metadata it has. */
  readonly meta: number
}

/** GET one service. */
export interface ServiceDetails extends ServiceBody {
  readonly createdAt: string
  /** The manifest as submitted, but for secrets of trigger URLs that stand in it. */
  readonly manifest: string
  readonly file: string
  readonly versions: readonly VersionOfService[]
  readonly instances: readonly InstanceBody[]
  /** Absent where it has none. */
  readonly triggerUrls?: readonly TriggerUrlBody[]
}
/** A URL that starts, stops or scales the service for who knows its secret. */
export interface TriggerUrlBody {
  readonly name: string
  /** `start`, `stop`, `scale 3`, `scale +1`. */
  readonly action: string
  readonly path: string
  /** Where the daemon that was asked serves it; null where it serves none. */
  readonly url: string | null
  /** Calls that took effect. */
  readonly calls: number
  readonly lastCalledAt: string | null
}
/** What a call of a trigger URL is answered with. */
export interface TriggerCallResponse {
  readonly trigger: string
  /** The task that it began; empty where nothing was to be done. */
  readonly task: string
  /** The same call took effect before, and did nothing now. */
  readonly repeated: boolean
}
export interface VersionOfService {
  readonly uuid: string
  readonly ordinal: number
  readonly current: boolean
  readonly createdAt: string
  readonly sha1: string
}
/** GET one version. */
export interface VersionDetails extends VersionOfService {
  readonly service: string
  readonly project: string
  readonly image: string
  /** The image by its digest or id, as it was when the version was made; null where nobody knew, or for a program. */
  readonly pinned: string | null
  readonly file: string
  /** The manifest as submitted. */
  readonly manifest: string
  /** Instances of it that are not retired. */
  readonly instances: number
}

/** The contract's JSON for instances. */
export interface InstanceBody {
  readonly name: string
  readonly uuid: string
  readonly service: string
  readonly project: string
  readonly version: string
  readonly ordinal: number
  readonly unit: string
  readonly machine: MachineId | null
  readonly state: InstanceState
  readonly health: Health
  readonly createdAt: string
  readonly startedAt: string | null
  readonly address: string | null
  /** Published ports as `host:container/protocol`. */
  readonly ports: readonly string[]
  readonly pid: number | null
  readonly container: string | null
  readonly restarts: number
  /** When it is restarted, or started once more; null where neither is due. */
  readonly nextTryAt: string | null
  /** Why it is not up, or how it last ended; empty when all is well. */
  readonly reason: string
}

export interface TaskBody {
  readonly uuid: string
  /** `project/service`, or `project` for a freeze of all of it. */
  readonly scope: string
  readonly task: TaskKind
  readonly state: TaskState
  /** null for a freeze. */
  readonly target: { readonly scale: number; readonly version: string } | null
  readonly createdAt: string
  readonly finishedAt: string | null
  readonly error: string | null
  /** Who asked for it; null for what the daemon began by itself. */
  readonly by: Actor | null
}

/** POST terminate. */
export interface TerminateRequest {
  /** Nothing of its scope changes then until it is unfrozen. */
  readonly freeze?: boolean
}
/** POST freeze, unfreeze, release: a service, or all of the project. */
export interface ScopeRequest {
  readonly service?: string
}

/** One message of the progress stream (server-sent events) of a task; the last has a task that is over. */
export interface TaskProgress {
  readonly task: TaskBody
  /** How many instances are as they should be, of how many. */
  readonly done: number
  readonly total: number
  readonly instances: readonly InstanceBody[]
  /** With a failed task: the last lines that its instances wrote. */
  readonly logs: readonly LogRecord[]
}

/** The contract's JSON for a key of a project's metadata. */
export interface MetaBody {
  readonly key: string
  /** null for a secret. */
  readonly value: string | null
  readonly casId: string
  readonly secret: boolean
  readonly updatedAt: string
}

/** PUT of one key. What is a secret stays one until it is removed. */
export interface MetaSetRequest {
  readonly value: string
  readonly secret?: boolean
  /** Refuse unless the key has this CAS id. */
  readonly cas?: string
}

/** POST incr and decr: by how much; default 1. */
export interface MetaCountRequest {
  readonly by?: number
}

/** POST import: several keys as one change. */
export interface MetaImportRequest {
  readonly values: Readonly<Record<string, string>>
  readonly secret?: boolean
  /** Keys that are there get the new value too; else they are left as they are. */
  readonly force?: boolean
}
export interface MetaImportResponse {
  readonly set: readonly MetaBody[]
  /** Keys that were there already, and are as they were. */
  readonly skipped: readonly string[]
}

/** When a service starts by itself. Query: `service`. */
export interface ScheduleBody {
  readonly project: string
  readonly service: string
  readonly kind: Schedule['kind']
  readonly expression: string
  readonly timezone: string | null
  readonly overlap: Schedule['overlap']
  readonly epsilonMs: number
  /** The next firing; null when there is none any more. */
  readonly next: string | null
  /** A firing that waits until the instances before it have stopped. */
  readonly waiting: string | null
  /** The last firing that started an instance. */
  readonly last: string | null
  readonly started: number
  readonly skipped: number
  readonly missed: number
}

/**
 * One firing and what came of it; of `missed` ones the last, and how many. Or one instance that was asked for in another
 * way, of a service that is not continuous. Query: `service`.
 */
export interface RunBody {
  readonly service: string
  /** `start`: `service start`, or a trigger URL. */
  readonly by: Run['by']
  readonly dueAt: string
  readonly decidedAt: string
  readonly outcome: Run['outcome']
  readonly count: number
  readonly instance: string | null
  readonly endedAt: string | null
  readonly exitCode: number | null
  readonly signal: string | null
  /** How it ended, in one line; empty while it runs. */
  readonly result: string
}

/** Who is told of a service's events. Query: `service`. */
export interface WebhookBody {
  readonly uuid: string
  readonly project: string
  readonly service: string
  readonly url: string
  readonly events: readonly WebhookEvent[]
  readonly state: WebhookState
  /** Deliveries that are still to be made. */
  readonly queued: number
  /** Those that were given up. */
  readonly dead: number
  /** Events that found the queue full. */
  readonly lost: number
  /** Attempts that failed since the last that did not. */
  readonly failures: number
  /** When the first of those that wait is sent; null where none waits, and where that is now. */
  readonly nextAt: string | null
  /** Why the last attempt failed; empty when it did not. */
  readonly reason: string
}
/** Disabled: it answered 410 Gone. Retired: the current version does not name it any more. */
export type WebhookState = 'ok' | 'failing' | 'disabled' | 'retired'

/** The deliveries that are waiting, and the last ones that are over. Query: `service`, `state`. */
export interface DeliveryBody {
  /** `webhook-id` of every attempt, and the id of the CloudEvent. */
  readonly id: string
  readonly service: string
  readonly url: string
  readonly event: WebhookEvent
  readonly subject: string
  readonly state: DeliveryState
  readonly createdAt: string
  /** When it is sent next; null where it is over, and where that is now. */
  readonly nextAt: string | null
  readonly attemptCount: number
  /** The last ones, oldest first. */
  readonly attempts: readonly AttemptBody[]
}
export interface AttemptBody {
  readonly at: string
  readonly tookMs: number
  readonly status: number | null
  readonly error: string | null
}

/** POST webhooks/test: sends a test to the receivers of a service, or to that at one URL, past their queues. */
export interface WebhookTestRequest {
  readonly service: string
  readonly url?: string
}
export type WebhookTestResponse = readonly (AttemptBody & { readonly url: string })[]

/** POST webhooks/retry: tries again what was given up, or one delivery of it, and enables what was disabled. */
export interface WebhookRetryRequest {
  readonly service: string
  readonly delivery?: string
}
export interface WebhookRetryResponse {
  readonly retried: number
}

/** A record that cannot be read: it is set aside, and nothing it is about is decided. */
export interface UnreadableBody {
  readonly key: string
  /** What it would be a record of. */
  readonly kind: string
  /** `newer`: a later Mariposa wrote it. */
  readonly unfit: 'damaged' | 'newer'
  readonly problem: string
  /** The store's revision at which it was written. */
  readonly revision: number
}

/** A record as the store has it. */
export interface RecordBody {
  readonly key: string
  readonly kind: string
  /** Null where it can be read. */
  readonly unfit: UnreadableBody['unfit'] | null
  readonly problem: string | null
  readonly revision: number
  readonly value: string
}

/** POST store/remove. */
export interface RemoveRecordRequest {
  readonly key: string
  /** The revision that was looked at: another one is not removed. */
  readonly revision?: number
  /** Remove it although it can be read, here or by a newer Mariposa. */
  readonly force?: boolean
}
/** What it was. */
export type RemovedRecord = RecordBody

export interface MachineBody {
  readonly id: MachineId
  readonly hostname: string
  readonly ip: string
  readonly metadata: Readonly<Record<string, string>>
  readonly capacity: Capacity
  readonly allocated: { readonly memoryMb: number; readonly units: number }
  /** How many units are placed on it. */
  readonly units: number
  readonly cordoned: boolean
  /** Everything that can be elsewhere is to leave it. */
  readonly draining: boolean
  readonly drivers: readonly DriverKind[]
  /** Of `drivers`, those that do not answer now. */
  readonly driversAway: readonly DriverKind[]
  readonly version: string
  readonly leader: boolean
  /** RFC 3339: its daemon was stopped on purpose, and what runs there is not started elsewhere until then; null: it is there. */
  readonly awayUntil: string | null
}

/** One machine of the cluster, by `GET /v1/machines/ID`; an id may be shortened while it names one machine alone. */
export interface MachineDetails extends MachineBody {
  /** What is placed on it. */
  readonly placed: readonly MachineUnitBody[]
}
/** What runs on a machine that its cluster knows nothing of. */
export interface MachineAdoptBody {
  readonly machine: MachineId
  readonly hostname: string
  /** Names of units that are left as they are. */
  readonly unknown: readonly string[]
}
/** The images that the daemon of a machine holds for the cluster, or has fetched. */
export interface MachineImagesBody {
  readonly machine: MachineId
  readonly hostname: string
  readonly images: readonly MachineImageBody[]
}
export interface MachineImageBody extends Omit<TidiedImage, 'idleSince' | 'goesAt'> {
  readonly idleSince: string | null
  readonly goesAt: string | null
  /** Why it is kept, or when it goes, in one line. */
  readonly reason: string
}
export interface MachineUnitBody {
  readonly name: string
  readonly active: ActiveState | 'unknown' | null
  readonly sub: string | null
}

/** PATCH of a machine: what is left out stays as it is. */
export interface MachineChangeRequest {
  /** Without a cordon nothing is drained: false ends a drain too. */
  readonly cordoned?: boolean
  /** Moves everything away that can be elsewhere, at most `rolling` instances of a service at a time. Cordons it too. */
  readonly drain?: { readonly rolling?: number }
  /** Keys to set; null takes a key away, also where the machine's daemon announces it. */
  readonly metadata?: Readonly<Record<string, string | null>>
}

/** How far a machine is with being drained. */
export interface DrainBody {
  readonly machine: MachineId
  readonly hostname: string
  /**
   * `done`: nothing is left that could be elsewhere. `stuck`: what is left can go nowhere, as things are. `off`: it is
   * not being drained any more.
   */
  readonly state: 'going' | 'done' | 'stuck' | 'off'
  /** What is still on it, by name. */
  readonly left: readonly DrainedBody[]
}
export interface DrainedBody {
  /** The instance's, or else the unit's. */
  readonly name: string
  readonly unit: string
  /** `ending`: it goes by itself, as it stops or has run to its end. `stays`: it belongs here, and nothing waits for it. */
  readonly state: 'moving' | 'ending' | 'stuck' | 'stays'
  readonly reason: string
}

/** What fleet's commands do to units (seed: fleet-states). */
export const unitVerbs = ['submit', 'load', 'start', 'stop', 'unload', 'destroy'] as const
export type UnitVerb = (typeof unitVerbs)[number]

/** POST unit changes: of all of the units, or, where any is refused, of none. */
export interface UnitChangeRequest {
  readonly verb: UnitVerb
  readonly units: readonly NamedUnit[]
  /** For verbs that submit: a unit that is there gets the text that is given. */
  readonly replace?: boolean
}
export interface NamedUnit {
  /** Without a type it is a service's: `web` is `web.service`. */
  readonly name: string
  /** Its unit file. Where there is none, the cluster knows the unit, or the template that it is an instance of. */
  readonly source?: SourceText
  /** The file of its template, for an instance whose template the cluster does not know. */
  readonly template?: SourceText
}
export interface SourceText {
  readonly file: string
  readonly text: string
}
export interface UnitChangeResponse {
  readonly units: readonly ChangedUnit[]
  readonly warnings: readonly Diagnostic[]
}
export interface ChangedUnit {
  readonly name: string
  /** What was wanted of it before, and is now; null: it is not in the cluster. */
  readonly before: DesiredState | null
  readonly desired: DesiredState | null
}

/** POST unit progress: which units are followed, and what is wanted of them; null: that they are gone. */
export interface UnitProgressRequest {
  readonly units: readonly string[]
  readonly wanted: DesiredState | null
}

/** One message of the progress stream (server-sent events) of units; the last has none that is still `going`. */
export interface UnitProgress {
  readonly units: readonly UnitProgressBody[]
}
export interface UnitProgressBody {
  readonly name: string
  readonly desired: DesiredState | null
  readonly machines: readonly UnitOnMachine[]
  /** `overtaken`: somebody wants something else of it by now. */
  readonly outcome: 'going' | 'done' | 'failed' | 'overtaken'
  /** Why it is not as wanted, or why it failed; empty when there is nothing to say. */
  readonly reason: string
  /** Of a unit that failed: the last lines that it wrote. */
  readonly logs: readonly LogRecord[]
}

export interface UnitBody {
  readonly name: string
  readonly hash: string
  readonly desired: DesiredState
  /** The state that it is in; null for a global unit, which is in one on each machine. */
  readonly state: DesiredState | null
  /** Where it is placed; null for a global unit too. */
  readonly machine: MachineId | null
  readonly driver: DriverKind | null
  readonly load: LoadState | null
  readonly active: ActiveState | 'unknown' | null
  readonly sub: string | null
  readonly instance: string | null
  readonly global: boolean
  /** Every machine that it is placed on, with what that reports. */
  readonly machines: readonly UnitOnMachine[]
  /** Why it is not up, or how it last ended; empty when all is well. */
  readonly reason: string
}
/** A unit on one machine, in systemd's words; null before the machine has reported. */
export interface UnitOnMachine {
  readonly machine: MachineId
  readonly driver: DriverKind | null
  readonly load: LoadState | null
  readonly active: ActiveState | 'unknown' | null
  readonly sub: string | null
}
export interface UnitDetails extends UnitBody {
  readonly text: string
  readonly pid: number | null
  readonly container: string | null
  readonly since: string | null
  readonly restarts: number
  /** When it is restarted, or started once more; null where neither is due. */
  readonly nextTryAt: string | null
  readonly memoryBytes: number | null
  readonly cpuNs: number | null
  readonly processes: number | null
}

export interface EventBody {
  readonly id: string
  readonly at: string
  readonly kind: string
  readonly project: string | null
  readonly service: string | null
  readonly instance: string | null
  readonly machine: string | null
  readonly message: string
  /** Who asked for it; null where nobody did. */
  readonly by: Actor | null
  /** What programs may want to know beside the message. */
  readonly data?: EventData
}

/** One line of the logs stream (newline-separated JSON). Query: `follow`, `since` (RFC 3339), `tail`. */
export interface LogRecord {
  readonly at: string
  readonly instance: string
  readonly stream: 'stdout' | 'stderr'
  readonly line: string
  /** Of a global unit: the name of the machine that it was written on. */
  readonly machine?: string
}

/** GET explain: why each instance is where it is, or why it cannot be placed. */
export interface ExplainBody {
  readonly name: string
  /** What holds for the service as a whole: why no instance can be made. */
  readonly because: readonly string[]
  readonly instances: readonly ExplainedInstance[]
}
export interface ExplainedInstance {
  readonly name: string
  readonly state: InstanceState
  readonly machine: MachineId | null
  /** One sentence each, most important first. */
  readonly because: readonly string[]
  readonly machines: readonly ExplainedMachine[]
}

/** GET unit explain: the same for a unit, whatever wants it. */
export interface ExplainedUnit {
  readonly name: string
  readonly desired: DesiredState
  /** Null where it has none, and for a global unit, which has one on each machine that takes it. */
  readonly machine: MachineId | null
  readonly because: readonly string[]
  readonly machines: readonly ExplainedMachine[]
}

/** What one machine says to a unit. */
export interface ExplainedMachine {
  readonly machine: MachineId
  readonly hostname: string
  readonly accepted: boolean
  /** The first of `reasons`; whether it is here, where the machine accepts it. */
  readonly reason: string
  /** Every rule that speaks against the machine, in the order in which they are judged. */
  readonly reasons: readonly string[]
}

/**
 * POST exec. The request's body is the program's standard input; `argv` and `user` are query parameters
 * (`argv` repeated). With `tty=true` the program has a terminal, of `columns` and `rows` and the type `term`, and the body
 * is newline-separated JSON of ExecInput. The answer is newline-separated JSON frames; `exit` or `detached` is the last.
 * With a terminal it has an id as well, in the header `x-mariposa-exec`: POST detach with the parameter `exec` leaves the
 * program at once, also while it takes nothing of its input; what it has not taken then is dropped.
 */
export type ExecFrame =
  | { readonly stream: 'stdout' | 'stderr'; readonly base64: string }
  | { readonly exit: number }
  /** The caller has detached; the program goes on. */
  | { readonly detached: true }
  | { readonly error: ErrorBody['error'] }

/** What the body of a POST exec with a terminal is made of. */
export type ExecInput =
  /** What was typed. */
  | { readonly base64: string }
  | { readonly columns: number; readonly rows: number }
  /** The caller goes away, and the program stays. */
  | { readonly detach: true }

/** POST unit kill; `signal` is a query parameter (SIGKILL). */
export interface UnitKillBody {
  readonly unit: string
  readonly signal: string
  /** Where it was sent. */
  readonly machines: readonly string[]
}
