// Containers that somebody has paused, and those that are kept when they have stopped.
import { join } from 'node:path'
import Docker from 'dockerode'
import { expect, inject, test } from 'vitest'
import { builtProgram } from '../cli/program.js'
import { until } from '../e2e/cluster.js'
import { hostsOf } from '../e2e/host.js'
import { testImage } from './docker-host.js'
import { onDocker } from './docker-place.js'

const docker = new Docker({ socketPath: inject('dockerSocket') })
const openHost = hostsOf(
  builtProgram(join(import.meta.dirname, '../../dist/mariposa.js')),
  onDocker('held', () => inject('dockerSocket')),
)

/** As the first process of its container it ends by no signal but SIGKILL, with a status that says nothing good. */
const manifest = `image: ${testImage}
command: [/bin/sh, "-c", "exec sleep 1000"]
stop: {timeout: 1, preservestopped: always}
`

test('a container that is kept has not failed, also for a daemon that finds it so', async () => {
  const host = openHost()
  const daemon = await host.startDaemon()
  await host.done('service', 'deploy', host.file('web.yml', manifest))
  const scaled = await host.done('service', 'scale', 'web', '0')
  expect(`${scaled.stdout}${scaled.stderr}`).toContain('web-1: stopped, and kept')
  expect(await host.instances('web')).toMatchObject([{ name: 'web-1', state: 'stopped' }])
  daemon.signal('SIGTERM')
  await daemon.ended
  const again = await host.startDaemon()
  // Something else has to be reported before it is known that nothing more is of that.
  await host.done('service', 'deploy', host.file('other.yml', manifest))
  expect(await host.instances('web')).toMatchObject([{ name: 'web-1', state: 'stopped' }])
  again.signal('SIGTERM')
  await again.ended
})

test('a container that is paused is told as that, serves nothing, and can be stopped', async () => {
  const host = openHost()
  await host.startDaemon()
  await host.done('service', 'deploy', host.file('web.yml', manifest))
  const [web] = await host.instances('web')
  const container = docker.getContainer(web?.container ?? '')
  await container.pause()
  await until(async () =>
    expect(await host.instances('web')).toMatchObject([
      { name: 'web-1', state: 'paused', reason: expect.stringContaining('docker unpause') as string },
    ]),
  )
  expect(await host.service('web')).toMatchObject({ status: 'degraded', running: 0, healthy: 0 })
  await container.unpause()
  await until(async () => expect(await host.service('web')).toMatchObject({ status: 'running', running: 1 }))
  await container.pause()
  await until(async () => expect(await host.instances('web')).toMatchObject([{ state: 'paused' }]))
  await host.done('service', 'stop', 'web')
  expect(await host.instances('web')).toMatchObject([{ name: 'web-1', state: 'stopped' }])
})
