// [Install]: which other units of its host start a unit along with themselves (systemd.unit(5)).
import type { Diagnostic } from '../model/diagnostic.js'
import type { UnitName } from '../model/unit.js'
import { toUnitName, unitNameProblem } from './name.js'
import type { UnitFile, UnitOption } from './parse.js'
import { problemOf } from './problem.js'
import { expandSpecifiers } from './specifiers.js'
import { optionsOf } from './values.js'

/** A unit that starts another: where that fails it starts all the same (`wants`), or not (`requires`). */
export interface StartedBy {
  readonly how: 'wants' | 'requires'
  readonly by: UnitName
}

const options = [
  ['WantedBy', 'wants'],
  ['RequiredBy', 'requires'],
] as const

/** What starts a unit, and what of that is no name. Code: `systemd/bad-install`. */
export function startedBy(
  file: UnitFile,
  name: UnitName,
): { readonly units: readonly StartedBy[]; readonly problems: readonly Diagnostic[] } {
  const units = new Map<string, StartedBy>()
  const problems: Diagnostic[] = []
  for (const [option, how] of options) {
    for (const line of optionsOf(file, 'Install', option)) {
      for (const word of wordsOf(line)) {
        const { text, problems: unknown } = expandSpecifiers(word, { name, machine: null })
        const problem = unknown[0] ?? unitNameProblem(text)
        const by = problem === null ? toUnitName(text) : null
        if (by !== null) units.set(`${how} ${by}`, { how, by })
        else problems.push(problemOf(line, 'systemd/bad-install', `${word}: ${problem ?? ''}`))
      }
    }
  }
  return { units: [...units.values()], problems }
}

/** Whether other units may start a unit. */
export function mayBeStartedByOthers(file: UnitFile): boolean {
  return options.some(([option]) => optionsOf(file, 'Install', option).length > 0)
}

function wordsOf({ value }: UnitOption): readonly string[] {
  return value.split(/\s+/).filter((word) => word !== '')
}
