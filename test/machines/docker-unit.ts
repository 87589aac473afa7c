// Units of containers, and drivers for them, as the tests with a real Docker use them.
import { randomUUID } from 'node:crypto'
import type { Driver, UnitToRun } from '../../src/agent/driver.js'
import { openDockerDriver } from '../../src/drivers/docker/io/driver.js'
import { systemClock } from '../../src/lib/io/clock.js'
import { silentLog } from '../../src/lib/io/log.js'
import { volumeKey } from '../../src/model/volume.js'
import { asUnitName } from '../../src/unit/name.js'
import { quoted, type UnitWish, unitFile } from '../drivers/driver-contract.js'
import { testImage } from './docker-host.js'

/** One machine's use of a Docker that others may use as well. */
export interface DockerBench {
  readonly driver: Driver
  readonly machineId: string
  /** A unit as the compiler writes one for `compute_type: docker`, with more lines of `[Container]` where given. */
  readonly makeUnit: (wish: UnitWish, more?: readonly (readonly [string, string])[]) => UnitToRun
  /** Opens the driver once more, as a daemon does after a restart. */
  readonly reopen: (bootedAt?: number) => Promise<Driver>
  /** Removes every container of this machine. */
  readonly dispose: () => Promise<void>
}

export async function openDockerBench(socketPath: string): Promise<DockerBench> {
  const machineId = randomUUID().replaceAll('-', '')
  const reopen = async (bootedAt?: number): Promise<Driver> =>
    await openDockerDriver({
      ...{ socketPath, clock: systemClock, log: silentLog, machineId },
      ...(bootedAt !== undefined && { bootedAt }),
    })
  const driver = await reopen()
  return {
    driver,
    machineId,
    makeUnit: (wish, more = []) => containerUnit(wish, more, machineId.slice(0, 8)),
    reopen,
    dispose: async () => {
      await driver.close()
      const janitor = await reopen()
      const signal = AbortSignal.timeout(60_000)
      for (const { name } of await janitor.list(signal)) await janitor.unload(name, signal)
      await janitor.close()
    },
  }
}

/** `run` keeps the names of two runs on one Docker apart. */
function containerUnit(wish: UnitWish, more: readonly (readonly [string, string])[], run: string): UnitToRun {
  const { name, argv, env = {}, restart = 'no', stopTimeoutSec = 1, hash = 'h1' } = wish
  const [entrypoint = '', ...command] = argv.map((word) => quoted(word).replaceAll('$', () => '$$'))
  const lines: readonly (readonly [string, string])[] = [
    ['Image', testImage],
    ['Entrypoint', entrypoint],
    ...(command.length === 0 ? [] : [['Exec', command.join(' ')] as const]),
    ...Object.entries(env).map(([key, value]) => ['Environment', quoted(`${key}=${value}`)] as const),
    ['StopTimeout', String(stopTimeoutSec)],
    ...(wish.volumes ?? []).map((volume) => ['Volume', `${volumeKey(volume)}:${volume.path}`] as const),
    ...more,
  ]
  return {
    name: asUnitName(`${name}-${run}.service`),
    hash,
    file: unitFile([
      ...lines.map(([key, value]) => ['Container', key, value] as const),
      ['X-Mariposa', 'Restart', restart],
    ]),
    instance: null,
    ports: [],
    environment: {},
    ...(wish.volumes && { volumes: wish.volumes }),
  }
}
