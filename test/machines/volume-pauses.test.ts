// Backups of volumes while containers, and units of systemd, are paused.
import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, inject, test } from 'vitest'
import { builtProgram } from '../cli/program.js'
import { until } from '../e2e/cluster.js'
import { hostsOf } from '../e2e/host.js'
import { beginBackup, failureOf, fill, pausesForBackups, writing, writtenIn } from '../e2e/volume-pauses.js'
import { testImage } from './docker-host.js'
import { onDocker } from './docker-place.js'
import { hostsOnSystemd, runInMachine } from './systemd-place.js'

const openDockerHost = hostsOf(
  builtProgram(join(import.meta.dirname, '../../dist/mariposa.js')),
  onDocker('volume-pauses', () => inject('dockerSocket')),
)
const openSystemdHost = hostsOnSystemd()
const seen = (path: string): string => join(inject('systemdMachine').root, path)
const docker = (...words: readonly string[]): string =>
  execFileSync('docker', ['-H', `unix://${inject('dockerSocket')}`, ...words], { encoding: 'utf8' }).trim()
const mountpointOf = (service: string): string =>
  docker('volume', 'inspect', '-f', '{{.Mountpoint}}', `default.${service}.data.0`)

test('a container stands still for as long as a backup is read, and goes on whatever becomes of that', async () => {
  await pausesForBackups(openDockerHost(), `image: ${testImage}`, mountpointOf)
})

test('a unit of systemd stands still for as long as a backup is read, and goes on whatever becomes of that', async () => {
  const host = openSystemdHost()
  await pausesForBackups(host, 'compute_type: process\nuser: nobody', (service) =>
    join(seen(host.dataDir), 'volumes/default', service, 'data.0/data'),
  )
})

test('systemctl stop of a unit that stands still is not waited for, and its backup fails', async () => {
  const host = openSystemdHost()
  await host.startDaemon()
  await host.done('service', 'deploy', host.file('db.yml', writing('compute_type: process')))
  const dir = join(seen(host.dataDir), 'volumes/default/db/data.0/data')
  fill(dir)
  const backup = await beginBackup(host, 'consistency=paused')
  await writtenIn(dir).standsStill()
  const [instance] = await host.instances('db')
  const from = performance.now()
  runInMachine('systemctl', 'stop', instance?.unit ?? '')
  // Of the 60 s that it has for that.
  expect(performance.now() - from).toBeLessThan(30_000)
  expect(failureOf(await backup.read())).toMatchObject({ code: 'volume/pause-ended' })
})

test('a container that somebody has go on fails the backup, and one that somebody has paused is left alone', async () => {
  const host = openDockerHost()
  await host.startDaemon()
  await host.done('service', 'deploy', host.file('held.yml', writing(`image: ${testImage}`)))
  const dir = mountpointOf('held')
  fill(dir)
  const backup = await beginBackup(host, 'consistency=paused', 'held.data.0')
  await writtenIn(dir).standsStill()
  const id = docker('ps', '--quiet', '--filter', 'volume=default.held.data.0')
  docker('unpause', id)
  expect(failureOf(await backup.read())).toMatchObject({ code: 'volume/pause-ended' })
  await writtenIn(dir).goesOn()
  docker('pause', id)
  await until(async () => expect(await host.instances('held')).toMatchObject([{ state: 'paused' }]))
  const refused = await host.run(
    'volume',
    'backup',
    'held.data.0',
    join(host.dir, 'no'),
    '--consistency',
    'paused',
  )
  expect([refused.code, refused.stderr]).toEqual([
    1,
    expect.stringContaining('already paused by somebody else'),
  ])
  const before = readFileSync(join(dir, 'count'), 'utf8')
  await writtenIn(dir).standsStill()
  expect(readFileSync(join(dir, 'count'), 'utf8')).toBe(before)
  docker('unpause', id)
})

test('another container with the volume, which is none of ours, has nothing paused', async () => {
  const host = openDockerHost()
  await host.startDaemon()
  await host.done('service', 'deploy', host.file('joint.yml', writing(`image: ${testImage}`)))
  const other = docker('run', '-d', '-v', 'default.joint.data.0:/data', testImage, 'sleep', '1000')
  try {
    const words = ['volume', 'backup', 'joint.data.0', join(host.dir, 'no'), '--consistency', 'paused']
    const refused = await host.run(...words)
    expect([refused.code, refused.stderr]).toEqual([1, expect.stringContaining('not a unit of Mariposa')])
    await writtenIn(mountpointOf('joint')).goesOn()
  } finally {
    docker('rm', '-f', other)
  }
})
