// The store on etcd 3.4 and later (docs/decisions/0008-etcd-client.md).
import { type ChannelCredentials, credentials } from '@grpc/grpc-js'
import { systemClock } from '../../../lib/io/clock.js'
import { type Store, StoreError } from '../../store.js'
import { Committer } from './committer.js'
import { diagnoseMember } from './diagnose.js'
import { keepAlive } from './keep-alive.js'
import { etcdKeys } from './keys.js'
import { listKeys } from './list.js'
import { EtcdFailure, type EtcdLogin, Members } from './members.js'
import { loadMethods } from './protocol.js'
import type { EtcdTls } from './tls.js'
import { watchKeys } from './watch.js'

/** What a client of etcd is opened with. */
export interface EtcdStoreOptions {
  /** `host:port`, one or more members of the same etcd. */
  readonly endpoints: readonly string[]
  /** What all keys begin with; ends in a slash. */
  readonly prefix: string
  /** Null: without TLS. `certificate` and `key` where etcd asks its clients for one. All are PEM. */
  readonly tls: EtcdTls | null
  readonly login: EtcdLogin | null
  /**
   * Certificates and passwords as they are now, where they can change while the store is open: asked before each new
   * connection and each login. It gives the same objects as long as nothing has changed.
   */
  readonly secretsNow?: () => EtcdSecrets
  /** How long one answer is waited for. */
  readonly requestTimeoutMs: number
  /** Called once when etcd gets out of reach, and once when it is back. */
  readonly onAway?: (reason: string) => void
  readonly onBack?: (awayMs: number) => void
  /** Called every few seconds while a long list is read. */
  readonly onProgress?: (read: { readonly records: number; readonly bytes: number }) => void
}

/** User and password for etcd. */
export type EtcdSecrets = Pick<EtcdStoreOptions, 'tls' | 'login'>

/** Opens a store on etcd. Connects by itself, whenever etcd can be reached; `reachEtcd` waits for that. */
export function openEtcdStore(options: EtcdStoreOptions): Store {
  const members = membersOf(options)
  const keys = etcdKeys(options.prefix)
  const { methods } = members
  const committer = new Committer(members, keys)
  return {
    get: async (key) => {
      const { kvs } = await members.ask(methods.range, { key: keys.encode(key) }, 'read')
      const [kv] = kvs
      return kv === undefined ? null : keys.entry(kv)
    },
    range: (prefix, onPart) => listKeys(members, keys, prefix, onPart),
    txn: (compare, ops) => committer.commit({ compare, ops }),
    watch: (prefix, after, signal) => watchKeys(members, keys, prefix, after, signal),
    grant: async (ttlMs) => {
      const { ID } = await members.call(methods.grant, { TTL: Math.ceil(ttlMs / 1000) }, 'write')
      return ID.toString()
    },
    keepAlive: (lease) => keepAlive(members, lease),
    remainingMs: async (lease) => {
      const { TTL } = await members.call(methods.timeToLive, { ID: lease }, 'read')
      return TTL.toNumber() < 0 ? null : TTL.toNumber() * 1000
    },
    revoke: async (lease) => {
      // Ending a lease twice is no error, so it may be asked again.
      await members.call(methods.revoke, { ID: lease }, 'read').catch((error: unknown) => {
        if (!endedBefore(error)) throw error
      })
    },
    close: async () => members.close(),
  }
}

/** Asks etcd once, for its version; throws why it cannot be used. */
export async function probeEtcd(
  options: EtcdStoreOptions,
  signal: AbortSignal = new AbortController().signal,
): Promise<string> {
  const members = membersOf(options)
  const close = (): void => members.close()
  signal.addEventListener('abort', close)
  try {
    const [{ version }] = await Promise.all([
      members.call(members.methods.status, {}, 'read'),
      members.call(members.methods.range, { ...etcdKeys(options.prefix).range(''), limit: 1 }, 'read'),
    ])
    const [major = 0, minor = 0] = version.split('.').map(Number)
    if (major < 3 || (major === 3 && minor < 4)) {
      throw new StoreError('store/version', `etcd ${version} is too old`, 'etcd 3.4 or later is needed')
    }
    return version
  } finally {
    signal.removeEventListener('abort', close)
    members.close()
  }
}

/** Makes etcd forget the changes before a revision, for every store in it. */
export async function compactEtcd(options: EtcdStoreOptions, revision: number): Promise<void> {
  const members = membersOf(options)
  try {
    await members.call(members.methods.compact, { revision, physical: true }, 'write')
  } finally {
    members.close()
  }
}

function membersOf({
  endpoints,
  requestTimeoutMs,
  onAway,
  onBack,
  onProgress,
  secretsNow,
  ...given
}: EtcdStoreOptions): Members {
  const secrets = secretsNow ?? (() => given)
  return new Members(loadMethods(), {
    endpoints,
    credentials: credentialsFrom(() => secrets().tls),
    diagnose: (address) => diagnoseMember(address, secrets().tls, systemClock.now()),
    login: () => secrets().login,
    requestTimeoutMs,
    ...(onAway && { onAway }),
    ...(onBack && { onBack }),
    ...(onProgress && { onProgress }),
  })
}

/** What connections are made with; the same as before until its text has changed. */
function credentialsFrom(tlsNow: () => EtcdTls | null): () => ChannelCredentials {
  let made: { readonly from: EtcdTls | null; readonly credentials: ChannelCredentials } | null = null
  return () => {
    const tls = tlsNow()
    if (made === null || made.from !== tls) {
      const secure = tls && credentials.createSsl(tls.authority, tls.key, tls.certificate)
      made = { from: tls, credentials: secure ?? credentials.createInsecure() }
    }
    return made.credentials
  }
}

function endedBefore(error: unknown): boolean {
  return error instanceof EtcdFailure && error.kind === 'lease-ended'
}
