// Backups of volumes that are directories, under the embedded supervisor.
import { execFileSync } from 'node:child_process'
import { mkdirSync, readdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { until } from './cluster.js'
import { useHosts } from './host.js'
import { linesOf } from './named-volumes.js'
import { backsUp } from './volume-backups.js'

const openHost = useHosts()

test('a backup is restored into another service, whose instance is stopped meanwhile and comes back', async () => {
  const host = openHost()
  const dir = join(host.dataDir, 'volumes/default')
  await backsUp(host, 'compute_type: process', async (service) =>
    linesOf(join(dir, service, 'data.0/data/lines')),
  )
})

test('a slot that was held by a daemon which was killed has its instance again, and its data as they were', async () => {
  const host = openHost()
  const daemon = await host.startDaemon()
  const manifest = `compute_type: process
command: [/bin/sh, "-c", "echo begun >> $DIR/lines; exec sleep 1000"]
environment: {DIR: "{{ .volume.data.path }}"}
volumes: ["data:/mnt/data"]
stop: {timeout: 5, preservestopped: "no"}
`
  await host.done('service', 'deploy', host.file('db.yml', manifest))
  const data = join(host.dataDir, 'volumes/default/db/data.0/data')
  await until(() => expect(linesOf(join(data, 'lines'))).toEqual(['begun']))
  // A pipe that nobody writes into: the daemon waits for the rest of the backup.
  execFileSync('mkfifo', [join(host.dir, 'pipe')])
  const restoring = host.start('volume', 'restore', join(host.dir, 'pipe'), 'db.data.0', '--force')
  await until(async () => expect(await host.instances('db')).toEqual([]))
  await until(() => expect(readdirSync(join(data, '..'))).toContain('data.incoming'))
  daemon.signal('SIGKILL')
  await daemon.ended
  await restoring.ended
  mkdirSync(join(data, '../data.incoming'), { recursive: true })
  writeFileSync(join(data, '../data.incoming/half'), '')
  await host.startDaemon()
  await until(() => expect(linesOf(join(data, 'lines'))).toEqual(['begun', 'begun']))
})

test('a backup without a file to go into, and a restore of what is no file, stop nothing', async () => {
  const host = openHost()
  await host.startDaemon()
  const manifest = `compute_type: process
command: [/bin/sleep, "1000"]
volumes: ["data:/mnt/data"]
`
  await host.done('service', 'deploy', host.file('db.yml', manifest))
  const [before] = await host.instances('db')
  const stopped = ['--consistency', 'stopped']
  for (const to of [join(host.dir, 'no/such/file'), host.dir]) {
    const ended = await host.run('volume', 'backup', 'db.data.0', to, ...stopped)
    expect([ended.code, ended.stderr]).toEqual([2, expect.stringContaining(`cannot write ${to}`)])
  }
  const restored = await host.run('volume', 'restore', host.dir, 'db.data.0', '--force')
  expect([restored.code, restored.stderr]).toEqual([2, expect.stringContaining('is a directory')])
  expect((await host.instances('db')).map(({ name }) => name)).toEqual([before?.name])
})
