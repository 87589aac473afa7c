// Every kind of record with its type. Each has one writer (docs/architecture.md).
import type { BackupRecord } from '../model/backup.js'
import type { CallBody } from '../model/call-body.js'
import type { ClockCall, ClockOffset, ClockReading } from '../model/clock.js'
import type { EntryIdle } from '../model/entry.js'
import type { HistoryEvent } from '../model/event.js'
import type { KnownMachine, Machine, MachineSettings } from '../model/machine.js'
import type { Meta } from '../model/meta.js'
import type { Project } from '../model/project.js'
import type { RegistryLogin } from '../model/registry-login.js'
import type { MachineMetrics, ScalingRecord } from '../model/scaling.js'
import type { Run, ScheduleState } from '../model/schedule.js'
import type { Instance, Service, ServiceVersion } from '../model/service.js'
import type { Task } from '../model/task.js'
import type { TriggerRecord } from '../model/trigger-url.js'
import type { DesiredUnit, Placement, UnitFileRecord, UnitReport, Waiting } from '../model/unit.js'
import type { VolumeRecord } from '../model/volume.js'
import type { Delivery, Receiver } from '../model/webhook.js'

/** Every record kind with its type; the compiler keeps the tables below complete. */
export interface RecordTypes {
  readonly project: Project
  readonly service: Service
  readonly version: ServiceVersion
  readonly instance: Instance
  readonly unit: DesiredUnit
  readonly file: UnitFileRecord
  readonly placement: Placement
  readonly waiting: Waiting
  readonly report: UnitReport
  readonly machine: Machine
  readonly order: MachineSettings
  readonly task: Task
  readonly meta: Meta
  readonly metrics: MachineMetrics
  readonly scaling: ScalingRecord
  /** What one transaction tells of, in order: at least one event. */
  readonly event: readonly HistoryEvent[]
  readonly receiver: Receiver
  readonly delivery: Delivery
  readonly schedule: ScheduleState
  readonly run: Run
  readonly trigger: TriggerRecord
  readonly callBody: CallBody
  readonly volume: VolumeRecord
  readonly backup: BackupRecord
  readonly registryLogin: RegistryLogin
  readonly knownMachine: KnownMachine
  readonly clockCall: ClockCall
  readonly clockReading: ClockReading
  readonly clockOffset: ClockOffset
  readonly entryIdle: EntryIdle
}

/** The kinds of records. */
export type RecordKind = keyof RecordTypes
