// [X-Fleet]: fleet's options for the scheduler, with fleet's own reading of them (seed: unit files; fleet job/job.go).
import { nearest } from '../lib/nearest.js'
import type { Diagnostic } from '../model/diagnostic.js'
import type { UnitName } from '../model/unit.js'
import { matchGlob } from './glob.js'
import type { UnitFile, UnitOption } from './parse.js'
import { problemOf } from './problem.js'
import { expandFleetSpecifiers } from './specifiers.js'

/** The options of `[X-Fleet]`. */
export interface FleetOptions {
  readonly machineId: string | null
  /** Names of units: this one runs where they run. */
  readonly machineOf: readonly string[]
  /** Per key the values of which a machine must have one; every key must be met. */
  readonly metadata: Readonly<Record<string, readonly string[]>>
  /** Patterns of names of units that this one does not share a machine with. */
  readonly conflicts: readonly string[]
  readonly replaces: readonly string[]
  readonly global: boolean
}

/**
 * Reads `[X-Fleet]`, with `%n %N %p %i` filled in.
 * Codes: `unit/unknown-option`, `unit/deprecated-option`, `unit/bad-metadata`, `unit/unresolvable-requirements`.
 */
export function fleetOptionsOf(
  file: UnitFile,
  name: UnitName,
): { readonly options: FleetOptions; readonly diagnostics: readonly Diagnostic[] } {
  const lines = file.options.filter((option) => option.section === 'X-Fleet')
  const values = (kind: OptionKind): readonly string[] =>
    lines.flatMap((line) => (kinds[line.name] === kind ? valuesOfLine(line.value, name) : []))
  const options: FleetOptions = {
    machineId: values('machineId')[0] ?? null,
    machineOf: values('machineOf'),
    metadata: readMetadata(values('metadata')),
    conflicts: values('conflicts'),
    replaces: values('replaces'),
    global: isTruthy(values('global').at(-1) ?? ''),
  }
  const diagnostics = [...lines.flatMap((line) => lineProblems(line, name)), ...combinationProblems(options)]
  return { options, diagnostics }
}

/** Whether an option says whom the unit follows. */
export function isMachineOf({ section, name }: UnitOption): boolean {
  return section === 'X-Fleet' && Object.hasOwn(kinds, name) && kinds[name] === 'machineOf'
}

/** Whom a unit follows: `machineOf` of its options, without reading the others. */
export function machineOf(file: UnitFile, name: UnitName): readonly string[] {
  return file.options.filter(isMachineOf).flatMap(({ value }) => valuesOfLine(value, name))
}

type OptionKind = keyof FleetOptions

/** Every name that fleet takes, old ones included. */
const kinds: Readonly<Record<string, OptionKind>> = {
  MachineID: 'machineId',
  'X-ConditionMachineID': 'machineId',
  'X-ConditionMachineBootID': 'machineId',
  MachineOf: 'machineOf',
  'X-ConditionMachineOf': 'machineOf',
  MachineMetadata: 'metadata',
  'X-ConditionMachineMetadata': 'metadata',
  Conflicts: 'conflicts',
  'X-Conflicts': 'conflicts',
  Replaces: 'replaces',
  Global: 'global',
}

/** Several quoted values on a line are several values; any other line is one, as it stands. */
function valuesOfLine(line: string, name: UnitName): readonly string[] {
  const quoted = line.length > 1 && line.startsWith('"') && line.endsWith('"')
  const values = quoted ? Array.from(line.matchAll(/"([^"]*)"/g), ([, value = '']) => value) : [line]
  return values.map((value) => expandFleetSpecifiers(value, name))
}

function readMetadata(pairs: readonly string[]): Readonly<Record<string, readonly string[]>> {
  const byKey = new Map<string, string[]>()
  for (const pair of pairs) {
    const [, key, value] = metadataPair.exec(pair) ?? []
    if (key === undefined || value === undefined) continue
    byKey.set(key, [...new Set([...(byKey.get(key) ?? []), value])])
  }
  return Object.fromEntries(byKey)
}

const metadataPair = /^([^=]+)=([^=]+)$/

function isTruthy(text: string): boolean {
  return ['true', 'yes', '1', 'on', 't'].includes(text.toLowerCase())
}

function lineProblems(line: UnitOption, name: UnitName): readonly Diagnostic[] {
  const kind = Object.hasOwn(kinds, line.name) ? kinds[line.name] : undefined
  if (kind === undefined) {
    const near = nearest(line.name, Object.keys(kinds))
    const hint = near === undefined ? undefined : `did you mean ${near}=?`
    return [problemOf(line, 'unit/unknown-option', 'fleet has no such option', hint)]
  }
  const wrong =
    kind === 'metadata' ? valuesOfLine(line.value, name).filter((pair) => !metadataPair.test(pair)) : []
  const found = wrong.map((pair) =>
    problemOf(line, 'unit/bad-metadata', `"${pair}" is not of the form key=value`),
  )
  return line.name.startsWith('X-') ? [...found, deprecated(line)] : found
}

function deprecated(line: UnitOption): Diagnostic {
  const name = line.name.replace(/^X-(Condition)?/, '')
  return {
    ...problemOf(line, 'unit/deprecated-option', `this name is out of use since fleet 0.8`, `write ${name}=`),
    severity: 'warning',
  }
}

/** What cannot go together, in fleet's words. The first is all that fleet says; here all are said. */
function combinationProblems(options: FleetOptions): readonly Diagnostic[] {
  const { machineId, machineOf, conflicts, replaces, global } = options
  const given = {
    MachineID: machineId !== null,
    Global: global,
    Conflicts: conflicts.length > 0,
    Peers: machineOf.length > 0,
    Replaces: replaces.length > 0,
  }
  const pairs = forbiddenPairs
    .filter(([a, b]) => given[a] && given[b])
    .map(([a, b]) => `${a} cannot be used with ${b}`)
  const clash = (patterns: readonly string[], what: string): readonly string[] =>
    machineOf.flatMap((peer) =>
      patterns
        .filter((pattern) => matchGlob(pattern, peer))
        .map(
          (pattern) =>
            `unresolvable requirements: peer ${JSON.stringify(peer)} matches ${what} ${JSON.stringify(pattern)}`,
        ),
    )
  return [...clash(conflicts, 'conflict'), ...clash(replaces, 'replace'), ...pairs].map((message) => ({
    code: 'unit/unresolvable-requirements',
    severity: 'error',
    message,
    path: '/X-Fleet',
  }))
}

const forbiddenPairs = [
  ['MachineID', 'Peers'],
  ['MachineID', 'Conflicts'],
  ['MachineID', 'Global'],
  ['MachineID', 'Replaces'],
  ['Global', 'Peers'],
  ['Global', 'Replaces'],
  ['Conflicts', 'Replaces'],
] as const
