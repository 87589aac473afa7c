// From a canonical manifest to the template unit of a service version (docs/units.md). The same manifest always gives
// the same text, and what the drivers read out of the text is what the manifest says, byte for byte.
import type { ServiceManifest } from '../manifest/schema.js'
import type { Diagnostic } from '../model/diagnostic.js'
import { hasErrors } from '../model/diagnostic.js'
import type { UnitName } from '../model/unit.js'
import { serviceTemplate } from '../unit/name.js'
import { maxUnitBytes } from '../unit/parse.js'
import { printUnit } from '../unit/print.js'
import { containerOptions } from './container.js'
import { problemAt } from './problem.js'
import { processOptions } from './process.js'
import type { SectionPart } from './section.js'
import { mariposaOptions } from './settings.js'

export interface CompileInput {
  readonly project: string
  readonly manifest: ServiceManifest
  readonly version: { readonly uuid: string; readonly ordinal: number }
  /** The manifest's file as the user calls it; named in the unit's first line and in diagnostics. */
  readonly file: string
}

export interface CompiledVersion {
  readonly template: UnitName
  /** The template unit's text; of no use where a diagnostic is an error. */
  readonly text: string
  readonly diagnostics: readonly Diagnostic[]
}

/**
 * Compiles one version of a service. Codes: `compile/bad-text`, `compile/bad-variable-name`, `compile/no-program`,
 * `compile/bad-program`, `compile/too-large`.
 */
export function compileVersion(input: CompileInput): CompiledVersion {
  const { project, manifest, version, file } = input
  const parts = [unitSection(input), programPart(manifest), mariposaOptions(manifest, input)]
  const problems = parts.flatMap((part) => part.problems)
  const options = parts.flatMap((part) => part.options)
  const text = hasErrors(problems) ? '' : `${header(input)}\n${printUnit({ options })}`
  if (new TextEncoder().encode(text).length > maxUnitBytes) problems.push(tooLarge)
  return {
    template: serviceTemplate({ project, service: manifest.name, ordinal: version.ordinal }),
    text,
    diagnostics: problems.map((problem) => ({ ...problem, file })),
  }
}

/** A file's name may hold anything; here it must not break out of its line. */
function header({ project, manifest, version, file }: CompileInput): string {
  const shown = file.replace(/[\p{Cc}\p{Zl}\p{Zp}\uFFFE\uFFFF]/gu, '?')
  return `# ${manifest.name} version ${version.ordinal} of project ${project}, compiled from ${shown}.\n# Made by Mariposa: change the manifest and deploy it again.\n`
}

function unitSection({ project, manifest, version }: CompileInput): SectionPart {
  const description = `Instance ${manifest.name}-%i of project ${project}, version ${version.ordinal}`
  const options = [{ section: 'Unit', name: 'Description', value: description, line: 0 }]
  // Restarts are limited by [X-Mariposa] Restart= alone, not by how often systemd may start a unit.
  const noLimit = { section: 'Unit', name: 'StartLimitIntervalSec', value: '0', line: 0 }
  return { options: manifest.compute_type === 'process' ? [...options, noLimit] : options, problems: [] }
}

function programPart(manifest: ServiceManifest): SectionPart {
  switch (manifest.compute_type) {
    case 'docker':
      return containerOptions(manifest)
    case 'process':
      return processOptions(manifest)
    case 'infrastructure':
    case 'kvm':
    case 'manta':
      return { options: [], problems: [noDriver(manifest.compute_type)] }
  }
}

function noDriver(computeType: string): Diagnostic {
  return problemAt(
    '/compute_type',
    'compile/not-supported-yet',
    `no driver can run ${computeType} yet`,
    'use docker or process',
  )
}

const tooLarge = problemAt(
  '',
  'compile/too-large',
  'the unit that the manifest compiles to is larger than 1 MiB',
  'mount large data as files instead of passing it in the environment',
)
