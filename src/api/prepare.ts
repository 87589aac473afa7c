// The sources of a deploy, read and compiled: what each service would become, and all that is wrong with it.
import { type CompiledVersion, compileVersion } from '../compile/compile.js'
import { mailWarnings } from '../compile/mails.js'
import { uuidOf } from '../lib/hash.js'
import type { Instant } from '../lib/time.js'
import { inSource, type ReadManifest, readManifests } from '../manifest/manifest.js'
import { metaVariables } from '../manifest/meta-variables.js'
import type { ManifestSettings } from '../manifest/settings.js'
import type { DeployVariables } from '../manifest/variables.js'
import { type Diagnostic, hasErrors } from '../model/diagnostic.js'
import type { ImageMeanings } from '../model/image.js'
import type { Service } from '../model/service.js'
import { type ClusterView, serviceKey } from '../store/view.js'
import { parseUnit } from '../unit/parse.js'
import { admit } from './admission.js'
import type { DeployRequest } from './contract.js'
import { pinOf, taggedImage } from './image-meanings.js'

/** One service of a deploy, read and compiled. */
export interface PreparedVersion {
  readonly read: ReadManifest
  readonly compiled: CompiledVersion
  /** What its image is pinned to; null for an image that is not, or none. */
  readonly pinned: string | null
  readonly project: string
  readonly existing: Service | null
  readonly ids: Ids
  /** As templates see it. */
  readonly scale: number
}

interface Ids {
  readonly service: string
  readonly version: string
  readonly ordinal: number
}

export interface Prepared {
  readonly versions: readonly PreparedVersion[]
  readonly diagnostics: readonly Diagnostic[]
  /** Of the project, where the sources say. */
  readonly tags: Readonly<Record<string, string>> | null
}

/** Reads and compiles the sources of a deploy, with all that is wrong with them. */
export function prepare(
  view: ClusterView,
  settings: ManifestSettings,
  project: string,
  { sources, scale }: Pick<DeployRequest, 'sources' | 'scale'>,
  now: Instant,
  meanings: ImageMeanings | null,
): Prepared {
  const idsOf = (name: string): Ids =>
    nextIds(view.services.get(serviceKey(project, name)), project, name, now)
  const scaleOf = (name: string): number => scale ?? view.services.get(serviceKey(project, name))?.scale ?? 1
  const meta = metaVariables(view.metaOf(project))
  const variablesOf = (name: string): DeployVariables => {
    const { service, version, ordinal } = idsOf(name)
    return {
      project: { name: project },
      service: { name, uuid: service, version, ordinal },
      scale: scaleOf(name),
      meta,
      package: null,
      cns: settings.cns,
    }
  }
  const { manifests, diagnostics, tags } = readManifests(sources, variablesOf, settings.packages)
  const versions = manifests.map((read): PreparedVersion => {
    const { manifest, file } = read
    const ids = idsOf(manifest.name)
    const pinned = pinOf(taggedImage(manifest), meanings)
    const compiled = compileVersion({
      project,
      manifest,
      pinned,
      package: read.package,
      file,
      version: { uuid: ids.version, ordinal: ids.ordinal },
    })
    return {
      read,
      compiled,
      pinned,
      project,
      ids,
      scale: scaleOf(manifest.name),
      existing: view.services.get(serviceKey(project, manifest.name)) ?? null,
    }
  })
  const ofUnits = versions.flatMap(({ read, compiled }) => {
    const warned = mailWarnings(read.manifest, settings.mail)
    const found = [...compiled.diagnostics, ...warned].map((one) => inSource(one, read))
    if (hasErrors(found)) return found
    const { file } = parseUnit(compiled.text, compiled.template)
    return [...found, ...admit(view, file, compiled.template).map((one) => inManifest(one, read))]
  })
  return { versions, diagnostics: [...diagnostics, ...ofUnits], tags }
}

/** A problem of the compiled unit is shown under the manifest: the unit's lines mean nothing to who wrote that. */
function inManifest(
  { line: _line, column: _column, length: _length, ...rest }: Diagnostic,
  read: ReadManifest,
): Diagnostic {
  return { ...rest, file: read.file }
}

function nextIds(existing: Service | undefined, project: string, name: string, now: Instant): Ids {
  const service = existing?.uuid ?? uuidOf('service', project, name, String(now))
  const ordinal = (existing?.lastOrdinal ?? 0) + 1
  return { service, ordinal, version: uuidOf('version', service, String(ordinal)) }
}
