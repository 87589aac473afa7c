// Backups of volumes of Docker and of systemd, restored into another service.
import { execFileSync } from 'node:child_process'
import { join } from 'node:path'
import Docker from 'dockerode'
import { expect, inject, test } from 'vitest'
import { builtProgram } from '../cli/program.js'
import { hostsOf } from '../e2e/host.js'
import { linesOf } from '../e2e/named-volumes.js'
import { backsUp, restoresIntoNew } from '../e2e/volume-backups.js'
import { testImage } from './docker-host.js'
import { onDocker } from './docker-place.js'
import { insideMachine } from './nspawn.js'

const program = join(import.meta.dirname, '../../dist/mariposa.js')
const docker = new Docker({ socketPath: inject('dockerSocket') })
const openDockerHost = hostsOf(
  builtProgram(program),
  onDocker('volume-backups', () => inject('dockerSocket')),
)
const enter = (): readonly string[] => inject('systemdMachine').enter
const seen = (path: string): string => join(inject('systemdMachine').root, path)
const hasZstd = (): boolean => {
  const [command = '', ...words] = [
    ...enter(),
    'sh',
    '-c',
    'command -v zstd >/dev/null && echo yes || echo no',
  ]
  return execFileSync(command, words, { encoding: 'utf8' }).trim() === 'yes'
}
const openSystemdHost = hostsOf(builtProgram(join(insideMachine.project, 'dist/mariposa.js'), enter), () => ({
  driver: 'systemd',
  env: { PATH: '/usr/bin:/bin:/usr/sbin:/sbin' },
  makeDir: () => {
    const [command = '', ...words] = [...enter(), 'mktemp', '-d', '/var/tmp/vol-XXXXXX']
    const inside = execFileSync(command, words, { encoding: 'utf8' }).trim()
    return { inside, outside: seen(inside) }
  },
}))

test('a backup of containers is restored into another service', async () => {
  await backsUp(openDockerHost(), `image: ${testImage}`, async (service) => {
    const { Volumes } = await docker.listVolumes({ filters: { name: [`default.${service}.data.0`] } })
    return Volumes.flatMap(({ Mountpoint }) => linesOf(join(Mountpoint, 'lines')))
  })
})

const mountpointOf = (service: string): string => {
  const words = ['-H', `unix://${inject('dockerSocket')}`, 'volume', 'inspect', '-f', '{{.Mountpoint}}']
  return execFileSync('docker', [...words, `default.${service}.data.0`], { encoding: 'utf8' }).trim()
}

test('a backup of containers is restored into a volume of Docker that is made for it', async () => {
  const lines = async (service: string) => linesOf(join(mountpointOf(service), 'lines'))
  await restoresIntoNew(openDockerHost(), `image: ${testImage}`, lines, mountpointOf)
})

test('a backup of systemd is restored into a directory that is made for it, of the user of the unit', async () => {
  const host = openSystemdHost()
  const dir = (service: string): string => join(seen(host.dataDir), 'volumes/default', service, 'data.0/data')
  const lines = async (service: string) => linesOf(join(dir(service), 'lines'))
  const kind = 'compute_type: process\nuser: nobody'
  if (hasZstd()) await restoresIntoNew(host, kind, lines, dir, seen)
  else await expect(restoresIntoNew(host, kind, lines, dir, seen)).rejects.toThrow('zstd')
})

test('what prepares a backup runs inside a container as its user, and what it writes is in the backup', async () => {
  const host = openDockerHost()
  await host.startDaemon()
  const manifest = `image: ${testImage}
command: [sleep, "1000"]
environment: {SAID: "dumped by"}
user: "0:7"
volumes:
  - name: data
    path: /mnt/data
    backup: {before_backup: [sh, "-c", 'echo "$SAID $(id -g)" > "$MARIPOSA_VOLUME_DATA/dump"']}
`
  await host.done('service', 'deploy', host.file('dumped.yml', manifest))
  const backup = join(host.dir, 'dumped.tar.zst')
  await host.done('volume', 'backup', 'dumped.data.0', backup)
  const dump = execFileSync('tar', ['--zstd', '-xOf', backup, './dump'], { encoding: 'utf8' })
  expect(dump).toBe('dumped by 7\n')
})

test('a backup of systemd is restored into another service, or the machine says which program it misses', async () => {
  const host = openSystemdHost()
  const dir = join(seen(host.dataDir), 'volumes/default')
  const linesIn = async (service: string) => linesOf(join(dir, service, 'data.0/data/lines'))
  if (hasZstd()) return await backsUp(host, 'compute_type: process\nuser: nobody', linesIn, seen)
  await expect(backsUp(host, 'compute_type: process\nuser: nobody', linesIn, seen)).rejects.toThrow('zstd')
})
