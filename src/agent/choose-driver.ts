import type { DriverKind } from '../model/driver-kind.js'
import type { Requirements } from '../unit/requirements.js'

/** The driver that a unit goes to on a machine: the first of those it can run under that is there. */
export function chooseDriver(needs: Requirements, offered: readonly DriverKind[]): DriverKind | null {
  return needs.drivers.find((driver) => offered.includes(driver)) ?? null
}
