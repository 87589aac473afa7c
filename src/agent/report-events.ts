// What two reports in a row tell: the history of an instance as its machine saw it.
import type { MachineWord } from '../health/condition.js'
import type { EventData, EventDraft, HistoryEvent } from '../model/event.js'
import { describeExit } from '../model/instance-state.js'
import type { MachineId } from '../model/machine.js'
import type { InstanceRef, UnitReport } from '../model/unit.js'

/** The events between the last report of an instance's unit and the next. `unheld` are limits that nothing holds it to. */
export function eventsBetween(
  instance: InstanceRef,
  before: UnitReport | null,
  after: UnitReport,
  unheld: readonly string[] = [],
): readonly EventDraft[] {
  const event = (kind: HistoryEvent['kind'], message: string, data?: EventData): EventDraft => ({
    kind,
    project: instance.project,
    service: instance.service,
    instance: instance.name,
    machine: after.machine,
    message: `${instance.name} ${message}`,
    ...(data !== undefined && { data }),
  })
  const events: EventDraft[] = []
  if (after.exit !== null && after.exit.at !== before?.exit?.at) {
    const next = after.active === 'activating' || after.restarts > (before?.restarts ?? 0)
    const message = `${describeExit(after.exit)}${next ? '; it is restarted' : ''}`
    events.push(event('instance-exited', message, { exit: after.exit }))
  }
  if (isUp(after) && (before === null || !isUp(before) || before.since !== after.since)) {
    const as = after.pid === null ? '' : ` as process ${after.pid}`
    events.push(event('instance-started', `runs${as}${describeUnheld(unheld)}`))
  }
  if (after.failure !== null && after.failure.message !== before?.failure?.message) {
    events.push(event('instance-failed', `cannot run: ${after.failure.message}`))
  }
  if (after.health !== 'unknown' && after.health !== before?.health) {
    const why = after.healthReason === null ? '' : `: ${after.healthReason}`
    const reason = after.healthReason === null ? {} : { reason: after.healthReason }
    events.push(event('health', `is ${after.health}${why}`, { health: after.health, ...reason }))
  }
  if (after.notice !== undefined && after.notice !== before?.notice) {
    events.push(event('telemetry', `runs, but ${after.notice}`))
  }
  return events
}

function describeUnheld(unheld: readonly string[]): string {
  if (unheld.length === 0) return ''
  return `, but ${unheld.join(', ')} cannot be enforced: this machine has no control groups for that`
}

/** That the machine of these instances is sick, or well again. */
export function machineEvent(machine: MachineId, hostname: string, word: MachineWord): EventDraft {
  const kind = word.isSick ? 'machine-sick' : 'machine-well'
  const about = { project: null, service: null, instance: null, machine }
  return { kind, ...about, message: `${hostname} ${describeCondition(word)}` }
}

function describeCondition({ isSick, sickForMs, slowness }: MachineWord): string {
  if (!isSick) return `has recovered after ${Math.round(sickForMs / 1000)} s; failed checks count again`
  const times = `${Math.round(slowness)} times as long as at rest`
  return `is sick: a program that does nothing takes ${times}; failed checks do not cause replacements meanwhile`
}

function isUp(report: UnitReport): boolean {
  return report.active === 'active' || report.active === 'reloading'
}
