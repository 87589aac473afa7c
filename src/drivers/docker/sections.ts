// What a unit with a [Container] section may say outside of it.
import { ownOf } from '../../lib/own-property.js'
import type { Diagnostic } from '../../model/diagnostic.js'
import type { UnitFile, UnitOption } from '../../unit/parse.js'
import { problemOf } from '../../unit/problem.js'
import { parseTimeSpan } from '../../unit/values.js'

/** Options of other sections that nothing would honour, where Docker runs the unit. Code: `docker/unsupported-option`. */
export function checkOtherSections(file: UnitFile): readonly Diagnostic[] {
  return file.options.flatMap((option) => {
    const problem = ownOf(otherSections, option.section)?.(option) ?? null
    return problem === null ? [] : [problemOf(option, 'docker/unsupported-option', problem)]
  })
}

/** Says why an option cannot be honoured; sections that are not here are checked by whoever reads them. */
const otherSections: Readonly<Record<string, (option: UnitOption) => string | null>> = {
  Unit: ({ name, value }) => {
    if (['Description', 'Documentation', 'SourcePath'].includes(name)) return null
    const isOrder = ['After', 'Before', 'Wants', 'Requires'].includes(name)
    const isOfTargets = value.split(/\s+/).every((unit) => unit === '' || unit.endsWith('.target'))
    return isOrder && isOfTargets ? null : 'Docker does not order or tie units'
  },
  Service: ({ name, value }) => {
    if (name === 'Restart')
      return ['', 'no', 'always', 'on-failure'].includes(value) ? null : `Docker knows no "${value}"`
    if (name !== 'TimeoutStopSec') return 'it has no effect on a container'
    return value === '' || parseTimeSpan(value) !== null ? null : `"${value}" is not a time span`
  },
}
