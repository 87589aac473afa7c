// The daemon: joins store, engine, services, agent and API, and takes them down again in order.

import { StopsAsked } from '../agent/stops-asked.js'
import { ListenError } from '../api/io/listen.js'
import { CommandError, exitCodes } from '../cli/command-error.js'
import { outliveReader } from '../cli/io/output.js'
import { InvariantError } from '../lib/invariant.js'
import { systemClock } from '../lib/io/clock.js'
import { isDiskFull } from '../lib/io/disk-full.js'
import { onHangup } from '../lib/io/hangup.js'
import { describeError, type Log } from '../lib/io/log.js'
import { watchLoopDelay } from '../lib/io/loop-delay.js'
import type { KnownSecrets } from '../lib/redact.js'
import { DriverError } from '../model/driver-error.js'
import { StoreError } from '../store/store.js'
import { startAgentParts } from './daemon/agent-parts.js'
import { type Ending, openBase, stoppedOnPurpose } from './daemon/base.js'
import { openCluster } from './daemon/cluster.js'
import { joinOrWait } from './daemon/joining.js'
import { openMachineParts } from './daemon/machine-parts.js'
import { startPlanningParts } from './daemon/planning-parts.js'
import { type Shown, startServing } from './daemon/serving.js'
import { openDaemonLog } from './daemon-log.js'
import { DriverMissingError } from './drivers.js'
import { DuplicateMachineError } from './machine-presence.js'
import type { OnStop } from './on-stop.js'
import type { DaemonOptions } from './options.js'
import { type CurrentOptions, openReload } from './reload.js'
import { stateOf } from './state-line.js'
import { openTeardown, type Teardown } from './teardown.js'
import { guardProcess } from './uncaught-errors.js'
import { version } from './version.js'

const describeOnStop: Readonly<Record<OnStop, string>> = {
  keep: 'what runs goes on running',
  drain: 'what runs is replaced elsewhere first; another signal ends it at once',
  purge: 'what runs is stopped first; another signal ends it at once',
}

/**
 * Runs the daemon until it is told to stop; resolves to its exit status. What runs on the machine goes on running.
 * Throws CommandError when it cannot start. On SIGHUP it takes what `read` says then; SIGUSR1 logs its state.
 */
export async function runDaemon(first: DaemonOptions, read: () => DaemonOptions): Promise<number> {
  outliveReader()
  const daemonLog = openDaemonLog(first, (line) => process.stderr.write(line))
  const { log, hidden } = daemonLog
  /** What ends the daemon in order, once there is something to end. */
  let inOrder: Ending['fail'] | null = null
  guardProcess({
    log,
    end: (error) => {
      // What nobody foresaw may have left anything undone; an invariant was looked at before anything was done.
      if (!(error instanceof InvariantError) || inOrder === null) process.exit(exitCodes.failed)
      setTimeout(() => process.exit(exitCodes.failed), longestEndMs).unref()
      inOrder(error)
    },
  })
  watchLoopDelay(log)
  const stop = new AbortController()
  const stopOn = (signal: NodeJS.Signals): void => {
    process.once(signal, () => {
      log.info('daemon', `stopping on ${signal}; ${describeOnStop[first.onStop]}`)
      stop.abort(stoppedOnPurpose)
    })
  }
  stopOn('SIGTERM')
  stopOn('SIGINT')
  const options = openReload(first, read, log)
  options.onChange(() => daemonLog.follow(options.now()))
  onHangup(() => options.reload())
  const shown: Shown = { running: null }
  const stopsAsked = new StopsAsked()
  process.on('SIGUSR1', () => process.stderr.write(`${JSON.stringify(stateNow(shown))}\n`))
  try {
    while (!stop.signal.aborted) {
      await serveOneStore({ options, shown, stopsAsked, hidden }, log, stop.signal, (fail) => {
        inOrder = fail
      })
    }
    return exitCodes.done
  } catch (error) {
    throw startError(error)
  } finally {
    endThoughBusy()
  }
}

