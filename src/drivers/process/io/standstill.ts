// Stops all processes of a unit by SIGSTOP, and has them go on. Not by the supervisor, which may be that of an older version.
import { setTimeout as delay } from 'node:timers/promises'
import { errorCode } from '../../../lib/io/error-code.js'
import { describeError } from '../../../lib/io/log.js'
import { DriverError } from '../../../model/driver-error.js'
import type { UnitName } from '../../../model/unit.js'
import { isProcessAlive, lookAtProcesses, threadsOf } from '../../../supervisor/io/proc.js'
import { isLiving } from '../../../supervisor/proc-stat.js'
import { everyProcessOf, type SeenProcess } from '../../../supervisor/processes.js'
import type { DescribedUnit } from '../../../supervisor/protocol.js'
import { isSameProcess, type ProcessId } from '../../../supervisor/state.js'
import type { StoppedNotes } from './stopped-notes.js'

const lookAgainMs = 5

/**
 * Stops all processes of a unit, and what they start meanwhile; what stands still by itself is left alone. Throws DriverError
 * `volume/cannot-pause` where one cannot be stopped; others are then, until `continueProcesses`.
 */
export async function stopProcesses(
  home: string,
  notes: StoppedNotes,
  of: DescribedUnit,
  signal: AbortSignal,
): Promise<void> {
  const { name } = of.unit
  let noted = (notes.read(name) ?? []).filter(isProcessAlive)
  const note = (processes: readonly ProcessId[]): void => {
    noted = [...processes]
    writeOrRefuse(notes, name, noted)
  }
  note(noted)
  // What was started while a look went on is seen by the next one, as nothing is started any more by then.
  for (let clean = 0; clean < 2; ) {
    const running = processesNow(home, of).filter((process) => !isStopped(process))
    clean = running.length === 0 ? clean + 1 : 0
    if (running.length === 0) continue
    const fresh = running.filter((process) => !noted.some((one) => isSameProcess(one, process)))
    if (fresh.length > 0) note([...noted, ...fresh.map(({ pid, ticks }) => ({ pid, ticks }))])
    for (const process of running) {
      const refused = send(process.pid, 'SIGSTOP')
      if (refused === null) continue
      note(noted.filter((one) => !isSameProcess(one, process)))
      throw cannot(name, process.pid, 'SIGSTOP', refused)
    }
    await pauseOrRefuse(name, signal)
  }
}

/**
 * Has go on what was stopped of a unit, of whichever of its runs. `describe` tells of a unit that was stopped by a version that
 * noted nothing: all that stands still of it goes on then. Throws DriverError where a process cannot be told; all others are.
 */
export async function continueProcesses(
  home: string,
  notes: StoppedNotes,
  name: UnitName,
  describe: () => Promise<DescribedUnit | null>,
): Promise<void> {
  const noted = notes.read(name)
  const of = noted === null ? await describe() : null
  const stopped =
    noted?.filter(isProcessAlive) ?? (of === null ? [] : processesNow(home, of).filter(isStopped))
  const refused = stopped.flatMap((process) => {
    const why = send(process.pid, 'SIGCONT')
    return why === null ? [] : [{ process, why }]
  })
  const [first] = refused
  if (first === undefined) return notes.remove(name)
  if (noted !== null)
    writeOrRefuse(
      notes,
      name,
      refused.map(({ process }) => process),
    )
  throw cannot(name, first.process.pid, 'SIGCONT', first.why)
}

/** Whether there are processes of a unit, and all of them are stopped. */
export function areStopped(home: string, of: DescribedUnit): boolean {
  const processes = processesNow(home, of)
  return processes.length > 0 && processes.every(isStopped)
}

function processesNow(home: string, { unit, sessions }: DescribedUnit): readonly SeenProcess[] {
  return everyProcessOf(lookAtProcesses(true), { home, unit: unit.name }, sessions)
}

/** All its threads are: the first alone may be so, or have ended, while others run on. */
function isStopped({ pid, state, threads }: SeenProcess): boolean {
  if (threads <= 1) return isStopState(state)
  const living = threadsOf(pid).filter(isLiving)
  return living.every((thread) => isStopState(thread.state))
}

/** T: by a signal; t: by a debugger, which it is left to. */
function isStopState(state: string): boolean {
  return state === 'T' || state === 't'
}

/** Why it cannot be sent; null where it was, or the process has ended already. */
function send(pid: number, how: 'SIGSTOP' | 'SIGCONT'): string | null {
  try {
    process.kill(pid, how)
    return null
  } catch (error) {
    return errorCode(error) === 'ESRCH' ? null : (errorCode(error) ?? String(error))
  }
}

function writeOrRefuse(notes: StoppedNotes, name: UnitName, processes: readonly ProcessId[]): void {
  try {
    notes.write(name, processes)
  } catch (error) {
    const message = `cannot record which processes of ${name} are stopped: ${describeError(error)}`
    throw new DriverError('volume/cannot-pause', message, { cause: error })
  }
}

function cannot(name: UnitName, pid: number, how: 'SIGSTOP' | 'SIGCONT', why: string): DriverError {
  return new DriverError('volume/cannot-pause', `process ${pid} of ${name} cannot be sent ${how}: ${why}`)
}

async function pauseOrRefuse(name: UnitName, signal: AbortSignal): Promise<void> {
  await delay(lookAgainMs, undefined, { signal }).catch(() => {
    throw new DriverError('volume/cannot-pause', `the processes of ${name} do not all stop (SIGSTOP)`)
  })
}
