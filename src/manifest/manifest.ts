// From texts to canonical manifests: parse, find the services, normalise and fill in, validate, check the rules.
import { sha1 } from '../lib/hash.js'
import { byKeys } from '../lib/sort.js'
import type { Diagnostic } from '../model/diagnostic.js'
import { hasErrors } from '../model/diagnostic.js'
import { normaliseManifest } from './normalise.js'
import { type Notes, openNotes, type Source, type Span } from './notes.js'
import { type FoundService, findServices } from './project.js'
import { readTree } from './read-tree.js'
import { checkRules } from './rules.js'
import { defaults, type GivenManifest, type ServiceManifest, withDefaults } from './schema.js'
import type { DeployVariables } from './template.js'
import { childOf, pathAt, plainOf, type TreeDocument } from './tree.js'
import { validate } from './validate.js'

/** A file or document as submitted. */
export interface ManifestSource extends Source {
  /** The service's name where the text does not say, as given on the command line. */
  readonly name?: string
}

export interface ReadManifest {
  readonly manifest: ServiceManifest
  readonly file: string
  /** This service's own part of the submitted text: all of it where the file holds one service. */
  readonly text: string
  /** Of `text`. */
  readonly sha1: string
}

export interface ManifestSet {
  /** Every manifest without an error. Use them only when `diagnostics` has no error: a set is deployed whole. */
  readonly manifests: readonly ReadManifest[]
  readonly diagnostics: readonly Diagnostic[]
}

/**
 * Reads the manifests of one change. Templates are filled in with what `variablesOf` says of each service; what
 * depends on the instance or the machine becomes marks (`placementMark`). All problems of all sources come at once.
 */
export function readManifests(
  sources: readonly ManifestSource[],
  variablesOf: (name: string) => DeployVariables,
): ManifestSet {
  const taken = new Map<string, string>()
  const sets = sources.map((source) => readSource(source, variablesOf, taken))
  return {
    manifests: sets.flatMap((set) => set.manifests),
    diagnostics: sets.flatMap((set) => set.diagnostics),
  }
}

/** Reads a source on its own, as `manifest lint` does: variables of the deploy get stand-ins. */
export function parseManifest(source: ManifestSource): ManifestSet {
  return readManifests([source], standIns)
}

/** Plausible values for what is known only when a service is deployed. */
export function standIns(name: string): DeployVariables {
  const uuid = '00000000-0000-5000-8000-000000000000'
  return { project: { name: 'default' }, service: { name, uuid, version: uuid, ordinal: 1 }, scale: 1 }
}

function readSource(
  source: ManifestSource,
  variablesOf: (name: string) => DeployVariables,
  taken: Map<string, string>,
): ManifestSet {
  const documents: TreeDocument[] = []
  const notes = openNotes(source, (span) => pathAt(documents, span))
  documents.push(...readTree(source, notes))
  if (documents.length === 0 && notes.diagnostics.length === 0) {
    notes.report(
      'manifest/empty',
      null,
      'there is no manifest in it',
      'a manifest is a YAML or JSON map, such as image: nginx',
    )
  }
  const unsound = hasErrors(notes.diagnostics)
  const services = documents.flatMap((document) => findServices(document, documents.length, source, notes))
  const manifests = services.flatMap((service) => readService(service, source, notes, variablesOf, taken))
  return { manifests: unsound ? [] : manifests, diagnostics: inOrder(notes.diagnostics) }
}

function readService(
  service: FoundService,
  source: ManifestSource,
  notes: Notes,
  variablesOf: (name: string) => DeployVariables,
  taken: Map<string, string>,
): ReadManifest[] {
  const before = notes.diagnostics.length
  const { name, place, node } = service
  claimName(name, place, source, notes, taken)
  const given = childOf(node, 'compute_type')
  const computeType = given?.kind === 'scalar' ? String(given.value) : defaults.compute_type
  const tree = normaliseManifest(node, { source, notes, variables: variablesOf(name), computeType })
  if (!tree) return []
  const manifest = withDefaults(plainOf(tree) as GivenManifest, name)
  // The normalisers have seen to the types, which is all that the rules rely on; ranges are the schema's.
  checkRules(manifest as ServiceManifest, tree, notes)
  if (!validate(manifest, { tree, name: place }, notes) || hasErrors(notes.diagnostics.slice(before)))
    return []
  return [{ manifest, file: source.file, text: service.text, sha1: sha1(service.text) }]
}

function claimName(
  name: string,
  place: Span | null,
  { file }: Source,
  notes: Notes,
  taken: Map<string, string>,
): void {
  const holder = taken.get(name)
  if (holder !== undefined) {
    const message = `the service ${JSON.stringify(name)} is already defined in ${holder}`
    notes.report('manifest/duplicate-service', place, message, 'give each service its own `name:`')
  }
  taken.set(name, holder ?? file)
}

function inOrder(diagnostics: readonly Diagnostic[]): Diagnostic[] {
  return [...diagnostics].sort(
    byKeys(
      ({ line }) => line ?? 0,
      ({ column }) => column ?? 0,
    ),
  )
}
