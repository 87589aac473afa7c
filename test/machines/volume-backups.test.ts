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
import { hostsOnSystemd, runInMachine } from './systemd-place.js'

const program = join(import.meta.dirname, '../../dist/mariposa.js')
const docker = new Docker({ socketPath: inject('dockerSocket') })
const openDockerHost = hostsOf(
  builtProgram(program),
  onDocker('volume-backups', () => inject('dockerSocket')),
)
const openSystemdHost = hostsOnSystemd()
const seen = (path: string): string => join(inject('systemdMachine').root, path)

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
  await restoresIntoNew(host, kind, lines, dir, seen)
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

test('a backup of systemd is restored into another service', async () => {
  const host = openSystemdHost()
  const dir = join(seen(host.dataDir), 'volumes/default')
  const linesIn = async (service: string) => linesOf(join(dir, service, 'data.0/data/lines'))
  await backsUp(host, 'compute_type: process\nuser: nobody', linesIn, seen)
})

test('a machine without zstd says so, and its instance goes on', async () => {
  const host = openSystemdHost()
  await host.startDaemon()
  const manifest = 'compute_type: process\ncommand: [sleep, "1000"]\nvolumes: ["data:/mnt/data"]\n'
  await host.done('service', 'deploy', host.file('db.yml', manifest))
  const [before] = await host.instances('db')
  // What cannot be executed stands in its place.
  runInMachine('mount', '--bind', '/etc/hostname', '/usr/bin/zstd')
  try {
    const to = join(host.dir, 'never')
    const refused = await host.run('volume', 'backup', 'db.data.0', to, '--consistency', 'stopped')
    expect([refused.code, refused.stderr]).toEqual([1, expect.stringContaining('this machine has no zstd')])
  } finally {
    runInMachine('umount', '/usr/bin/zstd')
  }
  expect(await host.instances('db')).toMatchObject([{ name: before?.name, startedAt: before?.startedAt }])
})
