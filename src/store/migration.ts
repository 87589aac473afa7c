// Moving a store's records to another store: which go along, what is left to do, and whether both ends are the same.
import { sha1 } from '../lib/hash.js'
import { inPortions } from './portions.js'
import { type Compare, type Entry, type Op, sizeOf } from './store.js'

/** In a store that records are being moved to, until all are there: no daemon may run on it. */
export const movingKey = 'moving'
/** In a store whose records were moved away: where to. No daemon may run on it any more. */
export const movedKey = 'moved'

/** Holds in a store that daemons may use. A daemon that claims its machine compares it: it may have started before the mark. */
export const noMark: readonly Compare[] = [movingKey, movedKey].map((key) => ({ key, modRevision: 0 }))

/** One transaction of a move stays well below what etcd takes at once. */
const perWrite = { items: 100, bytes: 512 * 1024 }

/** The records that go along. What lives by a lease is said anew by whoever lives. */
export function travellers(entries: readonly Entry[]): readonly Entry[] {
  return entries.filter(({ key, lease }) => lease === null && key !== movedKey && key !== movingKey)
}

/** What makes `target` hold the records of `source`, in portions that may be written in any order. */
export function portionsOf(source: readonly Entry[], target: readonly Entry[]): readonly (readonly Op[])[] {
  const there = new Map(target.map(({ key, value }) => [key, value]))
  const wanted = new Set(source.map(({ key }) => key))
  const puts = source
    .filter(({ key, value }) => there.get(key) !== value)
    .map(({ key, value }): Op => ({ op: 'put', key, value }))
  const deletes = target.filter(({ key }) => !wanted.has(key)).map(({ key }): Op => ({ op: 'delete', key }))
  return [...inPortions([...deletes, ...puts], sizeOf, perWrite)]
}

/** Tells two sets of records apart, whatever their revisions. */
export function digestOf(entries: readonly Entry[]): string {
  return sha1(entries.map(({ key, value }) => sha1(`${key}\0${value}`)).join('\n'))
}

/** The size of records, in bytes of their text as UTF-16 counts it: for people. */
export function bytesOf(entries: readonly Entry[]): number {
  return entries.reduce((sum, { key, value }) => sum + key.length + value.length, 0)
}
