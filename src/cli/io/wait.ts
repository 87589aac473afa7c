// Waits until changes have taken effect, showing how they come along.
import { setTimeout as sleep } from 'node:timers/promises'
import type { TaskProgress } from '../../api/contract.js'
import type { Diagnostic } from '../../model/diagnostic.js'
import { isPassing } from '../client-error.js'
import { CommandError, exitCodes } from '../command-error.js'
import { describeDuration } from '../duration.js'
import { plainPaint } from '../paint.js'
import { describeChanges, describeFailedTask, describeMissing, isOver, renderProgress } from '../progress.js'
import type { Client } from './client.js'
import type { Shell } from './shell.js'

/** How long a lost connection is tried again before giving up, and the waits between tries. */
const reconnectForMs = 30_000
const firstRetryMs = 200
const longestRetryMs = 2_000

type Looks = Map<string, TaskProgress>

/**
 * Follows tasks until all are over and resolves to the last look at each, in the order given.
 * Throws CommandError when one failed or the daemon stays away (exit 1), when time is up (exit 3) and on Ctrl-C
 * (exit 130). In all of these cases but the first the changes go on.
 */
export async function followTasks(
  shell: Shell,
  uuids: readonly string[],
  options: { readonly timeoutMs: number },
): Promise<readonly TaskProgress[]> {
  const looks: Looks = new Map()
  const show = openDisplay(shell)
  const deadline = AbortSignal.timeout(Math.min(options.timeoutMs, 2 ** 31 - 1))
  const stop = new AbortController()
  const signal = AbortSignal.any([shell.signal, deadline, stop.signal])
  const follow = (uuid: string) =>
    followTask(shell.client, uuid, signal, (look) => {
      const before = looks.get(uuid) ?? null
      looks.set(uuid, look)
      show(before, look, looks)
    })
  try {
    await Promise.all(uuids.map(follow))
  } catch (error) {
    if (shell.signal.aborted) throw interrupted()
    throwIfFailed([...looks.values()])
    throw deadline.aborted ? notConverged(uuids, looks, options.timeoutMs) : error
  } finally {
    stop.abort()
  }
  const seen = uuids.flatMap((uuid) => looks.get(uuid) ?? [])
  throwIfFailed(seen)
  return seen
}

/** Looks at one task until it is over; takes up a lost connection again for a while. */
async function followTask(
  client: Client,
  uuid: string,
  signal: AbortSignal,
  onLook: (look: TaskProgress) => void,
): Promise<void> {
  let lostAt: number | null = null
  let retryMs = firstRetryMs
  for (;;) {
    try {
      for await (const look of client.taskProgress(uuid, signal)) {
        lostAt = null
        retryMs = firstRetryMs
        onLook(look)
        if (isOver(look.task)) return
      }
    } catch (error) {
      if (signal.aborted || !isPassing(error)) throw error
    }
    lostAt ??= Date.now()
    if (Date.now() - lostAt > reconnectForMs) throw connectionLost()
    await sleep(retryMs, undefined, { signal })
    retryMs = Math.min(retryMs * 2, longestRetryMs)
  }
}

type Show = (before: TaskProgress | null, look: TaskProgress, all: Looks) => void

/** A block that is redrawn on a terminal, a line per change elsewhere, nothing with --quiet or beside JSON in a pipe. */
function openDisplay({ globals, terminal }: Shell): Show {
  const block = globals.quiet ? null : terminal.liveBlock(globals.json ? 'stderr' : 'stdout')
  if (block !== null) {
    const paint = globals.json ? plainPaint : terminal.paint
    return (_before, _look, all) => block.draw(renderProgress([...all.values()], block.size(), paint))
  }
  if (globals.quiet || globals.json) return () => {}
  return (before, look) =>
    terminal.out(
      describeChanges(before, look)
        .map((line) => `${line}\n`)
        .join(''),
    )
}

function throwIfFailed(looks: readonly TaskProgress[]): void {
  const failed = looks.filter(({ task }) => task.state === 'failed' || task.state === 'terminated')
  if (failed.length === 0) return
  const code = failed.some(({ task }) => task.state === 'failed') ? 'cli/task-failed' : 'cli/task-terminated'
  throw new CommandError(exitCodes.failed, code, failed.flatMap(describeFailedTask).join('\n'))
}

function notConverged(uuids: readonly string[], looks: Looks, timeoutMs: number): CommandError {
  const unfinished = uuids.filter((uuid) => {
    const look = looks.get(uuid)
    return look === undefined || !isOver(look.task)
  })
  const missing = unfinished.flatMap((uuid) => {
    const look = looks.get(uuid)
    return look === undefined ? [`nothing was heard of task ${uuid}`] : describeMissing(look)
  })
  const details = missing.map(
    (message): Diagnostic => ({ code: 'cli/not-converged', severity: 'error', message }),
  )
  const message = `not done after ${describeDuration(timeoutMs)}; the change stays in effect and goes on`
  return new CommandError(exitCodes.notConverged, 'cli/not-converged', message, { details })
}

function interrupted(): CommandError {
  return new CommandError(exitCodes.interrupted, 'cli/interrupted', 'stopped waiting; the change goes on')
}

function connectionLost(): CommandError {
  const hint = 'the change goes on as soon as the daemon runs: see mariposa service list'
  return new CommandError(
    exitCodes.failed,
    'client/disconnected',
    'the connection to the daemon was lost while waiting',
    { hint },
  )
}
