// What there is to say of a supervisor that takes connections and does not answer.

import { DriverError } from '../../../model/driver-error.js'
import type { Home } from '../../../supervisor/io/home.js'
import { lookAtProcesses, readEnviron, readStat } from '../../../supervisor/io/proc.js'
import { supervisorVariable } from '../../../supervisor/marker.js'

/** Says which process it is, and what an operator can do about it. `pid`: as it said itself, if it ever did. */
export function describeHung(pid: number | null, home: Home): DriverError {
  return new DriverError('process/unreachable', describe(pid ?? pidOf(home)))
}

function describe(pid: number | null): string {
  if (pid === null) return 'the process supervisor does not answer'
  const state = readStat(pid)?.state
  if (state === 'T' || state === 't')
    return `the process supervisor (pid ${pid}) was stopped and does not answer: kill -CONT ${pid} resumes it`
  return `the process supervisor (pid ${pid}) does not answer: find out why; after kill -KILL ${pid} another one takes over, and running programs continue`
}

/** The supervisor of a folder, by the variable that it was started with. */
function pidOf(home: Home): number | null {
  const needle = `${supervisorVariable}=${home.id}`
  const pids = [...lookAtProcesses(false).keys()]
  return pids.find((pid) => readEnviron(pid).split('\0').includes(needle)) ?? null
}
