// The sources of a deploy, read and compiled: what each service would become, and all that is wrong with it.
import { type CompiledVersion, compileVersion } from '../compile/compile.js'
import { inManifest } from '../compile/in-manifest.js'
import { mailWarnings } from '../compile/mails.js'
import { backupsUnderPolicy } from '../compile/under-policy.js'
import type { DeployRequest, SourceFile } from '../contract/contract.js'
import { uuidOf } from '../lib/hash.js'
import { type Steps, toEnd } from '../lib/sliced-work.js'
import { byKeys } from '../lib/sort.js'
import type { Instant } from '../lib/time.js'
import {
  inSource,
  joinedSets,
  type ManifestSet,
  portsOfServices,
  type ReadManifest,
  readSource,
  type ServicePorts,
} from '../manifest/manifest.js'
import { metaVariables } from '../manifest/meta-variables.js'
import type { OtherServices } from '../manifest/other-services.js'
import type { AdmissionSettings } from '../manifest/settings.js'
import type { DeployVariables } from '../manifest/variables.js'
import { type Diagnostic, hasErrors } from '../model/diagnostic.js'
import type { ResolvedImages } from '../model/image.js'
import type { KnownMachine, Machine, MachineId } from '../model/machine.js'
import type { Meta } from '../model/meta.js'
import { networkNames } from '../model/network.js'
import type { OtherService } from '../model/other-service.js'
import type { Service } from '../model/service.js'
import { type ClusterView, serviceKey } from '../store/view.js'
import { parseUnit } from '../unit/parse.js'
import { type Requirements, requirementsOf } from '../unit/requirements.js'
import { admit } from './admission.js'
import { backupsWithoutCredentials } from './backup-credentials.js'
import { listedMachines } from './machines.js'
import { pinOf, taggedImage } from './resolved-images.js'

/** One service of a deploy, read and compiled. */
export interface PreparedVersion {
  readonly read: ReadManifest
  readonly compiled: CompiledVersion
  /** What its instances ask of a machine. */
  readonly needs: Requirements
  /** What its image is pinned to; null for an image that is not, or none. */
  readonly pinned: string | null
  readonly project: string
  readonly existing: Service | null
  readonly ids: Ids
  /** As templates see it. */
  readonly scale: number
  /** The services that its templates ask for, sorted by name, as they were told. */
  readonly services: Readonly<Record<string, OtherService>>
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

/** What is asked for, and what it is read by. */
export interface ToPrepare {
  readonly settings: AdmissionSettings
  readonly project: string
  readonly request: Pick<DeployRequest, 'sources' | 'scale'>
  /** When services that are new are made. */
  readonly now: Instant
  readonly images: ResolvedImages | null
}

/**
 * The sources of one deploy, read and compiled. That takes long where there are many: it can be done in steps, and what
 * was found of a source stays known until something of the cluster has changed that it depends on.
 */
export class Preparation {
  readonly #asked: ToPrepare
  #basis: Basis | null = null
  readonly #known: PreparedSource[] = []
  /** Of the services of all sources, found out when a template asks for the first time. */
  #ports: ReadonlyMap<string, ServicePorts> | null = null

  constructor(asked: ToPrepare) {
    this.#asked = asked
  }

