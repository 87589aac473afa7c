// Units as the engine and agents know them (seeds: fleet-unit-files-and-scheduling, fleet-states).
import type { Instant } from '../lib/time.js'
import type { DriverKind } from './driver-kind.js'
import type { CommandCheck } from './health-check.js'
import type { KeyProblem, MachineId } from './machine.js'
import type { MadeOf } from './meta-fingerprints.js'
import type { RolloutScope } from './rollout-scope.js'

declare const unitName: unique symbol
/** `string.suffix` or `string@instance.suffix`, checked by `unit/name.ts`. */
export type UnitName = string & { readonly [unitName]: true }

/** What the operator wants of a unit (seed: fleet-states). */
export type DesiredState = 'inactive' | 'loaded' | 'launched'

/** A unit that the cluster should know, and in which state. Written by the API and the service pass. */
export interface DesiredUnit {
  readonly name: UnitName
  /** SHA-1 of the unit file's text; the text is kept once per hash (`UnitFileRecord`). */
  readonly hash: string
  readonly desired: DesiredState
  /** The instance that this unit is, or null for a unit submitted as such. */
  readonly instance: InstanceRef | null
  readonly createdAt: Instant
  /** What it wrote into volumes without a name is deleted with it; absent: that is kept. */
  readonly deleteVolumes?: true
  /**
   * An instance that is to stop goes on running for so long after its machine has heard of it: others may still be sent to
   * it by names that they remember. Absent: it is stopped at once.
   */
  readonly stopAfterMs?: number
  /**
   * Where no entry has a request under way for it any more, it may be stopped so long after its machine has heard of it
   * already. Absent: whatever is under way, `stopAfterMs` counts.
   */
  readonly stopWhenIdleAfterMs?: number
  /** An instance that is to stop is killed when its stop has taken so long; absent: as its own text says. */
  readonly stopWithinMs?: number
}

/** A unit file's text, by hash: instances of one template share one. */
export interface UnitFileRecord {
  readonly hash: string
  readonly text: string
}

/** Names the instance behind a unit. */
export interface InstanceRef {
  readonly project: string
  readonly service: string
  readonly name: string
  readonly n: number
  readonly uuid: string
  /** uuid of the service version. */
  readonly version: string
  /** Whose volumes it has; absent where it has none of a slot. */
  readonly slot?: number
  /** What the rollout that it was made in replaces; absent where there was none. */
  readonly rollout?: RolloutScope
}

/** Where a unit runs. Written by the engine alone, under its epoch. A global unit has one on each machine. */
export interface Placement {
  readonly unit: UnitName
  readonly machine: MachineId
  /** One of the placements of a global unit. */
  readonly global?: true
  /** Host ports given to the unit: those it fixed and those chosen for it. */
  readonly ports: readonly PortBinding[]
  readonly cause: PlacementCause
  readonly at: Instant
}

/** Why a unit was placed where it is. */
export type PlacementCause =
  /** `volume`: where this one of its slot is; absent where it could go anywhere. */
  | { readonly kind: 'new'; readonly volume?: string }
  | { readonly kind: 'machine-lost'; readonly from: MachineId }
  | { readonly kind: 'port-taken'; readonly port: number }
  /** The rules of the cluster moved it. */
  | {
      readonly kind: 'moved'
      readonly from: MachineId
      readonly because: 'no-longer-fits' | 'target-moved' | 'replaced' | 'drained'
    }
  /** It is global, and the machine meets what it asks for. */
  | { readonly kind: 'global' }

