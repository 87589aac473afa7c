// Joining the program of an instance that runs once, on the machine that has it.
import type { Driver, ExecRequest } from '../../agent/driver.js'
import type { MachineId } from '../../model/machine.js'
import type { Instance } from '../../model/service.js'
import { instancesNamed } from '../explain.js'
import { type ApiContext, ProblemError } from './context.js'

/** Runs a program for a caller; resolves to its exit status. */
export type Conversation = (request: ExecRequest, signal: AbortSignal) => Promise<{ readonly code: number }>

/** An instance that runs once, and where it is. Throws ProblemError. */
export function oneOffNamed(
  { registry: { view } }: Pick<ApiContext, 'registry'>,
  project: string,
  name: string,
): { readonly instance: Instance; readonly machine: MachineId } {
  const [instance] = instancesNamed(view, project, name) ?? []
  const placement = instance === undefined ? undefined : view.placements.get(instance.unit)
  if (instance?.oneOff === undefined || placement === undefined)
    throw new ProblemError({
      status: 404,
      code: 'instance/unknown',
      message: `there is no instance "${name}" in project "${project}" that runs once`,
    })
  return { instance, machine: placement.machine }
}

/** Runs the program beside what holds its place, as what the unit is there for. */
export function joining(driver: Driver, { unit }: Instance): Conversation {
  return (request, signal) => driver.exec(unit, { ...request, bound: true }, signal)
}
