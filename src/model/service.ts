import type { Instant } from '../lib/time.js'
import type { After } from './after.js'
import type { SourcedFile } from './arriving-file.js'
import type { EntryRoute, TcpRoute } from './entry.js'
import type { MachineId } from './machine.js'
import type { MadeOf } from './meta-fingerprints.js'
import type { OtherService } from './other-service.js'
import type { RolloutScope } from './rollout-scope.js'
import { isNothing, type RunInput, type RunVariables } from './run-variables.js'
import type { ScalingPolicy } from './scaling.js'
import type { Schedule } from './schedule.js'
import type { TriggerUrl } from './trigger-url.js'
import type { UnitName } from './unit.js'
import type { SlotVolume, VolumeBackups } from './volume.js'
import type { Webhook } from './webhook.js'

/** Whether a service runs continuously, once or by a schedule. */
export type ServiceType = 'continuous' | 'scheduled' | 'event'
/** Which stopped instances are kept. */
export type PreservePolicy = 'on-failure' | 'no' | 'always'

/** A definition of what should run, and how many of it (contract §1). */
export interface Service {
  readonly uuid: string
  readonly project: string
  readonly name: string
  readonly type: ServiceType
  /** How many instances should exist. */
  readonly scale: number
  /** The scale that `start` goes back to after `stop`; null while the service is not stopped. */
  readonly stoppedFrom: number | null
  /** uuid of the version that new instances get. */
  readonly current: string
  readonly lastOrdinal: number
  /** Instance numbers count up and are never used again. */
  readonly lastInstance: number
  readonly createdAt: Instant
  /** Instances of an `event` service that were ever asked for; each start asks for one more. */
  readonly starts: number
  /** Numbers above `lastInstance` that were asked for and are not wanted any more; absent for none. */
  readonly passedOver?: readonly number[]
  /** What instances are given that were asked for and are not there yet; absent for nothing. */
  readonly inputs?: readonly WaitingInput[]
  /** Instances that are being stopped once: `all`, or those of the version with this uuid; null otherwise. */
  readonly stopping: string | null
  /** Everything of it is being stopped and removed. */
  readonly deleting: boolean
  /** While it is being deleted: the volumes of its instances that have no name go as well. */
  readonly deleteVolumes?: true
  /**
   * What the entry serves for it, by its claims, and others of its project are to take over: it has that until it is being
   * deleted, and they have it from then on. It stays so where that comes to nothing. Absent otherwise.
   */
  readonly handsOver?: readonly string[]
  /** Its deletion was ended: what the entry serves for others by now it does not get back. Absent otherwise. */
  readonly yields?: true
  /** How instances of older versions are being replaced; null when nothing is to be replaced. */
  readonly rollout: Rollout | null
  /** Only some of its instances were replaced: those numbered up to here have been left as they are. Absent for none. */
  readonly leftUpTo?: number
  /**
   * uuids of earlier versions that got only the requests of the entry that ask for them when another became current, the last
   * one last: what is left of them gets none while others serve. Absent for none.
   */
  readonly askedOnly?: readonly string[]
  /**
   * uuids of versions that have been up as a rollout wanted them, and have not failed since, the last one last: what a
   * deploy goes back to. Absent where none is known.
   */
  readonly cameUp?: readonly string[]
  /** Instances that failed lately: slows down replacing them. */
  readonly failures: FailureStreak | null
  /** The last restart for a change of the metadata failed, or was ended: absent where there is none to be done. */
  readonly heldRestart?: HeldRestart
  /** Why no instance can be made now, although one is missing; null while nothing is in the way. */
  readonly blocked: string | null
  /**
   * It was deployed for the first time, or started with its project, and waits for the services that it comes after: nothing
   * of it is made until then. Absent from the moment on in which they are there, whatever becomes of them.
   */
  readonly waitsForOthers?: true
  /** Instances lost up to then are replaced even where most machines vanished together: an operator said so. */
  readonly releasedAt: Instant | null
}

/** What the run that will be instance `n` is given. */
interface WaitingInput extends RunInput {
  readonly n: number
  /** There where nothing was set, too: before runs were given anything else, it was said of each. */
  readonly set: RunVariables
}

