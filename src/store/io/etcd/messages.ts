// Messages of etcd's protocol (API 3, package `etcdserverpb`), as far as they are used: each field with its type and number.
// Fields that are not listed are passed over when a message is read.
import protobuf from 'protobufjs'

type FieldType = string | { readonly listOf: string }

const header = { header: ['ResponseHeader', 1] } as const
const leaseAnswer = { ...header, ID: ['int64', 2], TTL: ['int64', 3] } as const

const messages: Readonly<Record<string, Readonly<Record<string, readonly [FieldType, number]>>>> = {
  ResponseHeader: { cluster_id: ['uint64', 1], revision: ['int64', 3] },
  KeyValue: {
    key: ['bytes', 1],
    create_revision: ['int64', 2],
    mod_revision: ['int64', 3],
    value: ['bytes', 5],
    lease: ['int64', 6],
  },
  RangeRequest: { key: ['bytes', 1], range_end: ['bytes', 2], limit: ['int64', 3], revision: ['int64', 4] },
  RangeResponse: { ...header, kvs: [{ listOf: 'KeyValue' }, 2], more: ['bool', 3], count: ['int64', 4] },
  PutRequest: { key: ['bytes', 1], value: ['bytes', 2], lease: ['int64', 3] },
  DeleteRangeRequest: { key: ['bytes', 1], range_end: ['bytes', 2] },
  Compare: { target: ['int32', 2], key: ['bytes', 3], mod_revision: ['int64', 6], value: ['bytes', 7] },
  RequestOp: {
    request_put: ['PutRequest', 2],
    request_delete_range: ['DeleteRangeRequest', 3],
    request_txn: ['TxnRequest', 4],
  },
  TxnRequest: {
    compare: [{ listOf: 'Compare' }, 1],
    success: [{ listOf: 'RequestOp' }, 2],
    failure: [{ listOf: 'RequestOp' }, 3],
  },
  // etcd answers each operation of a transaction by itself: thousands of messages that nobody reads are passed over.
  TxnResponse: { ...header, succeeded: ['bool', 2] },
  // The answer to a transaction of transactions, of which only theirs are read.
  GroupResponse: { ...header, responses: [{ listOf: 'GroupedResponse' }, 3] },
  GroupedResponse: { response_txn: ['TxnResponse', 4] },
  CompactionRequest: { revision: ['int64', 1], physical: ['bool', 2] },
  CompactionResponse: header,
  WatchRequest: { create_request: ['WatchCreateRequest', 1] },
  WatchCreateRequest: {
    key: ['bytes', 1],
    range_end: ['bytes', 2],
    start_revision: ['int64', 3],
    prev_kv: ['bool', 6],
  },
  WatchResponse: {
    ...header,
    created: ['bool', 3],
    canceled: ['bool', 4],
    compact_revision: ['int64', 5],
    cancel_reason: ['string', 6],
    events: [{ listOf: 'Event' }, 11],
  },
  Event: { type: ['int32', 1], kv: ['KeyValue', 2], prev_kv: ['KeyValue', 3] },
  LeaseGrantRequest: { TTL: ['int64', 1] },
  LeaseGrantResponse: leaseAnswer,
  LeaseRevokeRequest: { ID: ['int64', 1] },
  LeaseRevokeResponse: header,
  LeaseKeepAliveRequest: { ID: ['int64', 1] },
  LeaseKeepAliveResponse: leaseAnswer,
  LeaseTimeToLiveRequest: { ID: ['int64', 1] },
  LeaseTimeToLiveResponse: leaseAnswer,
  AuthenticateRequest: { name: ['string', 1], password: ['string', 2] },
  AuthenticateResponse: { ...header, token: ['string', 2] },
  StatusRequest: {},
  StatusResponse: { ...header, version: ['string', 2] },
}

/** The messages by their names, ready to be written and read. */
export function etcdMessages(): protobuf.Root {
  const root = new protobuf.Root()
  for (const [name, fields] of Object.entries(messages)) {
    const type = new protobuf.Type(name)
    for (const [field, [of, number]] of Object.entries(fields)) {
      if (typeof of === 'string') type.add(new protobuf.Field(field, number, of))
      else type.add(new protobuf.Field(field, number, of.listOf, 'repeated'))
    }
    root.add(type)
  }
  return root
}
