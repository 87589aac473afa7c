import { mkdirSync, readdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { until } from './cluster.js'
import { useHosts } from './host.js'
import { isListed, linesOf, manifest, outlives } from './named-volumes.js'

const openHost = useHosts()

test('a named volume outlives versions, scale 0, the daemon and its service', async () => {
  const host = openHost()
  const data = join(host.dataDir, 'volumes/default/db/data/data')
  const work = join(host.dir, 'work')
  mkdirSync(work)
  const kind = `compute_type: process\nworking_dir: ${work}`
  await outlives(host, kind, async () => linesOf(join(data, 'lines')))
  expect(readdirSync(work)).toEqual([])
})

test('a volume is listed with the instances that have it, and as unused when its service is gone', async () => {
  await isListed(openHost(), 'compute_type: process')
})

test('what the driver cannot keep is refused, and what it keeps elsewhere is said', async () => {
  const host = openHost()
  await host.startDaemon()
  const deploy = async (volume: string) =>
    await host.run(
      ...['service', 'deploy', '--plan'],
      host.file('web.yml', `compute_type: process\ncommand: [/bin/sleep, "1000"]\nvolumes: [${volume}]\n`),
    )
  for (const volume of [
    '/etc:/x',
    '{tmpfs: true, path: /x}',
    '{name: d, path: /x, scope: service, readonly: true}',
  ])
    expect(await deploy(volume)).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('process') as string,
    })
  expect(await deploy('{name: d, path: /x, size: 1M}')).toMatchObject({ code: 0 })
  expect(await deploy('d:/x')).toMatchObject({ code: 0 })
  expect(await deploy('{name: d, path: /x, scope: service}')).toMatchObject({
    code: 0,
    stderr: expect.stringContaining('cannot show the volume d at /x') as string,
  })
})

test('somebody else’s file in the working directory is not taken for the volume', async () => {
  const host = openHost()
  await host.startDaemon()
  const work = join(host.dir, 'work')
  mkdirSync(work)
  writeFileSync(join(work, 'data'), 'mine')
  const file = host.file('db.yml', manifest(`compute_type: process\nworking_dir: ${work}`, 'v1'))
  await host.run('service', 'deploy', '--detach', file)
  await until(async () => {
    const [instance] = await host.instances('db')
    expect(JSON.stringify(instance)).toContain('exists already')
  })
  await host.done('service', 'delete', 'db', '--force', '--volumes')
})
