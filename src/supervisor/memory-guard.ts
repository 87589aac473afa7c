// Which units use more memory than they may. A single look can meet a peak, so two in a row must be above.
import type { UnitName } from '../model/unit.js'

interface MemorySample {
  readonly unit: UnitName
  readonly usedBytes: number
  readonly limitBytes: number
}

interface MemoryVerdict {
  /** To be killed now. */
  readonly over: readonly UnitName[]
  /** Above their limit for the first time: the second look decides. */
  readonly suspects: ReadonlySet<UnitName>
}

/** Judges one look, given those that were above their limit in the look before. */
export function judgeMemory(
  samples: readonly MemorySample[],
  suspects: ReadonlySet<UnitName>,
): MemoryVerdict {
  const above = samples.filter(({ usedBytes, limitBytes }) => usedBytes > limitBytes).map(({ unit }) => unit)
  return {
    over: above.filter((unit) => suspects.has(unit)),
    suspects: new Set(above.filter((unit) => !suspects.has(unit))),
  }
}
