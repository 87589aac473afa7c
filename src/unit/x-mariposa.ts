// [X-Mariposa]: what the engine and agents read of a unit and systemd does not know (docs/units.md).
import { nearest } from '../lib/nearest.js'
import type { Diagnostic } from '../model/diagnostic.js'
import type { HealthCheck } from '../model/health-check.js'
import type { PreservePolicy } from '../model/service.js'
import { type AffinityRule, parseAffinity, printAffinity } from './affinity.js'
import { parseHealthCheck, printHealthCheck } from './check-option.js'
import type { UnitFile, UnitOption } from './parse.js'
import { type PortNeed, portsOf, printPort } from './ports.js'
import { problemOf } from './problem.js'
import { expandSpecifiers, type SpecifierContext } from './specifiers.js'
import { optionsOf, parseCount, parseSize } from './values.js'
import { escapePercent, quoteWord, splitWords } from './words.js'

/** When the agent starts a program again that exited by itself: Docker's policies. */
export interface RestartPolicy {
  readonly name: 'no' | 'on-failure' | 'always' | 'unless-stopped'
  /** How many restarts in all, with `on-failure`; null for no limit. */
  readonly max: number | null
}

/** The section's content; null where an option is not set. */
export interface XMariposa {
  readonly project: string | null
  readonly service: string | null
  /** uuid of the service version. */
  readonly version: string | null
  readonly ordinal: number | null
  readonly memoryMb: number | null
  /** Hundredths of a core. */
  readonly cpu: number | null
  readonly affinity: readonly AffinityRule[]
  /** The metadata key of machines over whose values the units of a service are spread. */
  readonly spread: string | null
  readonly restart: RestartPolicy | null
  readonly preserve: PreservePolicy | null
  /** Ports of a process unit (`Port=`), with those that a container publishes. */
  readonly ports: readonly PortNeed[]
  readonly healthChecks: readonly HealthCheck[]
  /**
   * The container asks its machine's daemon for names, and these domains are tried for short ones; null where it does
   * not.
   */
  readonly names: readonly string[] | null
  /** Those of `[Container] Label=` too. */
  readonly labels: Readonly<Record<string, string>>
}

const section = 'X-Mariposa'

const xMariposaOptions = [
  'Project',
  'Service',
  'Version',
  'Ordinal',
  'Memory',
  'Cpu',
  'Affinity',
  'Spread',
  'Restart',
  'Preserve',
  'Port',
  'HealthCheck',
  'Names',
  'Label',
  'Environment',
  'Volume',
  'SlotVolume',
  'VolumeSize',
  'File',
] as const

type OptionName = (typeof xMariposaOptions)[number]

/**
 * Reads the section. Specifiers are filled in; with `machine` null, `%m` and `%H` are reported.
 * Codes: `unit/unknown-option`, `unit/bad-value`, `unit/bad-affinity`, `unit/bad-port`, `unit/bad-health-check`.
 */
export function readXMariposa(
  file: UnitFile,
  context: SpecifierContext,
): { readonly settings: XMariposa; readonly diagnostics: readonly Diagnostic[] } {
  const diagnostics: Diagnostic[] = [...unknownOptions(file)]
  const reader = readerOf(file, context, diagnostics)
  const ports = portsOf(file, context.name)
  diagnostics.push(...ports.diagnostics)
  const settings: XMariposa = {
    project: reader.last('Project', readLabel, 'a DNS label'),
    service: reader.last('Service', readLabel, 'a DNS label'),
    version: reader.last('Version', readUuid, 'a UUID'),
    ordinal: reader.last('Ordinal', (text) => parseCount(text) || null, 'a whole number from 1'),
    memoryMb: reader.last('Memory', parseMemoryMb, 'a number of MiB, or a size such as 1G'),
    cpu: reader.last('Cpu', parseCpu, 'hundredths of a core, such as 150'),
    affinity: reader.each('Affinity', 'unit/bad-affinity', (text) => readAffinity(text, context)),
    spread: reader.last('Spread', readMetadataKey, 'a key of machine metadata'),
    restart: reader.last(
      'Restart',
      parseRestart,
      'no, on-failure, on-failure:<restarts>, always or unless-stopped',
    ),
    preserve: reader.last('Preserve', readPreserve, 'on-failure, no or always'),
    ports: ports.ports,
    healthChecks: reader.each('HealthCheck', 'unit/bad-health-check', (text) =>
      parseHealthCheck(text, context),
    ),
    names: reader.last('Names', readNames, 'yes, or domains such as svc.default.mariposa.internal'),
    labels: Object.fromEntries(
      ['Container', section].flatMap((from) =>
        reader.each('Label', 'unit/bad-value', (text) => readLabels(text, context), from).flat(),
      ),
    ),
  }
  return { settings, diagnostics }
}

function unknownOptions(file: UnitFile): readonly Diagnostic[] {
  const known: ReadonlySet<string> = new Set(xMariposaOptions)
  return file.options.flatMap((option) => {
    if (option.section !== section || known.has(option.name)) return []
    const near = nearest(option.name, xMariposaOptions)
    const hint = near === undefined ? `known are ${xMariposaOptions.join(', ')}` : `did you mean ${near}=?`
    return [problemOf(option, 'unit/unknown-option', 'there is no such option', hint)]
  })
}

/** Reads options one by one and collects what is wrong with them. */
interface Reader {
  last<T>(name: OptionName, read: (text: string) => T | null, wanted: string): T | null
  each<T>(
    name: OptionName,
    code: string,
    read: (text: string) => { value: T } | { problem: string },
    from?: string,
  ): readonly T[]
}

