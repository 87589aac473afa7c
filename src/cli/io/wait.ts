// Waits until changes have taken effect, showing how they come along.
import { setMaxListeners } from 'node:events'
import type { TaskProgress } from '../../contract/contract.js'
import { CommandError, exitCodes } from '../command-error.js'
import { describeChanges, describeFailedTask, describeMissing, isOver, renderProgress } from '../progress.js'
import { openDisplay } from './display.js'
import { interrupted, keepFollowing, notConverged } from './keep-following.js'
import { type Shell, tellHeld } from './shell.js'

type Looks = Map<string, TaskProgress>

/**
 * Follows tasks until all are over and resolves to the last look at each, in the order given.
 * Throws CommandError when one failed or the daemon stays away (exit 1), when time is up (exit 3) and on Ctrl-C
 * (exit 130). In all of these cases but the first the changes go on.
 */
export async function followTasks(shell: Shell, uuids: readonly string[]): Promise<readonly TaskProgress[]> {
  const looks: Looks = new Map()
  const show = openDisplay(shell)
  const tell = tellHeld(shell)
  const stop = new AbortController()
  const signal = AbortSignal.any([shell.signal, stop.signal])
  // Whatever follows a task listens to it.
  setMaxListeners(0, signal)
  const follow = (uuid: string) =>
    keepFollowing(
      () => shell.client.taskProgress(uuid, signal),
      signal,
      (look) => {
        const before = looks.get(uuid) ?? null
        looks.set(uuid, look)
        tell(uuid, look)
        show(
          (size, paint) => renderProgress([...looks.values()], size, paint),
          () => describeChanges(before, look),
        )
        return isOver(look.task)
      },
    )
  try {
    await Promise.all(uuids.map(follow))
  } catch (error) {
    if (shell.interruption.aborted) throw interrupted()
    throwIfFailed([...looks.values()])
    throw shell.deadline.signal.aborted ? notConverged(missingOf(uuids, looks), shell.deadline) : error
  } finally {
    stop.abort()
  }
  const seen = uuids.flatMap((uuid) => looks.get(uuid) ?? [])
  throwIfFailed(seen)
  const unseen = seen.flatMap((look) => look.unseen ?? [])
  if (unseen.length > 0 && !shell.globals.quiet)
    shell.terminal.note(
      `not seen to stop, as a machine is down, which stops them when it is back: ${unseen.join(', ')}\n`,
    )
  return seen
}

function throwIfFailed(looks: readonly TaskProgress[]): void {
  const failed = looks.filter(({ task }) => task.state === 'failed' || task.state === 'terminated')
  if (failed.length === 0) return
  const code = failed.some(({ task }) => task.state === 'failed') ? 'cli/task-failed' : 'cli/task-terminated'
  throw new CommandError(exitCodes.failed, code, failed.flatMap(describeFailedTask).join('\n'))
}

/** What the tasks that are not over still wait for. */
function missingOf(uuids: readonly string[], looks: Looks): readonly string[] {
  const unfinished = uuids.filter((uuid) => {
    const look = looks.get(uuid)
    return look === undefined || !isOver(look.task)
  })
  return unfinished.flatMap((uuid) => {
    const look = looks.get(uuid)
    return look === undefined ? [`nothing was heard of task ${uuid}`] : describeMissing(look)
  })
}
