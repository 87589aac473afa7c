// What is remembered of units and their texts goes when they do, so that a long life costs no memory.
import { kindOfKey, read } from '../store/records.js'
import type { Change } from '../store/store.js'
import type { UnitReader } from '../unit/reader.js'

/** Tells a reader which units and texts are gone. */
export function forgetGone(reader: UnitReader, changes: readonly Change[]): void {
  for (const { key, type, previous } of changes) {
    if (type !== 'delete' || previous === null) continue
    const kind = kindOfKey(key)
    if (kind === 'unit') {
      const found = read(kind, previous)
      if ('record' in found) reader.forgetUnit(found.record)
    } else if (kind === 'file') {
      const found = read(kind, previous)
      if ('record' in found) reader.forgetText(found.record.hash)
    }
  }
}
