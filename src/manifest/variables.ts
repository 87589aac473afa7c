// The variables of templates: which there are, and where each may stand. What is known only when an instance has its
// machine becomes a mark in the text, which `compile` turns into something that the unit's machine fills in.
import { nearest } from '../lib/nearest.js'
import { fileVariables } from '../model/arriving-file.js'
import { networkName } from '../model/network.js'
import { projectUuid } from '../model/project.js'
import { volumeOfTemplate } from '../model/volume.js'
import { type CnsSuffixes, cnsDomain, cnsName, dnsify } from './cns.js'
import type { ManifestCode } from './notes.js'
import { type OtherServices, serviceValue, serviceVariables } from './other-services.js'

/** What is known when a manifest is read. */
export interface DeployVariables {
  readonly project: { readonly name: string }
  readonly service: {
    readonly name: string
    readonly uuid: string
    /** uuid of the service version. */
    readonly version: string
    readonly ordinal: number
  }
  readonly scale: number
  readonly meta: MetaVariables
  /** The package that the service gets; null where none is known. */
  readonly package: PackageVariables | null
  readonly cns: CnsSuffixes
  /** The networks that machines say an address on; absent where nobody knows them. */
  readonly networks?: readonly string[]
  /** The services of the project; absent where nobody knows them. */
  readonly services?: OtherServices
}

/** The project's metadata. */
export interface MetaVariables {
  /** By key; null for a secret, whose value is known only where an instance is started. */
  readonly values: ReadonlyMap<string, string | null>
  /** Whether these are all keys. Without a daemon they are not, and a key that is not there gets a stand-in. */
  readonly complete: boolean
}

interface PackageVariables {
  readonly name: string
  readonly family: string | null
  /** MiB. */
  readonly ram: number
  /** MiB. */
  readonly disk: number
  /** Hundredths of a core. */
  readonly cpu: number
}

/**
 * Which variables a value may use: none, those of the deploy, those that a unit file can say of its placement too, in
 * words of the program the paths of volumes, or, in the environment, everything that is known when an instance is
 * started, secrets among it.
 */
export type Stage = 'none' | 'deploy' | 'placement' | 'command' | 'environment'

/** Of the placement, and known to systemd's specifiers. */
export const placementVariables = ['instance.name', 'instance.n', 'machine.id', 'machine.name'] as const
/** A template variable that is known only where the instance is placed. */
export type PlacementVariable = (typeof placementVariables)[number]

/** Private-use characters that fence a mark. Text of users that holds them is refused. */
export const placeholderStart = '\uE000'
export const placeholderEnd = '\uE001'

/** What stands in a value for a variable that is filled in at placement. */
export function placementMark(name: PlacementVariable): string {
  return placeholderOf(name)
}

/**
 * What stands in a value of the environment for `instance.uuid`, `machine.ip`, `machine.metadata.<key>`, a secret
 * `meta.<key>`, `volume.<name>.path`, `files.dir` or `secrets.dir`. `fallback` is taken where the machine has no such metadata.
 */
export function deferredPlaceholder(name: string, fallback: string | null = null): string {
  return placeholderOf(fallback === null ? name : `${name}|${fallback}`)
}

function placeholderOf(content: string): string {
  return `${placeholderStart}${content}${placeholderEnd}`
}

/** What stands between the fences of a mark, read back. No name holds a `|`. */
export function readPlaceholder(content: string): {
  readonly name: string
  readonly fallback: string | null
} {
  const bar = content.indexOf('|')
  return bar === -1
    ? { name: content, fallback: null }
    : { name: content.slice(0, bar), fallback: content.slice(bar + 1) }
}

/** What a variable's name leads to. */
export type Found =
  | { readonly kind: 'text'; readonly text: string }
  /** Nobody knows the value before there is a daemon: the text only stands for it. */
  | { readonly kind: 'stand-in'; readonly text: string }
  /** Not known before the placement. */
  | Late
  /** `default` may say what to take instead. */
  | { readonly kind: 'missing'; readonly problem: VariableProblem }
  | { readonly kind: 'problem'; readonly problem: VariableProblem }

interface Late {
  readonly kind: 'late'
  /** With marks. */
  readonly text: string
  /** The first stage that can have it. */
  readonly stage: 'placement' | 'command' | 'environment'
  /** Why it comes late, as the end of a sentence that begins with its name. */
  readonly why: string
  /** A name that may turn out to stand for nothing, so that a fallback has to travel with it. */
  readonly uncertain?: string
}

