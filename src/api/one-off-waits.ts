// What a program that runs once waits for, in one line: its caller sees nothing else of it until it runs.
import { type Instant, toIso } from '../lib/time.js'
import type { MachineId } from '../model/machine.js'
import type { Instance } from '../model/service.js'
import { hostnameOf } from '../store/hostname.js'
import type { ClusterView } from '../store/view.js'
import { instanceBodyOf } from './bodies.js'

/** When a machine last renewed its lease, and until when it will have to. */
export interface LeaseTimes {
  readonly renewedAt: Instant
  readonly endsAt: Instant
  /** A daemon that lives would have renewed it since. */
  readonly isLate: boolean
}

/** `leaseOf`: of the machine that the program is placed on. */
export function describeWait(
  view: ClusterView,
  instance: Instance,
  leaseOf: LeaseTimes | null,
  now: Instant,
): string {
  const { name, unit } = instance
  const machine = placedOn(view, instance)
  if (machine === null) return `${name} waits to be placed on a machine`
  const hostname = hostnameOf(view, machine)
  if (!view.machines.has(machine)) return `${name} waits for the machine ${hostname}, which is down`
  if (leaseOf?.isLate === true)
    return `${name} waits for the machine ${hostname}, which has not renewed its lease since ${toIso(leaseOf.renewedAt)}; it counts as down after ${toIso(leaseOf.endsAt)}`
  if (view.reportOf(unit)?.machine !== machine)
    return `${name} waits for the machine ${hostname}, which has not reported it yet`
  const { state, reason } = instanceBodyOf(view, instance, now)
  return `${name} is ${state} on ${hostname}${reason === '' ? '' : `: ${reason}`}`
}

export function placedOn(view: ClusterView, { unit }: Instance): MachineId | null {
  return view.placements.get(unit)?.machine ?? null
}
