import { clusterKey } from '../records.js'
import type { Store } from '../store.js'

/** The cluster's id; a store that has none gets the one that was made for it. */
export async function clusterIdOf(store: Store, made: string): Promise<string> {
  const known = await store.get(clusterKey)
  if (known !== null) return known.value
  await store.txn([{ key: clusterKey, modRevision: 0 }], [{ op: 'put', key: clusterKey, value: made }])
  return (await store.get(clusterKey))?.value ?? made
}
