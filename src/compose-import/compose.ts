// A Compose file as manifests: what corresponds is carried over, and everything else is said where it stood.

import { parseManifest } from '../manifest/manifest.js'
import { type Notes, openNotes, placeOf, type Source, type Span } from '../manifest/notes.js'
import { readTree } from '../manifest/read-tree.js'
import {
  childOf,
  type Entry,
  isEmpty,
  type MapNode,
  pathAt,
  type Tree,
  type TreeDocument,
} from '../manifest/tree.js'
import type { Diagnostic } from '../model/diagnostic.js'
import { hasErrors } from '../model/diagnostic.js'
import { checkDraft } from './check.js'
import type { OtherServices, ReadBeside } from './compose-service.js'
import { type Remark, remark, remarksOf, variablesOf } from './draft.js'
import { extended } from './extend.js'
import { metaKeysOfFiles } from './files.js'
import { chooseNames } from './names.js'
import { type NamedDraft, printManifests } from './print.js'
import { translateService } from './service.js'
import { excerpt, leftOut, quoted, shown } from './texts.js'
import { uncarriedOfFile } from './uncarried.js'
import { foreignVolumes, unsaidOfVolumes } from './volumes.js'

/** The services of a Compose file as manifests. */
export interface ComposeImport {
  readonly services: readonly NamedDraft[]
  /** What there is to say of the file as a whole. */
  readonly remarks: readonly Remark[]
  readonly notes: readonly ImportNote[]
  /** Keys of the project's meta that the manifests name. */
  readonly metaKeys: readonly string[]
  /** Why nothing was imported. */
  readonly diagnostics: readonly Diagnostic[]
}

/** A remark as data: where in the Compose file, and of which service here. */
interface ImportNote {
  readonly service: string | null
  readonly path: string | null
  readonly line: number
  readonly column: number
  readonly message: string
}

/**
 * Reads a Compose file and translates its services. Every service reads back without an error. `readBeside` finds the files
 * of variables that services name; without it there are none.
 */
export function importCompose(source: Source, readBeside: ReadBeside = () => null): ComposeImport {
  const documents: TreeDocument[] = []
  const tags: Span[] = []
  const notes = lenient(
    openNotes(source, (span) => pathAt(documents, span)),
    tags,
  )
  documents.push(...readTree(source, notes))
  const found = hasErrors(notes.diagnostics) ? undefined : findServices(documents[0]?.root, source, notes)
  if (!found) return { services: [], remarks: [], notes: [], metaKeys: [], diagnostics: notes.diagnostics }
  const { services, remarks } = translateAll(found, readBeside)
  if (services.length === 0) reportNone(found.services, remarks, notes)
  const all = [...fileRemarks(found, documents, tags), ...remarks, ...sizeRemark(services, found.services)]
  const listed = [
    ...all.map((one) => ({ service: null, one })),
    ...services.flatMap(({ name, draft }) => remarksOf(draft).map((one) => ({ service: name, one }))),
  ]
  return {
    services,
    remarks: all,
    notes: listed.map(({ service, one }) => noteOf(service, one, source, documents)),
    metaKeys: metaKeysOf(services),
    diagnostics: notes.diagnostics,
  }
}

/** Tags such as `!reset` matter where several files are merged; elsewhere they are told and read over. */
function lenient(notes: Notes, tags: Span[]): Notes {
  return {
    diagnostics: notes.diagnostics,
    report: (code, span, message, hint) => {
      if (code === 'manifest/unknown-tag' && span) tags.push(span)
      else notes.report(code, span, message, hint)
    },
  }
}

interface Found {
  /** What stands beside the services. */
  readonly others: readonly Entry[]
  readonly services: MapNode
}

/** The map of services: under `services`, or, in files of the first version, the whole. */
function findServices(root: Tree | undefined, source: Source, notes: Notes): Found | undefined {
  const services = root && childOf(root, 'services')
  const looksOld = root?.kind === 'map' && root.entries.some(({ value }) => hasProgram(value))
  if (root?.kind === 'map' && services?.kind === 'map' && services.entries.length > 0)
    return { services, others: root.entries.filter(({ key }) => key.value !== 'services') }
  if (root?.kind === 'map' && !services && looksOld) return { services: root, others: [] }
  const isCompose =
    root?.kind === 'map' &&
    (services !== undefined || root.entries.some(({ key }) => composeKeys.includes(String(key.value))))
  if (isCompose)
    notes.report(
      'import/no-services',
      services ?? root,
      'there is no service in it',
      'name the Compose file that holds the services',
    )
  else
    notes.report(
      'import/not-compose',
      root ?? null,
      `${source.file} is not a Compose file`,
      'a Compose file has a map `services:`',
    )
  return undefined
}

const composeKeys = ['version', 'networks', 'volumes', 'configs', 'secrets', 'include']

function hasProgram(node: Tree): boolean {
  return ['image', 'build', 'extends'].some((key) => {
    const value = childOf(node, key)
    return value !== undefined && !isEmpty(value)
  })
}

interface Translated {
  readonly services: readonly NamedDraft[]
  /** Services that could not be translated. */
  readonly remarks: readonly Remark[]
}

