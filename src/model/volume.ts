// Named volumes: data of a service that outlives its instances.

import type { Instant } from '../lib/time.js'
import type { MachineId } from './machine.js'
import type { Schedule } from './schedule.js'

/** Which volume: its name is unique in its service. It is on one machine; others may have one of the same name. */
export interface VolumeName {
  readonly project: string
  readonly service: string
  readonly name: string
  /** Of the scope `instance`: the slot whose instance has it. Absent of the scope `service`. */
  readonly slot?: number
  /** How often the slot has begun anew: what it had before lies elsewhere. Absent for never. */
  readonly generation?: number
  /** Of the scope `instance`: what the store calls it, where it is still to be made. */
  readonly uuid?: string
}

/** Volumes that each slot of a service has for itself (scope `instance`). */
export interface SlotVolume {
  readonly name: string
  /** Whether the slot begins anew elsewhere where the machine of its volume is lost. */
  readonly fresh: boolean
}

/** How a named volume of a service is backed up. */
export interface VolumeBackups {
  readonly name: string
  /** What runs inside an instance before a backup is read; absent for nothing. */
  readonly before?: BackupHook
  /** When it is backed up by itself; absent for never. */
  readonly plan?: BackupPlan
}

/** Backups of a volume by schedule. */
export interface BackupPlan {
  readonly schedule: Schedule
  /** An absolute path of the machine of the volume, or `s3://BUCKET/PREFIX`. */
  readonly to: string
  /** The secret key of the project's metadata that says who asks the store, and where it is. Absent for a directory. */
  readonly credentials?: string
  /** How many whole ones are kept; at least 1. */
  readonly keep: number
  readonly consistency: ScheduledConsistency
}

/** How an instance that runs is treated while its volume is read for a backup by schedule. */
export const scheduledConsistencies = ['live', 'stopped'] as const
export type ScheduledConsistency = (typeof scheduledConsistencies)[number]

/** A program that prepares what is backed up. */
export interface BackupHook {
  readonly argv: readonly string[]
  /** How long it may take. */
  readonly timeoutMs: number
}

/**
 * Where the volume of a slot is: written with the placement of the instance for which it is made, in one transaction, and
 * what placements go by from then on.
 */
export interface VolumeRecord {
  readonly uuid: string
  readonly project: string
  readonly service: string
  readonly name: string
  readonly slot: number
  /** Null: it was given up, and the slot begins anew wherever its next instance is placed. */
  readonly machine: MachineId | null
  /** How often the slot has begun anew. */
  readonly generation: number
  readonly createdAt: Instant
  /** How large it is to become at the most, in MiB: as much of the disk is its own. Absent where nobody has said. */
  readonly sizeMb?: number
  /** What is done with it, for which nobody may start with it; absent for nothing. */
  readonly hold?: VolumeHold
  /** It was made to be filled, and has not been whole yet: its slot is held until it is, or is given up. Absent for one that is. */
  readonly incomplete?: true
  /** Where it was before it moved: that is deleted there once its machine hears of it. Absent for nowhere. */
  readonly left?: LeftBehind
}

/** What keeps the slot of a volume empty: all volumes of a slot have the same one. */
export interface VolumeHold {
  /** Which piece of work. */
  readonly id: string
  readonly work: VolumeWork
  /** Whose daemon does it, and takes the hold back: of a move the machine that it goes to. */
  readonly by: MachineId
  readonly at: Instant
  /** The work is over, and has left an incomplete volume: nobody works on it until it is filled anew. Absent while it goes on. */
  readonly failed?: true
}

/** What volumes are held for. */
export const volumeWorks = ['backup', 'restore', 'move'] as const
export type VolumeWork = (typeof volumeWorks)[number]

/** A copy that nobody needs any more. */
interface LeftBehind {
  readonly machine: MachineId
  readonly generation: number
  readonly uuid: string
}

/** A volume as an instance asks for it. */
export interface VolumeMount {
  readonly name: string
  /** Where the instance finds it. */
  readonly path: string
  readonly readonly: boolean
}

/** What names of volumes look like. */
export const volumeNamePattern = '[A-Za-z0-9][A-Za-z0-9_-]{0,62}'

interface Named extends Pick<VolumeName, 'name' | 'generation'> {
  readonly slot?: number | null
}

/** `<project>.<service>.<name>`, of a slot with its number behind it: no part of it has a dot. */
export function volumeKey(volume: Named & Pick<VolumeName, 'project' | 'service'>): string {
  return `${volume.project}.${volume.service}.${nameWithSlot(volume)}`
}

/** What tells the volumes of a service apart: `data`, of a slot `data.0`, of one that has begun anew `data.0.1`. */
export function nameWithSlot({ name, slot, generation = 0 }: Named): string {
  if (slot == null) return name
  return generation === 0 ? `${name}.${slot}` : `${name}.${slot}.${generation}`
}

/** The volume of such a key; null where it is none. */
export function parseVolumeKey(key: string): VolumeName | null {
  const [, project, service, name, slot, generation] = volumeKeyPattern.exec(key) ?? []
  if (project === undefined || service === undefined || name === undefined) return null
  return {
    ...{ project, service, name },
    ...(slot !== undefined && { slot: Number(slot) }),
    ...(generation !== undefined && { generation: Number(generation) }),
  }
}

const label = '[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?'
const counted = '(?:\\.(0|[1-9][0-9]{0,5}))?'
const volumeKeyPattern = new RegExp(`^(${label})\\.(${label})\\.(${volumeNamePattern})${counted}${counted}$`)

/** The variable that tells a program where it finds a volume. */
export function volumeVariable(name: string): string {
  return `MARIPOSA_VOLUME_${name.toUpperCase().replaceAll('-', '_')}`
}

/** The volume that a variable of templates is about: `data` of `volume.data.path`; null for other variables. */
export function volumeOfTemplate(variable: string): string | null {
  return /^volume\.([A-Za-z0-9_-]+)\.path$/.exec(variable)?.[1] ?? null
}

/** What a manifest may say of a volume, as errors and the reference word it. */
export const volumeForms =
  'a volume such as "data:/var/lib/data", "/etc/ssl:/etc/ssl:ro", or a map with path and one of name, host and tmpfs'
