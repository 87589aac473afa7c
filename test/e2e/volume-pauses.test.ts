// Backups of volumes while their instances are paused, under the embedded supervisor.
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { until } from './cluster.js'
import { useHosts } from './host.js'
import { beginBackup, fill, pausesForBackups } from './volume-pauses.js'

const openHost = useHosts()

test('an instance stands still for as long as a backup is read, and goes on whatever becomes of that', async () => {
  const host = openHost()
  await pausesForBackups(host, 'compute_type: process', (service) =>
    join(host.dataDir, 'volumes/default', service, 'data.0/data'),
  )
})

/** Each writes into a file of its own, and so does a program that it has started in a session and environment of its own, until the volume is gone. */
const sharing = `compute_type: process
command: [/bin/sh, "-c", 'setsid env -i "D=$DIR" "F=$DIR/away-$N" sh -c "while [ -e \\$D ]; do date +%N > \\$F; sleep 0.02; done" & while :; do date +%N > "$DIR/here-$N"; sleep 0.02; done']
environment: {DIR: "{{ .volume.data.path }}", N: "{{ .instance.name }}", PATH: "/usr/bin:/bin"}
volumes: [{name: data, path: /mnt/data, scope: service}]
stop: {timeout: 1, preservestopped: "no"}
`

test('all instances that share a volume stand still, with all that they have started', async () => {
  const host = openHost()
  await host.startDaemon()
  await host.done('service', 'deploy', host.file('db.yml', sharing), '--scale', '2')
  const dir = join(host.dataDir, 'volumes/default/db/data/data')
  const files = ['here-db-1', 'away-db-1', 'here-db-2', 'away-db-2'].map((name) => join(dir, name))
  const look = (): readonly string[] => files.map((file) => readFileSync(file, 'utf8'))
  const allGoOn = async (): Promise<void> => {
    const before = look()
    await until(() => expect(look().every((text, index) => text !== before[index])).toBe(true))
  }
  await until(() => expect(look().every((text) => text !== '')).toBe(true))
  fill(dir)
  const backup = await beginBackup(host, 'consistency=paused', 'db.data')
  const still = look()
  // Twenty of their rounds: nothing else could be waited for.
  await new Promise((resolve) => setTimeout(resolve, 400))
  expect(look()).toEqual(still)
  expect((await host.instances('db')).map(({ state }) => state)).toEqual(['paused', 'paused'])
  const exec = await host.run('service', 'exec', 'db-1', '--', 'true')
  expect([exec.code, exec.stderr]).toEqual([expect.any(Number), expect.stringContaining('is paused')])
  // What is begun meanwhile waits with its start until the volume may be written to.
  const scale = host.start('service', 'scale', 'db', '3')
  await until(async () =>
    expect((await host.instances('db')).map(({ reason }) => reason)).toContainEqual(
      expect.stringContaining('is held'),
    ),
  )
  expect(Object.keys(await backup.read())).toContain('x-mariposa-sha256')
  expect((await scale.ended).code).toBe(0)
  await allGoOn()

  // A program beside one of them would go on: nothing is paused while there is one.
  const beside = host.start('service', 'exec', 'db-1', '--', '/bin/sh', '-c', 'echo runs; exec sleep 1000')
  await beside.saw('runs')
  const words = ['volume', 'backup', 'db.data', join(host.dir, 'out'), '--consistency']
  const refused = await host.run(...words, 'paused')
  expect([refused.code, refused.stderr]).toEqual([1, expect.stringContaining('a program is run beside')])
  await allGoOn()
  beside.signal('SIGTERM')
  await beside.ended
  const wrong = await host.run(...words, 'live', '--pause-at-most', '5s')
  expect([wrong.code, wrong.stderr]).toEqual([2, expect.stringContaining('is for --consistency paused')])
  await host.done(...words, 'paused', '--pause-at-most', '50s')
  await allGoOn()
})
