// Mariposa's own HTTP API under /v1: paths and JSON, shared by server and client (contract §2, §5). The types are those of the
// schemas that check requests and that the OpenAPI document shows; the constants are those that both sides must agree on.

import type { MachineId } from '../model/machine.js'
import type * as requests from './requests.js'
import type * as deploys from './shapes/deploys.js'
import type * as discovery from './shapes/discovery.js'
import type * as dns from './shapes/dns.js'
import type * as entry from './shapes/entry.js'
import type * as errors from './shapes/errors.js'
import type * as history from './shapes/history.js'
import type * as machines from './shapes/machines.js'
import type * as meta from './shapes/meta.js'
import type * as model from './shapes/model.js'
import type * as records from './shapes/records.js'
import type * as registries from './shapes/registries.js'
import type * as services from './shapes/services.js'
import type * as starts from './shapes/starts.js'
import type * as tasks from './shapes/tasks.js'
import type * as units from './shapes/units.js'
import type * as volumeBackups from './shapes/volume-backups.js'
import type * as volumes from './shapes/volumes.js'
import type { Shape } from './shapes/words.js'

/** The default project (contract §1). */
export const defaultProject = 'default'

/** Default socket of the daemon: as root, and as an ordinary user below its runtime directory. */
export const rootSocketPath = '/run/mariposa/mariposa.sock'
export const userSocketName = 'mariposa.sock'

/** Header of an answer that may be stale: since when (RFC 3339) the daemon has not reached its store. */
export const staleHeader = 'x-mariposa-stale'
/** The reason, as the code of the error that a change would get. */
export const staleBecauseHeader = 'x-mariposa-stale-because'
/** Number of records that cannot be read, if there are any: the answer may lack the objects that they describe. */
export const unreadableHeader = 'x-mariposa-unreadable'
/** Header of the answer to an exec with a terminal: its id, for detaching. */
export const execHeader = 'x-mariposa-exec'
/** In the trailer of a backup: its SHA-256. A backup without it is truncated. */
export const sha256Header = 'x-mariposa-sha256'
/** In the trailer of a backup: whether files of the volume changed while it was read. */
export const changedHeader = 'x-mariposa-changed'
/** Header of a stream: the longest time between two of its messages, in seconds, heartbeats included. */
export const beatHeader = 'x-mariposa-beat'

/** A body larger than this is refused with 413. */
export const maxBodyBytes = 4 * 1024 * 1024

