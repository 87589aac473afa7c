// etcd's protocol, from the definitions that the etcd3 package brings. Decision 8 says why only these are used of it.
import { createRequire } from 'node:module'
import type { MethodDefinition } from '@grpc/grpc-js'
import { loadSync } from '@grpc/proto-loader'
import type {
  IAuthenticateRequest,
  IAuthenticateResponse,
  ICompactionRequest,
  ICompactionResponse,
  ILeaseGrantRequest,
  ILeaseGrantResponse,
  ILeaseKeepAliveRequest,
  ILeaseKeepAliveResponse,
  ILeaseRevokeRequest,
  ILeaseRevokeResponse,
  ILeaseTimeToLiveRequest,
  ILeaseTimeToLiveResponse,
  IRangeRequest,
  IRangeResponse,
  IStatusResponse,
  ITxnRequest,
  ITxnResponse,
  IWatchRequest,
  IWatchResponse,
} from 'etcd3'

/** What etcd can be asked; 64-bit numbers of its answers come as text. */
export interface Methods {
  readonly authenticate: MethodDefinition<IAuthenticateRequest, IAuthenticateResponse>
  readonly compact: MethodDefinition<ICompactionRequest, ICompactionResponse>
  readonly grant: MethodDefinition<ILeaseGrantRequest, ILeaseGrantResponse>
  readonly keepAlive: MethodDefinition<ILeaseKeepAliveRequest, ILeaseKeepAliveResponse>
  readonly range: MethodDefinition<IRangeRequest, IRangeResponse>
  readonly revoke: MethodDefinition<ILeaseRevokeRequest, ILeaseRevokeResponse>
  readonly status: MethodDefinition<object, IStatusResponse>
  readonly timeToLive: MethodDefinition<ILeaseTimeToLiveRequest, ILeaseTimeToLiveResponse>
  readonly txn: MethodDefinition<ITxnRequest, ITxnResponse>
  readonly watch: MethodDefinition<IWatchRequest, IWatchResponse>
}

/** Reads the definitions; takes some 20 ms, so it is done when a store is opened. */
export function loadMethods(): Methods {
  const file = createRequire(import.meta.url).resolve('etcd3/proto/rpc.proto')
  const found = loadSync(file, { keepCase: true, longs: String, enums: String, defaults: true, oneofs: true })
  const service = (name: string): Record<string, unknown> =>
    found[`etcdserverpb.${name}`] as unknown as Record<string, unknown>
  const [kv, lease] = [service('KV'), service('Lease')]
  return {
    authenticate: service('Auth')['Authenticate'],
    compact: kv['Compact'],
    grant: lease['LeaseGrant'],
    keepAlive: lease['LeaseKeepAlive'],
    range: kv['Range'],
    revoke: lease['LeaseRevoke'],
    status: service('Maintenance')['Status'],
    timeToLive: lease['LeaseTimeToLive'],
    txn: kv['Txn'],
    watch: service('Watch')['Watch'],
  } as Methods
}
