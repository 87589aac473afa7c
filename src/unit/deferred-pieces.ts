// Texts of [X-Mariposa] that are known only where and when a unit is started: `{{ meta.KEY }}`, `{{ call.ID }}`, `{{ instance.uuid }}`,
// `{{ machine.ip }}`, `{{ machine.metadata.KEY }}`, `{{ volume.NAME.path }}`, `{{ files.dir }}` and `{{ secrets.dir }}` are
// filled in by the agent, and `{{ "{{" }}` is a plain `{{`, `{{ "{" }}` a plain `{`.
import { type FileDirectories, fileVariables } from '../model/arriving-file.js'
import { volumeOfTemplate } from '../model/volume.js'
import { expandSpecifiers, type SpecifierContext } from './specifiers.js'
import { escapePercent } from './words.js'

/** Part of a value: text as it is, or what the agent fills in. */
export type DeferredPiece =
  | { readonly kind: 'text'; readonly text: string }
  /** A key of the project's metadata: what its value is, no unit file says. */
  | { readonly kind: 'meta'; readonly key: string }
  | { readonly kind: 'instance-uuid' }
  | { readonly kind: 'machine-ip' }
  /** Where the program finds a volume of the unit. */
  | { readonly kind: 'volume-path'; readonly volume: string }
  /** Where the program finds its files. */
  | { readonly kind: 'files-dir'; readonly of: keyof FileDirectories }
  /** What the unit's run is given of the body of a call: a variable, or with `null` what the file holds. */
  | { readonly kind: 'call'; readonly id: string; readonly variable: string | null }
  /** `fallback` is taken where the machine has no such key. */
  | { readonly kind: 'machine-metadata'; readonly key: string; readonly fallback: string | null }

/** The keys of the metadata that pieces name, as often as they do. */
export function metaKeysIn(pieces: readonly DeferredPiece[]): readonly string[] {
  return pieces.flatMap((piece) => (piece.kind === 'meta' ? [piece.key] : []))
}

/** Whether it is filled in with what is sealed in the store: what nobody else is told. */
export function isSealed({ kind }: DeferredPiece): boolean {
  return kind === 'meta' || kind === 'call'
}

/** What stands for braces that begin nothing. */
const braces: ReadonlyMap<string, string> = new Map([
  ['{{ "{{" }}', '{{'],
  ['{{ "{" }}', '{'],
])
const placeholder =
  /\{\{ (?:"\{\{?"|(?:default )?[a-z]+(?:\.[A-Za-z0-9_-]+)+(?: "(?:[^"\\]|\\.)*")?) \}\}|\{\{/g

/** Cut up before specifiers are filled in, so that nothing they bring is taken for a placeholder. */
export function readDeferredPieces(
  text: string,
  context: SpecifierContext,
  problems: string[],
): readonly DeferredPiece[] {
  const pieces: DeferredPiece[] = []
  const add = (text: string): void => {
    const last = pieces.at(-1)
    if (last?.kind === 'text') pieces.splice(-1, 1, { kind: 'text', text: last.text + text })
    else if (text !== '') pieces.push({ kind: 'text', text })
  }
  const plain = (part: string): string => {
    const expanded = expandSpecifiers(part, context)
    problems.push(...expanded.problems)
    return expanded.text
  }
  let done = 0
  for (const { 0: found, index } of text.matchAll(placeholder)) {
    add(plain(text.slice(done, index)))
    done = index + found.length
    const brace = braces.get(found)
    const piece = brace === undefined ? readPlaceholder(found, plain) : null
    if (brace !== undefined) add(brace)
    else if (piece !== null) pieces.push(piece)
    else problems.push(`${found} cannot be filled in (write {{ "{{" }} for a plain {{)`)
  }
  add(plain(text.slice(done)))
  return pieces
}

function readPlaceholder(text: string, plain: (text: string) => string): DeferredPiece | null {
  const shape = /^\{\{ (default )?([^ ]+)(?: (".*"))? \}\}$/s
  const [, word, name = '', quoted] = shape.exec(text) ?? []
  if ((word === undefined) !== (quoted === undefined)) return null
  const [, key] = /^(?:meta|machine\.metadata)\.(.+)$/.exec(name) ?? []
  if (key !== undefined && name.startsWith('machine.')) {
    const fallback = quoted === undefined ? null : unquote(quoted)
    if (fallback === undefined) return null
    return { kind: 'machine-metadata', key, fallback: fallback === null ? null : plain(fallback) }
  }
  if (quoted !== undefined) return null
  if (key !== undefined) return { kind: 'meta', key }
  const [, id, variable = null] = /^call\.([0-9a-f-]+)(?:\.([A-Za-z0-9_]+))?$/.exec(name) ?? []
  if (id !== undefined) return { kind: 'call', id, variable }
  if (name === 'instance.uuid') return { kind: 'instance-uuid' }
  const volume = volumeOfTemplate(name)
  if (volume !== null) return { kind: 'volume-path', volume }
  const of = fileVariables.get(name)
  if (of !== undefined) return { kind: 'files-dir', of }
  return name === 'machine.ip' ? { kind: 'machine-ip' } : null
}

function unquote(quoted: string): string | undefined {
  try {
    return String(JSON.parse(quoted))
  } catch {
    return undefined
  }
}

/** The text that reads back as these pieces. */
export function printDeferredPieces(
  pieces: readonly DeferredPiece[],
  escapeText: (text: string) => string = escapePercent,
): string {
  return pieces.map((piece) => printPiece(piece, escapeText)).join('')
}

function printPiece(piece: DeferredPiece, escapeText: (text: string) => string): string {
  switch (piece.kind) {
    case 'text':
      return escapeBraces(escapeText(piece.text))
    case 'meta':
      return `{{ meta.${piece.key} }}`
    case 'instance-uuid':
      return '{{ instance.uuid }}'
    case 'machine-ip':
      return '{{ machine.ip }}'
    case 'volume-path':
      return `{{ volume.${piece.volume}.path }}`
    case 'files-dir':
      return piece.of === 'own' ? '{{ files.dir }}' : '{{ secrets.dir }}'
    case 'call':
      return `{{ call.${piece.id}${piece.variable === null ? '' : `.${piece.variable}`} }}`
    case 'machine-metadata': {
      const name = `machine.metadata.${piece.key}`
      return piece.fallback === null
        ? `{{ ${name} }}`
        : `{{ default ${name} ${JSON.stringify(escapePercent(piece.fallback))} }}`
    }
  }
}

/** A brace at the end would belong to the placeholder that may follow. */
function escapeBraces(text: string): string {
  return text.replaceAll('{{', '{{ "{{" }}').replace(/\{$/, '{{ "{" }}')
}
