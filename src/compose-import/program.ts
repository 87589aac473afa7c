// What a Compose service runs: its image, its command line and its environment.

import type { Span } from '../manifest/notes.js'
import { childOf, isEmpty, type Tree } from '../manifest/tree.js'
import { placeholderEnd } from '../manifest/variables.js'
import { splitWords } from '../manifest/words.js'
import type { ComposeService, Entry } from './compose-service.js'
import {
  type DraftItem,
  type DraftPair,
  listPair,
  mapPair,
  mark,
  pair,
  type Remark,
  remark,
} from './draft.js'
import { servicesNamedIn, withNewNames } from './names.js'
import {
  excerpt,
  leftOut,
  type Pair,
  quoted,
  readPairs,
  readText,
  readTexts,
  shellWord,
  shown,
} from './texts.js'

/** What stands for an image that has no name yet: nothing can be pulled from there by mistake. */
export function placeholderImage(service: string): string {
  return `registry.example/${service}:latest`
}

/** Compose builds images; here they come from a registry. Without a name of its own the image gets one to be filled in. */
export function translateBuild(node: Tree, service: ComposeService): readonly Entry[] {
  const given = childOf(service.node, 'image')
  const image = given && !isEmpty(given) ? readText(given, 'image').text : null
  const name = image ?? placeholderImage(service.newName)
  const build = `${buildCommand(node, name)}, then docker push ${shellWord(name)}`
  if (image !== null)
    return [leftOut(node, `build (${excerpt(contextOf(node))})`, `images come from a registry: ${build}`)]
  const advice = 'images come from a registry, so put the name of yours here'
  return [
    leftOut(node, `build (${excerpt(contextOf(node))})`, `${advice}: ${build}`),
    pair('image', node, name),
  ]
}

/** A list of words stays one; a line is split into words by the rules of a shell, as Compose does it. */
export function translateCommand(
  key: 'command' | 'entrypoint',
): (node: Tree, service: ComposeService) => readonly Entry[] {
  return (node, { names }) => {
    const words = node.kind === 'scalar' ? wordsOfLine(node, key) : readTexts(node, key)
    // Nothing is said by `null` alone, which does not come here: an empty text or list clears the image's own.
    if (words.length === 0) return [pair(key, node, { kind: 'list', items: [] })]
    return listPair(
      key,
      node,
      words.flatMap((word) => (word.kind === 'item' ? withHosts(word, names) : [word])),
    )
  }
}

export function translateOwnEnvironment(node: Tree, { names }: ComposeService): readonly Entry[] {
  const entries = readPairs(node, 'environment').flatMap((given) =>
    given.kind === 'given' ? translateVariable(given, names) : [given],
  )
  return mapPair('environment', node, entries)
}

export function translateLabels(node: Tree): readonly Entry[] {
  const entries = readPairs(node, 'labels').map((given) =>
    given.kind === 'given' ? pair(given.key, given.at, given.text ?? '') : given,
  )
  return mapPair('labels', node, entries)
}

function contextOf(node: Tree): Tree {
  return childOf(node, 'context') ?? node
}

/** What a scalar says as a word of a command. */
function wordOf(node: Tree): string {
  return shellWord(readText(node, '').text ?? excerpt(node))
}

function buildCommand(node: Tree, image: string): string {
  const option = (flag: string, key: string) => {
    const value = childOf(node, key)
    return value && !isEmpty(value) ? [`${flag} ${wordOf(value)}`] : []
  }
  const context = node.kind === 'map' && !childOf(node, 'context') ? '.' : wordOf(contextOf(node))
  const args = childOf(node, 'args')
  const given = args ? readPairs(args, 'args').filter((one) => one.kind === 'given') : []
  const options = [
    ...option('-f', 'dockerfile'),
    ...option('--target', 'target'),
    ...given.map(({ key, text }) => `--build-arg ${shellWord(text === null ? key : `${key}=${text}`)}`),
  ]
  return ['docker build -t', shellWord(image), ...options, context].join(' ')
}

/** A `{{` is plain text to Compose, and would be a template to the splitter: it is kept apart meanwhile. */
function wordsOfLine(node: Tree, key: string): readonly (DraftItem<string> | Remark)[] {
  const { text, remarks } = readText(node, key)
  if (text === null) return remarks
  const { words, unclosed, shellSyntax } = splitWords(text.replaceAll('{', `${placeholderEnd}{`))
  if (unclosed !== null) return [leftOut(node, `${key} ${quoted(text)}`, 'a quote in it is never closed')]
  const bare = [...new Set(shellSyntax.map((syntax) => syntax.text.replaceAll(placeholderEnd, '')))]
  const syntax =
    bare.length === 0
      ? []
      : [
          remark(
            node,
            `no shell runs the ${key}, so the program gets ${bare.join(' ')} as it is: write ["sh", "-c", "…"] for a shell`,
          ),
        ]
  return [
    ...remarks,
    ...syntax,
    ...words.map((word) => ({
      kind: 'item' as const,
      at: node,
      value: word.text.replaceAll(`${placeholderEnd}{`, '{'),
    })),
  ]
}

function withHosts(
  word: DraftItem<string>,
  names: ReadonlyMap<string, string>,
): readonly (DraftItem | Remark)[] {
  return [...remarksOnHosts(word.at, word.value, names), { ...word, value: withNewNames(word.value, names) }]
}

function translateVariable(
  { at, key, text }: Pair,
  names: ReadonlyMap<string, string>,
): readonly (DraftPair | Remark)[] {
  if (text === null) {
    const advice = `it was taken from the shell of whoever ran Compose: give it a value, or mariposa meta set ${shellWord(key)} VALUE and ${key}: "{{ .meta.${key} }}"`
    return [leftOut(at, `environment ${shown(key)}`, advice)]
  }
  if (names.has(text) && /host|addr|server|ur[il]|endpoint|broker|node/i.test(key)) {
    return [hostRemark(at, text), pair(key, at, names.get(text) ?? text)]
  }
  const { text: filled, remarks } = withSwarmVariables(at, text)
  return [...remarksOnHosts(at, text, names), ...remarks, pair(key, at, withNewNames(filled, names))]
}

function remarksOnHosts(at: Span, text: string, names: ReadonlyMap<string, string>): readonly Remark[] {
  return servicesNamedIn(text, names).map((name) => hostRemark(at, name))
}

function hostRemark(at: Span, name: string): Remark {
  return remark(
    at,
    `${name} is the name of a service, which containers of its machine find by its name, and those of others at the port that it publishes`,
  )
}

/** What Docker Swarm fills in when it starts a container, and what says the same here. */
const swarmVariables: Readonly<Record<string, string>> = {
  'Node.Hostname': 'machine.name',
  'Node.ID': 'machine.id',
  'Service.ID': 'service.uuid',
  'Service.Name': 'service.name',
  'Task.Name': 'instance.name',
  'Task.Slot': 'instance.n',
}

function withSwarmVariables(
  at: Span,
  text: string,
): { readonly text: string; readonly remarks: readonly Remark[] } {
  const found = new Set<string>()
  const filled = text.replace(/\{\{\s*\.([A-Za-z.]+)\s*\}\}/g, (written, name: string) => {
    const variable = Object.hasOwn(swarmVariables, name) ? swarmVariables[name] : undefined
    if (variable === undefined) return written
    found.add(`{{ .${name} }} of Swarm is {{ .${variable} }} here`)
    return mark(variable)
  })
  return { text: filled, remarks: [...found].map((message) => remark(at, message)) }
}
