// Data of a service outlives its instances, versions and itself, under real drivers.
import { execFileSync } from 'node:child_process'
import { join } from 'node:path'
import Docker from 'dockerode'
import { describe, expect, inject, test } from 'vitest'
import { builtProgram } from '../cli/program.js'
import { until } from '../e2e/cluster.js'
import { hostsOf } from '../e2e/host.js'
import { isListed, linesOf, manifest, outlives } from '../e2e/named-volumes.js'
import { keepsSlots } from '../e2e/slot-volumes.js'
import { testImage } from './docker-host.js'
import { onDocker } from './docker-place.js'
import { insideMachine } from './nspawn.js'

const program = join(import.meta.dirname, '../../dist/mariposa.js')
const docker = new Docker({ socketPath: inject('dockerSocket') })
const openDockerHost = hostsOf(
  builtProgram(program),
  onDocker('named-volumes', () => inject('dockerSocket')),
)

const enter = (): readonly string[] => inject('systemdMachine').enter
const openSystemdHost = hostsOf(builtProgram(join(insideMachine.project, 'dist/mariposa.js'), enter), () => ({
  driver: 'systemd',
  env: { PATH: '/usr/bin:/bin:/usr/sbin:/sbin' },
  makeDir: () => {
    const [command = '', ...words] = [...enter(), 'mktemp', '-d', '/var/tmp/vol-XXXXXX']
    const inside = execFileSync(command, words, { encoding: 'utf8' }).trim()
    return { inside, outside: join(inject('systemdMachine').root, inside) }
  },
}))

describe('a named volume', () => {
  test('of containers outlives versions, scale 0, the daemon and its service', async () => {
    const host = openDockerHost()
    await outlives(host, `image: ${testImage}`, async () => {
      const { Volumes } = await docker.listVolumes({ filters: { name: ['default.db.data'] } })
      return Volumes.flatMap(({ Mountpoint }) => linesOf(join(Mountpoint, 'lines')))
    })
  })

  test('of systemd does so too, and belongs to the user of its program', async () => {
    const host = openSystemdHost()
    const file = join(inject('systemdMachine').root, host.dataDir, 'volumes/default/db/data/data/lines')
    await outlives(host, 'compute_type: process\nuser: nobody', async () => linesOf(file))
  })

  test.each(['docker', 'systemd'])('of %s is listed with the instances that have it', async (driver) => {
    if (driver === 'docker') await isListed(openDockerHost(), `image: ${testImage}`)
    else await isListed(openSystemdHost(), 'compute_type: process')
  })

  test('of a slot of containers is kept for the next instance of that slot', async () => {
    await keepsSlots(openDockerHost(), `image: ${testImage}`, async (slot) => {
      const { Volumes } = await docker.listVolumes({ filters: { name: [`default.db.data.${slot}`] } })
      return Volumes.flatMap(({ Mountpoint }) => linesOf(join(Mountpoint, 'lines')))
    })
  })

  test('of a slot of systemd is kept for the next instance of that slot', async () => {
    const host = openSystemdHost()
    const dir = join(inject('systemdMachine').root, host.dataDir, 'volumes/default/db')
    await keepsSlots(host, 'compute_type: process\nuser: nobody', async (slot) =>
      linesOf(join(dir, `data.${slot}`, 'data/lines')),
    )
  })

  test('that only has the name is not used', async () => {
    const host = openDockerHost()
    await docker.createVolume({ Name: 'default.db.data' })
    try {
      await host.startDaemon()
      await host.run(
        'service',
        'deploy',
        host.file('db.yml', manifest(`image: ${testImage}`, 'v1')),
        '--detach',
      )
      await until(async () => {
        const [instance] = await host.instances('db')
        expect(JSON.stringify(instance)).toContain('without labels of this cluster')
      })
      await host.done('service', 'delete', 'db', '--force', '--volumes')
      expect((await docker.getVolume('default.db.data').inspect()).Name).toBe('default.db.data')
    } finally {
      await docker.getVolume('default.db.data').remove()
    }
  })
})
