// A project's metadata: requests as changes, and records as JSON. A value of a secret is in none of what is made here.

import type { MetaBody, MetaImportRequest, MetaSetRequest } from '../contract/contract.js'
import { sha1, uuidOf } from '../lib/hash.js'
import { nearest } from '../lib/nearest.js'
import { type Instant, toIso } from '../lib/time.js'
import type { EventDraft } from '../model/event.js'
import { type Meta, metaKeyProblem, metaValueProblem } from '../model/meta.js'
import { valueIdOf } from '../model/meta-fingerprints.js'
import { keys, putOf } from '../store/records.js'
import type { ClusterView } from '../store/view.js'
import { isProblem, type Problem } from './problem.js'
import { unknownProject } from './projects.js'
import type { Change } from './services.js'

/** What of a secret is stored, at its place `<project>/<key>`. */
export type Seal = (secret: string, place: string) => string

/** Whether what is stored of a secret is this one; false where nobody can tell. */
export type IsSecret = (sealed: string, secret: string, place: string) => boolean

/** What a request changes of metadata. */
export interface MetaChange extends Change {
  /** As they are once the change is made. */
  readonly set: readonly MetaBody[]
  readonly skipped: readonly string[]
}

export function metaBodyOf({ key, value, casId, secret, updatedAt }: Meta): MetaBody {
  return { key, value: secret ? null : value, casId, secret, updatedAt: toIso(updatedAt) }
}

/** A key of a project; of a project that nobody has heard of, that there is none. */
export function findMeta(view: ClusterView, project: string, key: string): Meta | Problem {
  return unknownProject(view, project) ?? keyOrProblem(view, project, key)
}

function keyOrProblem(view: ClusterView, project: string, key: string): Meta | Problem {
  const known = view.metaOf(project)
  const found = known.get(key)
  if (found !== undefined) return found
  const near = nearest(key, [...known.keys()])
  return {
    status: 404,
    code: 'meta/unknown',
    message: `project ${project} has no meta key "${key}"`,
    hint: near === undefined ? 'mariposa meta list shows the keys' : `did you mean ${near}?`,
  }
}

/** Sets one key. What is a secret stays one. */
export function setMeta(
  view: ClusterView,
  project: string,
  key: string,
  { value, secret = false, cas }: MetaSetRequest,
  seal: Seal,
  now: Instant,
  isSecret: IsSecret = nobodyKnows,
): MetaChange | Problem {
  const problem = problemOf(key, value) ?? casProblem(view, project, key, cas)
  if (problem !== null) return problem
  return changeOf([written(view, project, key, value, secret, { seal, isSecret }, now)], `${key} is set`)
}

/** Removes one key. */
export function removeMeta(
  view: ClusterView,
  project: string,
  key: string,
  cas: string | undefined,
): MetaChange | Problem {
  // The project may be gone with its last key: whoever removes that twice hears the same as of any other.
  const found = keyOrProblem(view, project, key)
  if (isProblem(found)) return found
  const problem = casProblem(view, project, key, cas)
  if (problem !== null) return problem
  return {
    decidedOn: [],
    ops: [{ op: 'delete', key: keys.meta(project, key) }],
    events: [eventOf(project, `${key} is removed`)],
    tasks: [],
    set: [],
    skipped: [],
  }
}

/** Adds to the number that a key holds; a key that is not there, or is empty, counts as 0. */
export function countMeta(
  view: ClusterView,
  project: string,
  key: string,
  by: number,
  now: Instant,
): MetaChange | Problem {
  const badKey = problemOf(key, '')
  if (badKey !== null) return badKey
  const found = view.metaOf(project).get(key)
  const before = found?.secret === true ? undefined : wholeNumber(found?.value ?? '')
  const after = before === undefined ? undefined : before + by
  if (after === undefined || !Number.isSafeInteger(after)) return notCountable(key, found)
  const next = written(view, project, key, String(after), false, noSecret, now)
  return changeOf([next], `${key} is ${by < 0 ? 'decremented' : 'incremented'}`)
}

