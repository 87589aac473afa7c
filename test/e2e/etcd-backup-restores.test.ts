// Restoring backups by schedule from the directory of another machine.
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import type { VolumeBackupBody } from '../../src/contract/contract.js'
import { until } from './cluster.js'
import type { Host } from './host.js'
import { linesOf } from './named-volumes.js'
import { idB, usePairs } from './pair.js'

const pairs = usePairs()

const manifest = (backup = ''): string => `compute_type: process
command: [/bin/sh, "-c", "echo begun >> $DIR/lines; exec sleep 1000"]
environment: {DIR: "{{ .volume.data.path }}"}
volumes: [{name: data, path: /mnt/data${backup}}]
stop: {timeout: 5, preservestopped: "no"}
`
const dataIn = ({ dataDir }: Host, service: string): string =>
  join(dataDir, 'volumes/default', service, 'data.0', 'data')

test('what a machine has backed up is restored on another one, by way of any daemon, and not while that machine is away', async () => {
  const { a, b, daemonB } = await pairs.openWithTls()
  const to = join(b.dir, 'backups')
  mkdirSync(to)
  await a.done('service', 'deploy', a.file('db.yml', manifest()), '--scale', '0')
  await a.done('service', 'deploy', a.file('copy.yml', manifest()), '--scale', '0')
  await a.done('machine', 'cordon', 'a'.repeat(32))
  await a.done('service', 'scale', 'db', '1')
  await until(() => expect(linesOf(join(dataIn(b, 'db'), 'lines'))).toEqual(['begun']))
  await a.done('machine', 'uncordon', 'a'.repeat(32))
  const large = Buffer.alloc(9_000_000, Array.from({ length: 1021 }, (_, n) => `${n},`).join(''))
  writeFileSync(join(dataIn(b, 'db'), 'large'), large)
  await a.done(
    'service',
    'deploy',
    a.file('db.yml', manifest(`, backup: {schedule: "R//PT2S", to: ${to}, keep: 9}`)),
  )
  const whole = async () =>
    (JSON.parse((await a.done('volume', 'backups', '--json')).stdout) as readonly VolumeBackupBody[]).filter(
      ({ result }) => result === 'whole',
    )
  await until(async () => expect((await whole()).length).toBeGreaterThan(0))
  await a.done('service', 'deploy', a.file('db.yml', manifest()))
  const [first] = await whole()
  expect(first?.machine).toBe(idB)
  const id = first?.id ?? ''
  // The file of b, read by a.
  await b.done('volume', 'restore', '--from-backup', id, 'copy.data', '--machine', 'a'.repeat(32))
  expect(readFileSync(join(dataIn(a, 'copy'), 'large')).equals(large)).toBe(true)
  // By way of a, into the volume on b itself.
  writeFileSync(join(dataIn(b, 'db'), 'large'), 'overwritten')
  await a.done('volume', 'restore', '--from-backup', id, '--force')
  expect(readFileSync(join(dataIn(b, 'db'), 'large')).equals(large)).toBe(true)
  // One at a time: the other one is refused, and what it had opened is let go.
  const both = await Promise.all(
    [1, 2].map(async () => await a.run('volume', 'restore', '--from-backup', id, 'copy.data.0', '--force')),
  )
  expect(both.some(({ code }) => code === 0)).toBe(true)
  for (const { code, stderr } of both) if (code !== 0) expect(stderr).toContain('is held for a restore')
  expect(readFileSync(join(dataIn(a, 'copy'), 'large')).equals(large)).toBe(true)
  // What was changed there is not taken.
  const file = first?.to ?? ''
  writeFileSync(join(dataIn(a, 'copy'), 'large'), 'own')
  const good = readFileSync(file)
  writeFileSync(file, Buffer.from(good).fill(0, good.length - 100))
  const changed = await a.run('volume', 'restore', '--from-backup', id, 'copy.data.0', '--force')
  expect([changed.code, changed.stderr]).toEqual([1, expect.stringContaining('cannot be unpacked')])
  writeFileSync(file, 'short')
  const short = await a.run('volume', 'restore', '--from-backup', id, 'copy.data.0', '--force')
  expect([short.code, short.stderr]).toEqual([1, expect.stringContaining('has 5 bytes, but')])
  writeFileSync(file, good)
  daemonB.signal('SIGKILL')
  await daemonB.ended
  const away = await a.run('volume', 'restore', '--from-backup', id, 'copy.data.0', '--force')
  expect([away.code, away.stderr]).toEqual([1, expect.stringContaining('cannot be reached')])
  expect(readFileSync(join(dataIn(a, 'copy'), 'large')).toString()).toBe('own')
})