export interface VariableProblem {
  readonly code: Extract<ManifestCode, `template/${string}`>
  readonly message: string
  readonly hint?: string
}

/** Looks a variable up by its name without a leading dot: `service.name`, `meta.db.host`. Any text is a fine name. */
export function lookUp(name: string, known: DeployVariables, stage: Stage): Found {
  const dot = name.indexOf('.')
  const space = dot === -1 ? name : name.slice(0, dot)
  const found = namespaces.get(space)?.(name, dot === -1 ? '' : name.slice(dot + 1), known)
  if (found === undefined) return { kind: 'problem', problem: unknown(name) }
  return found.kind === 'late' ? atStage(name, found, stage) : found
}

type Namespace = (name: string, rest: string, known: DeployVariables) => Found | Late

/** A map and no object, so that no name reaches a prototype. */
const namespaces: ReadonlyMap<string, Namespace> = new Map<string, Namespace>([
  ['project', fixed],
  ['service', fixed],
  ['scale', fixed],
  ['meta', metaValue],
  ['package', packageValue],
  ['cns', cnsValue],
  ['services', (name, rest, known) => serviceValue(rest, known) ?? missing(name)],
  ['instance', instanceValue],
  ['machine', machineValue],
  ['volume', volumeValue],
  ['files', directoryValue],
  ['secrets', directoryValue],
])

const fixedVariables: ReadonlyMap<string, (known: DeployVariables) => string> = new Map([
  ['project.name', ({ project }) => project.name],
  ['project.uuid', ({ project }) => projectUuid(project.name)],
  ['service.name', ({ service }) => service.name],
  ['service.uuid', ({ service }) => service.uuid],
  ['service.version', ({ service }) => service.version],
  ['service.ordinal', ({ service }) => String(service.ordinal)],
  ['scale', ({ scale }) => String(scale)],
] satisfies [string, (known: DeployVariables) => string][])

function fixed(name: string, _rest: string, known: DeployVariables): Found {
  const read = fixedVariables.get(name)
  return read === undefined ? missing(name) : { kind: 'text', text: read(known) }
}

function metaValue(name: string, key: string, { meta, project }: DeployVariables): Found | Late {
  const value = meta.values.get(key)
  if (value === null) {
    return { kind: 'late', text: deferredPlaceholder(name), stage: 'environment', why: 'is a secret' }
  }
  if (value !== undefined) return { kind: 'text', text: value }
  if (key === '') return missing(name)
  if (!meta.complete) return { kind: 'stand-in', text: name }
  const near = nearest(key, [...meta.values.keys()])
  return {
    kind: 'missing',
    problem: {
      code: 'template/unknown-meta',
      message: `project ${project.name} has no meta key ${JSON.stringify(key)}`,
      hint: near === undefined ? `mariposa meta set ${key} VALUE sets it` : `did you mean meta.${near}?`,
    },
  }
}

const packageVariables: ReadonlyMap<string, (chosen: PackageVariables) => string | null> = new Map([
  ['ram', ({ ram }) => String(ram)],
  ['disk', ({ disk }) => String(disk)],
  ['cpu', ({ cpu }) => String(cpu)],
  ['name', ({ name }) => name],
  ['family', ({ family }) => family],
] satisfies [string, (chosen: PackageVariables) => string | null][])

function packageValue(name: string, rest: string, { package: chosen }: DeployVariables): Found {
  const read = packageVariables.get(rest)
  if (read === undefined) return missing(name)
  const text = chosen === null ? null : read(chosen)
  if (text !== null) return { kind: 'text', text }
  const message =
    chosen === null
      ? `${name} is not known, since no package is chosen for the service`
      : `the package ${chosen.name} belongs to no family`
  const hint = chosen === null ? 'choose one with `package:`, or a size with `memory:`' : undefined
  return {
    kind: 'missing',
    problem: { code: 'template/no-package', message, ...(hint !== undefined && { hint }) },
  }
}

function cnsValue(name: string, rest: string, known: DeployVariables): Found | Late {
  const { project, service, cns } = known
  const [kind = '', ...network] = rest.split('.')
  const on = network.join('.')
  if (!networkName.test(on)) return missing(name)
  if (!isNetwork(on, known.networks)) return unknownNetwork(name, on, known.networks ?? [])
  switch (kind) {
    case 'prefix':
      return { kind: 'text', text: cnsDomain(project.name, on, cns) }
    case 'svc':
      return { kind: 'text', text: cnsName('svc', dnsify(service.name), project.name, on, cns) }
    case 'inst': {
      const label = `${dnsify(service.name)}-${placementMark('instance.n')}`
      return { ...ofPlacement, text: cnsName('inst', label, project.name, on, cns) }
    }
    default:
      return missing(name)
  }
}