function readerOf(file: UnitFile, context: SpecifierContext, diagnostics: Diagnostic[]): Reader {
  return {
    last: (name, read, wanted) => {
      const option = optionsOf(file, section, name).at(-1)
      if (option === undefined) return null
      const { text, problems } = expandSpecifiers(option.value, context)
      const value = problems.length === 0 ? read(text) : null
      if (value === null)
        diagnostics.push(problemOf(option, 'unit/bad-value', problems[0] ?? `"${text}" is not ${wanted}`))
      return value
    },
    each: (name, code, read, from = section) =>
      optionsOf(file, from, name).flatMap((option) => {
        const result = read(option.value)
        if ('value' in result) return [result.value]
        diagnostics.push(problemOf(option, code, result.problem))
        return []
      }),
  }
}

function readLabel(text: string): string | null {
  return /^[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?$/.test(text) ? text : null
}

function readUuid(text: string): string | null {
  return /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/.test(text) ? text : null
}

function readPreserve(text: string): PreservePolicy | null {
  return text === 'on-failure' || text === 'no' || text === 'always' ? text : null
}

/** `yes` gives no domains to try. */
function readNames(text: string): readonly string[] | null {
  if (text === 'yes') return []
  const domains = text.split(/\s+/)
  return domains.every((one) => /^(?=.{3,253}$)[a-z0-9_-]+(\.[a-z0-9_-]+)+$/i.test(one)) ? domains : null
}

function readMetadataKey(text: string): string | null {
  return /^[A-Za-z0-9_.-]{1,128}$/.test(text) ? text : null
}

function readAffinity(
  text: string,
  context: SpecifierContext,
): { value: AffinityRule } | { problem: string } {
  const expanded = expandSpecifiers(text, context)
  const [problem] = expanded.problems
  return problem === undefined ? parseAffinity(expanded.text) : { problem }
}

/** `Cpu=` in hundredths of a core: at most as many as any machine has. Null for text that is no such number. */
function parseCpu(text: string): number | null {
  return parseCount(text, 1_000_000)
}

/** `Memory=` in MiB: a plain number is MiB already, a size is rounded up. Null for text that is neither. */
export function parseMemoryMb(text: string): number | null {
  const plain = parseCount(text)
  if (plain !== null) return plain
  const bytes = parseSize(text)
  return bytes === null || !Number.isFinite(bytes) ? null : Math.ceil(bytes / 1024 ** 2)
}

/** `no`, `on-failure[:max]`, `always`, `unless-stopped`; null for other text. As in Docker, a max of 0 is no limit. */
export function parseRestart(text: string): RestartPolicy | null {
  const [name = '', max, ...rest] = text.split(':')
  if (rest.length > 0) return null
  if (name === 'on-failure') {
    const limit = max === undefined ? 0 : parseCount(max)
    return limit === null ? null : { name, max: limit || null }
  }
  return max === undefined && (name === 'no' || name === 'always' || name === 'unless-stopped')
    ? { name, max: null }
    : null
}

/** One `Label=` line: words `key=value`. */
function readLabels(
  text: string,
  context: SpecifierContext,
): { value: [string, string][] } | { problem: string } {
  const { words, problem, unknownEscapes } = splitWords(text)
  const expanded = words.map((word) => expandSpecifiers(word, context))
  const wrong =
    problem ??
    unknownEscapes.map((bad) => `${bad} is not an escape`)[0] ??
    expanded.flatMap((word) => word.problems)[0]
  if (wrong !== undefined) return { problem: wrong }
  const bare = expanded.find((word) => word.text.indexOf('=') < 1)
  if (bare !== undefined) return { problem: `"${bare.text}" is not of the form key=value` }
  return {
    value: expanded.map((word) => {
      const equals = word.text.indexOf('=')
      return [word.text.slice(0, equals), word.text.slice(equals + 1)]
    }),
  }
}

/** What `printXMariposa` writes; only the ports of process units, for containers publish theirs with PublishPort=. */
export type PrintedSettings = Partial<XMariposa>

/**
 * The options of the section. Texts are escaped, so that they are read back as they are given; who wants specifiers in
 * them passes an `escapeText` of its own.
 */
export function printXMariposa(
  settings: PrintedSettings,
  escapeText: (text: string) => string = escapePercent,
): readonly UnitOption[] {
  const { project, service, version, ordinal, memoryMb, cpu, spread, restart, preserve } = settings
  const single: readonly (readonly [OptionName, string | number | null | undefined])[] = [
    ['Project', project],
    ['Service', service],
    ['Version', version],
    ['Ordinal', ordinal],
    ['Memory', memoryMb],
    ['Cpu', cpu],
    ['Spread', spread],
    ['Restart', restart && printRestart(restart)],
    ['Preserve', preserve],
  ]
  return [
    ...single.flatMap(([name, value]) =>
      value === null || value === undefined ? [] : [optionOf(name, String(value))],
    ),
    ...(settings.names ? [optionOf('Names', settings.names.join(' ') || 'yes')] : []),
    ...(settings.affinity ?? []).map((rule) => optionOf('Affinity', escapeText(printAffinity(rule)))),
    ...(settings.ports ?? []).map((port) => optionOf('Port', printPort(port, 'fixed'))),
    ...(settings.healthChecks ?? []).map((check) =>
      optionOf('HealthCheck', printHealthCheck(check, escapeText)),
    ),
    ...Object.entries(settings.labels ?? {}).map(([key, value]) =>
      optionOf('Label', quoteWord(escapeText(`${key}=${value}`))),
    ),
  ]
}

function optionOf(name: OptionName, value: string): UnitOption {
  return { section, name, value, line: 0 }
}

function printRestart({ name, max }: RestartPolicy): string {
  return max === null ? name : `${name}:${max}`
}
