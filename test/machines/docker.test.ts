import { randomUUID } from 'node:crypto'
import { inject } from 'vitest'
import type { UnitToRun } from '../../src/agent/driver.js'
import { openDockerDriver } from '../../src/agent/io/docker/driver.js'
import { systemClock } from '../../src/lib/io/clock.js'
import { silentLog } from '../../src/lib/io/log.js'
import { asUnitName } from '../../src/unit/name.js'
import { driverContract, quoted, type UnitWish, unitFile } from '../agent/driver-contract.js'
import { testImage } from './docker-host.js'

driverContract('docker', async () => {
  const machineId = randomUUID().replaceAll('-', '')
  const open = async () =>
    await openDockerDriver({
      socketPath: inject('dockerSocket'),
      clock: systemClock,
      log: silentLog,
      machineId,
    })
  const driver = await open()
  return {
    driver,
    makeUnit: (wish) => containerUnit(wish, machineId.slice(0, 8)),
    reopen: open,
    dispose: async () => {
      const janitor = await open()
      const signal = AbortSignal.timeout(60_000)
      const units = await janitor.list(signal)
      await Promise.all(units.map(({ name }) => janitor.unload(name, signal)))
      await Promise.all([janitor.close(), driver.close()])
    },
  }
})

/** A unit as the compiler writes one for `compute_type: docker`; `run` keeps its container's name apart. */
export function containerUnit(wish: UnitWish, run: string): UnitToRun {
  const { name, argv, env = {}, restart = 'no', stopTimeoutSec = 1, hash = 'h1' } = wish
  const [entrypoint, ...command] = argv.map((word) => quoted(word).replaceAll('$', () => '$$'))
  return {
    name: asUnitName(`${name}-${run}.service`),
    hash,
    file: unitFile([
      ['Container', 'Image', testImage],
      ['Container', 'Entrypoint', entrypoint ?? ''],
      ...(command.length > 0 ? ([['Container', 'Exec', command.join(' ')]] as const) : []),
      ...Object.entries(env).map(
        ([key, value]) => ['Container', 'Environment', quoted(`${key}=${value}`)] as const,
      ),
      ['Container', 'StopTimeout', String(stopTimeoutSec)],
      ['X-Mariposa', 'Restart', restart],
    ]),
    instance: null,
    ports: [],
    environment: {},
  }
}
