// The last log lines of instances and units that failed, which are shown with the failure.
import type { LogRecord } from '../../contract/contract.js'
import { abortAfter } from '../../lib/io/clock.js'
import { describeError } from '../../lib/io/log.js'
import type { Instance } from '../../model/service.js'
import type { Task } from '../../model/task.js'
import { toUnitName } from '../../unit/name.js'
import type { ApiContext } from './context.js'
import { type LoggedUnit, loggedUnits, pastLogs } from './instance-logs.js'

/** Of how many instances or units that failed lines are shown, and how many lines of all of a task, or of one unit. */
const shown = { instances: 3, lines: 10 } as const

/** The last lines of the instances that made a task fail; of the newest ones where they are many. */
export function logsOfFailedTask(
  context: ApiContext,
  task: Task,
  instances: readonly Instance[],
): Promise<readonly LogRecord[]> {
  const units = failedOf(task, instances)
    .slice(-shown.instances)
    .flatMap((one) => loggedUnits(context.registry.view, one.unit, one.name))
  return lastLogs(context, units)
}

/** The last lines of the first few of these units, by their names. */
export async function logsOfFailedUnits(
  context: ApiContext,
  failed: readonly string[],
): Promise<ReadonlyMap<string, readonly LogRecord[]>> {
  const logs = new Map<string, readonly LogRecord[]>()
  for (const name of failed.slice(0, shown.instances)) {
    const unit = toUnitName(name)
    if (unit === null) continue
    logs.set(name, await lastLogs(context, loggedUnits(context.registry.view, unit, name)))
  }
  return logs
}

/**
 * Whose last lines tell why a task failed: the one that its error names, and where that names none, those that were
 * made since it began.
 */
export function failedOf(task: Task, instances: readonly Instance[]): readonly Instance[] {
  const error = task.error ?? ''
  const named = instances.filter(
    ({ name }) => error.startsWith(name) && /^[ :]/.test(error.slice(name.length)),
  )
  if (named.length > 0) return named
  const { replacing, createdAt } = task
  // The clock may have been set back since it began.
  return instances.filter((one) => (replacing ? one.n > replacing.after : one.createdAt >= createdAt))
}

/** The last lines of some units; what of them cannot be read in a moment is left out. */
async function lastLogs(context: ApiContext, units: readonly LoggedUnit[]): Promise<readonly LogRecord[]> {
  const records: LogRecord[] = []
  try {
    const query = { follow: false, since: null, tail: shown.lines }
    for await (const some of pastLogs(context, units, query, abortAfter(context.clock, readWithinMs)))
      records.push(...some)
  } catch (error) {
    context.log.warn('api', `cannot read the last logs: ${describeError(error)}`)
  }
  return records
}

const readWithinMs = 3000
