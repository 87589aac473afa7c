// Whether the store has space for what is written.
import { type Store, StoreError } from '../store/store.js'

/** The store, and whether its last write was refused for want of space. */
export function watchSpace(store: Store): { readonly store: Store; readonly isFull: () => boolean } {
  let isFull = false
  const txn: Store['txn'] = async (compare, ops) => {
    try {
      const result = await store.txn(compare, ops)
      if (result.committed && ops.length > 0) isFull = false
      return result
    } catch (error) {
      if (error instanceof StoreError && error.code === 'store/full') isFull = true
      throw error
    }
  }
  return { store: { ...store, txn }, isFull: () => isFull }
}
