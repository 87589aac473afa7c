// etcd's protocol, from the definitions that the etcd3 package brings. Decision 8 says why only these are used of it.
import { createRequire } from 'node:module'
import protobuf from 'protobufjs'
import { invariant } from '../../../lib/invariant.js'

/** One of etcd's procedures. */
export interface Method<Q, A> {
  readonly path: string
  readonly requestSerialize: (request: Q) => Buffer
  readonly responseDeserialize: (bytes: Buffer) => A
}

/** A number of 64 bits in an answer. Revisions are counted, so they fit into a number; ids of leases and clusters do not. */
export interface Int64 {
  toNumber(): number
  toString(): string
  isZero(): boolean
}

export interface Header {
  readonly cluster_id: Int64
  readonly revision: Int64
}

export interface KeyValue {
  readonly key: Buffer
  readonly value: Buffer
  readonly create_revision: Int64
  readonly mod_revision: Int64
  readonly lease: Int64
}

/** Keys from `key` up to `range_end`; without that `key` alone. */
export interface RangeRequest {
  readonly key: Buffer
  readonly range_end?: Buffer
  readonly limit?: number
  /** As of when; 0 is now. */
  readonly revision?: number
}

export interface RangeAnswer {
  readonly header: Header
  readonly kvs: readonly KeyValue[]
  /** Whether there are more than was asked for. */
  readonly more: boolean
  /** How many keys the range has, from where it was asked for. */
  readonly count: Int64
}

/** Only equality is ever asked for, which is the number 0. */
export type Comparison =
  | { readonly key: Buffer; readonly target: typeof compareTarget.mod; readonly mod_revision: number }
  | { readonly key: Buffer; readonly target: typeof compareTarget.value; readonly value: Buffer }

export const compareTarget = { mod: 2, value: 3 } as const

export type Operation =
  | { readonly request_put: { readonly key: Buffer; readonly value: Buffer; readonly lease?: string } }
  | { readonly request_delete_range: { readonly key: Buffer; readonly range_end?: Buffer } }
  | { readonly request_txn: TxnRequest }

export interface TxnRequest {
  readonly compare: readonly Comparison[]
  readonly success: readonly Operation[]
  readonly failure?: readonly Operation[]
}

export interface TxnAnswer {
  readonly header: Header
  readonly succeeded: boolean
}

/** Of transactions that went as one request: what became of each. */
export interface GroupAnswer {
  readonly header: Header
  readonly responses: readonly { readonly response_txn: { readonly succeeded: boolean } | null }[]
}

export interface WatchRequest {
  readonly create_request: {
    readonly key: Buffer
    readonly range_end: Buffer
    readonly start_revision: number
    readonly prev_kv: boolean
  }
}

export interface WatchAnswer {
  readonly header: Header
  readonly created: boolean
  readonly canceled: boolean
  readonly compact_revision: Int64
  readonly cancel_reason: string
  readonly events: readonly WatchEvent[]
}

export interface WatchEvent {
  readonly type: (typeof eventType)[keyof typeof eventType]
  readonly kv: KeyValue
  readonly prev_kv: KeyValue | null
}

export const eventType = { put: 0, delete: 1 } as const

export interface LeaseRequest {
  readonly ID: string
}

export interface LeaseAnswer {
  readonly ID: Int64
  /** In seconds; none are left of a lease that has ended. */
  readonly TTL: Int64
}

/** What etcd can be asked, as far as it is. */
export interface Methods {
  readonly authenticate: Method<
    { readonly name: string; readonly password: string },
    { readonly token: string }
  >
  readonly compact: Method<{ readonly revision: number; readonly physical: boolean }, object>
  /** A transaction of nothing but transactions, each with comparisons of its own. */
  readonly group: Method<TxnRequest, GroupAnswer>
  readonly grant: Method<{ readonly TTL: number }, LeaseAnswer>
  readonly keepAlive: Method<LeaseRequest, LeaseAnswer>
  readonly range: Method<RangeRequest, RangeAnswer>
  readonly revoke: Method<LeaseRequest, object>
  readonly status: Method<object, { readonly version: string }>
  readonly timeToLive: Method<LeaseRequest, LeaseAnswer>
  readonly txn: Method<TxnRequest, TxnAnswer>
  readonly watch: Method<WatchRequest, WatchAnswer>
}

/** Reads the definitions; takes some 30 ms, so it is done when a store is opened. */
export function loadMethods(): Methods {
  const file = createRequire(import.meta.url).resolve('etcd3/proto/rpc.proto')
  const root = new protobuf.Root().loadSync(file, { keepCase: true })
  // etcd answers each operation of a transaction by itself: thousands of messages that nobody reads are passed over.
  passOver(root.lookupType('etcdserverpb.TxnResponse'), 'responses')
  addGroupAnswer(root)
  return {
    authenticate: methodOf(root, 'Auth', 'Authenticate'),
    compact: methodOf(root, 'KV', 'Compact'),
    group: { ...methodOf(root, 'KV', 'Txn'), ...answeredBy(root, 'GroupResponse') },
    grant: methodOf(root, 'Lease', 'LeaseGrant'),
    keepAlive: methodOf(root, 'Lease', 'LeaseKeepAlive'),
    range: methodOf(root, 'KV', 'Range'),
    revoke: methodOf(root, 'Lease', 'LeaseRevoke'),
    status: methodOf(root, 'Maintenance', 'Status'),
    timeToLive: methodOf(root, 'Lease', 'LeaseTimeToLive'),
    txn: methodOf(root, 'KV', 'Txn'),
    watch: methodOf(root, 'Watch', 'Watch'),
  }
}

function passOver(type: protobuf.Type, name: string): void {
  const field = type.fields[name]
  invariant(field !== undefined, `etcd's ${type.name} has no ${name}`)
  type.remove(field)
}

/** The answer to a transaction of transactions, of which only theirs are read. */
function addGroupAnswer(root: protobuf.Root): void {
  const { Field, Type } = protobuf
  const { parent } = root.lookupType('etcdserverpb.TxnResponse')
  invariant(parent !== null, "etcd's messages are in no package")
  parent.add(new Type('GroupedResponse').add(new Field('response_txn', 4, 'TxnResponse')))
  const header = new Field('header', 1, 'ResponseHeader')
  const responses = new Field('responses', 3, 'GroupedResponse', 'repeated')
  parent.add(new Type('GroupResponse').add(header).add(responses))
}

function answeredBy<A>(root: protobuf.Root, name: string): Pick<Method<never, A>, 'responseDeserialize'> {
  const response = root.lookupType(`etcdserverpb.${name}`)
  return { responseDeserialize: (bytes) => response.decode(bytes) as A }
}

/** Messages are written as they are given and read as they come, without a copy of each in between. */
function methodOf<Q, A>(root: protobuf.Root, service: string, name: string): Method<Q, A> {
  const definition = root.lookupService(`etcdserverpb.${service}`).methods[name]
  invariant(definition !== undefined, `etcd's ${service} has no ${name}`)
  const request = root.lookupType(`etcdserverpb.${definition.requestType}`)
  return {
    path: `/etcdserverpb.${service}/${name}`,
    requestSerialize: (message) => request.encode(message as object).finish() as Buffer,
    ...answeredBy<A>(root, definition.responseType),
  }
}
