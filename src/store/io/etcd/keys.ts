// Keys as etcd has them: bytes under a prefix of our own.
import type { Entry } from '../../store.js'
import type { KeyValue } from './protocol.js'

/** Keys of one store in etcd. Ranges are `[key, end)`. */
export interface EtcdKeys {
  encode(key: string): Buffer
  decode(key: Buffer): string
  /** All keys that begin with `prefix`. */
  range(prefix: string): KeyRange
  entry(kv: KeyValue): Entry
}

export interface KeyRange {
  readonly key: Buffer
  readonly range_end: Buffer
}

/** `prefix` is the store's own, which ends in a slash. */
export function etcdKeys(prefix: string): EtcdKeys {
  const bytes = Buffer.from(prefix)
  const decode = (key: Buffer): string => key.toString('utf8', bytes.length)
  return {
    encode: (key) => Buffer.from(prefix + key),
    decode,
    range: (under) => {
      const key = Buffer.from(prefix + under)
      return { key, range_end: endOf(key) }
    },
    entry: ({ key, value, create_revision, mod_revision, lease }) => ({
      key: decode(key),
      value: value.toString('utf8'),
      createRevision: create_revision.toNumber(),
      modRevision: mod_revision.toNumber(),
      lease: lease.isZero() ? null : lease.toString(),
    }),
  }
}

/** The first key after `key`. */
export function successor(key: Buffer): Buffer {
  return Buffer.concat([key, Buffer.of(0)])
}

/** The end of the range of keys that begin with `start`. UTF-8 has no byte 0xff, so that the last one can be raised. */
function endOf(start: Buffer): Buffer {
  const end = Buffer.from(start)
  end[end.length - 1] = (end[end.length - 1] ?? 0) + 1
  return end
}
