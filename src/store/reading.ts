// Reads the text of a record, and trusts nothing: what does not fit the schema of its kind is no record.
import type { TSchema } from 'typebox'
import { Compile } from 'typebox/compile'
import type { RecordKind, RecordTypes } from './record-types.js'
import { schemas } from './schema/all.js'
import { leader, outbox } from './schema/happenings.js'

/**
 * The format of the records that this program writes, as their `v` says. Records of 0.1.0 say none and are of this one.
 * Goes up with what a program of the format before could not read.
 */
export const recordFormat = 1

/** Why something is no record of ours. */
export interface Unfit {
  /** `newer`: a program of a later format wrote it, and knows what it means. */
  readonly unfit: 'damaged' | 'newer'
  /** In a few words, about "it". */
  readonly problem: string
}

/** Reads the text of a record of a kind. */
export function readRecord<K extends RecordKind>(
  kind: K,
  text: string,
): { readonly record: RecordTypes[K] } | Unfit {
  return readWith(kind, text) as { readonly record: RecordTypes[K] } | Unfit
}

/** Keys that hold something of their own and belong to no kind of record. */
export type LoneKey = 'leader' | 'outbox'

/** Reads the text under a lone key. */
export function readLone(
  key: 'leader',
  text: string,
): { readonly record: { readonly machine: string } } | Unfit
export function readLone(
  key: 'outbox',
  text: string,
): { readonly record: { readonly revision: number } } | Unfit
export function readLone(key: LoneKey, text: string): { readonly record: unknown } | Unfit {
  return readWith(key, text)
}

function readWith(kind: RecordKind | LoneKey, text: string): { readonly record: unknown } | Unfit {
  const parsed = parse(text)
  if (parsed === undefined) return { unfit: 'damaged', problem: 'it is not JSON' }
  const problem = formatProblem(parsed)
  if (problem !== null) return problem
  // Before events were kept together, each had an entry of its own.
  const value = kind === 'event' && !Array.isArray(parsed) ? [parsed] : parsed
  const check = checkOf(kind)
  return check.Check(value) ? { record: value } : { unfit: 'damaged', problem: firstProblem(check, value) }
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

/** Takes the format away from a value that has one. */
function formatProblem(value: unknown): Unfit | null {
  if (typeof value !== 'object' || value === null || !('v' in value)) return null
  const { v } = value
  delete value.v
  if (typeof v !== 'number') return { unfit: 'damaged', problem: 'its format is not a number' }
  if (v <= recordFormat) return null
  return { unfit: 'newer', problem: `it is of format ${v}, and this program knows ${recordFormat}` }
}

type Check = ReturnType<typeof Compile<TSchema>>

/** Made when they are first needed: most commands need none. */
const checks = new Map<RecordKind | LoneKey, Check>()

function checkOf(kind: RecordKind | LoneKey): Check {
  const known = checks.get(kind)
  if (known !== undefined) return known
  const made: Check = Compile<TSchema>({ ...schemas, leader, outbox }[kind])
  checks.set(kind, made)
  return made
}

function firstProblem(check: Check, value: unknown): string {
  const [first] = check.Errors(value)
  if (first === undefined) return 'it is not such a record'
  const where = first.instancePath === '' ? 'it' : `its ${first.instancePath.slice(1).replaceAll('/', '.')}`
  return `${where} ${first.message}`
}
