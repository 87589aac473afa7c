// Whether this machine's systemd can run units for us.
import { existsSync } from 'node:fs'
import type { Time } from '../../../lib/time.js'
import { DriverError } from '../../../model/driver-error.js'
import { BusSilent, connectSystemd } from './bus.js'
import { systemdPaths } from './driver.js'

/**
 * True where systemd is the first process, answers, and takes orders from us: that is, from root. An ordinary user is
 * refused, for managers of single users (`systemd --user`) are not supported. Throws DriverError `systemd/unreachable` where
 * it takes connections and does not answer.
 */
export async function systemdAvailable(time: Time): Promise<boolean> {
  // sd_booted(3): this directory is there exactly where systemd is the first process.
  if (!existsSync('/run/systemd/system') || process.getuid?.() !== 0) return false
  try {
    const bus = await connectSystemd({
      socketPath: systemdPaths.socket,
      systemBusPath: systemdPaths.systemBus,
      time,
      onChange: () => {},
    })
    await bus.close()
    return true
  } catch (error) {
    if (!(error instanceof BusSilent)) return false
    throw new DriverError('systemd/unreachable', error.message, { cause: error })
  }
}