/** Why a machine cannot take a unit, or those that have to go with it. */
export type Refusal =
  | { readonly kind: 'driver'; readonly needs: readonly DriverKind[] }
  /** It has such a driver, which does not answer now. */
  | { readonly kind: 'driver-away'; readonly needs: readonly DriverKind[] }
  | { readonly kind: 'cordoned' }
  | { readonly kind: 'machine-id'; readonly wants: string }
  | {
      readonly kind: 'metadata'
      readonly key: string
      /** One of these, or a rule such as `machine.disk!=hdd`. */
      readonly wants: readonly string[]
      readonly has: string | null
    }
  /** A health check asks for the unit on a network that the machine says no address on. */
  | { readonly kind: 'network'; readonly name: string }
  /** It is given secrets, and the machine cannot open them. */
  | { readonly kind: 'secret-key'; readonly problem: KeyProblem }
  | { readonly kind: 'memory'; readonly needsMb: number; readonly freeMb: number }
  /** What volumes that say their size may still take of the disk. */
  | { readonly kind: 'disk'; readonly needsMb: number; readonly freeMb: number }
  /** In hundredths of a core. */
  | { readonly kind: 'cpu'; readonly needs: number; readonly free: number }
  | {
      readonly kind: 'port'
      readonly port: number
      readonly protocol: 'tcp' | 'udp'
      readonly heldBy: UnitName
    }
  | { readonly kind: 'ports-used-up'; readonly from: number; readonly to: number }
  /** `MachineOf=` names a unit that is not in the cluster, is not to be loaded, or is global. */
  | { readonly kind: 'no-target'; readonly unit: UnitName; readonly target: string }
  | { readonly kind: 'target-elsewhere'; readonly target: UnitName; readonly machine: MachineId }
  /** A volume of its slot is on another machine, by the id of that and what it is called. */
  | {
      readonly kind: 'volume-elsewhere'
      readonly volume: string
      readonly machine: MachineId
      readonly hostname: string
      /** Whether that machine is not there now. */
      readonly away: boolean
      /** Another volume of the slot that is on yet another machine: no machine has all of them. Absent where one has. */
      readonly apart?: { readonly volume: string; readonly hostname: string }
    }
  /** Units that have to go together cannot. */
  | { readonly kind: 'group'; readonly units: readonly UnitName[]; readonly clash: string }
  | { readonly kind: 'conflict'; readonly with: UnitName; readonly pattern: string }
  | { readonly kind: 'replaced'; readonly by: UnitName }
  /** It replaces a unit that does not make way for it, so that they are only kept apart. */
  | { readonly kind: 'replaces'; readonly unit: UnitName }
  | { readonly kind: 'far'; readonly rule: string; readonly from: UnitName | null }
  | { readonly kind: 'near'; readonly rule: string; readonly here: number; readonly all: number }
  | { readonly kind: 'nothing-near'; readonly rule: string }

/** A unit that no machine can take now, and why. Written by the engine alone. */
export interface Waiting {
  readonly unit: UnitName
  readonly since: Instant
  /** The machine that it was on until that was lost, for as long as that is away: if it still runs there then, it runs on. */
  readonly lostOn?: MachineId
  /**
   * One machine for each kind of reason, the lowest id, and how many machines say so in all: as it was when the kinds
   * of reasons last changed. `explain` tells of every machine, as it is now.
   */
  readonly refusals: readonly {
    readonly machine: MachineId
    readonly refusal: Refusal
    readonly machines?: number
  }[]
}

/** A port of the program, and the host port where it can be reached. */
export interface PortBinding {
  /** Host address to bind; null means every address. */
  readonly ip: string | null
  readonly host: number
  /** The port as the manifest names it: in the container, or the name of an assigned port of a process. */
  readonly container: number
  readonly protocol: 'tcp' | 'udp'
}

/** Whether a unit is loaded, in systemd's words. */
export type LoadState = 'loaded' | 'not-found' | 'error' | 'masked'
/** Whether a unit runs, in systemd's words. */
export type ActiveState = 'active' | 'reloading' | 'inactive' | 'failed' | 'activating' | 'deactivating'

/** How a program ended, as far as its driver could tell. */
export interface UnitExit {
  /** Exit status; null when a signal ended it or nobody saw it end. */
  readonly code: number | null
  readonly signal: string | null
  /** The kernel or the memory guard killed it for its memory. */
  readonly oom: boolean
  readonly at: Instant
  /** Its machine, or what ran it there, went down: nobody knows what it would have come to. Absent where it ended by itself. */
  readonly cutOff?: true
}

/** One line that a program wrote. */
export interface OutputLine {
  readonly at: Instant
  readonly stream: 'stdout' | 'stderr'
  readonly line: string
}

/** Why a unit could not be run. `permanent` says that trying again without a change is of no use. */
export interface UnitFailure {
  readonly code: string
  readonly message: string
  readonly permanent: boolean
  /** The host port that something else holds, with the code `agent/port-taken`. */
  readonly port?: number
}

