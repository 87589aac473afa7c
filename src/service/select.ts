// The selection policy of contract §3: which instances go first.
import { byKeys } from '../lib/sort.js'
import type { Instance } from '../model/service.js'

/** Oldest service version first, the current version last; within a version the oldest instance first. */
export function selectionOrder(currentVersion: string): (a: Instance, b: Instance) => number {
  return byKeys(
    (instance) => (instance.version === currentVersion ? 1 : 0),
    (instance) => instance.ordinal,
    (instance) => instance.n,
  )
}
