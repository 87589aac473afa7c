// What a machine says of a unit that it has just started.
import type { MachineId } from '../model/machine.js'
import type { UnitName, UnitReport } from '../model/unit.js'

export function startedReport(machine: MachineId, name: UnitName, now: number): UnitReport {
  return {
    name,
    machine,
    hash: '',
    driver: 'process',
    load: 'loaded',
    active: 'active',
    sub: 'running',
    since: now,
    pid: 1,
    containerId: null,
    address: null,
    restarts: 0,
    exit: null,
    failure: null,
    launched: true,
    health: 'unknown',
    healthReason: null,
    attempts: 0,
    retryAt: null,
  }
}
