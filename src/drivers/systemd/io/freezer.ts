// Freezes the control group of a unit, where the kernel keeps one of version 2, and thaws it. systemd takes note of that by itself where
// it has that hierarchy alone, and knows nothing of it where it has it beside version 1.
import { readFile, writeFile } from 'node:fs/promises'
import { setTimeout as delay } from 'node:timers/promises'
import { errorCode } from '../../../lib/io/error-code.js'
import { describeError } from '../../../lib/io/log.js'
import { DriverError } from '../../../model/driver-error.js'
import type { UnitName } from '../../../model/unit.js'
import { readField } from '../cgroup-files.js'
import type { SystemdBus } from './bus.js'
import { callFailed } from './errors.js'
import type { SystemdHostAccess } from './host.js'

interface FreezerParts {
  readonly host: SystemdHostAccess
  readonly bus: SystemdBus
}

const lookAgainMs = 5

/** Freezes a unit that runs. Throws DriverError `volume/cannot-pause`. */
export async function freezeUnit(parts: FreezerParts, name: UnitName, signal: AbortSignal): Promise<void> {
  const [dir, watchdog] = await Promise.all([
    freezerOf(parts, name),
    parts.bus.readProperty(name, 'WatchdogUSec').catch(callFailed(`${name} cannot be looked at`)),
  ])
  if (dir === null)
    throw cannot(`${name} has no control group of version 2 with a freezer (cgroup.freeze) on this machine`)
  if (Number(watchdog) > 0)
    throw cannot(`${name} has WatchdogSec=, by which systemd would kill it while it is paused`)
  try {
    await writeFile(`${dir}/cgroup.freeze`, '1')
    while (!(await isFrozenAt(dir))) await delay(lookAgainMs, undefined, { signal })
  } catch (error) {
    throw cannot(`${name} was not frozen: ${describeError(error)}`)
  }
}

/** Has a unit go on; one that is gone does not. */
export async function thawUnit(parts: FreezerParts, name: UnitName): Promise<void> {
  const dir = await freezerOf(parts, name)
  if (dir === null) return
  await writeFile(`${dir}/cgroup.freeze`, '0').catch((error: unknown) => {
    if (errorCode(error) !== 'ENOENT' && errorCode(error) !== 'ENODEV') throw error
  })
}

export async function isUnitFrozen(parts: FreezerParts, name: UnitName): Promise<boolean> {
  const dir = await freezerOf(parts, name)
  return dir !== null && (await isFrozenAt(dir))
}

async function isFrozenAt(dir: string): Promise<boolean> {
  return readField(await readFile(`${dir}/cgroup.events`, 'utf8').catch(() => ''), 'frozen') === 1
}

/** The directory of the control group of a unit, where it can be frozen; null where there is none. */
async function freezerOf({ host, bus }: FreezerParts, name: UnitName): Promise<string | null> {
  const group = await bus.readProperty(name, 'ControlGroup').catch(callFailed(`${name} cannot be looked at`))
  if (typeof group !== 'string' || group === '') return null
  for (const dir of [`${host.root}/sys/fs/cgroup${group}`, `${host.root}/sys/fs/cgroup/unified${group}`]) {
    const found = await readFile(`${dir}/cgroup.freeze`).catch(() => null)
    if (found !== null) return dir
  }
  return null
}

function cannot(why: string): DriverError {
  return new DriverError('volume/cannot-pause', why)
}
