// What etcd and the way to it answer instead of a result, sorted by what is to be done about it.
import { type ServiceError, status } from '@grpc/grpc-js'
import { isBug } from '../../../lib/invariant.js'
import { StoreError } from '../../store.js'
import { noEtcd } from './diagnose.js'
import { TimedOutError } from './endpoint.js'

/** Why a request failed. */
export type Failure =
  /** No answer, or none that says what became of the request. `unsent`: it has certainly changed nothing. */
  | { readonly kind: 'unreachable'; readonly unsent: boolean; readonly reason: string }
  /** The token of our user is no longer known; the request was refused. */
  | { readonly kind: 'token' }
  | { readonly kind: 'lease-ended' }
  | { readonly kind: 'compacted' }
  | { readonly kind: 'refused'; readonly error: StoreError }

/** What a failed call means. Throws a bug of ours, in what is called back as well: that is no word of etcd's. */
export function failureOf(error: unknown): Failure {
  if (isBug(error)) throw error
  if (error instanceof StoreError)
    return error.code === 'store/unreachable'
      ? { kind: 'unreachable', unsent: true, reason: error.message }
      : { kind: 'refused', error }
  if (error instanceof TimedOutError) return { kind: 'unreachable', unsent: false, reason: error.message }
  if (!isServiceError(error)) return { kind: 'unreachable', unsent: false, reason: String(error) }
  const { code, details } = error
  const said = (text: string): boolean => details.includes(text)
  if (said('requested lease not found')) return { kind: 'lease-ended' }
  if (said('has been compacted')) return { kind: 'compacted' }
  if (said('invalid auth token') || said('auth store is old')) return { kind: 'token' }
  const [, answer] = notOfEtcd.exec(details) ?? []
  if (answer !== undefined) return { kind: 'unreachable', unsent: false, reason: `${noEtcd}: ${answer}` }
  if (transient.has(code) && !said('database space exceeded') && !said('larger than max')) {
    return { kind: 'unreachable', unsent: neverTaken.some(said), reason: details }
  }
  return { kind: 'refused', error: refusal(code, details) }
}

function isServiceError(error: unknown): error is ServiceError {
  return error instanceof Error && 'code' in error && 'details' in error
}

const transient: ReadonlySet<status> = new Set([
  status.UNAVAILABLE,
  status.DEADLINE_EXCEEDED,
  status.CANCELLED,
  status.INTERNAL,
  status.UNKNOWN,
  status.ABORTED,
  status.RESOURCE_EXHAUSTED,
])

/** What grpc makes of an answer without a word of grpc in it, as a web server or a proxy on the way gives it. */
const notOfEtcd = /^Received (HTTP status code \d+)/

/** Answers of a member that cannot have passed the request on, and of a connection that was never there. */
const neverTaken: readonly string[] = [
  'etcdserver: no leader',
  'etcdserver: too many requests',
  'No connection established',
  'Name resolution failed',
  'Channel closed before call started',
]

function refusal(code: status, details: string): StoreError {
  if (details.includes('database space exceeded')) {
    return new StoreError(
      'store/full',
      'etcd has no space left',
      'compact and defragment it, raise its --quota-backend-bytes, then disarm its alarm; what was refused was not stored',
    )
  }
  if (tooLarge.some((text) => details.includes(text))) return tooLargeError(details)
  if (code === status.PERMISSION_DENIED || code === status.UNAUTHENTICATED || isAuthentication(details)) {
    return deniedError(details)
  }
  return new StoreError('store/io', `etcd refuses: ${details}`, 'see the log of etcd')
}

const tooLarge: readonly string[] = ['request is too large', 'too many operations', 'larger than max']

function isAuthentication(details: string): boolean {
  return details.includes('authentication failed') || details.includes('user name is empty')
}

export function deniedError(details: string): StoreError {
  return new StoreError(
    'store/denied',
    `etcd refuses: ${details}`,
    'check the user, its password and its role: it needs to read and write under the key prefix',
  )
}

export function tooLargeError(
  what: string,
  hint = 'make it in parts, or raise --max-request-bytes of etcd',
): StoreError {
  return new StoreError('store/too-large', `the change is too large for etcd: ${what}`, hint)
}

/** What to do about a change of unknown outcome. */
export const hintUnknown = 'whether the change was written is not known: look, before you try again'

/** `written` says what is known of a change that was asked for. */
export function unreachableError(reason: string, written: 'not' | 'unknown'): StoreError {
  const hint =
    written === 'not' ? 'nothing was changed; what runs goes on running until the store is back' : hintUnknown
  return new StoreError('store/unreachable', `the store is unreachable: ${reason}`, hint)
}