/** A name on a network that no machine is on would lead nowhere. */
function isNetwork(name: string, networks: readonly string[] | undefined): boolean {
  if (name === 'public' || name === 'private' || networks === undefined) return true
  return networks.some((one) => dnsify(one) === dnsify(name))
}

function unknownNetwork(name: string, network: string, networks: readonly string[]): Found {
  const near = nearest(network, ['public', 'private', ...networks])
  const meant = near === undefined ? null : `${name.slice(0, name.length - network.length)}${near}`
  return {
    kind: 'missing',
    problem: {
      code: 'template/unknown-network',
      message: `no machine is on a network ${JSON.stringify(network)}`,
      hint:
        meant === null
          ? `mariposa machine metadata MACHINE network.${network}=ADDRESS adds one`
          : `did you mean ${meant}?`,
    },
  }
}

const ofPlacement = {
  kind: 'late',
  stage: 'placement',
  why: 'is known only once an instance has its machine, too late for this value',
} as const

function instanceValue(name: string): Found | Late {
  if (name === 'instance.uuid')
    return { ...ofPlacement, stage: 'environment', text: deferredPlaceholder(name) }
  return isPlacementVariable(name) ? { ...ofPlacement, text: placementMark(name) } : missing(name)
}

function machineValue(name: string, rest: string): Found | Late {
  if (isPlacementVariable(name)) return { ...ofPlacement, text: placementMark(name) }
  if (name === 'machine.ip') return { ...ofPlacement, stage: 'environment', text: deferredPlaceholder(name) }
  return /^metadata\.[A-Za-z0-9_.-]+$/.test(rest)
    ? { ...ofPlacement, stage: 'environment', text: deferredPlaceholder(name), uncertain: name }
    : missing(name)
}

/** Whether there is such a volume, the rules of the manifest see: here nobody knows its volumes yet. */
function volumeValue(name: string): Found | Late {
  if (volumeOfTemplate(name) === null) return missing(name)
  return {
    kind: 'late',
    stage: 'command',
    text: deferredPlaceholder(name),
    why: 'depends on how its machine runs it',
  }
}

/** Whether the service has files, the rules of the manifest see. */
function directoryValue(name: string): Found | Late {
  if (!fileVariables.has(name)) return missing(name)
  return {
    kind: 'late',
    stage: 'command',
    text: deferredPlaceholder(name),
    why: 'depends on how its machine runs it',
  }
}

function isPlacementVariable(name: string): name is PlacementVariable {
  return (placementVariables as readonly string[]).includes(name)
}

/** Each may use what those before it may. */
const stages: readonly Stage[] = ['none', 'deploy', 'placement', 'command', 'environment']

/** Whether a value that comes late comes early enough. */
function atStage(name: string, late: Late, stage: Stage): Found {
  if (stages.indexOf(late.stage) <= stages.indexOf(stage)) return late
  const hint =
    late.stage === 'environment'
      ? 'it can be used in values of environment and in the template of a file'
      : late.stage === 'command'
        ? 'it can be used in command, entrypoint and environment'
        : 'use it in environment, command, entrypoint, labels, or the path or command of a healthcheck'
  const code = late.why === 'is a secret' ? 'template/secret' : 'template/not-allowed'
  return { kind: 'problem', problem: { code, message: `${name} ${late.why}`, hint } }
}

/** Shown where a name is near none; keys and networks are the user's to fill in. */
const variableNames = [
  ...fixedVariables.keys(),
  'meta.<key>',
  ...[...packageVariables.keys()].map((name) => `package.${name}`),
  ...['svc', 'inst', 'prefix'].flatMap((kind) => [`cns.${kind}.public`, `cns.${kind}.private`]),
  ...serviceVariables,
  ...placementVariables,
  'instance.uuid',
  'machine.ip',
  'machine.metadata.<key>',
  'volume.<name>.path',
  ...fileVariables.keys(),
]

function missing(name: string): Found {
  return { kind: 'missing', problem: unknown(name) }
}

function unknown(name: string): VariableProblem {
  const near = nearest(name, variableNames)
  const found = near === undefined ? `there are ${variableNames.join(', ')}` : `did you mean ${near}?`
  return {
    code: 'template/unknown-variable',
    message: `there is no variable ${JSON.stringify(name)}`,
    hint: name === 'project.version' ? 'only services have versions: use service.version' : found,
  }
}