function stateNow({ running }: Shown): object {
  const { pid, uptime, memoryUsage } = process
  const own = { version, pid, upMs: uptime() * 1000, rssBytes: memoryUsage.rss() }
  return { state: stateOf(own, running, systemClock.now()) }
}

/** What a daemon is told to be, and where it says what it is. */
interface Told {
  readonly options: CurrentOptions
  readonly shown: Shown
  readonly stopsAsked: StopsAsked
  readonly hidden: KnownSecrets
}

/** How long an end in order may take. */
const longestEndMs = 5000

/** A connection that is still being made, or a start that was left, is no reason to stay. */
function endThoughBusy(): void {
  setTimeout(() => process.exit(), 500).unref()
}

/**
 * Serves until told to stop, or until etcd was put back to what it was before. Then everything that is known is of no
 * use, and is read anew. A socket that was handed over can be listened on once only: there the process has to end.
 */
async function serveOneStore(
  told: Told,
  log: Log,
  stop: AbortSignal,
  onServe: (fail: Ending['fail']) => void,
): Promise<void> {
  try {
    await serve(told, log, stop, onServe)
  } catch (error) {
    const isReplaced = error instanceof StoreError && error.code === 'store/replaced'
    if (!isReplaced || told.options.now().listen.some(({ kind }) => kind === 'inherited')) throw error
    log.warn('daemon', `reloading everything from the store; units keep running: ${describeError(error)}`)
  }
}

async function serve(
  told: Told,
  log: Log,
  stop: AbortSignal,
  onServe: (fail: Ending['fail']) => void,
): Promise<void> {
  const failure = new AbortController()
  const fail = (error: unknown): void => failure.abort(error)
  onServe(fail)
  const end = AbortSignal.any([stop, failure.signal])
  const undo = openTeardown(log)
  let leave = async (): Promise<void> => {}
  const beforeEnd = (step: () => Promise<void>): void => {
    leave = step
  }
  const started = start(told, log, undo, { end, fail, beforeEnd })
  try {
    // To end does not wait for a start that waits for something else.
    await Promise.race([started, aborted(end)])
    await aborted(end)
    if (failure.signal.aborted) throw failure.signal.reason
    await leave()
  } finally {
    started.catch(() => {})
    told.shown.running = null
    await undo.run()
  }
}

/** Builds the daemon part by part: each needs those before it, and says how it is stopped (src/main/teardown.ts). */
async function start(
  { options: current, shown, stopsAsked, hidden }: Told,
  log: Log,
  undo: Teardown,
  ending: Ending,
): Promise<void> {
  const base = await openBase(current, { log, hidden }, undo, ending)
  const cluster = await openCluster(base)
  if (cluster === null) return
  const machine = await openMachineParts(base, cluster)
  const agents = await startAgentParts(base, cluster, machine, stopsAsked)
  const planning = await startPlanningParts(base, cluster, machine)
  const parts = { base, cluster, machine, agents, planning }
  const joinLater = await joinOrWait(parts)
  await startServing(parts, shown)
  await joinLater()
}

function aborted(signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    if (signal.aborted) resolve()
    else signal.addEventListener('abort', () => resolve(), { once: true })
  })
}

/** What kept the daemon from starting, as an operator can read it. */
function startError(error: unknown): unknown {
  if (error instanceof StoreError || error instanceof ListenError || error instanceof DuplicateMachineError) {
    return new CommandError(exitCodes.failed, error.code, error.message, { hint: error.hint })
  }
  if (error instanceof DriverError)
    return new CommandError(exitCodes.failed, error.code, describeError(error))
  if (isDiskFull(error)) {
    return new CommandError(exitCodes.failed, 'daemon/disk-full', `no space left: ${describeError(error)}`, {
      hint: 'free some space, or give a data directory elsewhere: --data-dir DIR; running programs continue',
    })
  }
  if (error instanceof DriverMissingError) {
    return new CommandError(exitCodes.failed, 'daemon/no-driver', error.message, {
      hint: 'leave --driver out to use what the host offers',
    })
  }
  return error
}
