// What is written for systemd: the unit's own text, and after its options what [X-Mariposa] and the placement add.
// systemd ignores sections that begin with X-, and of an option given twice it takes the later.

import type { UnitToRun } from '../../agent/driver.js'
import { ownOf } from '../../lib/own-property.js'
import { isInside, secretsDirectory } from '../../model/arriving-file.js'
import { DriverError } from '../../model/driver-error.js'
import type { UnitName } from '../../model/unit.js'
import { quoteAssignment } from '../../unit/environment.js'
import { startedBy } from '../../unit/install.js'
import { splitUnitName } from '../../unit/name.js'
import { parseUnit } from '../../unit/parse.js'
import { printUnit, unprintableOptions } from '../../unit/print.js'
import { lastOf } from '../../unit/values.js'
import type { NamedVolume } from '../../unit/volumes.js'
import { escapePercent, quoteWord } from '../../unit/words.js'
import { readXMariposa } from '../../unit/x-mariposa.js'
import type { HeldUnit } from './observe.js'
import { type Addition, restartOptions } from './restart.js'
import { type Controller, unheldOptions } from './unheld.js'

/** The section that the driver itself writes and reads back. */
export const heldSection = 'X-Mariposa-Held'

/**
 * The text of the file that systemd reads. Throws DriverError `unit/unprintable-option` for a unit that was let in by an older
 * daemon, and is another when it is written down.
 */
export function systemdUnitText(
  unit: UnitToRun,
  secretsFile: string | null = null,
  pathOf: PathOfVolume = ({ path }) => path,
  files: readonly FileBinding[] = [],
): string {
  const [unprintable] = unprintableOptions(unit.file)
  if (unprintable !== undefined)
    throw new DriverError('unit/unprintable-option', unprintable.message, { permanent: true })
  const service = splitUnitName(unit.name).type === 'service'
  // Environment= can be read by everybody over D-Bus, and of a file its name alone. What is in it wins.
  const secrets: readonly Addition[] =
    secretsFile === null ? [] : [['Service', 'EnvironmentFile', escapePercent(secretsFile)]]
  const volumes = service ? (unit.volumes ?? []).map((volume) => bindOf(volume, pathOf)) : []
  const bound = service ? bindingsOf(unit, files) : []
  const additions = [
    ...sliceOf(unit),
    ...(service ? serviceAdditions(unit) : []),
    ...volumes,
    ...bound,
    ...secrets,
    ...heldLines(unit),
  ]
  const options = additions.map(([section, name, value]) => ({ section, name, value, line: 0 }))
  return printUnit({ options: [...unit.file.options, ...options] })
}

/** The types of units that run in a slice, with their sections. */
const inSlices: Readonly<Record<string, string>> = {
  service: 'Service',
  socket: 'Socket',
  mount: 'Mount',
  swap: 'Swap',
}

/** For each template systemd makes a slice, which stays until the machine goes down: each version of a service would leave one. */
function sliceOf({ name, file }: UnitToRun): readonly Addition[] {
  const { instance, type } = splitUnitName(name)
  const section = ownOf(inSlices, type)
  if (instance === null || section === undefined || (lastOf(file, section, 'Slice') ?? '') !== '') return []
  return [[section, 'Slice', 'system.slice']]
}

/** What of this machine a unit sees at another path, and cannot write to. */
export interface FileBinding {
  readonly source: string
  readonly path: string
}

function bindingsOf({ file }: UnitToRun, bindings: readonly FileBinding[]): readonly Addition[] {
  const lines = bindings.map(({ source, path }): Addition => {
    const value = `${quoteWord(escapePercent(source))}:${escapePercent(path)}`
    return ['Service', 'BindReadOnlyPaths', value]
  })
  // A program that becomes root by its file's owner would take what a unit shows it for the machine's own: /etc/shadow.
  const isOther = bindings.some(({ source, path }) => source !== path && !isOfSecrets(path))
  const runsAsOther =
    lastOf(file, 'Service', 'User') !== null || lastOf(file, 'Service', 'DynamicUser') !== null
  return isOther && runsAsOther ? [...lines, ['Service', 'NoNewPrivileges', 'yes']] : lines
}

function isOfSecrets(path: string): boolean {
  return isInside(path, secretsDirectory)
}

/** Where the directory of a volume is. */
type PathOfVolume = (volume: NamedVolume) => string

function bindOf(volume: NamedVolume, pathOf: PathOfVolume): Addition {
  const source = quoteWord(escapePercent(pathOf(volume)))
  const option = volume.readonly ? 'BindReadOnlyPaths' : 'BindPaths'
  return ['Service', option, `${source}:${escapePercent(volume.path)}`]
}

function serviceAdditions({ name, file, environment }: UnitToRun): readonly Addition[] {
  const { memoryMb, restart } = readXMariposa(file, { name, machine: null }).settings
  const variables = Object.entries(environment)
  return [
    ...variables.map(([key, value]): Addition => ['Service', 'Environment', quoteAssignment(key, value)]),
    ...(memoryMb ? [['Service', 'MemoryMax', `${memoryMb}M`] as const] : []),
    ...(restart === null ? [] : restartOptions(restart)),
  ]
}

/** The instance is there for people who look at the file; only the hash is read back. */
function heldLines({ hash, instance }: UnitToRun): readonly Addition[] {
  if (instance === null) return [[heldSection, 'Hash', hash]]
  return [
    [heldSection, 'Hash', hash],
    [heldSection, 'Project', instance.project],
    [heldSection, 'Instance', instance.name],
    [heldSection, 'InstanceUuid', instance.uuid],
  ]
}

/** What the driver knows of a unit from the file that it wrote; null for text that is not its own. */
export function readHeld(
  name: UnitName,
  text: string,
  lacking: ReadonlySet<Controller> = new Set(),
): HeldUnit | null {
  const { file } = parseUnit(text)
  const hash = lastOf(file, heldSection, 'Hash')
  if (hash === null) return null
  const { restart } = readXMariposa(file, { name, machine: null }).settings
  return {
    name,
    hash,
    type: lastOf(file, 'Service', 'Type'),
    dockerRestarts: restart !== null && restart.name !== 'no',
    maxRestarts: restart?.max ?? null,
    startedBy: startedBy(file, name).units,
    unheld: unheldOptions(file, lacking),
  }
}