/** A service that is not continuous, asked for one more instance; and the name that the instance will have. */
export function withOneMoreStart(
  service: Service,
  input: RunInput = {},
): { readonly service: Service; readonly instance: string } {
  const starts = Math.max(service.starts, service.lastInstance) + 1
  const waiting = service.inputs ?? []
  const inputs = isNothing(input) ? waiting : [...waiting, { n: starts, set: {}, ...input }]
  return {
    service: { ...service, starts, ...(inputs.length > 0 && { inputs }) },
    instance: `${service.name}-${starts}`,
  }
}

/** What the run that is instance `n` is given; null for nothing. */
export function inputOf({ inputs = [] }: Pick<Service, 'inputs'>, n: number): RunInput | null {
  const found = inputs.find((input) => input.n === n)
  if (found === undefined) return null
  const { set, body } = found
  return { ...(Object.keys(set).length > 0 && { set }), ...(body !== undefined && { body }) }
}

/** A service without what instances are given that are there, or never will be. */
export function withoutUsedInputs(service: Service): Service {
  const { inputs, ...rest } = service
  if (inputs === undefined) return service
  const { lastInstance, passedOver = [] } = service
  const left = inputs.filter(({ n }) => n > lastInstance && !passedOver.includes(n))
  return left.length === 0 ? rest : { ...rest, inputs: left }
}

/**
 * A service of which nothing is made any more that was asked for and is not there yet. The names of those were told to
 * whoever asked: no other instance gets them.
 */
export function withoutWaitingStarts({ passedOver: _, ...service }: Service): Service {
  return withoutUsedInputs({ ...service, lastInstance: Math.max(service.lastInstance, service.starts) })
}

/** The same of one of them: instance `n`. One that is there already is left as it is. */
export function withoutStart(service: Service, n: number): Service {
  const { lastInstance, passedOver = [] } = service
  if (isBehind(service, n)) return service
  return withoutUsedInputs(made({ ...service, passedOver: [...passedOver, n] }, lastInstance))
}

/** Whether no instance of a number is made any more: it was made, or its start was withdrawn. */
export function isBehind({ lastInstance, passedOver = [] }: Service, n: number): boolean {
  return n <= lastInstance || passedOver.includes(n)
}

/** A service whose instances up to a number were made: what follows and is passed over is behind it as well. */
export function made({ passedOver = [], ...service }: Service, upTo: number): Service {
  let lastInstance = upTo
  while (passedOver.includes(lastInstance + 1)) lastInstance += 1
  const left = passedOver.filter((n) => n > lastInstance)
  return { ...service, lastInstance, ...(left.length > 0 && { passedOver: left }) }
}

/** A service that is not continuous, asked to stop all that it has. */
export function withAllStopped(service: Service): Service {
  return { ...withoutWaitingStarts(service), stopping: 'all' }
}

/** At most this many instances of one service: beyond it a typing error is likelier than a wish. */
export const maxScale = 10_000

/** A restart for a change of the metadata that is not tried again with the values that it was for. */
interface HeldRestart {
  readonly values: MadeOf
  /** Why, for people. */
  readonly reason: string
}

/** A rollout in progress. */
export interface Rollout extends RolloutScope {
  /** At most this many instances are replaced at a time. */
  readonly parallel: number
  readonly startedAt: Instant
  /** How long each new instance may take until it is up; after that the rollout has failed. */
  readonly deadlineMs: number
  /** uuid of the version to go back to when it fails; null: it stops where it is. */
  readonly revertTo: string | null
  /** Nobody asked for it: it is for a change of the metadata to these values. Absent otherwise. */
  readonly values?: MadeOf
}

interface FailureStreak {
  readonly count: number
  readonly lastAt: Instant
}