  /** Prepares what is not known yet, or not any more, a service in each step. The view may change in between. */
  *steps(view: ClusterView): Steps<void> {
    const { project, request } = this.#asked
    const basis = basisOf(view, project)
    if (this.#basis === null || !isSameBasis(this.#basis, basis)) {
      this.#known.length = 0
      this.#ports = null
    }
    const portsBy = (variablesOf: VariablesOf) =>
      (this.#ports ??= portsOfServices(request.sources, variablesOf))
    this.#basis = basis
    const taken = new Map<string, string>()
    for (const [n, source] of request.sources.entries()) {
      const known = this.#known[n]
      if (known !== undefined && this.#holds(view, known, taken)) take(known, source, taken)
      else this.#known[n] = yield* prepareSource({ view, basis, asked: this.#asked, portsBy }, source, taken)
    }
  }

  /** Whether nothing is left to be done for the view as it is. */
  isDone(view: ClusterView): boolean {
    const { project, request } = this.#asked
    if (this.#basis === null || !isSameBasis(this.#basis, basisOf(view, project))) return false
    const taken = new Map<string, string>()
    return request.sources.every((source, n) => {
      const known = this.#known[n]
      if (known === undefined || !this.#holds(view, known, taken)) return false
      take(known, source, taken)
      return true
    })
  }

  /** All of it for the view as it is: what the steps have not done is done now. */
  result(view: ClusterView): Prepared {
    toEnd(this.steps(view))
    return this.soFar()
  }

  /** What was found, for the view as it was then. */
  soFar(): Prepared {
    const { diagnostics, tags } = joinedSets(this.#known.map(({ set }) => set))
    return {
      versions: this.#known.flatMap(({ versions }) => versions),
      diagnostics: [...diagnostics, ...this.#known.flatMap(({ ofUnits }) => ofUnits)],
      tags,
    }
  }

  /** Whether a source would be prepared to the same once more. */
  #holds(view: ClusterView, { services, claims }: PreparedSource, taken: Taken): boolean {
    const { project } = this.#asked
    return (
      [...services].every(([name, before]) => view.services.get(serviceKey(project, name)) === before) &&
      [...claims].every(([name, holder]) => taken.get(name) === holder)
    )
  }
}

/** What of the cluster all sources of a deploy depend on, as it was at a time. */
interface Basis {
  /** Of the project, by key. */
  readonly meta: ReadonlyMap<string, Meta>
  readonly machines: ReadonlyMap<MachineId, Machine>
  readonly knownMachines: ReadonlyMap<MachineId, KnownMachine>
}

function basisOf(view: ClusterView, project: string): Basis {
  return {
    meta: new Map(view.metaOf(project)),
    machines: new Map(view.machines),
    knownMachines: new Map(view.knownMachines),
  }
}

/** Records never change: another value is another record. */
function isSameBasis(one: Basis, other: Basis): boolean {
  return (
    isSameMap(one.meta, other.meta) &&
    isSameMap(one.machines, other.machines) &&
    isSameMap(one.knownMachines, other.knownMachines)
  )
}

function isSameMap<K, V>(one: ReadonlyMap<K, V>, other: ReadonlyMap<K, V>): boolean {
  return one.size === other.size && [...one].every(([key, value]) => other.get(key) === value)
}

type Taken = Map<string, string>

/** What was found of a source, and what it depends on beside the basis. */
interface PreparedSource {
  readonly set: ManifestSet
  readonly versions: readonly PreparedVersion[]
  /** Problems of the units that its services compile to. */
  readonly ofUnits: readonly Diagnostic[]
  /** The services that it names, as they were. */
  readonly services: ReadonlyMap<string, Service | undefined>
  /** The names that it takes, each with the file that had taken it before. */
  readonly claims: ReadonlyMap<string, string | undefined>
}

/** A source that is known takes its names as it did when it was read. */
function take({ claims }: PreparedSource, { file }: SourceFile, taken: Taken): void {
  for (const [name, holder] of claims) taken.set(name, holder ?? file)
}

type VariablesOf = (name: string) => DeployVariables

/** What the sources of a deploy are prepared with. */
interface Preparing {
  readonly view: ClusterView
  readonly basis: Basis
  readonly asked: ToPrepare
  /** The ports of the services of all sources. */
  readonly portsBy: (variablesOf: VariablesOf) => ReadonlyMap<string, ServicePorts>
}

function* prepareSource(preparing: Preparing, source: SourceFile, taken: Taken): Steps<PreparedSource> {
  const { settings } = preparing.asked
  const known = new KnownToSource(preparing)
  const claims = new Map<string, string | undefined>()
  const set = yield* readSource(source, {
    variablesOf: known.variablesOf,
    packages: settings.packages,
    taken: {
      get: (name) => taken.get(name),
      set: (name, file) => {
        if (!claims.has(name)) claims.set(name, taken.get(name))
        return taken.set(name, file)
      },
    },
  })
  const versions: PreparedVersion[] = []
  const ofUnits: Diagnostic[] = []
  for (const read of set.manifests) {
    const { version, diagnostics } = prepareVersion(preparing, known, read)
    versions.push(version)
    ofUnits.push(...diagnostics)
    yield
  }
  return { set, versions, ofUnits, services: known.services, claims }
}

/** What the templates of a source can ask for, and what of the cluster it was answered by. */
class KnownToSource {
  /** The services that were looked at, as they were. */
  readonly services = new Map<string, Service | undefined>()
  readonly #preparing: Preparing
  readonly #ids = new Map<string, Ids>()
  /** Which other services each has asked for, with the answers. */
  readonly #asked = new Map<string, Map<string, OtherService>>()
  readonly #meta: DeployVariables['meta']
  readonly #networks: readonly string[]

  constructor(preparing: Preparing) {
    const { basis } = preparing
    this.#preparing = preparing
    this.#meta = metaVariables(basis.meta)
    const networks = listedMachines(basis).flatMap(({ metadata }) => networkNames(metadata))
    this.#networks = [...new Set(networks)]
  }

  readonly variablesOf = (name: string): DeployVariables => {
    const { project, settings } = this.#preparing.asked
    const { service, version, ordinal } = this.idsOf(name)
    return {
      project: { name: project },
      service: { name, uuid: service, version, ordinal },
      scale: this.scaleOf(name),
      meta: this.#meta,
      package: null,
      cns: settings.cns,
      networks: this.#networks,
      services: this.#servicesFor(name),
    }
  }

  service(name: string): Service | undefined {
    const { view, asked } = this.#preparing
    if (!this.services.has(name)) this.services.set(name, view.services.get(serviceKey(asked.project, name)))
    return this.services.get(name)
  }

  idsOf(name: string): Ids {
    const { view, asked } = this.#preparing
    const ids = this.#ids.get(name) ?? nextIds(view, this.service(name), asked.project, name, asked.now)
    this.#ids.set(name, ids)
    return ids
  }

  scaleOf(name: string): number {
    return this.#preparing.asked.request.scale ?? this.service(name)?.scale ?? 1
  }

  /** The services that the templates of one have asked for. */
  askedBy(name: string): Readonly<Record<string, OtherService>> {
    return sortedRecord(this.#asked.get(name) ?? new Map())
  }

  #servicesFor(asking: string): OtherServices {
    const { view, portsBy, asked } = this.#preparing
    return {
      of: (name) => {
        const found = this.#otherService(name)
        if (found !== null) this.#asked.set(asking, (this.#asked.get(asking) ?? new Map()).set(name, found))
        return found
      },
      names: () => [...portsBy(this.variablesOf).keys(), ...namesIn(view, asked.project)],
      complete: true,
    }
  }

  #otherService(name: string): OtherService | null {
    const ports = this.#preparing.portsBy(this.variablesOf).get(name) ?? this.#existingPorts(name)
    return ports === undefined ? null : { uuid: this.idsOf(name).service, ...ports }
  }

  #existingPorts(name: string): ServicePorts | undefined {
    const service = this.service(name)
    const current =
      service?.deleting === false ? this.#preparing.view.versions.get(service.current) : undefined
    return current && portsOfServices([{ ...current, name }], this.variablesOf).get(name)
  }
}

/** A manifest compiled and checked as a unit, with all that is wrong with that. */
function prepareVersion(
  { basis, asked }: Preparing,
  known: KnownToSource,
  read: ReadManifest,
): { readonly version: PreparedVersion; readonly diagnostics: readonly Diagnostic[] } {
  const { settings, project, images } = asked
  const { manifest, file } = read
  const ids = known.idsOf(manifest.name)
  const pinned = pinOf(taggedImage(manifest), images)
  const compiled = compileVersion({
    project,
    manifest,
    pinned,
    package: read.package,
    cns: settings.cns,
    file,
    sources: read.sources,
    version: { uuid: ids.version, ordinal: ids.ordinal },
  })
  const warned = mailWarnings(manifest, settings.mail).map((one) => ({ ...one, file }))
  const unit = parseUnit(compiled.text, compiled.template).file
  const admitted =
    hasErrors(compiled.diagnostics) || hasErrors(warned)
      ? []
      : admit(basis, unit, compiled.template, settings.policy)
  const version = {
    read,
    compiled,
    needs: requirementsOf(unit, compiled.template),
    pinned,
    project,
    ids,
    scale: known.scaleOf(manifest.name),
    existing: known.service(manifest.name) ?? null,
    services: known.askedBy(manifest.name),
  }
  return {
    version,
    diagnostics: [
      ...[...compiled.diagnostics, ...warned].map((one) => inSource(one, read)),
      ...admitted.map((one) => inManifest(one, unit, read)),
      ...(settings.policy ? backupsUnderPolicy(settings.policy, read) : []),
      ...backupsWithoutCredentials(basis.meta, read),
    ],
  }
}

function namesIn(view: ClusterView, project: string): readonly string[] {
  return [...view.services.values()].flatMap((one) => (one.project === project ? [one.name] : []))
}

function sortedRecord<T>(map: ReadonlyMap<string, T>): Readonly<Record<string, T>> {
  return Object.fromEntries([...map].sort(byKeys(([key]) => key)))
}

function nextIds(
  view: ClusterView,
  existing: Service | undefined,
  project: string,
  name: string,
  now: Instant,
): Ids {
  const service = existing?.uuid ?? uuidOf('service', project, name, String(now))
  // Where its record is gone, as where an operator removed it, what is left of it keeps its numbers.
  const left = view.versionsOf(serviceKey(project, name)).map((version) => version.ordinal)
  const ordinal = Math.max(existing?.lastOrdinal ?? 0, ...left) + 1
  return { service, ordinal, version: uuidOf('version', service, String(ordinal)) }
}
