// What an instance runs that is made now: the unit of its version, with the project's metadata of this moment.
import { readManifests } from '../manifest/manifest.js'
import { metaVariables } from '../manifest/meta-variables.js'
import type { ServiceManifest } from '../manifest/schema.js'
import type { ManifestSettings } from '../manifest/settings.js'
import type { DeployVariables } from '../manifest/variables.js'
import type { Meta } from '../model/meta.js'
import { type MadeOf, madeOf } from '../model/meta-fingerprints.js'
import type { RunInput } from '../model/run-variables.js'
import type { ServiceVersion } from '../model/service.js'
import { withCallBody } from '../unit/call-body.js'
import { unitHash } from '../unit/print.js'
import { compileVersion } from './compile.js'
import { asOneOff, type OneOffProgram } from './one-off.js'

/** The unit by its hash, with its text unless the version's own deploy has stored it; or why there is none. */
export type VersionUnit =
  | {
      readonly kind: 'unit'
      readonly hash: string
      readonly text: string | null
      /** What of the project's metadata it depends on, as that is now; absent for nothing. */
      readonly madeOf?: MadeOf
    }
  | { readonly kind: 'problem'; readonly message: string }

/** `service` is the service's uuid, `meta` the metadata of its project by key, `input` what one run alone is given. */
export type UnitOfVersion = (
  version: ServiceVersion,
  service: string,
  meta: ReadonlyMap<string, Meta>,
  input?: RunInput,
) => VersionUnit

/** Versions that ask for metadata are remembered with what they were rendered to; beyond this many it starts over. */
const rememberedAtMost = 10_000

/**
 * Finds the units of versions. A version that asks for metadata is rendered anew when what it asks for has changed, and
 * only then; instances that are made of the same metadata share one unit.
 */
export function openVersionUnits(settings: ManifestSettings): UnitOfVersion {
  const known = new Map<string, Rendered & { readonly state: string }>()
  return (version, service, meta, input) => {
    if (input !== undefined) {
      const { set, body } = input
      const altered = (manifest: ServiceManifest): ServiceManifest => ({
        ...manifest,
        environment: { ...manifest.environment, ...set },
      })
      const made = withMadeOf(render(version, service, meta, settings, altered), meta)
      if (body === undefined || made.kind === 'problem' || made.text === null) return made
      const text = withCallBody(made.text, body)
      return { ...made, hash: unitHash(text), text }
    }
    if (version.meta.length === 0) return { kind: 'unit', hash: version.hash, text: null }
    const state = stateOf(version.meta, meta)
    const before = known.get(version.uuid)
    if (before?.state === state) return withMadeOf(before, meta)
    const rendered = render(version, service, meta, settings)
    if (known.size >= rememberedAtMost) known.clear()
    known.set(version.uuid, { state, ...rendered })
    return withMadeOf(rendered, meta)
  }
}

/** The unit of an instance that runs another program once: its version's in all that a single program is asked for. */
export function unitOfOneOff(
  version: ServiceVersion,
  service: string,
  meta: ReadonlyMap<string, Meta>,
  settings: ManifestSettings,
  program: OneOffProgram,
): VersionUnit {
  return withMadeOf(
    render(version, service, meta, settings, (manifest) => asOneOff(manifest, program)),
    meta,
  )
}

interface Rendered {
  readonly unit: VersionUnit
  /** The keys that the unit depends on. */
  readonly keys: readonly string[]
}

/** A secret that is another one by now changes no unit: what it is, the note says. */
function withMadeOf({ unit, keys }: Rendered, meta: ReadonlyMap<string, Meta>): VersionUnit {
  return unit.kind === 'problem' || keys.length === 0 ? unit : { ...unit, madeOf: madeOf(keys, meta) }
}

/** All that a rendering depends on, in one text. What a secret is matters to nobody here. */
function stateOf(keys: readonly string[], meta: ReadonlyMap<string, Meta>): string {
  return JSON.stringify(
    keys.map((key) => {
      const one = meta.get(key)
      return one === undefined ? null : one.secret ? true : one.value
    }),
  )
}

function render(
  version: ServiceVersion,
  service: string,
  meta: ReadonlyMap<string, Meta>,
  settings: ManifestSettings,
  altered: (manifest: ServiceManifest) => ServiceManifest = (manifest) => manifest,
): Rendered {
  const { project, ordinal, file, text, scale, services = {} } = version
  const variables: DeployVariables = {
    project: { name: project },
    service: { name: version.service, uuid: service, version: version.uuid, ordinal },
    scale,
    meta: metaVariables(meta),
    package: null,
    cns: settings.cns,
    services: {
      of: (name) => (Object.hasOwn(services, name) ? (services[name] ?? null) : null),
      names: () => Object.keys(services),
      complete: true,
    },
  }
  const sources = version.sources ?? []
  const source = { file, text, name: version.service, files: sources }
  const { manifests, diagnostics } = readManifests([source], () => variables, settings.packages)
  const [read] = manifests
  const compiled =
    read === undefined
      ? null
      : compileVersion({
          project,
          manifest: altered(read.manifest),
          package: read.package,
          version: { uuid: version.uuid, ordinal },
          // Metadata that names another image by now names it by its tag alone.
          pinned: read.manifest.image === version.image ? (version.pinned ?? null) : null,
          cns: settings.cns,
          file,
          sources,
        })
  const problems = [...diagnostics, ...(compiled?.diagnostics ?? [])].filter(
    ({ severity }) => severity === 'error',
  )
  const keys = read?.unitMeta ?? []
  const [first, ...more] = problems
  if (compiled !== null && first === undefined) {
    return { unit: { kind: 'unit', hash: unitHash(compiled.text), text: compiled.text }, keys }
  }
  const others = more.length === 0 ? '' : ` (and ${more.length} more)`
  const message = `${first?.message ?? 'its manifest cannot be read'}${others}`
  return { unit: { kind: 'problem', message }, keys }
}
