// Commands on manifests. A daemon is asked for metadata alone, where manifests want some and one answers.
import { compileVersion } from '../../compile/compile.js'
import { notSupportedYet } from '../../compile/support.js'
import { underPolicy } from '../../compile/under-policy.js'
import { nearest } from '../../lib/nearest.js'
import { checkAfter } from '../../manifest/check-after.js'
import { defaultCnsSuffixes } from '../../manifest/cns.js'
import type { ManifestSource, ReadManifest } from '../../manifest/manifest.js'
import { inSource, readManifests } from '../../manifest/manifest.js'
import { asWritten, printManifest } from '../../manifest/print.js'
import { measuredOf, silentSources } from '../../manifest/silent-sources.js'
import { standIns } from '../../manifest/stand-ins.js'
import type { Diagnostic } from '../../model/diagnostic.js'
import { hasErrors } from '../../model/diagnostic.js'
import { CommandError, exitCodes, usageError } from '../command-error.js'
import { withoutMadeUp } from '../stand-in-diagnostics.js'
import { type MetaFlags, metaFor, policyFor } from './manifest-meta.js'
import type { Shell } from './shell.js'
import { printJson, printWarnings } from './shell.js'
import { readSources } from './sources.js'

/** Reports every problem of the files; exit 2 when one of them is an error. */
export async function lint(shell: Shell, files: readonly string[], flags: MetaFlags): Promise<number> {
  const { units, warnings, sources, notJudged } = await compileFiles(shell, files, flags, 'lint')
  if (shell.globals.json) {
    printJson(shell, warnings)
    return exitCodes.done
  }
  await printWarnings(shell, warnings, sources)
  if (!shell.globals.quiet) {
    shell.terminal.out(units.map((one) => `${one.file}: ${one.service} is valid\n`).join(''))
    for (const file of notJudged) shell.terminal.out(`${file}: valid as far as metadata is known\n`)
  }
  return exitCodes.done
}

/** Prints the canonical form with variables filled in: YAML documents, or with --json one object or a list of them. */
export async function render(shell: Shell, files: readonly string[], flags: MetaFlags): Promise<number> {
  const { units, warnings, sources } = await compileFiles(shell, files, flags)
  const manifests = units.map((one) => asWritten(one.manifest))
  if (shell.globals.json) printJson(shell, manifests.length === 1 ? manifests[0] : manifests)
  else {
    await printWarnings(shell, warnings, sources)
    shell.terminal.out(units.map((one) => printManifest(one.manifest)).join('---\n'))
  }
  return exitCodes.done
}

/** Prints the template units, each below its name. What no driver runs yet has none; a warning says so. */
export async function compile(shell: Shell, files: readonly string[], flags: MetaFlags): Promise<number> {
  const { units: compiled, warnings, sources } = await compileFiles(shell, files, flags)
  const units = compiled.filter(({ text }) => text !== '')
  if (shell.globals.json) {
    printJson(
      shell,
      units.map(({ service, unit, text, manifest }) => ({
        service,
        unit,
        text,
        manifest: asWritten(manifest),
      })),
    )
    return exitCodes.done
  }
  await printWarnings(shell, warnings, sources)
  shell.terminal.out(units.map(({ unit, text }) => `# ${unit}\n${text}`).join('\n'))
  return exitCodes.done
}

/** Prints one of the published JSON Schemas. */
export async function schema(shell: Shell, name = 'service'): Promise<number> {
  // What makes them is loaded by no other command.
  const { publishedSchemas } = await import('../../manifest/published-schema.js')
  const [, make] = Object.entries(publishedSchemas).find(([one]) => one === name) ?? []
  if (make === undefined) {
    const names = Object.keys(publishedSchemas)
    const near = nearest(name, names)
    const hint = near === undefined ? `there are ${names.join(', ')}` : `did you mean ${near}?`
    throw usageError(`there is no schema ${JSON.stringify(name)}`, hint)
  }
  printJson(shell, make())
  return exitCodes.done
}

interface CompiledFile {
  readonly file: string
  readonly service: string
  readonly unit: string
  readonly text: string
  readonly manifest: ReadManifest['manifest']
}

/** Reads and compiles as version 1; throws CommandError with every problem of every file when one is an error. */
async function compileFiles(
  shell: Shell,
  files: readonly string[],
  flags: MetaFlags,
  use: 'lint' | 'print' = 'print',
) {
  const sources: readonly ManifestSource[] = await readSources(files)
  const meta = await metaFor(shell, sources, flags)
  const { project } = shell.globals
  const { manifests, diagnostics } = readManifests(sources, (name) => ({
    ...standIns(name),
    project: { name: project },
    meta,
  }))
  const compiled = manifests.map((one) => ({ ...one, ...compileOne(project, one) }))
  const here = use === 'lint' ? await policyFor(shell, flags) : null
  const ofPolicy = compiled.flatMap((one) =>
    here === null || one.text === '' ? [] : underPolicy(here, one.text, one.template, one),
  )
  const measured = measuredAmong(manifests)
  const { sound, madeUp } = withoutMadeUp([
    ...diagnostics,
    ...checkAfter(manifests, { services: new Map(), complete: false }),
    ...manifests.flatMap((read) => silentSources(read, measured)),
    ...compiled.flatMap((one) => one.diagnostics.map(asToldHere)),
    ...ofPolicy,
  ])
  // What cannot be judged cannot be printed either.
  const all = use === 'lint' ? sound : [...sound, ...madeUp]
  if (hasErrors(all)) throw invalid(all, sources)
  const units = compiled.map(
    ({ file, manifest, template, text }): CompiledFile => ({
      file,
      service: manifest.name,
      unit: template,
      text,
      manifest,
    }),
  )
  return { units, warnings: all, sources, notJudged: [...new Set(madeUp.flatMap(({ file }) => file ?? []))] }
}

/** What the services of some manifests have metrics of; of others nothing is known without the daemon. */
function measuredAmong(manifests: readonly ReadManifest[]) {
  const measured = new Map(manifests.map(({ manifest }) => [manifest.name, measuredOf(manifest)]))
  return (service: string) => measured.get(service) ?? null
}

/** What nothing carries out yet is for a deploy to refuse: the manifest is right. */
function asToldHere(problem: Diagnostic): Diagnostic {
  return problem.code === notSupportedYet ? { ...problem, severity: 'warning' } : problem
}

function compileOne(project: string, read: ReadManifest) {
  const { manifest, package: chosen, file } = read
  const { version, ordinal } = standIns(manifest.name).service
  const { template, text, diagnostics } = compileVersion({
    project,
    manifest,
    package: chosen,
    version: { uuid: version, ordinal },
    cns: defaultCnsSuffixes,
    file,
    sources: read.sources,
  })
  return { template, text, diagnostics: diagnostics.map((one) => inSource(one, read)) }
}

function invalid(details: readonly Diagnostic[], sources: readonly ManifestSource[]): CommandError {
  const errors = details.filter(({ severity }) => severity === 'error').length
  const subject = sources.length === 1 ? 'the manifest has' : 'the manifests have'
  const message = `${subject} ${errors === 1 ? 'an error' : `${errors} errors`}`
  return new CommandError(exitCodes.invalid, 'manifest/invalid', message, { details, sources })
}
