// The size of a volume: what is on the disk is measured and told, and what no disk has room for is refused.
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import type { VolumeBody } from '../../src/contract/contract.js'
import { until } from './cluster.js'
import { useHosts } from './host.js'

const openHost = useHosts()
const mib = 1024 ** 2

const manifest = (size: string): string => `compute_type: process
command: [/bin/sleep, "1000"]
volumes: [{name: data, path: /mnt/data, size: ${size}}]
`

test('a volume is listed with its size and what it holds, and the history says when that is too much', async () => {
  const host = openHost()
  const daemon = await host.startDaemon()
  const refused = await host.run('service', 'deploy', host.file('db.yml', manifest('1T')))
  expect([refused.code, refused.stderr]).toEqual([
    1,
    expect.stringContaining('of its disk left for volumes, 1048576 MiB are needed'),
  ])
  await host.done('service', 'deploy', host.file('db.yml', manifest('2M')))
  writeFileSync(join(host.dataDir, 'volumes/default/db/data.0/data/much'), Buffer.alloc(3 * mib, 1))
  // Who begins measures at once.
  daemon.signal('SIGTERM')
  await daemon.ended
  await host.startDaemon()
  const seen = await host.sawEvent(
    'db',
    ({ kind, message }) => kind === 'volume' && message.includes('more than'),
  )
  expect(seen.message).toMatch(/^the volume db\.data\.0 holds 3\.\d MB, more than its size of 2\.1 MB$/)
  await until(async () => {
    const [volume] = JSON.parse((await host.done('volume', 'list', '--json')).stdout) as readonly VolumeBody[]
    expect(volume?.sizeBytes).toBe(2 * mib)
    expect(volume?.usedBytes).toBeGreaterThanOrEqual(3 * mib)
  })
  expect((await host.done('volume', 'show', 'db.data.0')).stdout).toMatch(
    /^Size: +2\.1 MB\nHolds: +3\.\d MB$/m,
  )
})
