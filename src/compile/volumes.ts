// Volumes of a manifest in its unit: a container's as Quadlet says them, those of a program of the machine as systemd
// does, its named ones in [X-Mariposa], as their place differs from machine to machine.
import { defaults } from '../manifest/defaults.js'
import type { ManifestVolume, ServiceManifest } from '../manifest/schema.js'
import { placeholderEnd, placeholderStart } from '../manifest/variables.js'
import { fileVariables, inNamespace } from '../model/arriving-file.js'
import { isInObjectStore } from '../model/backup.js'
import {
  type BackupPlan,
  type SlotVolume,
  type VolumeBackups,
  volumeKey,
  volumeOfTemplate,
} from '../model/volume.js'
import type { UnitOption } from '../unit/parse.js'
import { printSlotVolume, printVolume, printVolumeSize } from '../unit/volumes.js'
import { pointer } from './problem.js'
import { compileBackupSchedule } from './schedule.js'
import { openSection, type Section } from './section.js'

/** The lines of [Container]. */
export function addContainerVolumes(container: Section, manifest: ServiceManifest, project: string): void {
  for (const [index, volume] of manifest.volumes.entries()) {
    const { name, host, path, readonly } = volume
    const at = pointer('volumes', index)
    if (volume.tmpfs === true) container.plain('Tmpfs', { path: at, text: `${path}${sizeOf(volume, ':')}` })
    else {
      const source = name === undefined ? (host ?? '') : volumeKey({ project, service: manifest.name, name })
      container.plain('Volume', { path: at, text: `${source}:${path}${readonly ? ':ro' : ''}` })
    }
  }
}

/** The lines of [Service]: paths of the machine, and memory. */
export function addServiceVolumes(service: Section, { volumes }: ServiceManifest): void {
  for (const [index, volume] of volumes.entries()) {
    const { host, path, readonly } = volume
    const at = pointer('volumes', index)
    if (host !== undefined)
      service.plain(readonly ? 'BindReadOnlyPaths' : 'BindPaths', { path: at, text: `${host}:${path}` })
    // As Docker mounts it.
    if (volume.tmpfs === true)
      service.plain('TemporaryFileSystem', {
        path: at,
        text: `${path}:mode=1777,nosuid,nodev,noexec${sizeOf(volume, ',')}`,
      })
  }
}

function sizeOf({ size }: ManifestVolume, before: string): string {
  return size === undefined ? '' : `${before}size=${size}M`
}

/** The lines of [X-Mariposa]: named volumes of a program of the machine, and which of them each slot has for itself, and their sizes. */
export function volumeOptions(manifest: ServiceManifest): readonly UnitOption[] {
  const section = openSection('X-Mariposa', manifest.name)
  const isProcess = manifest.compute_type === 'process'
  for (const [index, { name, path, readonly }] of manifest.volumes.entries()) {
    if (name === undefined || !isProcess) continue
    section.plain('Volume', { path: pointer('volumes', index), text: printVolume({ name, path, readonly }) })
  }
  for (const volume of slotVolumes(manifest))
    section.plain('SlotVolume', { path: pointer('volumes'), text: printSlotVolume(volume) })
  for (const [index, { name, size }] of manifest.volumes.entries()) {
    if (name === undefined || size === undefined) continue
    const text = printVolumeSize({ name, sizeMb: size })
    section.plain('VolumeSize', { path: pointer('volumes', index, 'size'), text })
  }
  return section.options
}

/** The volumes that each slot of a service has for itself. */
export function slotVolumes({ volumes }: ServiceManifest): readonly SlotVolume[] {
  return volumes.flatMap(({ name, scope, on_lost }) =>
    name !== undefined && scope === 'instance' ? [{ name, fresh: on_lost === 'fresh' }] : [],
  )
}

/** How the named volumes of a service are backed up, where it says so. */
export function volumeBackups({ volumes }: ServiceManifest): readonly VolumeBackups[] {
  return volumes.flatMap(({ name, backup }): VolumeBackups[] => {
    if (name === undefined || backup === undefined) return []
    const { before_backup: argv, before_backup_timeout: seconds } = backup
    const timeoutMs = (seconds ?? defaults.backup.before_backup_timeout) * 1000
    const plan = planOf(backup)
    return [
      { name, ...(argv !== undefined && { before: { argv, timeoutMs } }), ...(plan !== null && { plan }) },
    ]
  })
}

function planOf(backup: NonNullable<ManifestVolume['backup']>): BackupPlan | null {
  const { keep, consistency } = defaults.backup
  const { schedule, to } = backup
  if (schedule === undefined || to === undefined) return null
  return {
    ...{ schedule: compileBackupSchedule(schedule), to },
    ...{ keep: backup.keep ?? keep, consistency: backup.consistency ?? consistency },
    ...(isInObjectStore(to) && { credentials: backup.credentials ?? defaults.backup.credentials }),
  }
}

const directoryMark = new RegExp(
  `${placeholderStart}((?:volume\\.|files\\.dir|secrets\\.dir)[^${placeholderEnd}]*)${placeholderEnd}`,
  'g',
)

/** The manifest of a container, which finds each volume and file where the manifest says. */
export function withContainerPaths(manifest: ServiceManifest): ServiceManifest {
  const { volumes, files, command, entrypoint, environment } = manifest
  if (volumes.length === 0 && files.length === 0) return manifest
  const filled = (text: string): string =>
    text.replace(directoryMark, (mark, variable: string) => {
      const directory = fileVariables.get(variable)
      if (directory !== undefined) return inNamespace[directory]
      const name = volumeOfTemplate(variable)
      return volumes.find((volume) => volume.name === name)?.path ?? mark
    })
  return {
    ...manifest,
    ...(command && { command: command.map(filled) }),
    ...(entrypoint && { entrypoint: entrypoint.map(filled) }),
    environment: Object.fromEntries(Object.entries(environment).map(([name, text]) => [name, filled(text)])),
    files: files.map((file) =>
      file.template === undefined ? file : { ...file, template: filled(file.template) },
    ),
  }
}
