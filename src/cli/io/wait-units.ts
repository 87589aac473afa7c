// Waits until units are as a command wants them, showing how they come along.
import type { UnitProgress } from '../../contract/contract.js'
import type { DesiredState } from '../../model/unit.js'
import { CommandError, exitCodes } from '../command-error.js'
import {
  describeFailedUnit,
  describeUnitChanges,
  describeUnitProgress,
  renderUnits,
} from '../unit-progress.js'
import { openDisplay } from './display.js'
import { interrupted, keepFollowing, notConverged } from './keep-following.js'
import { type Shell, tellHeld } from './shell.js'

/**
 * Follows units until each is as wanted, and resolves to the last look at them. Throws CommandError when one failed or
 * somebody else wants something else of it (exit 1), when time is up (exit 3) and on Ctrl-C (exit 130).
 */
export async function followUnits(
  shell: Shell,
  names: readonly string[],
  wanted: DesiredState | null,
): Promise<UnitProgress> {
  const show = openDisplay(shell)
  const tell = tellHeld(shell)
  const { deadline, interruption, signal } = shell
  let last: UnitProgress = { units: [] }
  try {
    await keepFollowing(
      () => shell.client.unitProgress(names, wanted, signal),
      signal,
      (look) => {
        const before = last
        last = look
        tell('units', look)
        show(
          (size, paint) => renderUnits(look, size, paint),
          () => describeUnitChanges(before, look),
        )
        return look.units.every(({ outcome }) => outcome !== 'going')
      },
    )
  } catch (error) {
    if (interruption.aborted) throw interrupted()
    throwIfFailed(last)
    throw deadline.signal.aborted ? notConverged(missingOf(names, last), deadline) : error
  }
  throwIfFailed(last)
  return last
}

function throwIfFailed({ units }: UnitProgress): void {
  const failed = units.filter(({ outcome }) => outcome === 'failed' || outcome === 'overtaken')
  if (failed.length === 0) return
  const code = failed.some(({ outcome }) => outcome === 'failed') ? 'cli/unit-failed' : 'cli/unit-overtaken'
  throw new CommandError(exitCodes.failed, code, failed.flatMap(describeFailedUnit).join('\n'))
}

function missingOf(names: readonly string[], { units }: UnitProgress): readonly string[] {
  if (units.length === 0) return names.map((name) => `nothing was heard of ${name}`)
  return units.filter(({ outcome }) => outcome === 'going').map(describeUnitProgress)
}
