// What the body of a trigger's call gives the run that it starts.
import { textProblem } from '../compile/text.js'
import {
  bodiesAtMost,
  bodyTypeVariable,
  bodyVariable,
  bodyVariablePrefix,
  type CallBody,
  callBodyPlace,
  clusterBodiesAtMost,
  type GivenBody,
  type NamedBody,
  projectBodiesAtMost,
} from '../model/call-body.js'
import type { RunVariables } from '../model/run-variables.js'
import type { TriggerUrl } from '../model/trigger-url.js'
import { type ClusterView, serviceKey } from '../store/view.js'
import { isVariableName } from '../unit/environment.js'
import type { Seal } from './meta.js'
import { isProblem, type Problem } from './problem.js'
import { mostChars, mostVariables } from './run-variables.js'

/** The body of a call as it came. */
export interface SentBody {
  readonly bytes: Uint8Array
  /** `Content-Type`; null where the call has none. */
  readonly type: string | null
  /** What it is known again by, to who knows the secret. */
  readonly print: string
}

/** A body that a run is given: what the order says of it, and its record. */
interface KeptBody {
  readonly named: NamedBody
  readonly record: CallBody
}

/**
 * What the run of a call is given; null where its trigger hands no body on. Codes: `trigger/bad-body`, `trigger/bad-type`,
 * `trigger/too-large`, `trigger/too-many-bodies`. No message holds anything of the body but its keys.
 */
export function keptBody(
  view: ClusterView,
  place: Pick<CallBody, 'project' | 'service' | 'id'>,
  use: TriggerUrl['body'],
  sent: SentBody,
  seal: Seal,
): KeptBody | null | Problem {
  if (use === undefined) return null
  const given = use === 'file' ? asFile(sent) : asVariables(sent)
  if (isProblem(given)) return given
  const { project, service, id } = place
  const record = { project, service, id, sealed: seal(JSON.stringify(given), callBodyPlace(place)) }
  const problem = roomProblem(view, record)
  if (problem !== null) return problem
  const variables = Object.keys(given.variables).sort()
  return { named: { id, bytes: sent.bytes.length, file: given.data !== null, variables }, record }
}

/** Nobody can fill the store with calls. */
function roomProblem(view: ClusterView, { project, service, sealed }: CallBody): Problem | null {
  if (view.callBodiesOf(serviceKey(project, service)).size >= bodiesAtMost)
    return noRoom(`${bodiesAtMost} calls of this service`)
  let [ofProject, ofAll] = [sealed.length, sealed.length]
  for (const key of view.servicesWithCallBodies()) {
    for (const other of view.callBodiesOf(key).values()) {
      ofAll += other.sealed.length
      if (other.project === project) ofProject += other.sealed.length
    }
  }
  if (ofProject > projectBodiesAtMost) return noRoom('calls of this project')
  return ofAll > clusterBodiesAtMost ? noRoom('calls') : null
}

function noRoom(whose: string): Problem {
  return {
    status: 429,
    code: 'trigger/too-many-bodies',
    message: `no room to keep another body: the bodies of ${whose} are kept until their runs end`,
  }
}

function asFile({ bytes, type }: SentBody): GivenBody {
  const plain = type !== null && /^[ -~]{1,200}$/.test(type) ? { [bodyTypeVariable]: type } : {}
  const data = btoa(Array.from(bytes, (byte) => String.fromCharCode(byte)).join(''))
  return { data, variables: plain }
}

function asVariables({ bytes, type }: SentBody): GivenBody | Problem {
  if (bytes.length === 0) return { data: null, variables: {} }
  const text = textOf(bytes)
  if (text === null) return unreadable('it is not UTF-8')
  const pairs = pairsIn(type, text)
  return isProblem(pairs) ? pairs : variablesOf(pairs)
}

type Pairs = readonly (readonly [string, string])[]

function pairsIn(contentType: string | null, text: string): Pairs | Problem {
  const [type = '', ...parameters] = (contentType ?? '').toLowerCase().split(';')
  const isOther = parameters.some((one) => /^\s*charset\s*=/.test(one) && !/=\s*"?utf-?8"?\s*$/.test(one))
  if (!isOther && type.trim() === 'application/json') return pairsOfJson(text)
  if (!isOther && type.trim() === 'application/x-www-form-urlencoded') return pairsOfForm(text)
  return {
    status: 415,
    code: 'trigger/bad-type',
    message:
      'this trigger takes a body of the type application/json or application/x-www-form-urlencoded, in UTF-8',
  }
}

