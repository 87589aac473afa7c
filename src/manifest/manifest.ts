// From texts to canonical manifests: parse, find the services, normalise and fill in, validate, check the rules.

import { type Steps, toEnd } from '../lib/sliced-work.js'
import { byKeys } from '../lib/sort.js'
import type { SourcedFile } from '../model/arriving-file.js'
import type { Diagnostic } from '../model/diagnostic.js'
import { abridgedDiagnostic, hasErrors } from '../model/diagnostic.js'
import type { OtherPort, OtherService } from '../model/other-service.js'
import type { Package } from '../model/package.js'
import { computeTypes } from './compute-types.js'
import { defaults } from './defaults.js'
import { withDocs } from './docs-link.js'
import { normaliseManifest } from './normalise.js'
import { type Notes, openNotes, type Place, placeOf, type Source, type Span } from './notes.js'
import type { OtherServices } from './other-services.js'
import { packageOf } from './package-of.js'
import { nearestSpanAt, stepsOf } from './pointer.js'
import { type FoundService, findServices, projectTagsOf } from './project.js'
import { readTree, treesInSteps } from './read-tree.js'
import { checkRules } from './rules.js'
import type { ServiceManifest } from './schema.js'
import { standIns } from './stand-ins.js'
import { childOf, isEmpty, pathAt, plainOf, type Tree, type TreeDocument } from './tree.js'
import { validate } from './validate.js'
import type { DeployVariables } from './variables.js'
import { type GivenManifest, withDefaults } from './with-defaults.js'

/** A file or document as submitted. */
export interface ManifestSource extends Source {
  /** The service's name where the text does not say, as given on the command line. */
  readonly name?: string
  /** What its services take of the directory that it is in. */
  readonly files?: readonly SourcedFile[]
}

/** A manifest that was read, with its source. */
export interface ReadManifest {
  readonly manifest: ServiceManifest
  readonly file: string
  /** This service's own part of the submitted text: all of it where the file holds one service. */
  readonly text: string
  /** What it takes of the directory that the source is in, in the order of their paths; what was not sent is not there. */
  readonly sources: readonly SourcedFile[]
  /** The package that it gets; null for none. */
  readonly package: Package | null
  /** Where in the source a JSON pointer into the manifest leads; for a key that is not there, where it would be. */
  readonly placeAt: (path: string) => Place
  /** Keys of the project's metadata that it asks for, sorted: what it says changes with their values. */
  readonly meta: readonly string[]
  /** Those of them that what its instances run depends on. */
  readonly unitMeta: readonly string[]
  /** Those of them that the service depends on beside that. */
  readonly serviceMeta: readonly string[]
  /** Those of them whose change restarts its instances, each with how many of them at a time. */
  readonly restartOn: Readonly<Record<string, number>>
}

/** Manifests that are deployed together. */
export interface ManifestSet {
  /** Every manifest without an error. Use them only when `diagnostics` has no error: a set is deployed whole. */
  readonly manifests: readonly ReadManifest[]
  readonly diagnostics: readonly Diagnostic[]
  /** The tags of its project manifests; null where it has none of these. */
  readonly tags: Readonly<Record<string, string>> | null
}

/**
 * Reads the manifests of one change. Templates are filled in with what `variablesOf` says of each service; what
 * depends on the instance or the machine becomes marks (`placementMark`). `packages` are those of the daemon; where they
 * are not known, those that ship stand for them. All problems of all sources come at once.
 */
export function readManifests(
  sources: readonly ManifestSource[],
  variablesOf: (name: string) => DeployVariables,
  packages?: readonly Package[],
): ManifestSet {
  let found: ReadonlyMap<string, ServicePorts> | null = null
  const ofSources = (): ReadonlyMap<string, ServicePorts> => (found ??= portsOfServices(sources, variablesOf))
  const services: OtherServices = {
    of: (name) => {
      const ports = ofSources().get(name)
      return ports === undefined ? null : { uuid: variablesOf(name).service.uuid, ...ports }
    },
    names: () => [...ofSources().keys()],
    complete: false,
  }
  const change = {
    variablesOf: (name: string) => ({ services, ...variablesOf(name) }),
    packages,
    taken: new Map<string, string>(),
  }
  return joinedSets(sources.map((source) => toEnd(readSource(source, change))))
}

/** Of sources that are being read: templates that ask for other services look at them once more. */
const treesOf = new WeakMap<Source, readonly TreeDocument[]>()

/** The ports of another service, as templates may name them. */
export type ServicePorts = Omit<OtherService, 'uuid'>

/**
 * The services of some sources with their ports, for templates of others that ask for them. What is wrong there is not
 * told: that is for the reading of the source itself.
 */
export function portsOfServices(
  sources: readonly ManifestSource[],
  variablesOf: (name: string) => DeployVariables,
): ReadonlyMap<string, ServicePorts> {
  const found = new Map<string, ServicePorts>()
  for (const source of sources) {
    const notes = openNotes(source)
    const documents = treesOf.get(source) ?? readTree(source, notes)
    for (const document of documents) {
      for (const { name, node } of findServices(document, documents.length, source, notes)) {
        const { services: _, ...variables } = variablesOf(name)
        const scope = {
          source,
          notes,
          askedMeta: new Set<string>(),
          askedByService: new Set<string>(),
          followedMeta: new Set<string>(),
          restartOn: new Map<string, number>(),
          computeType: computeTypeOf(node),
          variables,
        }
        const tree = normaliseManifest(node, scope)
        if (tree === undefined || found.has(name)) continue
        // The normalisers have seen to the types.
        const { compute_type, ports } = withDefaults(plainOf(tree) as GivenManifest, name) as ServiceManifest
        found.set(name, { isProcess: compute_type === 'process', ports: ports.map(otherPort) })
      }
    }
  }
  return found
}