/** How far the image is that a unit waits for. */
export interface PullProgress {
  readonly image: string
  readonly since: Instant
  /** Of those known by now: all, and those that are here. */
  readonly layers: number
  readonly layersDone: number
  /** Of the layers that had to be fetched and whose size is known by now. */
  readonly bytes: number
  readonly totalBytes: number
}

/** What a driver sees of one unit. States are systemd's words, whichever driver reports them. */
export interface ObservedUnit {
  readonly name: UnitName
  /** The hash that the unit was loaded with: another one means drift. */
  readonly hash: string
  readonly driver: DriverKind
  readonly load: LoadState
  /** It is an `error` because a setting of its file is bad, as systemd says; absent otherwise. */
  readonly badSetting?: true
  readonly active: ActiveState
  /** systemd's sub state: running, exited, dead, failed, auto-restart, start-pre, stop-sigterm, … */
  readonly sub: string
  /** When `active` last changed; null before the first start. */
  readonly since: Instant | null
  readonly pid: number | null
  readonly containerId: string | null
  /** Where its ports answer from this machine: a container's own address, else the loopback. */
  readonly address: string | null
  /** Local restarts by the restart policy since it was started. */
  readonly restarts: number
  /** When it is restarted, while it waits for that; absent where no restart is due. */
  readonly restartAt?: Instant
  /** Its driver leaves that restart to the agent; absent where it does it itself. */
  readonly restartIsDue?: true
  readonly exit: UnitExit | null
  readonly failure: UnitFailure | null
  /** Its program did not end by itself, but with what ran it, so that it is to be started again; absent otherwise. */
  readonly interrupted?: true
  /** It was told to stop since it was started last; absent otherwise, and where its driver does not know. */
  readonly stopAsked?: true
  /** The check that its image brings, where that counts; absent otherwise. */
  readonly imageCheck?: CommandCheck
  /** Limits of its file that nothing holds it to on this machine, by option; absent where all are held. */
  readonly unheld?: readonly string[]
}

/** What checks say of an instance. */
export type Health = 'unknown' | 'healthy' | 'unhealthy'

/** What the agent of a machine reports of a unit there. Written by that agent alone. */
export interface UnitReport
  extends Omit<ObservedUnit, 'imageCheck' | 'restartIsDue' | 'stopAsked' | 'unheld'> {
  readonly machine: MachineId
  /** Whether the agent has asked the driver to start it, and not to stop it since. */
  readonly launched: boolean
  readonly health: Health
  /** Why it is unhealthy, in one line; null while it is not. */
  readonly healthReason: string | null
  /** Its image brings a check that counts, so that healthy is what it has to be; absent: its version says. */
  readonly checked?: true
  /** What could not be found out about it, such as telemetry that does not answer; absent for nothing. */
  readonly notice?: string
  /** When it was started last, while it is not up; absent where that is not known. While it is up, `since` says it. */
  readonly startedAt?: Instant
  /** Of a run that is over, of a service that is not continuous: the last lines that it wrote. */
  readonly output?: readonly OutputLine[]
  /** Of the keys of metadata that are filled in when it is started, the values when it was started last; absent for none. */
  readonly madeOf?: MadeOf
  /** Failed attempts to load or start it in a row, and when the next is due. */
  readonly attempts: number
  readonly retryAt: Instant | null
  /** The image that is being fetched for it now; absent where none is. */
  readonly pulling?: PullProgress
  /** Its container is the oldest of those that are kept on a disk that is fuller than it may be; absent otherwise. */
  readonly diskPressure?: true
  /** Since when its driver has not answered, so that all else here is from before; absent while it answers. */
  readonly unknownSince?: Instant
  /** Nothing is known of it because its machine was away and its agent has not looked since, rather than for its driver. */
  readonly unseen?: true
  /**
   * Its agent may be starting this instance, or start it again: it knew of nothing else that is wanted of it when it told
   * this. Absent once it runs, has ended for good, or is not to run.
   */
  readonly mayStart?: true
  /** Its daemon has stopped and removed it before it ended itself: nothing of it runs there until that is back. */
  readonly purged?: true
}
