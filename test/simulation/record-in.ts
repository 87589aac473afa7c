// What an entry of the store holds, for those who look at changes one by one.
import type { RecordKind, RecordTypes } from '../../src/store/record-types.js'
import { kindOfKey, read } from '../../src/store/records.js'
import type { Entry } from '../../src/store/store.js'

/** The record of an entry; null where there is none of that kind, or none that can be read. */
export function recordIn<K extends RecordKind>(kind: K, entry: Entry | null): RecordTypes[K] | null {
  if (entry === null || kindOfKey(entry.key) !== kind) return null
  const found = read(kind, entry)
  return 'record' in found ? found.record : null
}
