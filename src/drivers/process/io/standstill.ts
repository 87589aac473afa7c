// Stops all processes of a unit by SIGSTOP, and has them go on. Not by the supervisor, which may be that of an older version.
import { setTimeout as delay } from 'node:timers/promises'
import { errorCode } from '../../../lib/io/error-code.js'
import { DriverError } from '../../../model/driver-error.js'
import type { UnitName } from '../../../model/unit.js'
import { lookAtProcesses } from '../../../supervisor/io/proc.js'
import { everyProcessOf, type SeenProcess } from '../../../supervisor/processes.js'
import type { DescribedUnit } from '../../../supervisor/protocol.js'

const lookAgainMs = 5

/**
 * Stops all processes of a unit, and what they start meanwhile. Throws DriverError `volume/cannot-pause` where one cannot be
 * stopped; others are then.
 */
export async function stopProcesses(home: string, of: DescribedUnit, signal: AbortSignal): Promise<void> {
  // What was started while a look went on is seen by the next one, as nothing is started any more by then.
  for (let clean = 0; clean < 2; ) {
    const running = processesNow(home, of).filter((process) => !isStopped(process))
    clean = running.length === 0 ? clean + 1 : 0
    for (const { pid } of running) send(of.unit.name, pid, 'SIGSTOP')
    if (running.length > 0) await pauseOrRefuse(of.unit.name, signal)
  }
}

/** Has all processes of a unit go on, of whichever of its runs they are. */
export function continueProcesses(home: string, of: DescribedUnit): void {
  for (const process of processesNow(home, of))
    if (isStopped(process)) send(of.unit.name, process.pid, 'SIGCONT')
}

/** Whether there are processes of a unit, and all of them are stopped. */
export function areStopped(home: string, of: DescribedUnit): boolean {
  const processes = processesNow(home, of)
  return processes.length > 0 && processes.every(isStopped)
}

function processesNow(home: string, { unit, sessions }: DescribedUnit): readonly SeenProcess[] {
  return everyProcessOf(lookAtProcesses(true), { home, unit: unit.name }, sessions)
}

/** T: by a signal; t: by a debugger, which it is left to. */
function isStopped({ state }: SeenProcess): boolean {
  return state === 'T' || state === 't'
}

function send(name: UnitName, pid: number, how: 'SIGSTOP' | 'SIGCONT'): void {
  try {
    process.kill(pid, how)
  } catch (error) {
    // It has ended already.
    if (errorCode(error) === 'ESRCH') return
    throw new DriverError(
      'volume/cannot-pause',
      `process ${pid} of ${name} cannot be sent ${how}: ${errorCode(error) ?? String(error)}`,
    )
  }
}

async function pauseOrRefuse(name: UnitName, signal: AbortSignal): Promise<void> {
  await delay(lookAgainMs, undefined, { signal }).catch(() => {
    throw new DriverError('volume/cannot-pause', `the processes of ${name} do not all stop (SIGSTOP)`)
  })
}