function translateAll({ services, others }: Found, readBeside: ReadBeside): Translated {
  const beside = (key: string): Tree | undefined => others.find((one) => one.key.value === key)?.value
  const foreign = foreignVolumes(services, beside('volumes'))
  const declared = { configs: beside('configs'), secrets: beside('secrets') }
  const names = chooseNames(services.entries.map(({ key }) => String(key.value)))
  const known = othersIn(services)
  const envFiles = { characters: 0 }
  const translated = services.entries.map(({ key, value }) => {
    const newName = names.get(String(key.value)) ?? ''
    const node = value.kind === 'map' ? extended(value, services) : undefined
    if (!node) return leftOut(key, `service ${quoted(String(key.value))}`, 'expected a map of keys')
    if (!hasProgram(node))
      return leftOut(
        key,
        `service ${quoted(String(key.value))}`,
        'it has no image here: import it together with the file that says one',
      )
    const runsOnce = known.jobs.has(String(key.value))
    const checked = checkDraft(
      newName,
      translateService({
        name: key,
        newName,
        node,
        names,
        runsOnce,
        others: known,
        foreign,
        declared,
        readBeside,
        envFiles,
      }),
    )
    return checked.kind === 'accepted'
      ? { name: newName, draft: checked.draft }
      : leftOut(key, `service ${quoted(String(key.value))}`, checked.why)
  })
  return {
    services: translated.filter((one) => 'draft' in one),
    remarks: translated.filter((one) => 'kind' in one),
  }
}

/** What each service has to know of the others. */
function othersIn(services: MapNode): OtherServices {
  const awaited = awaitedIn(services)
  const nodes = services.entries.flatMap(({ key, value }) => {
    const node = value.kind === 'map' ? extended(value, services) : undefined
    return node === undefined || !hasProgram(node) ? [] : [{ name: String(key.value), node }]
  })
  const jobs = nodes.filter(({ name, node }) => awaited.has(name) || isJob(node))
  return {
    awaited,
    jobs: new Set(jobs.map(({ name }) => name)),
    imported: new Set(nodes.map(({ name }) => name)),
  }
}

/** Services that others wait for to complete. */
function awaitedIn(services: MapNode): ReadonlySet<string> {
  const dependencies = services.entries.flatMap(({ value }) => {
    const given = childOf(value, 'depends_on')
    return given?.kind === 'map' ? given.entries : []
  })
  const completed = dependencies.filter(({ value }) => {
    const condition = childOf(value, 'condition')
    return condition?.kind === 'scalar' && condition.value === 'service_completed_successfully'
  })
  return new Set(completed.map(({ key }) => String(key.value)))
}

function isJob(node: MapNode): boolean {
  const mode = childOf(childOf(node, 'deploy') ?? node, 'mode')
  return mode?.kind === 'scalar' && String(mode.value).endsWith('-job')
}

function reportNone(services: MapNode, remarks: readonly Remark[], notes: Notes): void {
  const [first] = remarks
  notes.report(
    'import/no-services',
    first?.at ?? services,
    'none of its services could be imported',
    first?.message,
  )
}

const declaring: readonly string[] = ['configs', 'secrets']

function notMap(key: Span, name: string, value: Tree): Remark {
  return leftOut(key, `${name} (${excerpt(value)})`, 'expected a map')
}

function fileRemarks(
  { services, others }: Found,
  documents: readonly TreeDocument[],
  tags: readonly Span[],
): readonly Remark[] {
  const beside = others.flatMap(({ key, value }) => {
    const name = String(key.value)
    if (isEmpty(value)) return []
    // What these declare is told of where a service names it.
    if (declaring.includes(name)) return value.kind === 'map' ? [] : [notMap(key, name, value)]
    if (name === 'version') return []
    if (name === 'volumes') return value.kind === 'map' ? unsaidOfVolumes(value) : [notMap(key, name, value)]
    const advice = Object.hasOwn(uncarriedOfFile, name) ? uncarriedOfFile[name] : undefined
    const otherwise = name.startsWith('x-')
      ? 'where it is shared by an anchor, its values stand in the services'
      : 'Compose knows no such key'
    return [leftOut(key, `${shown(name)} (${excerpt(value)})`, advice ?? otherwise)]
  })
  const further = documents
    .slice(1)
    .map((document) => leftOut(document, 'a further document', 'only the first of the file was read'))
  const tagged = tags.map((tag) => leftOut(tag, 'a YAML tag', 'the value was read without it'))
  const left = services.entries.some(({ value }) => !childOf(value, 'restart') && !childOf(value, 'deploy'))
  const restarts = remark(
    services,
    'a service without restart is kept running here; Compose leaves it down when it ends',
  )
  return [...beside, ...further, ...tagged, ...(left ? [restarts] : [])]
}

/** Services that share values by anchors can be larger in all than one manifest may be. */
function sizeRemark(services: readonly NamedDraft[], at: Span): readonly Remark[] {
  const text = printManifests(services)
  const isRead = text.length < surelyRead || !hasErrors(parseManifest({ file: '', text }).diagnostics)
  return isRead
    ? []
    : [remark(at, 'all of it is too large for one manifest: import it into a directory, --output DIR/')]
}

/** Letters; the limits of the reader begin above. */
const surelyRead = 32 * 1024

function noteOf(
  service: string | null,
  { at, message }: Remark,
  source: Source,
  documents: readonly TreeDocument[],
): ImportNote {
  const { line, column } = placeOf(source.text, at)
  return { service, path: pathAt(documents, at) ?? null, line, column, message }
}

function metaKeysOf(services: readonly NamedDraft[]): readonly string[] {
  const named = services.flatMap(({ draft }) => variablesOf(draft).filter((name) => name.startsWith('meta.')))
  const held = services.flatMap(({ draft }) => metaKeysOfFiles(draft))
  return [...new Set([...named.map((name) => name.slice('meta.'.length)), ...held])].sort()
}
