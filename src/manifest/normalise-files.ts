// Files and secrets in every form to `{path, template, mode, owner, secret}`.
import { changeSignals, secretsDirectory } from '../model/arriving-file.js'
import { metaKeyProblem } from '../model/meta.js'
import { signalName } from '../model/signal.js'
import { fileForms } from './forms.js'
import {
  entryOf,
  fields,
  flag,
  type Normaliser,
  number,
  parsed,
  refuse,
  render,
  type Scope,
  text,
  verbatim,
} from './shapes.js'
import {
  childOf,
  type Entry,
  isEmpty,
  type ListNode,
  type MapNode,
  type ScalarNode,
  type Tree,
} from './tree.js'

/** The value of a key of the metadata, as a template would say it. */
const valueOfKey: Normaliser = (node, scope) => {
  const key = text('a key of the metadata', 'none')(node, scope)
  if (key?.kind !== 'scalar') return undefined
  const problem = metaKeyProblem(String(key.value))
  if (problem === null) return render({ ...key, value: `{{ .meta.${key.value} }}` }, 'environment', scope)
  scope.notes.report('manifest/bad-value', node, `this is not a key of the metadata: ${problem}`)
  return undefined
}

/** Octal digits with or without the zero that YAML may have taken for its own. */
function readMode(digits: string): string {
  const [, bits] = /^0?o?([0-7]{3})$/.exec(digits) ?? []
  return bits === undefined ? digits : `0${bits}`
}

/** In a file that follows them, values are filled in where the instance runs. */
function following(normalise: Normaliser): Normaliser {
  return (node, scope) => {
    const { followed, variables } = scope
    if (followed === undefined) return normalise(node, scope)
    const values = new Map([...variables.meta.values.keys()].map((key) => [key, null]))
    const late = { ...variables, meta: { ...variables.meta, values } }
    return normalise(node, { ...scope, askedMeta: followed, variables: late })
  }
}

const fileFields = fields(
  {
    path: text('a path', 'deploy', '/stand-in'),
    content: verbatim('a text'),
    template: following(text('a text', 'environment')),
    meta: following(valueOfKey),
    mode: parsed('permissions in octal such as 0440', readMode),
    owner: text('user or user:group', 'deploy', '0'),
    secret: flag(),
    source: (node, scope) => {
      const given = text('a path', 'none')(node, scope)
      return given?.kind === 'scalar'
        ? { ...given, value: String(given.value).replace(/^(?:\.\/)+/, '') }
        : undefined
    },
    on_change: readOnChange,
  },
  fileForms,
)

const signalForms = `one of ${changeSignals.join(', ')}`

const onChangeForms = 'none, restart, or a map with signal or restart'

const onChangeFields = fields(
  {
    signal: parsed(signalForms, (name) => changeSignals.find((one) => one === signalName(name))),
    restart: number('how many instances are replaced at a time', 'none'),
  },
  onChangeForms,
)

function readOnChange(node: Tree, scope: Scope): Tree | undefined {
  if (node.kind === 'scalar') {
    if (String(node.value) === 'none') return undefined
    if (String(node.value) !== 'restart') return refuse(node, onChangeForms, scope)
    return { kind: 'map', start: node.start, end: node.end, entries: [entryOf('restart', 1, node)] }
  }
  const read = onChangeFields(node, scope)
  if (read?.kind !== 'map' || read.entries.length === 1 || (read.dropped ?? []).length > 0) return read
  return refuse(node, onChangeForms, scope)
}

const texts = ['content', 'template', 'meta'] as const
const sources = [...texts, 'source'] as const

/** A list, or one file that stands for a list of itself. */
export function normaliseFiles(node: Tree, scope: Scope): ListNode {
  return listOf(node, scope, readFile)
}

function readFile(node: Tree, scope: Scope): MapNode | undefined {
  const given = node.kind === 'map' ? node.entries : []
  const said = given.filter(({ key, value }) => sources.some((one) => one === key.value) && !isEmpty(value))
  const follows = followsMeta(node)
  const asked = new Set<string>()
  const isTold = follows === 'signal'
  const file = fileFields(node, { ...scope, ...(isTold ? { followed: asked } : { askedMeta: asked }) })
  if (file?.kind !== 'map') return undefined
  if (isTold) noteFollowed(asked, scope)
  else for (const key of asked) scope.askedMeta.add(key)
  if (follows === 'restart') noteRestarts(asked, file, scope)
  if (follows !== null && asked.size === 0) refuseToFollow(node, scope)
  const [first, second] = said
  if (second !== undefined) {
    const message = `a file is one of ${said.map(({ key }) => String(key.value)).join(' and ')}`
    scope.notes.report('manifest/conflict', second.value, message, 'keep one of them')
  } else if (first === undefined) {
    const hint = 'give content, template, source or meta'
    scope.notes.report('manifest/missing', node, 'this file has no content', hint)
  }
  hidesSecret(file, scope)
  return { ...file, entries: file.entries.map(asTemplate) }
}

