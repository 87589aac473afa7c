// What a program wrote last, read once it has ended.
import { abortAfter } from '../../lib/io/clock.js'
import { describeError, type Log } from '../../lib/io/log.js'
import type { Time } from '../../lib/time.js'
import type { OutputLine, UnitName } from '../../model/unit.js'
import type { Driver } from '../driver.js'
import { lastOutput, outputKept } from '../output.js'

/** A driver that does not answer in time does not hold up what is told of the end. */
const readWithinMs = 3000

/** The last lines of a unit; none where they cannot be read. */
export async function readOutput(
  driver: Driver,
  name: UnitName,
  { clock, log }: { readonly clock: Pick<Time, 'after'>; readonly log: Log },
): Promise<readonly OutputLine[]> {
  const lines: OutputLine[] = []
  const query = { follow: false, since: null, tail: outputKept.lines }
  try {
    for await (const some of driver.logs(name, query, abortAfter(clock, readWithinMs))) lines.push(...some)
  } catch (error) {
    log.warn('agent', `${name}: its last lines are not kept: ${describeError(error)}`)
  }
  return lastOutput(lines)
}