function otherPort({ ip, host, container, protocol }: ServiceManifest['ports'][number]): OtherPort {
  return { ip: ip ?? null, host: host ?? null, container, protocol }
}

/** What several sources of one change hold. */
export function joinedSets(sets: readonly ManifestSet[]): ManifestSet {
  return {
    manifests: sets.flatMap((set) => set.manifests),
    diagnostics: sets.flatMap((set) => set.diagnostics).map(abridgedDiagnostic),
    tags: joined(sets.map(({ tags }) => tags)),
  }
}

/** Reads a source on its own, as `manifest lint` does: variables of the deploy get stand-ins. */
export function parseManifest(source: ManifestSource): ManifestSet {
  return readManifests([source], standIns)
}

/** A problem that was found in a manifest after it was read, with its place in the source and in the documentation. */
export function inSource(problem: Diagnostic, { placeAt }: ReadManifest): Diagnostic {
  return withDocs({ ...problem, ...(problem.path !== undefined && placeAt(problem.path)) })
}

/** What the sources of one change share. */
interface ChangeReading {
  readonly variablesOf: (name: string) => DeployVariables
  readonly packages: readonly Package[] | undefined
  /** Names of services so far, with their files. */
  readonly taken: Pick<Map<string, string>, 'get' | 'set'>
}

/** Reads one source of a change, a service in each step; those before it have taken their names. */
export function* readSource(source: ManifestSource, change: ChangeReading): Steps<ManifestSet> {
  const documents: TreeDocument[] = []
  const notes = openNotes(source, (span) => pathAt(documents, span))
  documents.push(...(yield* treesInSteps(source, notes)))
  treesOf.set(source, documents)
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
  const manifests: ReadManifest[] = []
  for (const service of services) {
    manifests.push(...readService(service, source, notes, change))
    yield
  }
  return {
    manifests: unsound ? [] : manifests,
    diagnostics: inOrder(notes.diagnostics).map(withDocs),
    tags: joined(documents.map((document) => projectTagsOf(document, source))),
  }
}

function joined(some: readonly ManifestSet['tags'][]): ManifestSet['tags'] {
  const given = some.filter((tags) => tags !== null)
  return given.length === 0 ? null : Object.fromEntries(given.flatMap((tags) => Object.entries(tags)))
}

function readService(
  service: FoundService,
  source: ManifestSource,
  notes: Notes,
  { variablesOf, packages, taken }: ChangeReading,
): ReadManifest[] {
  const before = notes.diagnostics.length
  const { name, place, node, text } = service
  claimName(name, place, source, notes, taken)
  const variables = variablesOf(name)
  if (service.project) checkProject(service.project, variables.project.name, notes)
  const [askedMeta, askedByService, followedMeta] = [new Set<string>(), new Set<string>(), new Set<string>()]
  const restartOn = new Map<string, number>()
  const computeType = computeTypeOf(node)
  const scope = { source, notes, askedMeta, askedByService, followedMeta, restartOn, computeType }
  const chosen = packageOf(node, packages, { ...scope, variables })
  const tree = normaliseManifest(node, { ...scope, variables: { ...variables, package: chosen } })
  if (!tree) return []
  const manifest = withDefaults(plainOf(tree) as GivenManifest, name)
  // The normalisers have seen to the types, which is all that the rules rely on; ranges are the schema's.
  checkRules({ manifest: manifest as ServiceManifest, tree, source, package: chosen, notes })
  if (!validate(manifest, { tree, name: place }, notes) || hasErrors(notes.diagnostics.slice(before)))
    return []
  const asked = {
    meta: [...new Set([...askedMeta, ...askedByService, ...followedMeta])].sort(),
    unitMeta: [...askedMeta].sort(),
    serviceMeta: [...askedByService].sort(),
    restartOn: Object.fromEntries([...restartOn].sort(byKeys(([key]) => key))),
  }
  const placeAt = (path: string): Place => placeOf(source.text, nearestSpanAt(tree, stepsOf(path)))
  const sources = sourcesOf(manifest, source.files ?? [])
  return [{ manifest, file: source.file, text, sources, package: chosen, ...asked, placeAt }]
}

function sourcesOf({ files }: ServiceManifest, given: readonly SourcedFile[]): readonly SourcedFile[] {
  const wanted = new Set(files.flatMap(({ source }) => source ?? []))
  return given
    .filter(({ path }) => wanted.has(path))
    .map(({ path, data }) => ({ path, data }))
    .sort(byKeys(({ path }) => path))
}

/** As written, synonyms resolved: some keys are read in the light of it. */
function computeTypeOf(node: Tree): string {
  const given = childOf(node, 'compute_type')
  const word = given?.kind === 'scalar' && !isEmpty(given) ? String(given.value) : defaults.compute_type
  return isComputeType(word) ? computeTypes[word] : word
}

function isComputeType(word: string): word is keyof typeof computeTypes {
  return Object.hasOwn(computeTypes, word)
}

/** A project manifest may say which project it is for; which one is deployed to is the command's to say. */
function checkProject(project: Tree, deployedTo: string, notes: Notes): void {
  if (project.kind === 'scalar' && project.value === deployedTo) return
  const meant = project.kind === 'scalar' ? String(project.value) : 'NAME'
  notes.report(
    'manifest/wrong-project',
    project,
    `this manifest is for the project ${meant}, and is read for ${deployedTo}`,
    `add --project ${meant}, or leave name out`,
  )
}

function claimName(
  name: string,
  place: Span | null,
  { file }: Source,
  notes: Notes,
  taken: ChangeReading['taken'],
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
