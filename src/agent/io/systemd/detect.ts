// Whether this machine's systemd can run units for us.
import { existsSync } from 'node:fs'
import { connectSystemd } from './bus.js'
import { systemdPaths } from './driver.js'

/**
 * True where systemd is the first process, answers, and takes orders from us: that is, from root. An ordinary user is
 * refused, for managers of single users (`systemd --user`) are not supported.
 */
export async function systemdAvailable(): Promise<boolean> {
  // sd_booted(3): this directory is there exactly where systemd is the first process.
  if (!existsSync('/run/systemd/system') || process.getuid?.() !== 0) return false
  try {
    const bus = await connectSystemd({
      socketPath: systemdPaths.socket,
      systemBusPath: systemdPaths.systemBus,
      onChange: () => {},
    })
    await bus.close()
    return true
  } catch {
    return false
  }
}
