// How a process is known to be ours without any record of it: two variables in its environment, which what it
// starts inherits. They are what makes a crash between a start and its record harmless.
import { uuidOf } from '../lib/hash.js'
import type { UnitName } from '../model/unit.js'
import type { CommandList } from './service.js'

/** Set in the supervisor's own environment, and so in that of a child that has not become its program yet. */
export const supervisorVariable = 'MARIPOSA_SUPERVISOR'

export interface RunMark {
  /** The id of the data directory: many supervisors share a machine. */
  readonly home: string
  readonly unit: UnitName
  readonly run: number
}

export interface ProcessMark extends RunMark {
  readonly list: CommandList
  readonly index: number
}

/** The variables that mark a process; INVOCATION_ID is systemd's name for what tells one run from another. */
export function markVariables(mark: ProcessMark): Readonly<Record<string, string>> {
  return {
    MARIPOSA_UNIT: mark.unit,
    MARIPOSA_RUN: [mark.home, mark.run, mark.list, mark.index].join('/'),
    INVOCATION_ID: uuidOf(mark.home, mark.unit, String(mark.run)).replaceAll('-', ''),
  }
}

/** Reads the mark out of an environment as /proc/<pid>/environ shows it; null for a process that has none. */
export function readPlaceholder(environ: string): ProcessMark | null {
  if (!environ.includes('MARIPOSA_RUN=')) return null
  const variables = new Map(
    environ.split('\0').map((line) => [line.slice(0, line.indexOf('=')), line.slice(line.indexOf('=') + 1)]),
  )
  const [home, run, list, index] = variables.get('MARIPOSA_RUN')?.split('/') ?? []
  const unit = variables.get('MARIPOSA_UNIT')
  if (home === undefined || list === undefined || unit === undefined) return null
  return { home, unit: unit as UnitName, run: Number(run), list: list as CommandList, index: Number(index) }
}