/** An immutable copy of a service's manifest and what it compiled to. */
export interface ServiceVersion {
  readonly uuid: string
  readonly project: string
  readonly service: string
  readonly ordinal: number
  readonly createdAt: Instant
  /** SHA-1 of the manifest as submitted. */
  readonly sha1: string
  readonly type: ServiceType
  /** The manifest as submitted, byte for byte. */
  readonly text: string
  readonly file: string
  /** What it runs, for listings: a Docker image, or the program's name. */
  readonly image: string
  /** The same image by its digest or id, found out when the version was made; absent where nobody knew. */
  readonly pinned?: string
  readonly template: UnitName
  /** SHA-1 of the template unit's text as it was deployed. */
  readonly hash: string
  /**
   * Keys of the project's metadata that its templates ask for. Where there are any, an instance gets the unit that
   * their values make when it is made.
   */
  readonly meta: readonly string[]
  /**
   * Of the keys that the service itself asks for (webhooks, triggers, schedule, autoscaling), the values that it was made of;
   * absent for none. Secrets are not among them: those are opened when they are used.
   */
  readonly madeOf?: MadeOf
  /**
   * Keys of the project's metadata whose change restarts its instances, each with how many of them at a time; absent for none.
   */
  readonly restartOn?: Readonly<Record<string, number>>
  /** The services that its templates ask for, as they were when it was deployed, by name; absent for none. */
  readonly services?: Readonly<Record<string, OtherService>>
  /** The scale when it was deployed, which templates may speak of. */
  readonly scale: number
  readonly preserve: PreservePolicy
  /** Whether instances are checked, so that healthy and not just running is what counts as up. */
  readonly checked: boolean
  /** Who is told of its events; absent for nobody. */
  readonly webhooks?: readonly Webhook[]
  /** When instances start by themselves; absent for never. */
  readonly schedule?: Schedule
  /** How its scale follows metrics; absent where it does not. */
  readonly scaling?: ScalingPolicy
  /** What can be called from outside; absent for nothing. */
  readonly triggerUrls?: readonly TriggerUrl[]
  /** Where the world reaches it; absent for nowhere. */
  readonly entry?: readonly EntryRoute[]
  /** The same by connections that are not HTTP. Apart from those, as older programs would take them for HTTP. */
  readonly tcpEntry?: readonly TcpRoute[]
  /** Files of the directory that it was deployed from; absent for none. */
  readonly sources?: readonly SourcedFile[]
  /** Volumes that each slot has for itself; absent for none. */
  readonly slotVolumes?: readonly SlotVolume[]
  /** How its named volumes are backed up; absent where it says nothing of any. */
  readonly volumeBackups?: readonly VolumeBackups[]
  /** How many runs there may be at a time; absent for any number, and where it is continuous. */
  readonly concurrency?: number
  /** How long the program of a run may take; absent for any time, and where it is continuous. */
  readonly runTimeoutMs?: number
  /** The services that it comes up after; absent for none. */
  readonly after?: readonly After[]
}

/** One running copy of one version (contract §1). Written by the service pass alone. */
export interface Instance {
  readonly uuid: string
  readonly name: string
  readonly n: number
  readonly project: string
  readonly service: string
  readonly version: string
  readonly ordinal: number
  readonly unit: UnitName
  readonly createdAt: Instant
  /** Set when the instance is to stop for good. */
  readonly retired: Retirement | null
  /** Set while its machine is away, and until it has been seen again for a while. */
  readonly lost: Absence | null
  /** Of the keys that its unit asks for, the values when it was made; absent for none, and where that was not noted. */
  readonly madeOf?: MadeOf
  /** Which of the places of its service it has, from 0 on: whose volumes are its own. Absent where its version has none such. */
  readonly slot?: number
  /** The body of the call that began its run, by id: it goes with the run's end. Absent for none. */
  readonly body?: string
  /** It runs another program once, for somebody who waits for its end: it is none of the service's scale. Absent otherwise. */
  readonly oneOff?: OneOff
}

/** Who waits for the end of an instance that runs once (`service run`). */
interface OneOff {
  /** The machine whose daemon waits, and takes the instance away then. */
  readonly attendedBy: MachineId
  /** What tells it from every other of its number: a number is given again if nothing came of the first. Absent in old records. */
  readonly id?: string
}

/** A machine with an instance on it went away. */
interface Absence {
  readonly since: Instant
  /** When the machine was back; null while it is away. */
  readonly backAt: Instant | null
}

interface Retirement {
  readonly cause: RetireCause
  readonly at: Instant
  /** It has stopped and is kept, as `stop.preservestopped` says. */
  readonly kept: boolean
}

/** Why an instance is to stop for good. */
export const retireCauses = [
  'scale-down',
  'stopped',
  'replaced',
  'drained',
  'unhealthy',
  'failed',
  'finished',
  'lost',
  'deleted',
] as const

/** Why an instance is to stop for good. */
export type RetireCause = (typeof retireCauses)[number]

/** Where an instance is in its life (contract §2). */
export type InstanceState =
  | 'pending'
  | 'pulling'
  | 'starting'
  | 'running'
  /** Its program is there and does nothing: somebody has frozen it, as `docker pause` does. */
  | 'paused'
  | 'stopping'
  | 'stopped'
  | 'failed'
  | 'lost'
  /** What runs it does not answer. */
  | 'unknown'