/** What follows when what a file reads of the metadata changes: null for nothing, and where that is not said well. */
function followsMeta(node: Tree): 'signal' | 'restart' | null {
  const onChange = childOf(node, 'on_change')
  if (onChange?.kind === 'scalar') return onChange.value === 'restart' ? 'restart' : null
  if (onChange === undefined || isEmpty(onChange)) return null
  return childOf(onChange, 'restart') === undefined ? 'signal' : 'restart'
}

/** Where several files read a key, the least counts. */
function noteRestarts(asked: ReadonlySet<string>, file: MapNode, { restartOn }: Scope): void {
  const onChange = childOf(file, 'on_change')
  const restart = onChange === undefined ? undefined : childOf(onChange, 'restart')
  if (restart?.kind !== 'scalar' || typeof restart.value !== 'number') return
  for (const key of asked)
    restartOn.set(key, Math.min(restart.value, restartOn.get(key) ?? Number.POSITIVE_INFINITY))
}

/** A key that is not there yet is none that the file follows: that it was set later is drift. */
function noteFollowed(asked: ReadonlySet<string>, { followedMeta, askedMeta, variables }: Scope): void {
  for (const key of asked) {
    followedMeta.add(key)
    if (!variables.meta.values.has(key)) askedMeta.add(key)
  }
}

function refuseToFollow(node: Tree, { notes }: Scope): void {
  const at = childOf(node, 'on_change') ?? node
  const message = 'on_change is for a file that reads the metadata, which this one does not'
  notes.report('manifest/conflict', at, message, 'name a key in template or meta, or leave on_change out')
}

/** What stands in a manifest, everybody sees who may see the service. */
function hidesSecret(file: MapNode, { notes }: Scope): void {
  const [secret, content] = [childOf(file, 'secret'), childOf(file, 'content') ?? childOf(file, 'source')]
  if (content === undefined || secret?.kind !== 'scalar' || secret.value !== true) return
  const message = 'this is part of the version, which is visible to everybody who may see the service'
  notes.report(
    'manifest/conflict',
    content,
    message,
    'set it with `mariposa meta set KEY --secret`, and write meta: KEY',
  )
}

function asTemplate(entry: Entry): Entry {
  const isText = texts.some((one) => one === entry.key.value)
  return isText ? { ...entry, key: { ...entry.key, value: 'template' } } : entry
}

const secretForms = 'a key of the metadata, or a map with meta and name'

const secretFields = fields({ meta: valueOfKey, name: text('a name', 'none') }, secretForms)

/** `KEY` and `{meta, name}`, as files. */
export function normaliseSecrets(node: Tree, scope: Scope): ListNode {
  return listOf(node, scope, readSecret)
}

function readSecret(node: Tree, scope: Scope): MapNode | undefined {
  if (node.kind === 'list') return refuse(node, secretForms, scope)
  const given = node.kind === 'map' ? node : { ...node, kind: 'map' as const, entries: [keyed(node)] }
  const key = childOf(given, 'meta')
  const read = secretFields(given, scope)
  if (read?.kind !== 'map') return undefined
  const value = childOf(read, 'meta')
  if (key === undefined) scope.notes.report('manifest/missing', node, 'this secret has no meta', secretForms)
  if (value?.kind !== 'scalar' || key?.kind !== 'scalar') return undefined
  const name = childOf(read, 'name') ?? key
  const path = `${secretsDirectory}/${name.kind === 'scalar' ? name.value : ''}`
  const template = entryOf('template', value.value, value)
  const entries = [entryOf('path', path, name), template, entryOf('secret', true, node)]
  return { kind: 'map', start: node.start, end: node.end, entries }
}

function keyed(node: ScalarNode): Entry {
  return { key: { ...node, value: 'meta' }, value: node }
}

function listOf(node: Tree, scope: Scope, read: (item: Tree, scope: Scope) => MapNode | undefined): ListNode {
  const given = node.kind === 'list' ? node.items : [node]
  const items = given.flatMap((item) => read(item, scope) ?? [])
  return { kind: 'list', start: node.start, end: node.end, items }
}
