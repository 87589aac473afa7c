// The writes that make, change and remove units that are submitted as such.

import { sha1 } from '../lib/hash.js'
import type { Instant } from '../lib/time.js'
import type { EventDraft } from '../model/event.js'
import type { DesiredState, DesiredUnit, UnitName } from '../model/unit.js'
import { keys, putOf } from '../store/records.js'
import type { Op } from '../store/store.js'
import type { ClusterView } from '../store/view.js'

/** Writes and events, with the keys that they were decided on. */
export interface Writes {
  /** Keys of records that they were decided on beside those that they write. */
  readonly decidedOn: readonly string[]
  readonly ops: readonly Op[]
  readonly events: readonly EventDraft[]
}

/** What becomes of one unit. */
export type UnitEdit =
  /** It is made with this text, or gets this text. */
  | {
      readonly kind: 'write'
      readonly name: UnitName
      readonly text: string
      readonly desired: DesiredState
    }
  | { readonly kind: 'want'; readonly unit: DesiredUnit; readonly desired: DesiredState }
  /** It leaves the cluster: its machine stops it and forgets it. */
  | { readonly kind: 'remove'; readonly unit: DesiredUnit }

/** Edits of different units as one change. */
export function writesFor(view: ClusterView, edits: readonly UnitEdit[], now: Instant): Writes {
  const after = new Map<UnitName, DesiredUnit | null>()
  const texts = new Map<string, string>()
  for (const edit of edits) {
    if (edit.kind === 'remove') after.set(edit.unit.name, null)
    else if (edit.kind === 'want') after.set(edit.unit.name, { ...edit.unit, desired: edit.desired })
    else {
      const hash = sha1(edit.text)
      texts.set(hash, edit.text)
      after.set(edit.name, written(view, edit, hash, now))
    }
  }
  const changed = [...after].filter(([, unit]) => unit === null || !isAsItIs(view, unit))
  const orphans = orphansOf(view, after, texts)
  return {
    decidedOn: [...changed.map(([name]) => keys.unit(name)), ...orphans.map(keys.file)],
    ops: [
      ...[...texts].map(([hash, text]) => putOf('file', { hash, text })),
      ...changed.map(
        ([name, unit]): Op => (unit === null ? { op: 'delete', key: keys.unit(name) } : putOf('unit', unit)),
      ),
      ...orphans.map((hash): Op => ({ op: 'delete', key: keys.file(hash) })),
    ],
    events: changed.map(([name, unit]) => eventOf(view, name, unit)),
  }
}

function eventOf(view: ClusterView, name: UnitName, unit: DesiredUnit | null): EventDraft {
  const message = `${name} ${describeEdit(view.units.get(name), unit)}`
  const about = { project: null, service: null, instance: null, machine: null }
  return { kind: 'unit', ...about, message, data: { unit: name } }
}

function describeEdit(before: DesiredUnit | undefined, after: DesiredUnit | null): string {
  if (after === null) return `is to be destroyed; it was ${before?.desired ?? 'not submitted'}`
  if (before === undefined) return `is submitted, to be ${after.desired}`
  if (before.hash !== after.hash) return `gets another text, to be ${after.desired}`
  return `is to be ${after.desired}; it was ${before.desired}`
}

function written(
  view: ClusterView,
  { name, desired }: { readonly name: UnitName; readonly desired: DesiredState },
  hash: string,
  now: Instant,
): DesiredUnit {
  return { name, hash, desired, instance: null, createdAt: view.units.get(name)?.createdAt ?? now }
}

function isAsItIs(view: ClusterView, unit: DesiredUnit): boolean {
  const before = view.units.get(unit.name)
  return before !== undefined && before.hash === unit.hash && before.desired === unit.desired
}

/**
 * The texts that nobody needs once units are as they are to be. Whoever takes one up meanwhile writes it again, so that
 * the comparison fails and this is decided anew.
 */
function orphansOf(
  view: ClusterView,
  after: ReadonlyMap<UnitName, DesiredUnit | null>,
  texts: ReadonlyMap<string, string>,
): readonly string[] {
  const left = new Set<string>()
  for (const [name, unit] of after) {
    const before = view.units.get(name)
    if (before !== undefined && before.hash !== unit?.hash) left.add(before.hash)
  }
  if (left.size === 0) return []
  for (const unit of [...after.values()]) if (unit !== null) left.delete(unit.hash)
  for (const unit of view.units.values()) if (!after.has(unit.name)) left.delete(unit.hash)
  for (const version of view.versions.values()) left.delete(version.hash)
  return [...left].filter((hash) => !texts.has(hash))
}
