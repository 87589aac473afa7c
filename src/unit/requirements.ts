// What a unit asks of the machine that runs it, read from its text.
import type { DriverKind } from '../model/driver-kind.js'
import type { UnitName } from '../model/unit.js'
import type { AffinityRule } from './affinity.js'
import { splitUnitName } from './name.js'
import type { UnitFile, UnitOption } from './parse.js'
import { type PortNeed, portsOf } from './ports.js'
import { hasSection, lastOf, parseSize } from './values.js'
import { type FleetOptions, fleetOptionsOf } from './x-fleet.js'
import { parseMemoryMb, readXMariposa } from './x-mariposa.js'

export type { PortNeed } from './ports.js'

export interface Requirements {
  /** The unit can run under any of these. */
  readonly drivers: readonly DriverKind[]
  readonly memoryMb: number
  /** Hundredths of a core. */
  readonly cpu: number
  readonly ports: readonly PortNeed[]
  readonly fleet: FleetOptions
  readonly affinity: readonly AffinityRule[]
  /** The metadata key over whose values the units of a service are spread. */
  readonly spread: string | null
  /** What rules of other units can pick it by. */
  readonly labels: Readonly<Record<string, string>>
}

/** Reads the requirements of a unit that `checkUnit` let pass; what is wrong in it counts as not asked for. */
export function requirementsOf(file: UnitFile, name: UnitName): Requirements {
  const { settings } = readXMariposa(file, { name, machine: null })
  return {
    drivers: driversOf(file, name),
    memoryMb: memoryOf(file),
    cpu: settings.cpu ?? 0,
    ports: portsOf(file, name).ports,
    fleet: fleetOptionsOf(file, name).options,
    affinity: settings.affinity,
    spread: settings.spread,
    labels: settings.labels,
  }
}

/** Whether units of one text ask for different things, because a specifier stands where requirements are read. */
export function dependsOnName(file: UnitFile): boolean {
  return file.options.some(
    (option) => isRequirement(option) && option.value.replaceAll('%%', '').includes('%'),
  )
}

function isRequirement({ section, name }: UnitOption): boolean {
  if (section === 'X-Mariposa') return name !== 'HealthCheck'
  return section === 'X-Fleet' || (section === 'Container' && (name === 'PublishPort' || name === 'Label'))
}

/** A container goes to Docker; another service to systemd, or to the embedded supervisor; the rest to systemd alone. */
function driversOf(file: UnitFile, name: UnitName): readonly DriverKind[] {
  const service = splitUnitName(name).type === 'service'
  if (service && hasSection(file, 'Container')) return ['docker']
  return service ? ['systemd', 'process'] : ['systemd']
}

/** What the unit says for the scheduler, else its limit, else nothing. */
function memoryOf(file: UnitFile): number {
  const reserved = lastOf(file, 'X-Mariposa', 'Memory')
  if (reserved !== null) return parseMemoryMb(reserved) ?? 0
  const limit = lastOf(file, 'Container', 'Memory')?.toUpperCase() ?? lastOf(file, 'Service', 'MemoryMax')
  const bytes = limit === null ? null : parseSize(limit)
  return bytes === null || !Number.isFinite(bytes) ? 0 : Math.ceil(bytes / 1024 ** 2)
}
