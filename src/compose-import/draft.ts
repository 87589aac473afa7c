// A manifest in the making: what is carried over from another format, and, in the same place, a remark for each thing
// that is not. The text with its comments, the plain data and the list of notes are all read from it.

import type { Span } from '../manifest/notes.js'
import { asWritten } from '../manifest/print.js'
import { placeholderEnd, placeholderStart } from '../manifest/variables.js'

/** Something that was left out or changed, and what to do about it. `at` is where it stands in the imported file. */
export interface Remark {
  readonly kind: 'remark'
  readonly at: Span
  /** One line, no full stop. */
  readonly message: string
}

/** A text may hold marks (`metaMark`) for what is filled in from the project's meta. */
export type DraftValue = string | number | boolean | DraftMap | DraftList

export interface DraftMap {
  readonly kind: 'map'
  readonly entries: readonly (DraftPair | Remark)[]
}

export interface DraftPair {
  readonly kind: 'pair'
  readonly key: string
  readonly at: Span
  readonly value: DraftValue
}

interface DraftList {
  readonly kind: 'list'
  readonly items: readonly (DraftItem | Remark)[]
}

export interface DraftItem<Value extends DraftValue = DraftValue> {
  readonly kind: 'item'
  readonly at: Span
  readonly value: Value
}

export function remark(at: Span, message: string): Remark {
  return { kind: 'remark', at, message }
}

/** One key of a manifest. */
export function pair(key: string, at: Span, value: DraftValue): DraftPair {
  return { kind: 'pair', key, at, value }
}

/** A key with a map; its remarks alone where the map would be empty. */
export function mapPair(
  key: string,
  at: Span,
  entries: readonly (DraftPair | Remark)[],
): readonly (DraftPair | Remark)[] {
  return entries.some(({ kind }) => kind === 'pair') ? [pair(key, at, { kind: 'map', entries })] : entries
}

/** A key with a list; its remarks alone where the list would be empty. */
export function listPair(
  key: string,
  at: Span,
  items: readonly (DraftItem | Remark)[],
): readonly (DraftPair | Remark)[] {
  const remarks = items.filter((item) => item.kind === 'remark')
  return remarks.length < items.length ? [pair(key, at, { kind: 'list', items })] : remarks
}

/** What stands in a text for a template, such as `meta.TAG` or `machine.name`. */
export function mark(variable: string): string {
  return `${placeholderStart}${variable}${placeholderEnd}`
}

/** The draft as data, every text as an author would write it. */
export function dataOf(value: DraftValue): unknown {
  if (typeof value === 'string') return asWritten(value)
  if (typeof value === 'number' || typeof value === 'boolean') return value
  if (value.kind === 'list')
    return value.items.flatMap((item) => (item.kind === 'item' ? [dataOf(item.value)] : []))
  const pairs = value.entries.filter((entry) => entry.kind === 'pair')
  return Object.fromEntries(pairs.map((entry) => [entry.key, dataOf(entry.value)]))
}

/** Every remark, in the order of the draft. */
export function remarksOf(value: DraftValue): readonly Remark[] {
  if (typeof value !== 'object') return []
  const children = value.kind === 'map' ? value.entries : value.items
  return children.flatMap((child) => (child.kind === 'remark' ? [child] : remarksOf(child.value)))
}

/** The variables that the texts name: `meta.TAG`. */
export function variablesOf(value: DraftValue): readonly string[] {
  if (typeof value === 'number' || typeof value === 'boolean') return []
  if (typeof value === 'string') return [...value.matchAll(marks)].map(([, variable = '']) => variable)
  const children = value.kind === 'map' ? value.entries : value.items
  return children.flatMap((child) => (child.kind === 'remark' ? [] : variablesOf(child.value)))
}

const marks = new RegExp(`${placeholderStart}([^${placeholderEnd}]*)${placeholderEnd}`, 'g')

/** The same draft in which each remark is made once. */
export function withoutRepeats(map: DraftMap): DraftMap {
  const seen = new Set<string>()
  const isNew = (child: DraftPair | DraftItem | Remark): boolean => {
    if (child.kind !== 'remark') return true
    if (seen.has(child.message)) return false
    seen.add(child.message)
    return true
  }
  const thin = <Value extends DraftValue>(value: Value): Value => {
    if (typeof value !== 'object') return value
    if (value.kind === 'list') return { ...value, items: value.items.filter(isNew).map(thinChild) }
    return { ...value, entries: value.entries.filter(isNew).map(thinChild) }
  }
  const thinChild = <Child extends DraftPair | DraftItem | Remark>(child: Child): Child =>
    child.kind === 'remark' ? child : { ...child, value: thin(child.value) }
  return thin(map)
}

/** The same draft without the pair or item at a path of keys and indices; `why` takes its place. Undefined where there is none. */
export function without(
  map: DraftMap,
  path: readonly string[],
  why: (at: Span, path: readonly string[]) => Remark,
): DraftMap | undefined {
  const [key, ...rest] = path
  const found = map.entries.find((entry): entry is DraftPair => entry.kind === 'pair' && entry.key === key)
  if (!found) return undefined
  const inside = withoutInside(found.value, rest, (at, steps) => why(at, [found.key, ...steps]))
  const replaced = inside ? pairOrRemarks(found, inside) : [why(found.at, [found.key])]
  return { ...map, entries: map.entries.flatMap((entry) => (entry === found ? replaced : [entry])) }
}

/** The pair with another value; its remarks alone where nothing else is left. */
function pairOrRemarks(of: DraftPair, value: DraftMap | DraftList): readonly (DraftPair | Remark)[] {
  return value.kind === 'map' ? mapPair(of.key, of.at, value.entries) : listPair(of.key, of.at, value.items)
}

/** One level down, entries of `environment` or `ports` go alone; what is deeper goes with its entry. */
function withoutInside(
  value: DraftValue,
  path: readonly string[],
  why: (at: Span, path: readonly string[]) => Remark,
): DraftMap | DraftList | undefined {
  const [step] = path
  if (typeof value !== 'object' || step === undefined) return undefined
  if (value.kind === 'map') {
    const found = value.entries.find((entry) => entry.kind === 'pair' && entry.key === step)
    if (!found) return undefined
    const entries = value.entries.map((entry) => (entry === found ? why(found.at, [step]) : entry))
    return { ...value, entries }
  }
  const found = value.items.filter((item) => item.kind === 'item')[Number(step)]
  if (!found) return undefined
  return { ...value, items: value.items.map((item) => (item === found ? why(found.at, [step]) : item)) }
}
