// The supervisor: the process that is the parent of every process unit of a data directory. It
// outlives the daemon, so it knows how programs ended and restarts them while the daemon is away. It imports little,
// for it should be small; see docs/decisions/0003-process-supervisor.md.
import { chmodSync, rmSync } from 'node:fs'
import { createConnection } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { systemClock } from '../../lib/io/clock.js'
import { describeError, type Log, lineLog } from '../../lib/io/log.js'
import type { DirectoryLock } from '../../store/disk.js'
import { lockDirectory } from '../../store/io/lock.js'
import { StoreError } from '../../store/store.js'
import { supervisorVariable } from '../marker.js'
import { type Home, openHome } from './home.js'
import { defaultLogLimits } from './log-keeper.js'
import { lookAtProcesses, readEnviron } from './proc.js'
import { serveSupervisor } from './server.js'
import { openSocketFolder } from './socket.js'
import { Supervisor } from './supervisor.js'
import { type CgroupPlace, cgroupPlace } from './unit-cgroups.js'

interface SuperviseOptions {
  readonly dir: string
  /** Absent: lines of text on standard error. */
  readonly log?: Log
  /** How long it stays when nothing runs and nobody is connected. */
  readonly idleExitMs?: number
  /** A log file that has grown to this is rotated. */
  readonly logBytes?: number
  /** Where cgroups are; absent: where the system says. */
  readonly cgroups?: CgroupPlace | null
}

/** The exit status of a supervisor that found another one at work; what wanted one has it. */
const alreadySupervised = 0

/** Runs the supervisor of a folder until it is told to end or has been idle for long; resolves to its exit status. */
export async function superviseMain(options: SuperviseOptions): Promise<number> {
  const { log = lineLog((line) => process.stderr.write(line)) } = options
  process.umask(0o077)
  try {
    const home = openHome(options.dir)
    const lock = await takeLock(home)
    if (lock === null) return alreadySupervised
    await waitForPredecessor(home, log)
    const status = await supervise(home, options, log)
    await lock.release()
    return status
  } catch (error) {
    log.error('process', 'the supervisor cannot go on', { why: describeError(error) })
    return 1
  }
}

/**
 * At most one supervisor per folder; null when there is another. The lock lies in the folder, where nobody else gets to:
 * a name without a file (Linux's abstract ones) could be taken by any user of the host.
 */
async function takeLock({ paths }: Home): Promise<DirectoryLock | null> {
  try {
    const lock = await lockDirectory(paths.dir)
    // Those of before 0.2 hold another lock, which says nothing here.
    if (!(await isAtWork(paths.dir))) return lock
    await lock.release()
    return null
  } catch (error) {
    if (error instanceof StoreError && error.code === 'store/locked') return null
    throw error
  }
}

/** Whether a supervisor takes connections at the folder. */
function isAtWork(dir: string): Promise<boolean> {
  const folder = openSocketFolder(dir)
  return new Promise<boolean>((resolve) => {
    const socket = createConnection(folder.path)
    socket.once('connect', () => {
      socket.destroy()
      resolve(true)
    })
    socket.once('error', () => resolve(false))
  }).finally(() => folder.close())
}

const predecessorMs = 10_000

/**
 * A supervisor that was killed may leave a child that has not become its program yet: for some microseconds it looks
 * like the supervisor itself. It must have become visible as what it is before anybody decides what runs.
 */
async function waitForPredecessor(home: Home, log: Log): Promise<void> {
  const needle = `${supervisorVariable}=${home.id}`
  for (const until = performance.now() + predecessorMs; performance.now() < until; await sleep(5)) {
    const others = [...lookAtProcesses(false).keys()].filter((pid) => pid !== process.pid)
    if (!others.some((pid) => readEnviron(pid).split('\0').includes(needle))) return
  }
  log.warn('process', 'a process of an earlier supervisor does not exit')
}

async function supervise(home: Home, options: SuperviseOptions, log: Log): Promise<number> {
  const { idleExitMs = 5_000, logBytes = defaultLogLimits.maxBytes } = options
  const end = new AbortController()
  for (const signal of ['SIGTERM', 'SIGINT'] as const) process.once(signal, () => end.abort())
  process.on('SIGHUP', () => {})

  const socket = openSocketFolder(home.paths.dir)
  rmSync(socket.path, { force: true })
  const supervisor = new Supervisor({
    home,
    clock: systemClock,
    log,
    logLimits: { ...defaultLogLimits, maxBytes: logBytes },
    onChange: (name) => served.changed(name),
    cgroups: options.cgroups === undefined ? cgroupPlace() : options.cgroups,
  })
  const served = serveSupervisor({ supervisor, log, idleExitMs, end: () => end.abort() })
  supervisor.recover()
  await served.listen(socket.path)
  chmodSync(socket.path, 0o600)
  log.info('process', 'supervisor started', { pid: process.pid })
  await aborted(end.signal)
  rmSync(socket.path, { force: true })
  await served.close()
  supervisor.close()
  socket.close()
  log.info('process', 'supervisor exiting; running units continue')
  return 0
}

function aborted(signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    if (signal.aborted) resolve()
    else signal.addEventListener('abort', () => resolve(), { once: true })
  })
}
