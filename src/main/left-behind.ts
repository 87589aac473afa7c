// A machine that joins another store leaves nothing behind unnoticed: what its embedded store runs would go on unmanaged.
import { readdir } from 'node:fs/promises'
import { steadyClock } from '../lib/io/clock.js'
import { openEmbeddedStore } from '../store/io/embedded.js'
import { parseFileName } from '../store/io/files.js'
import { movedKey } from '../store/migration.js'
import { prefixes } from '../store/records.js'
import { StoreError } from '../store/store.js'

/** Kinds of records that somebody has made, and that say what is to run, or with what. */
const madeKinds = ['service', 'unit', 'meta'] as const

/** Why a machine may not join another store: its directory holds an embedded store with records that were moved nowhere. */
export async function recordsLeft(dir: string, to: string): Promise<StoreError | null> {
  const names = await readdir(dir).catch((): string[] => [])
  // Opening would make a store where there is none.
  if (!names.some((name) => parseFileName(name) !== null)) return null
  const store = await openEmbeddedStore({ dir, clock: steadyClock })
  try {
    if ((await store.get(movedKey)) !== null) return null
    const made = await Promise.all(madeKinds.map((kind) => store.range(prefixes[kind])))
    const count = made.reduce((sum, { entries }) => sum + entries.length, 0)
    return count > 0 ? leftBehind(dir, count, to) : null
  } finally {
    await store.close()
  }
}

function leftBehind(dir: string, count: number, to: string): StoreError {
  return new StoreError(
    'store/left-behind',
    `the embedded store in ${dir} holds ${count} records of services, units and meta, which ${to} does not have`,
    `move them: mariposa store migrate --to ${to}; or abandon them, with their programs left unmanaged: --discard`,
  )
}
