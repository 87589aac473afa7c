import type { ObservedUnit } from '../model/unit.js'
import type { LoadedUnit } from './protocol.js'
import { activeOf, type UnitState } from './state.js'

/** A unit as the driver reports it. Its ports answer on the loopback: a process has no address of its own. */
export function observeUnit({ name, hash }: LoadedUnit, state: UnitState): ObservedUnit {
  return {
    name,
    hash,
    driver: 'process',
    load: 'loaded',
    active: activeOf(state.sub),
    sub: state.sub,
    since: state.since,
    pid: state.main?.pid ?? null,
    containerId: null,
    address: '127.0.0.1',
    restarts: state.restarts,
    ...(state.sub === 'auto-restart' && state.deadlineAt !== null && { restartAt: state.deadlineAt }),
    ...(state.stopAsked && { stopAsked: true }),
    exit: state.exit,
    failure: state.failure,
  }
}
