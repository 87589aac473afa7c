// What a unit asks of the machine that runs it, read from its text.
import type { DriverKind } from '../model/driver-kind.js'
import type { UnitName } from '../model/unit.js'
import { splitUnitName } from './name.js'
import type { UnitFile } from './parse.js'
import { type PortNeed, portsOf } from './ports.js'
import { hasSection, lastOf, parseSize } from './values.js'
import { parseMemoryMb } from './x-mariposa.js'

export type { PortNeed } from './ports.js'

export interface Requirements {
  /** The unit can run under any of these. */
  readonly drivers: readonly DriverKind[]
  readonly memoryMb: number
  readonly ports: readonly PortNeed[]
}

/** Reads the requirements of a unit that `checkUnit` let pass; what is wrong in it counts as not asked for. */
export function requirementsOf(file: UnitFile, name: UnitName): Requirements {
  return { drivers: driversOf(file, name), memoryMb: memoryOf(file), ports: portsOf(file, name).ports }
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
