// Which controllers of control groups systemd works with: of version 2 those of its own group, of version 1 those whose hierarchies it may
// write to. It finds that out when it begins, and tells nobody.
import { access, constants, readdir, readFile } from 'node:fs/promises'
import { dirname } from 'node:path'
import { errorCode } from '../../../lib/io/error-code.js'
import { type Controller, controllers } from '../unheld.js'
import type { SystemdBus } from './bus.js'
import { callFailed } from './errors.js'
import type { SystemdHostAccess } from './host.js'

/** What it lacks; nothing where that cannot be seen. */
export async function lackingControllers(
  { root }: SystemdHostAccess,
  bus: Pick<SystemdBus, 'readProperty'>,
): Promise<ReadonlySet<Controller>> {
  const mount = `${root}/sys/fs/cgroup`
  const hierarchies = await readdir(mount).catch((): string[] => [])
  if (hierarchies.length === 0) return new Set()
  const scope = await bus
    .readProperty('init.scope', 'ControlGroup')
    .catch(callFailed('systemd cannot be asked for its control group'))
  const group = typeof scope === 'string' && scope !== '' ? dirname(scope).replace(/^\/$/, '') : ''
  const listed = await readFile(`${mount}${group}/cgroup.controllers`, 'utf8').catch(() => null)
  if (listed !== null) return new Set(absentIn(listed))
  const held = await Promise.all(controllers.map((one) => isWritable(`${mount}/${one}${group}/cgroup.procs`)))
  return new Set(controllers.filter((_, n) => held[n] === false))
}

/** Version 2 keeps programs from devices without a controller. */
function absentIn(listed: string): readonly Controller[] {
  const words = listed.trim().split(/\s+/)
  const isThere: Readonly<Record<Controller, boolean>> = {
    cpu: words.includes('cpu'),
    memory: words.includes('memory'),
    pids: words.includes('pids'),
    devices: true,
    swap: words.includes('memory'),
  }
  return controllers.filter((one) => !isThere[one])
}

async function isWritable(path: string): Promise<boolean> {
  try {
    await access(path, constants.W_OK)
    return true
  } catch (error) {
    // What only root may write to, systemd may.
    return errorCode(error) !== 'ENOENT' && errorCode(error) !== 'EROFS'
  }
}
