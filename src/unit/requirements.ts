// What a unit asks of the machine that runs it, read from its text.
import type { DriverKind } from '../model/driver-kind.js'
import type { HealthCheck } from '../model/health-check.js'
import type { UnitName } from '../model/unit.js'
import type { SlotVolume } from '../model/volume.js'
import type { AffinityRule } from './affinity.js'
import { deferredEnvironmentOf, isGivenSecrets } from './deferred-environment.js'
import { filesOf, isFromStore } from './files.js'
import { splitUnitName } from './name.js'
import type { UnitFile, UnitOption } from './parse.js'
import { type PortNeed, portsOf } from './ports.js'
import { expandSpecifiers } from './specifiers.js'
import { hasSection, lastOf, parseSize, valuesOf } from './values.js'
import { type SizedVolume, sizedVolumesOf, slotVolumesOf } from './volumes.js'
import { splitWords } from './words.js'
import { type FleetOptions, fleetOptionsOf, isMachineOf, machineOf } from './x-fleet.js'
import { parseMemoryMb, readXMariposa } from './x-mariposa.js'

export type { PortNeed } from './ports.js'

/** What a unit asks for, as far as it decides about its place. */
export interface Requirements {
  /** The unit can run under any of these. */
  readonly drivers: readonly DriverKind[]
  readonly memoryMb: number
  /** Hundredths of a core. */
  readonly cpu: number
  /** What it may use at the most, in hundredths of a core; absent for no limit. It makes no difference to where it goes. */
  readonly cpuLimit?: number
  readonly ports: readonly PortNeed[]
  readonly fleet: FleetOptions
  /** Networks on which its checks ask for it, each once, in order of their names. */
  readonly networks: readonly string[]
  /** Whether it is given what is sealed in the store: secrets, or the body of a call. */
  readonly secrets: boolean
  readonly affinity: readonly AffinityRule[]
  /** The metadata key over whose values the units of a service are spread. */
  readonly spread: string | null
  /** What rules of other units can pick it by. */
  readonly labels: Readonly<Record<string, string>>
  /** Volumes that each slot of its service has for itself: an instance goes where those of its slot are. */
  readonly slotVolumes: readonly SlotVolume[]
  /** Volumes that say how large they are to become: as much of the disk is theirs. */
  readonly sizedVolumes: readonly SizedVolume[]
}

/** Reads the requirements of a unit that `checkUnit` let pass; what is wrong in it counts as not asked for. */
export function requirementsOf(file: UnitFile, name: UnitName): Requirements {
  const { settings } = readXMariposa(file, { name, machine: null })
  return {
    drivers: driversOf(file, name),
    memoryMb: memoryOf(file),
    cpu: settings.cpu ?? 0,
    ...cpuLimitOf(file),
    ports: portsOf(file, name).ports,
    fleet: fleetOptionsOf(file, name).options,
    networks: networksOf(settings.healthChecks),
    secrets: needsSecrets(file, name),
    affinity: settings.affinity,
    spread: settings.spread,
    labels: settings.labels,
    slotVolumes: slotVolumesOf(file),
    sizedVolumes: sizedVolumesOf(file, { name, machine: null }),
  }
}

function needsSecrets(file: UnitFile, name: UnitName): boolean {
  const context = { name, machine: null }
  return (
    isGivenSecrets(deferredEnvironmentOf(file, context).variables) ||
    filesOf(file, context).files.some(isFromStore)
  )
}

/** What in the names of units makes a difference to what the units of one text ask for. */
export interface NameDependence {
  /** Whether more of a name makes a difference than its type, but for whom the unit follows. */
  readonly isNamed: boolean
  /** Units for which this gives the same text ask for the same, but for whom they follow. */
  readonly of: (name: UnitName) => string
  /** Whether they follow other units by other names. */
  readonly follows: boolean
}

/** Finds the specifiers in a text where requirements are read. */
export function nameDependenceOf(file: UnitFile): NameDependence {
  const asks = file.options.filter(isRequirement)
  const letters = new Set(asks.filter((option) => !isMachineOf(option)).flatMap(specifiersIn))
  const used = [...letters].map((letter) => `%${letter}`).join('\n')
  return {
    isNamed: used !== '',
    of: (name) => {
      const type = name.slice(name.lastIndexOf('.'))
      return used === '' ? type : `${type}\n${expandSpecifiers(used, { name, machine: null }).text}`
    },
    follows: asks.some((option) => isMachineOf(option) && specifiersIn(option).length > 0),
  }
}

/** The same requirements for a unit of another name, which makes a difference to whom it follows alone. */
export function following(needs: Requirements, file: UnitFile, name: UnitName): Requirements {
  return { ...needs, fleet: { ...needs.fleet, machineOf: machineOf(file, name) } }
}

function isRequirement({ section, name, value }: UnitOption): boolean {
  if (section === 'X-Mariposa') return name !== 'HealthCheck' || /\bnetwork=/.test(value)
  return section === 'X-Fleet' || (section === 'Container' && (name === 'PublishPort' || name === 'Label'))
}

/** Each character behind a percent sign: fleet's reading of `%%i` has a specifier in it, systemd's has not. */
function specifiersIn({ value }: UnitOption): readonly string[] {
  return Array.from(value.matchAll(/%(?=(.))/gsu), ([, letter = '']) => letter)
}

/** A container goes to Docker; another service to systemd, or to the embedded supervisor; the rest to systemd alone. */
function driversOf(file: UnitFile, name: UnitName): readonly DriverKind[] {
  const service = splitUnitName(name).type === 'service'
  if (service && hasSection(file, 'Container')) return ['docker']
  return service ? ['systemd', 'process'] : ['systemd']
}

function networksOf(checks: readonly HealthCheck[]): readonly string[] {
  const named = checks.flatMap((check) => ('network' in check ? [check.network] : []))
  return [...new Set(named)].filter((name) => name !== undefined).sort()
}

/** What the unit says for the scheduler, else its limit, else nothing. */
function memoryOf(file: UnitFile): number {
  const reserved = lastOf(file, 'X-Mariposa', 'Memory')
  if (reserved !== null) return parseMemoryMb(reserved) ?? 0
  const limit = lastOf(file, 'Container', 'Memory')?.toUpperCase() ?? lastOf(file, 'Service', 'MemoryMax')
  const bytes = limit === null ? null : parseSize(limit)
  return bytes === null || !Number.isFinite(bytes) ? 0 : Math.ceil(bytes / 1024 ** 2)
}

/** `CPUQuota=` of a program of the machine, `--cpus=` of a container. */
function cpuLimitOf(file: UnitFile): Pick<Requirements, 'cpuLimit'> {
  const quota = /^(\d+(?:\.\d+)?)%$/.exec(lastOf(file, 'Service', 'CPUQuota') ?? '')?.[1]
  const words = valuesOf(file, 'Container', 'PodmanArgs').flatMap((value) => splitWords(value).words)
  const cores = words.flatMap((word) => /^--cpus=(\d+(?:\.\d+)?)$/.exec(word)?.[1] ?? []).at(-1)
  const limit = cores === undefined ? Number(quota ?? 0) : Number(cores) * 100
  return limit > 0 ? { cpuLimit: limit } : {}
}