/** Paths below the endpoint. These functions encode their arguments. */
export const paths = {
  version: '/v1/version',
  /** The OpenAPI document of this API. */
  openapi: '/v1/openapi.json',
  health: '/healthz',
  ready: '/readyz',
  /** Prometheus' text format. */
  metrics: '/metrics',
  instanceMetrics: (uuid: string) => `/v1/${encodeURIComponent(uuid)}/metrics`,
  unreadable: '/v1/store/unreadable',
  /** Query: `key`. */
  record: '/v1/store/record',
  removeRecord: '/v1/store/remove',
  /** Newline-separated JSON: an ExportHeader, a pair of key and value for each record, an ExportFooter. Query: `history`. */
  exportRecords: '/v1/store/export',
  events: '/v1/events',
  /** Query: `name`. The digest or id of an image, from Docker on this machine. */
  imageMeaning: '/v1/image-meaning',
  /** Resource use of units. */
  use: '/v1/use',
  machines: '/v1/machines',
  machine: (id: string) => `/v1/machines/${encodeURIComponent(id)}`,
  /** Server-sent events, until the machine is drained or stuck. */
  drain: (id: string) => `/v1/machines/${encodeURIComponent(id)}/drain`,
  units: '/v1/units',
  unit: (name: string) => `/v1/units/${encodeURIComponent(name)}`,
  /** POST: changes the desired state of units; a small number of them as one change. */
  unitChanges: '/v1/unit-changes',
  /** Server-sent events. POST, because the names of many units are too long for a URL. */
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
  prefetch: (project: string) => `${projectPath(project)}/prefetch`,
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
  run: (project: string, service: string) => `${servicePath(project, service)}/run`,
  revert: (project: string, service: string) => `${servicePath(project, service)}/revert`,
  reprovision: (project: string, service: string) => `${servicePath(project, service)}/reprovision`,
  versions: (project: string, service: string) => `${servicePath(project, service)}/versions`,
  /** `word` is its uuid, a prefix of it, or `service@ordinal`. */
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
  rotateSecrets: '/v1/secrets/rotate',
  policy: '/v1/policy',
  webhooks: (project: string) => `${projectPath(project)}/webhooks`,
  deliveries: (project: string) => `${projectPath(project)}/webhooks/deliveries`,
  webhookTest: (project: string) => `${projectPath(project)}/webhooks/test`,
  webhookRetry: (project: string) => `${projectPath(project)}/webhooks/retry`,
  volumeBackups: (project: string) => `${projectPath(project)}/volume-backups`,
  volumeBackupRead: (project: string, id: string) =>
    `${projectPath(project)}/volume-backups/${encodeURIComponent(id)}/read`,
  schedules: (project: string) => `${projectPath(project)}/schedules`,
  registries: '/v1/registries',
  registry: (host: string) => `/v1/registries/${encodeURIComponent(host)}`,
  discoveryPrometheus: '/v1/discovery/prometheus',
  discoveryTraefik: '/v1/discovery/traefik',
  discovery: (project: string) => `${projectPath(project)}/discovery`,
  /** `?project=`, `?service=`, `?machine=`. */
  volumes: '/v1/volumes',
  /** `word` is its uuid, a prefix of it, or its name. */
  volumeBackup: (word: string) => `/v1/volumes/${encodeURIComponent(word)}/backup`,
  volumeClone: (word: string) => `/v1/volumes/${encodeURIComponent(word)}/clone`,
  volumeMove: (word: string) => `/v1/volumes/${encodeURIComponent(word)}/move`,
  volumeExport: (word: string) => `/v1/volumes/${encodeURIComponent(word)}/export`,
  volumeRestore: (word: string) => `/v1/volumes/${encodeURIComponent(word)}/restore`,
  volume: (word: string) => `/v1/volumes/${encodeURIComponent(word)}`,
  dnsName: (name: string) => `/v1/dns/${encodeURIComponent(name)}`,
  dnsInstances: (project: string) => `${projectPath(project)}/dns`,
  entry: (project: string) => `${projectPath(project)}/entry`,
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

export type PrometheusTarget = Shape<typeof discovery.prometheusTarget>
export type RegistryBody = Shape<typeof registries.registryBody>
export type RegistryLoginResponse = Shape<typeof registries.registryLoginResponse>
export type DiscoveryBody = Shape<typeof discovery.discoveryBody>
export type TraefikBody = Shape<typeof discovery.traefikConfiguration>
export type DnsInstanceBody = Shape<typeof dns.dnsInstance>
export type EntryBody = Shape<typeof entry.entryBody>
export type DnsLookupBody = Shape<typeof dns.dnsLookup>

export type ErrorBody = Shape<typeof errors.errorBody>

/** Of `/healthz` and `/readyz`. */
export type HealthBody = Shape<typeof machines.healthBody>
export type ImageMeaningBody = Shape<typeof model.imageMeaning>

export type VersionBody = Shape<typeof machines.versionBody>

export type SourceFile = Shape<typeof requests.sourceFile>

export type CompileRequest = Shape<typeof requests.compileRequest>
export type CompileResponse = Shape<typeof deploys.compileResponse>

export type DeployRequest = Shape<typeof requests.deployRequest>
export type DeployResponse = Shape<typeof deploys.deployResponse>
export type DeployedService = Shape<typeof deploys.deployedService>
export type MadeSecret = Shape<typeof deploys.madeSecret>

export type PlanResponse = Shape<typeof deploys.planResponse>
export type PlannedService = Shape<typeof deploys.plannedService>
export type PlannedInstance = Shape<typeof deploys.plannedInstance>

export type ScaleRequest = Shape<typeof requests.scaleRequest>
export type TasksResponse = Shape<typeof tasks.tasksResponse>
export type StopRequest = Shape<typeof requests.stopRequest>
export type StartRequest = Shape<typeof requests.startRequest>
/** Options for replacing instances. */
export interface RolloutRequest {
  readonly rolling?: number
  readonly canary?: number
  readonly deadlineMs?: number
  /** Refuse unless this is the current version: its uuid, a prefix of it, or its number. */
  readonly previous?: string
}
export type RevertRequest = Shape<typeof requests.revertRequest>
export type ReprovisionRequest = Shape<typeof requests.reprovisionRequest>

/** Options for deleting a service. */
export interface DeleteRequest {
  /** Stop running instances first. */
  readonly force?: boolean
  /** Delete its named volumes and the anonymous volumes of its containers as well. */
  readonly volumes?: boolean
  /** If it is being deleted already, answer with that task instead of refusing. */
  readonly join?: boolean
}

export type ServiceBody = Shape<typeof services.serviceBody>
export type ServiceStatus = Shape<typeof services.serviceStatus>

export type ProjectBody = Shape<typeof services.projectBody>
export type ProjectStatus = Shape<typeof services.projectStatus>

export type ProjectDetails = Shape<typeof services.projectDetails>

export type ServiceDetails = Shape<typeof services.serviceDetails>
export type MetricTriggerBody = Shape<typeof services.metricTriggerBody>
export type TriggerUrlBody = Shape<typeof services.triggerUrlBody>
export type TriggerCallResponse = Shape<typeof services.triggerCallResponse>
export type VersionOfService = Shape<typeof services.versionOfService>
export type VersionDetails = Shape<typeof services.versionDetails>

export type InstanceBody = Shape<typeof services.instanceBody>

export type TaskBody = Shape<typeof tasks.taskBody>

export type TerminateRequest = Shape<typeof requests.terminateRequest>
export type ScopeRequest = Shape<typeof requests.scopeRequest>

export type TaskProgress = Shape<typeof tasks.taskProgress>

export type HeldBody = Shape<typeof errors.heldBody>

export type Looked = Shape<typeof errors.looked>

export type MetaBody = Shape<typeof meta.metaBody>

export type RegistryLoginRequest = Shape<typeof requests.registryLoginRequest>
export type MetaSetRequest = Shape<typeof requests.metaSetRequest>

export type MetaCountRequest = Shape<typeof requests.metaCountRequest>

export type MetaImportRequest = Shape<typeof requests.metaImportRequest>
export type MetaImportResponse = Shape<typeof meta.metaImportResponse>

export type PolicyBody = Shape<typeof machines.policyBody>

export type SecretRotateRequest = Shape<typeof requests.secretRotateRequest>
export type SecretRotateResponse = Shape<typeof meta.secretRotateResponse>

export type ScheduleBody = Shape<typeof starts.scheduleBody>

export type RunBody = Shape<typeof starts.runBody>

export type WebhookBody = Shape<typeof starts.webhookBody>
export type WebhookState = Shape<typeof starts.webhookState>

export type DeliveryBody = Shape<typeof starts.deliveryBody>
export type AttemptBody = Shape<typeof starts.attemptBody>

export type WebhookTestRequest = Shape<typeof requests.webhookTestRequest>
export type WebhookTestResponse = Shape<typeof starts.webhookTestResponse>

export type WebhookRetryRequest = Shape<typeof requests.webhookRetryRequest>
export type WebhookRetryResponse = Shape<typeof starts.webhookRetryResponse>

export type UnreadableBody = Shape<typeof records.unreadableBody>

export type RecordBody = Shape<typeof records.recordBody>

export type ExportHeader = Shape<typeof records.exportHeader>

export type ExportFooter = Shape<typeof records.exportFooter>

/** A machine to add; null: the value of the smallest existing machine. */
export interface NewMachine {
  readonly name: string
  readonly memoryMb: number | null
  readonly cpus: number | null
  readonly metadata: Readonly<Record<string, string>>
}

/** The question that a simulation answers. */
export interface SimulationAsked {
  readonly lose: readonly SimulatedMachine[]
  readonly drain: readonly SimulatedMachine[]
  readonly add: readonly SimulatedMachine[]
  readonly deploy: readonly string[]
  readonly scale: readonly { readonly service: string; readonly from: number; readonly to: number }[]
}

export interface SimulatedMachine {
  readonly machine: MachineId
  readonly hostname: string
}

/** Result of a simulation: of losing, draining or adding machines, of a deploy, of another scale. */
export interface SimulationBody {
  /** The cluster that was simulated. */
  readonly of: { readonly cluster: string; readonly revision: number; readonly at: string }
  readonly asked: SimulationAsked
  readonly assumptions: {
    readonly startMs: number
    /** null: the stop timeout of each instance. */
    readonly stopMs: number | null
    readonly limitMs: number
    /** These and all other assumptions, as sentences. */
    readonly notes: readonly string[]
  }
  /** `waits`: a unit finds no machine, or a service stays below its scale. `unfinished`: changes go on at the time limit. */
  readonly outcome: 'placed' | 'waits' | 'unfinished'
  /** Time of the last change. */
  readonly afterMs: number
  /** Services that change. */
  readonly services: readonly SimulatedService[]
  /** Units without an instance that move or wait. */
  readonly units: readonly SimulatedUnit[]
  readonly drains: readonly DrainBody[]
  /** Number of services that were simulated. */
  readonly servicesInAll: number
}

export interface SimulatedService {
  readonly project: string
  readonly service: string
  /** `from` is null for a new service. */
  readonly scale: { readonly from: number | null; readonly to: number }
  readonly serving: { readonly from: number; readonly to: number }
  readonly start: readonly (SimulatedInstance & {
    /** When it starts to serve; null if it never does. */
    readonly servingAfterMs: number | null
  })[]
  readonly gone: readonly (SimulatedInstance & { readonly why: 'lost' | 'stopped' })[]
  readonly waiting: readonly SimulatedWaiting[]
  /** Instances missing from its scale: the largest number, and for how long in total; `isOver`: none is missing at the end. */
  readonly short: { readonly most: number; readonly forMs: number; readonly isOver: boolean }
  /** Why its instances cannot be made; null if nothing prevents it. */
  readonly blocked: string | null
  /** Tasks that would fail, and why: for example a deploy that is not up by its deadline. */
  readonly failed: readonly string[]
  /** Time of the last of these changes. */
  readonly afterMs: number
}

export interface SimulatedInstance {
  readonly name: string
  readonly machine: MachineId | null
  readonly hostname: string | null
  readonly afterMs: number
}

export interface SimulatedWaiting {
  readonly name: string
  readonly reason: string
  /** It waited already before the simulated change. */
  readonly before: boolean
}

export interface SimulatedUnit {
  readonly name: string
  readonly from: string | null
  /** null if it waits. */
  readonly to: string | null
  readonly reason: string | null
  readonly before: boolean
  readonly afterMs: number
}

export type RemoveRecordRequest = Shape<typeof requests.removeRecordRequest>
/** The record as it was. */
export type RemovedRecord = RecordBody

export type MachineBody = Shape<typeof machines.machineBody>

export type MachineDetails = Shape<typeof machines.machineDetails>
export type MachineAdoptBody = Shape<typeof machines.machineAdoptBody>
export type PrefetchBody = Shape<typeof machines.prefetchBody>
export type PrefetchRequest = Shape<typeof requests.prefetchRequest>
export type MachineImagesBody = Shape<typeof machines.machineImagesBody>
export type MachineImageBody = Shape<typeof machines.machineImageBody>
export type VolumeBody = Shape<typeof volumes.volumeBody>
export type DeletedVolume = Shape<typeof volumes.deletedVolume>
export type MoveVolumeRequest = Shape<typeof requests.moveVolumeRequest>
export type VolumeBackupBody = Shape<typeof volumeBackups.volumeBackupBody>
export type VolumeCloned = Shape<typeof volumes.volumeCloned>
export type VolumeRestored = Shape<typeof volumes.volumeRestored>
export type VolumesBody = Shape<typeof volumes.volumesBody>
export type UseBody = Shape<typeof machines.useBody>
export type UnitUse = Shape<typeof machines.unitUse>
export type MachineUnitBody = Shape<typeof machines.machineUnitBody>

export type MachineChangeRequest = Shape<typeof requests.machineChangeRequest>

export type DrainBody = Shape<typeof machines.drainBody>
export type DrainedBody = Shape<typeof machines.drainedBody>

export type UnitVerb = UnitChangeRequest['verb']

export type UnitChangeRequest = Shape<typeof requests.unitChangeRequest>
export type NamedUnit = Shape<typeof requests.namedUnit>
export type SourceText = Shape<typeof requests.sourceText>
export type UnitChangeResponse = Shape<typeof units.unitChangeResponse>
export type ChangedUnit = Shape<typeof units.changedUnit>

export type UnitProgressRequest = Shape<typeof requests.unitProgressRequest>

export type UnitProgress = Shape<typeof units.unitProgress>
export type UnitProgressBody = Shape<typeof units.unitProgressBody>

export type UnitBody = Shape<typeof units.unitBody>
export type UnitOnMachine = Shape<typeof units.unitOnMachine>
export type UnitDetails = Shape<typeof units.unitDetails>

export type EventBody = Shape<typeof history.eventBody>

export type LogRecord = Shape<typeof errors.logRecord>

export type ExplainBody = Shape<typeof history.explainBody>
export type ExplainedInstance = Shape<typeof history.explainedInstance>

export type ExplainedUnit = Shape<typeof history.explainedUnit>

export type ExplainedMachine = Shape<typeof history.explainedMachine>

export type ExecFrame = Shape<typeof units.execFrame>

export type ExecInput = Shape<typeof units.execInput>

export type UnitKillBody = Shape<typeof units.unitKillBody>
