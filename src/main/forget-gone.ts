// What is remembered of units and their texts goes when they do, so that a long life costs no memory.
import { decode, kindOfKey } from '../store/records.js'
import type { Change } from '../store/store.js'
import type { UnitReader } from '../unit/reader.js'

/** Tells a reader which units and texts are gone. */
export function forgetGone(reader: UnitReader, changes: readonly Change[]): void {
  for (const { key, type, previous } of changes) {
    if (type !== 'delete' || previous === null) continue
    const kind = kindOfKey(key)
    if (kind === 'unit') reader.forgetUnit(decode(kind, previous))
    else if (kind === 'file') reader.forgetText(decode(kind, previous).hash)
  }
}