/** The keys of an object. Texts are taken as they are, null as no text, all else as JSON. */
function pairsOfJson(text: string): Pairs | Problem {
  const value = parsedJson(text)
  if (value === undefined) return unreadable('it is not JSON')
  if (typeof value !== 'object' || value === null || Array.isArray(value))
    return unfit('this trigger takes a JSON object, whose keys become variables')
  if (hasOtherNumber(text))
    return unfit('a number in the body cannot be passed on exactly: send it as a string')
  const deep = Object.entries(value).find(([, one]) => isDeeper(one, deepest))
  if (deep !== undefined) return unfit(`the value of ${shown(deep[0])} is nested more than ${deepest} deep`)
  return Object.entries(value).map(([key, one]) => [
    key,
    typeof one === 'string' ? one : one === null ? '' : JSON.stringify(one),
  ])
}

const deepest = 100

function isDeeper(value: unknown, most: number): boolean {
  if (typeof value !== 'object' || value === null) return false
  return most === 0 || Object.values(value).some((one) => isDeeper(one, most - 1))
}

/** Whether JSON holds a number that is not what it says once it was read: an id of many digits, or one that is beyond all. */
function hasOtherNumber(json: string): boolean {
  for (const [token] of json.matchAll(stringOrNumber)) {
    if (token.startsWith('"')) continue
    const read = Number(token)
    if (!Number.isFinite(read)) return true
    if (/^-?\d+$/.test(token) && read !== 0 && String(read) !== token) return true
  }
  return false
}

const stringOrNumber = /"(?:[^"\\]|\\.)*"|-?\d[\d.eE+-]*/g

function parsedJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

function pairsOfForm(text: string): Pairs | Problem {
  const pairs: (readonly [string, string])[] = []
  for (const pair of text.split('&').filter((one) => one !== '')) {
    const equals = pair.indexOf('=')
    const [key, value] = equals < 0 ? [pair, ''] : [pair.slice(0, equals), pair.slice(equals + 1)]
    const [name, content] = [decoded(key), decoded(value)]
    if (name === null || content === null) return unreadable('it is not a form')
    if (pairs.some(([known]) => known === name)) return unfit(`the field ${shown(name)} is there twice`)
    pairs.push([name, content])
    if (pairs.length > mostVariables) break
  }
  return pairs
}

function decoded(text: string): string | null {
  try {
    return decodeURIComponent(text.replaceAll('+', ' '))
  } catch {
    return null
  }
}

/** Names are kept with a run, beside its body. */
const longestKey = 100
/** A program that is given files too takes these for what it knows of one. */
const ofFiles: ReadonlySet<string> = new Set([bodyVariable, bodyTypeVariable])

function variablesOf(pairs: Pairs): GivenBody | Problem {
  if (pairs.length > mostVariables) return unfit(`the body has more than ${mostVariables} keys`)
  const odd = pairs.find(([key]) => !isVariableName(`${bodyVariablePrefix}${key}`) || key === '')
  if (odd !== undefined) return unfit(`the key ${shown(odd[0])} cannot name a variable`)
  const long = pairs.find(([key]) => key.length > longestKey)
  if (long !== undefined) return unfit(`the key ${shown(long[0])} has more than ${longestKey} characters`)
  const taken = pairs.find(([key]) => ofFiles.has(`${bodyVariablePrefix}${key.toUpperCase()}`))
  if (taken !== undefined)
    return unfit(`the key ${shown(taken[0])} is reserved: its variable describes bodies that arrive as files`)
  const bad = pairs.find(([, value]) => textProblem(value) !== null)
  if (bad !== undefined)
    return unfit(`the value of ${shown(bad[0])} holds a character that cannot be passed on`)
  const variables: RunVariables = Object.fromEntries(
    pairs.map(([key, value]) => [`${bodyVariablePrefix}${key.toUpperCase()}`, value]),
  )
  if (Object.keys(variables).length < pairs.length)
    return unfit('two keys of the body differ only in capital letters')
  const chars = Object.entries(variables).reduce((sum, [name, value]) => sum + name.length + value.length, 0)
  if (chars <= mostChars) return { data: null, variables }
  return {
    status: 413,
    code: 'trigger/too-large',
    message: `the variables have ${chars} characters, at most ${mostChars} are allowed; a body that is passed on as a file may be larger`,
  }
}

function textOf(bytes: Uint8Array): string | null {
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: false }).decode(bytes)
  } catch {
    return null
  }
}

/** A key in a message: it comes from outside. */
function shown(key: string): string {
  return JSON.stringify(key.length > 64 ? `${key.slice(0, 64)}…` : key)
}

function unreadable(why: string): Problem {
  return { status: 400, code: 'trigger/bad-body', message: `the body cannot be read: ${why}` }
}

function unfit(message: string): Problem {
  return { status: 422, code: 'trigger/bad-body', message }
}
