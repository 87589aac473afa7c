// Programs beside a unit that are the daemon's, not the unit's: they would stay when it ends, and hold what it had.

import type { Driver } from '../../agent/driver.js'
import type { UnitName } from '../../model/unit.js'

interface Watched extends Pick<Driver, 'observe' | 'watch'> {
  readonly name: UnitName
}

/**
 * Runs something beside a unit; the signal that it is given tells that the unit has ended. What is begun beside a unit that
 * does not run has no such end.
 */
export async function whileUp<T>(
  { name, observe, watch }: Watched,
  signal: AbortSignal,
  run: (ended: AbortSignal) => Promise<T>,
): Promise<T> {
  const [over, ended] = [new AbortController(), new AbortController()]
  const isUp = async (until: AbortSignal): Promise<boolean> => {
    const seen = await observe(name, until)
    return seen !== null && seen.active !== 'inactive' && seen.active !== 'failed'
  }
  const look = (): void => {
    isUp(over.signal).then(
      (up) => {
        if (!up) ended.abort()
      },
      // A driver that does not answer says nothing of its units.
      () => {},
    )
  }
  if (await isUp(signal)) {
    watch((changed) => {
      if (changed === null || changed === name) look()
    }, over.signal)
    look()
  }
  try {
    return await run(ended.signal)
  } finally {
    over.abort()
  }
}
