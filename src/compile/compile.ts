// From a canonical manifest to the template unit of a service version (docs/units.md). The same manifest always gives
// the same text, and what the drivers read out of the text is what the manifest says, byte for byte.
import { invariant } from '../lib/invariant.js'
import type { CnsSuffixes } from '../manifest/cns.js'
import type { ServiceManifest } from '../manifest/schema.js'
import type { SourcedFile } from '../model/arriving-file.js'
import type { Diagnostic } from '../model/diagnostic.js'
import { hasErrors } from '../model/diagnostic.js'
import type { Package } from '../model/package.js'
import type { Schedule } from '../model/schedule.js'
import type { TriggerUrl } from '../model/trigger-url.js'
import type { UnitName } from '../model/unit.js'
import type { Webhook } from '../model/webhook.js'
import { serviceTemplate } from '../unit/name.js'
import { maxUnitBytes, type UnitOption } from '../unit/parse.js'
import { printUnit } from '../unit/print.js'
import { placeRules } from './affinity.js'
import { containerOptions } from './container.js'
import { lateOptions } from './deferred-environment.js'
import { fileOptions } from './files.js'
import { compileMails } from './mails.js'
import { unpublishedPorts } from './networks.js'
import { problemAt } from './problem.js'
import { processOptions } from './process.js'
import { compileSchedule } from './schedule.js'
import type { SectionPart } from './section.js'
import { mariposaOptions } from './settings.js'
import { unsupportedYet } from './support.js'
import { compileTriggerUrls } from './trigger-urls.js'
import { volumeOptions, withContainerPaths } from './volumes.js'
import { compileWebhooks } from './webhooks.js'

interface CompileInput {
  readonly project: string
  readonly manifest: ServiceManifest
  /** The package that the service gets: its size counts where the manifest names one. */
  readonly package: Pick<Package, 'ram' | 'cpu'> | null
  readonly version: { readonly uuid: string; readonly ordinal: number }
  /** The image by its digest or id, where that is known; null or absent: as the manifest names it. */
  readonly pinned?: string | null
  /** What names end in; null or absent: containers ask the resolvers of their machine. */
  readonly cns?: CnsSuffixes | null
  /** What the manifest takes of the directory that it is in; absent for nothing. */
  readonly sources?: readonly SourcedFile[]
  /** The manifest's file as the user calls it; named in the unit's first line and in diagnostics. */
  readonly file: string
}

/** A version with the unit file that it compiles to. */
export interface CompiledVersion {
  readonly template: UnitName
  /** The template unit's text. Empty where the manifest cannot be said in a unit, and the diagnostics say why. */
  readonly text: string
  /** Webhooks and mailboxes. */
  readonly webhooks: readonly Webhook[]
  readonly schedule: Schedule | null
  readonly triggerUrls: readonly TriggerUrl[]
  readonly diagnostics: readonly Diagnostic[]
}

/**
 * Compiles one version of a service. A manifest that asks for what comes later compiles, with an error of
 * `unsupportedYet` for each such thing. Codes: `compile/not-supported-yet`, `compile/bad-text`,
 * `compile/bad-variable-name`, `compile/no-program`, `compile/bad-program`, `compile/no-resolver`,
 * `compile/port-not-published`, `compile/unknown-volume`, `compile/missing-source`,
 * `compile/sources-too-large`, `compile/too-large`, and those of `compileWebhooks`.
 */
export function compileVersion(input: CompileInput): CompiledVersion {
  const { project, version, file } = input
  const manifest =
    input.manifest.compute_type === 'docker' ? withContainerPaths(input.manifest) : input.manifest
  const pinned = input.pinned == null ? manifest : { ...manifest, image: input.pinned }
  const ofPackage = manifest.package === undefined ? null : (input.package?.ram ?? null)
  const program = programPart(pinned, project, manifest.memory ?? ofPackage)
  const { fleet, others } = placeRules(manifest.affinity, project)
  const size = manifest.package === undefined ? null : input.package
  invariant(manifest.package === undefined || size !== null, `no package was chosen for ${manifest.name}`)
  const settings = mariposaOptions(manifest, {
    project,
    version,
    size,
    affinity: others,
    cns: input.cns ?? null,
  })
  const late = lateOptions(manifest)
  const files = fileOptions(manifest, input.sources ?? [])
  const hooks = compileWebhooks(manifest)
  const urls = compileTriggerUrls(manifest)
  const problems = [program, settings, late, files, hooks, urls].flatMap((part) => part?.problems ?? [])
  problems.push(...unpublishedPorts(manifest))
  const own = [...settings.options, ...volumeOptions(manifest), ...late.options, ...files.options]
  const options = [...unitOptions(input), ...(program?.options ?? []), ...fleet, ...own]
  const text = program === null || hasErrors(problems) ? '' : `${header(input)}\n${printUnit({ options })}`
  if (isTooLarge(text)) problems.push(tooLarge)
  return {
    template: serviceTemplate({ project, service: manifest.name, ordinal: version.ordinal }),
    text,
    webhooks: [...hooks.webhooks, ...compileMails(manifest)],
    schedule: compileSchedule(manifest),
    triggerUrls: urls.triggerUrls,
    diagnostics: [...unsupportedYet(manifest), ...problems].map((problem) => ({ ...problem, file })),
  }
}

/** A file's name may hold anything; here it must not break out of its line. */
function header({ project, manifest, version, file }: CompileInput): string {
  const shown = file.replace(/[\p{Cc}\p{Zl}\p{Zp}\uFFFE\uFFFF]/gu, '?')
  return `# ${manifest.name} version ${version.ordinal} of project ${project}, compiled from ${shown}.\n# Made by Mariposa: change the manifest and deploy it again.\n`
}

function unitOptions({ project, manifest, version }: CompileInput): readonly UnitOption[] {
  const description = `Instance ${manifest.name}-%i of project ${project}, version ${version.ordinal}`
  const options = [{ section: 'Unit', name: 'Description', value: description, line: 0 }]
  // Restarts are limited by [X-Mariposa] Restart= alone, not by how often systemd may start a unit.
  const noLimit = { section: 'Unit', name: 'StartLimitIntervalSec', value: '0', line: 0 }
  return manifest.compute_type === 'process' ? [...options, noLimit] : options
}

/** What runs; null for what no driver can run yet. */
function programPart(
  manifest: ServiceManifest,
  project: string,
  memoryMb: number | null,
): SectionPart | null {
  switch (manifest.compute_type) {
    case 'docker':
      return containerOptions(manifest, project)
    case 'process':
      return processOptions(manifest, memoryMb)
    case 'infrastructure':
    case 'kvm':
    case 'manta':
      return null
  }
}

function isTooLarge(text: string): boolean {
  // A unit of a text's length is three bytes of UTF-8 at most, so that few texts have to be measured.
  return text.length * 3 > maxUnitBytes && new TextEncoder().encode(text).length > maxUnitBytes
}

const tooLarge = problemAt(
  '',
  'compile/too-large',
  'the unit that the manifest compiles to is larger than 1 MiB',
  'mount large data as files instead of passing it in the environment',
)