/** Sets several keys as one change; those that are there are left as they are unless it is forced. */
export function importMeta(
  view: ClusterView,
  project: string,
  { values, secret = false, force = false }: MetaImportRequest,
  seal: Seal,
  now: Instant,
  isSecret: IsSecret = nobodyKnows,
): MetaChange | Problem {
  const given = Object.entries(values)
  const problem = given.map(([key, value]) => problemOf(key, value)).find((one) => one !== null)
  if (problem !== undefined) return problem
  const known = view.metaOf(project)
  const wanted = given.filter(([key]) => force || !known.has(key))
  const skipped = given.map(([key]) => key).filter((key) => !force && known.has(key))
  const next = wanted.map(([key, value]) =>
    written(view, project, key, value, secret, { seal, isSecret }, now),
  )
  return { ...changeOf(next, describeImport(next)), skipped }
}

/** More than these many keys are not named one by one. */
const keysNamed = 5

function describeImport(next: readonly Meta[]): string {
  const names = next.slice(0, keysNamed).map(({ key }) => key)
  const more = next.length - names.length
  return `${names.join(', ')}${more > 0 ? ` and ${more} more` : ''} ${next.length === 1 ? 'is' : 'are'} imported`
}

/** The record to write. Its CAS id derives from all that tells one write from another, and from no secret. */
function written(
  view: ClusterView,
  project: string,
  key: string,
  value: string,
  asSecret: boolean,
  { seal, isSecret }: Sealing,
  now: Instant,
): Meta {
  const before = view.metaOf(project).get(key)
  const secret = asSecret || before?.secret === true
  const place = `${project}/${key}`
  const stored = secret ? seal(value, place) : value
  const isSame = before?.secret === true && isSecret(before.value, value, place)
  const revision = view.revisionOf(keys.meta(project, key))
  const casId = uuidOf('meta', project, key, String(revision), String(now), sha1(stored))
  const valueId = isSame ? { valueId: valueIdOf(before) } : {}
  return { project, key, value: stored, casId, ...valueId, secret, updatedAt: now }
}

interface Sealing {
  readonly seal: Seal
  readonly isSecret: IsSecret
}

const nobodyKnows: IsSecret = () => false

function changeOf(next: readonly Meta[], message: string): MetaChange {
  const [first] = next
  return {
    decidedOn: [],
    ops: next.map((meta) => putOf('meta', meta)),
    events: first === undefined ? [] : [eventOf(first.project, message)],
    tasks: [],
    set: next.map(metaBodyOf),
    skipped: [],
  }
}

/** Values are never told, secret or not. */
function eventOf(project: string, message: string): EventDraft {
  return { kind: 'meta', project, service: null, instance: null, machine: null, message: `meta: ${message}` }
}

function problemOf(key: string, value: string): Problem | null {
  const badKey = metaKeyProblem(key)
  if (badKey !== null) {
    const message = `${JSON.stringify(key)} is not a key: ${badKey}`
    return { status: 400, code: 'meta/bad-key', message, hint: 'example: db.host' }
  }
  const badValue = metaValueProblem(value)
  return badValue === null
    ? null
    : { status: 400, code: 'meta/bad-value', message: `the value of ${key} is not allowed: ${badValue}` }
}

function casProblem(
  view: ClusterView,
  project: string,
  key: string,
  cas: string | undefined,
): Problem | null {
  const current = view.metaOf(project).get(key)?.casId
  if (cas === undefined || cas === current) return null
  return {
    status: 409,
    code: 'meta/cas-mismatch',
    message: `${key} was changed by somebody else: ${current === undefined ? 'it is gone' : `its CAS id is ${current}`}`,
    hint: `read it again: mariposa meta get ${key} --json`,
  }
}

function wholeNumber(text: string): number | undefined {
  if (text === '') return 0
  const value = /^-?\d{1,16}$/.test(text) ? Number(text) : Number.NaN
  return Number.isSafeInteger(value) ? value : undefined
}

function notCountable(key: string, found: Meta | undefined): Problem {
  const why =
    found?.secret === true
      ? 'it is a secret'
      : 'it is not a whole number within the range that can be counted'
  return { status: 409, code: 'meta/not-a-number', message: `${key} cannot be counted: ${why}` }
}

/** What is counted is no secret. */
const noSecret: Sealing = { seal: (secret) => secret, isSecret: nobodyKnows }
