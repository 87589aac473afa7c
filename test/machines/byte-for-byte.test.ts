// What a program receives is what its manifest says, through the drivers that need real machines.
import { mkdirSync } from 'node:fs'
import { basename, join } from 'node:path'
import Docker from 'dockerode'
import { inject } from 'vitest'
import { openVolumeDirectories } from '../../src/drivers/io/volume-directories.js'
import { openSystemdDriver } from '../../src/drivers/systemd/io/driver.js'
import { systemClock } from '../../src/lib/io/clock.js'
import { silentLog } from '../../src/lib/io/log.js'
import { byteForByte } from '../drivers/byte-for-byte.js'
import { removeDir } from '../remove-dir.js'
import { testImage } from './docker-host.js'
import { openDockerBench } from './docker-unit.js'

byteForByte('docker', async () => {
  const socketPath = inject('dockerSocket')
  const docker = new Docker({ socketPath })
  const { driver, dispose } = await openDockerBench(socketPath)
  return {
    driver,
    kind: { compute_type: 'docker', image: testImage },
    // Docker makes the directory in the container.
    directory: async (name) => `/tmp/${name}`,
    labelsOf: async (unit) => {
      const seen = await driver.observe(unit, AbortSignal.timeout(20_000))
      return (await docker.getContainer(seen?.containerId ?? '').inspect()).Config.Labels
    },
    dispose,
  }
})

byteForByte('systemd', async () => {
  const machine = inject('systemdMachine')
  const { root, socketPath } = machine
  const driver = await openSystemdDriver({
    clock: systemClock,
    log: silentLog,
    socketPath,
    systemBusPath: null,
    host: machine,
    volumes: openVolumeDirectories({ dir: '/var/volumes', root, driver: 'systemd', clock: systemClock }),
  })
  const made: string[] = []
  return {
    driver,
    kind: { compute_type: 'process' },
    directory: async (name) => {
      const path = join(root, 'var', name)
      mkdirSync(path)
      made.push(path)
      return `/var/${basename(path)}`
    },
    dispose: async () => {
      const signal = AbortSignal.timeout(60_000)
      await Promise.all((await driver.list(signal)).map(({ name }) => driver.unload(name, signal)))
      await driver.close()
      for (const path of made) removeDir(path)
    },
  }
})
