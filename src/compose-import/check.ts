// The reader of manifests has the last word on what was translated: an entry that it refuses is left out with the
// reader's own reason, so that what is imported can be deployed as it is.

import { parseManifest } from '../manifest/manifest.js'
import type { Diagnostic } from '../model/diagnostic.js'
import { type DraftMap, type DraftValue, pair, remark, variablesOf, without } from './draft.js'
import { printManifests } from './print.js'
import { placeholderImage } from './program.js'
import { leftOut, shown } from './texts.js'

type Checked =
  | { readonly kind: 'accepted'; readonly draft: DraftMap }
  | { readonly kind: 'refused'; readonly why: string }

/** Leaves out what the reader refuses; refused as a whole where that does not help. */
export function checkDraft(name: string, draft: DraftMap): Checked {
  const whole = withImage(name, draft)
  const [error] = refusals(name, whole)
  if (!error) return { kind: 'accepted', draft: whole }
  const path = (error.path ?? '').split('/').slice(3).map(unescaped)
  const mended = without(whole, path, (at, [key = '']) => leftOut(at, labelOf(path, key), error.message))
  return mended ? checkDraft(name, mended) : { kind: 'refused', why: error.message }
}

/** A service whose image has no name that can be read gets one to be filled in. */
function withImage(name: string, draft: DraftMap): DraftMap {
  if (draft.entries.some((entry) => entry.kind === 'pair' && entry.key === 'image')) return draft
  const at = draft.entries[0]?.at ?? { start: 0, end: 0 }
  const image = pair('image', at, placeholderImage(name))
  return { kind: 'map', entries: [remark(at, 'put the name of its image here'), image, ...draft.entries] }
}

/**
 * What the reader refuses. Without a daemon it reads `meta.TAG` where a variable stands, and that this is no port or
 * no path says nothing of the variable's value.
 */
function refusals(name: string, draft: DraftMap): readonly Diagnostic[] {
  const text = printManifests([{ name, draft }])
  const { diagnostics } = parseManifest({ file: name, text })
  const errors = diagnostics.filter(({ severity }) => severity === 'error')
  const open = new Set(openPaths(draft, `/services/${name}`))
  const lines = text.split('\n')
  return errors.filter((error) => isOfText(error) || isOfKey(error, lines) || !open.has(error.path ?? ''))
}

/** Whether the reader says it of a text as it is written, whatever variables put in their place. */
function isOfText({ code }: Diagnostic): boolean {
  return code.startsWith('template/') || code === 'manifest/bad-character'
}

/** Whether it is about a key, and not about the value behind it, which is at the same path. */
function isOfKey({ line = 1, column = 1, length = 0 }: Diagnostic, lines: readonly string[]): boolean {
  return length > 0 && (lines[line - 1] ?? '').startsWith(':', column - 1 + length)
}

/** Where the texts are that hold variables, as JSON pointers. */
function openPaths(value: DraftValue, path: string): readonly string[] {
  if (typeof value !== 'object') return variablesOf(value).length > 0 ? [path] : []
  if (value.kind === 'map') {
    const pairs = value.entries.filter((entry) => entry.kind === 'pair')
    return pairs.flatMap((entry) => openPaths(entry.value, `${path}/${entry.key}`))
  }
  const items = value.items.filter((item) => item.kind === 'item')
  return items.flatMap((item, index) => openPaths(item.value, `${path}/${index}`))
}

function unescaped(step: string): string {
  return step.replaceAll('~1', '/').replaceAll('~0', '~')
}

function labelOf(path: readonly string[], key: string): string {
  const [, entry] = path
  return entry === undefined || /^\d+$/.test(entry) ? key : `${key} ${shown(entry)}`
}
