// What of a unit systemd would not do, or would do in silence otherwise than it reads.

import type { CheckUnit } from '../../agent/driver.js'
import { ownOf } from '../../lib/own-property.js'
import type { Diagnostic } from '../../model/diagnostic.js'
import type { UnitName } from '../../model/unit.js'
import { startedBy } from '../../unit/install.js'
import { splitUnitName } from '../../unit/name.js'
import type { UnitFile, UnitOption } from '../../unit/parse.js'
import { unprintableOptions } from '../../unit/print.js'
import { problemOf } from '../../unit/problem.js'
import { hasSection, optionsOf } from '../../unit/values.js'
import { splitWords } from '../../unit/words.js'
import { heldSection } from './unit-text.js'

/**
 * Judges a unit for the systemd driver. systemd itself is the judge of its options when it loads the unit; here is what
 * can be told before. Codes: `systemd/unsupported-type`, `systemd/unknown-section`, `systemd/reserved-section`,
 * `systemd/container`, `systemd/no-program`, `systemd/bad-words`, `systemd/bad-install`, `systemd/install-unused` (a warning),
 * `unit/unprintable-option`.
 */
export const checkSystemdUnit: CheckUnit = (file, name) => [
  ...checkName(name),
  ...unprintableOptions(file),
  ...checkSections(file, name),
  ...(splitUnitName(name).type === 'service' ? checkService(file) : []),
  ...startedBy(file, name).problems,
  ...unusedInstall.flatMap((option) => optionsOf(file, 'Install', option)).map(installUnused),
]

/** What of [Install] would act on other units than its own. */
const unusedInstall = ['Alias', 'Also', 'DefaultInstance', 'UpheldBy'] as const

function installUnused(option: UnitOption): Diagnostic {
  const message = 'has no effect: of [Install] only WantedBy= and RequiredBy= count here'
  return { ...problemOf(option, 'systemd/install-unused', message), severity: 'warning' }
}

/** Types of units that files define. A device, a scope and the two that systemd has dropped are not among them. */
const typeSections: Readonly<Record<string, readonly string[]>> = {
  service: ['Service'],
  socket: ['Socket'],
  timer: ['Timer'],
  path: ['Path'],
  mount: ['Mount'],
  automount: ['Automount'],
  swap: ['Swap'],
  slice: ['Slice'],
  target: [],
}

function checkName(name: UnitName): readonly Diagnostic[] {
  const { type } = splitUnitName(name)
  if (ownOf(typeSections, type) !== undefined) return []
  const message = `systemd cannot load a unit of type "${type}" from a file`
  return [{ code: 'systemd/unsupported-type', severity: 'error', message }]
}

/** systemd skips a section that it does not know, with all that is in it. */
function checkSections(file: UnitFile, name: UnitName): readonly Diagnostic[] {
  const known = ['Unit', 'Install', ...(ownOf(typeSections, splitUnitName(name).type) ?? [])]
  const seen = new Set<string>()
  return file.options.flatMap((option) => {
    const { section } = option
    if (seen.has(section)) return []
    seen.add(section)
    if (section === heldSection) {
      return [sectionProblem(option, 'systemd/reserved-section', 'is written by the driver alone')]
    }
    if (known.includes(section) || section.startsWith('X-')) return []
    if (section === 'Container') {
      return [sectionProblem(option, 'systemd/container', 'is for Docker, and systemd ignores it')]
    }
    return [sectionProblem(option, 'systemd/unknown-section', 'means nothing to systemd here')]
  })
}

function sectionProblem({ section, line }: UnitOption, code: string, problem: string): Diagnostic {
  const message = `section [${section}] ${problem}`
  return { code, severity: 'error', message, path: `/${section}`, ...(line > 0 ? { line } : {}) }
}

const execOptions = [
  'ExecCondition',
  'ExecStartPre',
  'ExecStart',
  'ExecStartPost',
  'ExecReload',
  'ExecStop',
  'ExecStopPost',
]

function checkService(file: UnitFile): readonly Diagnostic[] {
  const worded = [...execOptions, 'Environment'].flatMap((name) => optionsOf(file, 'Service', name))
  const broken = worded.flatMap((option) => {
    const { problem } = splitWords(option.value)
    return problem === null ? [] : [problemOf(option, 'systemd/bad-words', problem)]
  })
  return [...checkProgram(file), ...broken]
}

/** systemd refuses a service that has nothing to do. */
function checkProgram(file: UnitFile): readonly Diagnostic[] {
  const does = [
    ['Service', 'ExecStart'],
    ['Service', 'ExecStop'],
    ['Unit', 'SuccessAction'],
  ] as const
  if (
    hasSection(file, 'Container') ||
    does.some(([section, name]) => optionsOf(file, section, name).length > 0)
  )
    return []
  const message = 'the service has no ExecStart=, ExecStop= or SuccessAction='
  return [{ code: 'systemd/no-program', severity: 'error', message, path: '/Service/ExecStart' }]
}
