// Volumes that are filled across the machines of a cluster before an instance has them.
import { randomBytes } from 'node:crypto'
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { freePort } from '../free-port.js'
import { openProxy } from '../machines/proxy.js'
import { until } from './cluster.js'
import type { Host } from './host.js'
import { linesOf } from './named-volumes.js'
import { idA, idB, usePairs } from './pair.js'

const pairs = usePairs()

const manifest = (more = '') => `compute_type: process
command: [/bin/sh, "-c", "echo begun >> $DIR/lines; exec sleep 1000"]
environment: {DIR: "{{ .volume.data.path }}"}
volumes: ["data:/mnt/data"${more}]
stop: {timeout: 5, preservestopped: "no"}
`
const dataIn = ({ dataDir }: Host, service: string, volume = 'data.0'): string =>
  join(dataDir, 'volumes/default', service, volume, 'data')
const linesIn = (host: Host, service: string): readonly string[] =>
  linesOf(join(dataIn(host, service), 'lines'))

test('a volume is made on the machine that is named, where its instance goes then, and beside the others of its slot', async () => {
  const { a, b } = await pairs.openWithTls()
  await a.done('machine', 'cordon', idB)
  await a.done('service', 'deploy', a.file('db.yml', manifest()))
  await until(() => expect(linesIn(a, 'db')).toEqual(['begun']))
  await a.done('machine', 'uncordon', idB)
  const file = join(a.dir, 'backup')
  await a.done('volume', 'backup', 'db.data.0', file)
  await a.done('service', 'deploy', a.file('db2.yml', manifest(', "more:/mnt/more"')), '--scale', '0')
  await a.done('volume', 'restore', file, 'db2.data', '--machine', idB)
  expect(linesIn(b, 'db2')).toEqual(['begun'])
  const elsewhere = await a.run('volume', 'restore', file, 'db2.more', '--machine', idA)
  expect([elsewhere.code, elsewhere.stderr]).toEqual([
    1,
    expect.stringContaining('volumes of its slot are on'),
  ])
  await a.done('volume', 'restore', file, 'db2.more')
  expect(existsSync(join(dataIn(b, 'db2', 'more.0'), 'lines'))).toBe(true)
  await a.done('service', 'scale', 'db2', '1')
  await until(() => expect(linesIn(b, 'db2')).toEqual(['begun', 'begun']))
})

test('a clone has what is in a volume of another machine, which goes on; of nothing that is in its place without --force', async () => {
  const { a, b, daemonB } = await pairs.openWithTls()
  await a.done('machine', 'cordon', idB)
  await a.done('service', 'deploy', a.file('db.yml', manifest()))
  await until(() => expect(linesIn(a, 'db')).toEqual(['begun']))
  await a.done('machine', 'uncordon', idB)
  writeFileSync(join(dataIn(a, 'db'), 'large'), Buffer.alloc(5_000_000, 'abcdefgh'))
  await a.done('service', 'deploy', a.file('copy.yml', manifest()), '--scale', '0')
  const cloned = await a.done('volume', 'clone', 'db.data.0', 'copy.data', '--machine', idB, '--json')
  expect(JSON.parse(cloned.stdout)).toMatchObject({ machine: idB, incomplete: false, changed: false })
  expect(
    readFileSync(join(dataIn(b, 'copy'), 'large')).equals(readFileSync(join(dataIn(a, 'db'), 'large'))),
  ).toBe(true)
  await a.done('service', 'scale', 'copy', '1')
  await until(() => expect(linesIn(b, 'copy')).toEqual(['begun', 'begun']))
  expect(linesIn(a, 'db')).toEqual(['begun'])

  const refused = await a.run('volume', 'clone', 'copy.data', 'db.data.0')
  expect([refused.code, refused.stderr]).toEqual([1, expect.stringContaining('--force')])
  const same = await a.run('volume', 'clone', 'db.data', 'db.data.0', '--force')
  expect([same.code, same.stderr]).toEqual([2, expect.stringContaining('cannot be copied into itself')])
  await a.done('volume', 'clone', 'copy.data', 'db.data.0', '--force', '--consistency', 'stopped')
  await until(() => expect(linesIn(a, 'db')).toEqual(['begun', 'begun', 'begun']))
  await until(() => expect(linesIn(b, 'copy')).toEqual(['begun', 'begun', 'begun']))

  daemonB.signal('SIGKILL')
  await daemonB.ended
  const broken = await a.run('volume', 'clone', 'copy.data', 'db.data.0', '--force')
  expect(broken.code).toBe(1)
  expect(linesIn(a, 'db')).toEqual(['begun', 'begun', 'begun'])
})

test('a clone whose source is lost on its way says so, and both instances come back as they were', async () => {
  const { a, b } = pairs.open()
  const port = await freePort()
  const network = await openProxy(port)
  onTestFinished(() => network.close())
  const way = [
    '--insecure-listen',
    '--listen',
    `tcp://127.0.0.1:${port}`,
    '--advertise',
    `http://${network.address}`,
  ]
  const daemonA = await a.startDaemon(...way)
  await b.startDaemon()
  for (const [service, other] of [
    ['db', idB],
    ['copy', idA],
  ] as const) {
    await a.done('machine', 'cordon', other)
    await a.done('service', 'deploy', a.file(`${service}.yml`, manifest()))
    await a.done('machine', 'uncordon', other)
  }
  await until(() => expect([linesIn(a, 'db'), linesIn(b, 'copy')]).toEqual([['begun'], ['begun']]))
  writeFileSync(join(dataIn(a, 'db'), 'large'), randomBytes(20_000_000))
  network.limit(2_000_000)
  const clone = b.start('volume', 'clone', 'db.data.0', 'copy.data.0', '--force', '--consistency', 'stopped')
  await until(() => expect(existsSync(`${dataIn(b, 'copy')}.incoming/data/large`)).toBe(true))
  daemonA.signal('SIGKILL')
  const { code, stderr } = await clone.ended
  expect([code, stderr]).toEqual([1, expect.stringMatching(/connection to the daemon of .* was lost/)])
  await a.startDaemon(...way)
  await until(() => expect([linesIn(a, 'db'), linesIn(b, 'copy')]).toEqual([twice, twice]))
  expect(existsSync(join(dataIn(b, 'copy'), 'large'))).toBe(false)
})

const twice = ['begun', 'begun']
