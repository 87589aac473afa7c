// What drivers a machine says that it has.
import type { DriverKind } from '../model/driver-kind.js'
import type { Machine } from '../model/machine.js'
import type { Driver } from './driver.js'

/** The drivers of this machine. */
export type DriversHere = Pick<Machine, 'drivers' | 'driversAway'>

/** The drivers that a machine has, and those of them that do not answer now. */
export function driversHere(
  all: Iterable<Driver>,
  isAway: (driver: Driver) => boolean = ({ absent }) => absent === true,
): DriversHere {
  const counted = [...all].filter(({ unexpected }) => unexpected !== true)
  const away = counted.filter(isAway)
  return { drivers: kindsOf(counted), ...(away.length > 0 && { driversAway: kindsOf(away) }) }
}

function kindsOf(drivers: readonly Driver[]): readonly DriverKind[] {
  return drivers.map(({ kind }) => kind)
}
