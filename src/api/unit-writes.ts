// The writes that make, change and remove units that are submitted as such.

import { sha1 } from '../lib/hash.js'
import type { Instant } from '../lib/time.js'
import type { DesiredState, DesiredUnit, UnitName } from '../model/unit.js'
import { keyOf, keys, putOf } from '../store/records.js'
import type { Compare, Op } from '../store/store.js'
import type { ClusterView } from '../store/view.js'

export interface Writes {
  readonly compare: readonly Compare[]
  readonly ops: readonly Op[]
}

/** Makes a unit with this text, or gives this text to a unit that is there. */
export function writeUnit(
  view: ClusterView,
  name: UnitName,
  text: string,
  desired: DesiredState,
  now: Instant,
): Writes {
  const before = view.units.get(name)
  const unit: DesiredUnit = {
    name,
    hash: sha1(text),
    desired,
    instance: null,
    createdAt: before?.createdAt ?? now,
  }
  const orphan = before === undefined ? nothing : orphanOf(view, before, unit.hash)
  return {
    compare: [...asSeen(view, name), ...orphan.compare],
    ops: [putOf('file', { hash: unit.hash, text }), putOf('unit', unit), ...orphan.ops],
  }
}

/** Sets what is wanted of a unit. */
export function wantUnit(view: ClusterView, unit: DesiredUnit, desired: DesiredState): Writes {
  if (unit.desired === desired) return nothing
  return { compare: asSeen(view, unit.name), ops: [putOf('unit', { ...unit, desired })] }
}

/** Takes a unit out of the cluster; its machine stops it and forgets it. */
export function removeUnit(view: ClusterView, unit: DesiredUnit): Writes {
  const orphan = orphanOf(view, unit, null)
  return {
    compare: [...asSeen(view, unit.name), ...orphan.compare],
    ops: [{ op: 'delete', key: keyOf('unit', unit) }, ...orphan.ops],
  }
}

const nothing: Writes = { compare: [], ops: [] }

function asSeen(view: ClusterView, name: UnitName): readonly Compare[] {
  const key = keys.unit(name)
  return [{ key, modRevision: view.revisionOf(key) }]
}

/**
 * The text that nobody needs once a unit has another. Whoever takes it up meanwhile writes it again, so that the
 * comparison fails and this is decided anew.
 */
function orphanOf(view: ClusterView, unit: DesiredUnit, next: string | null): Writes {
  if (unit.hash === next) return nothing
  for (const other of view.units.values())
    if (other.hash === unit.hash && other.name !== unit.name) return nothing
  for (const version of view.versions.values()) if (version.hash === unit.hash) return nothing
  const key = keys.file(unit.hash)
  return { compare: [{ key, modRevision: view.revisionOf(key) }], ops: [{ op: 'delete', key }] }
}
