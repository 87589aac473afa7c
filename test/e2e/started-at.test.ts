// When an instance was started is known after it has ended.
import { expect, test } from 'vitest'
import { useHosts } from './host.js'

const openHost = useHosts()

test('a kept instance says when its last run was started, also after a restart of the daemon', async () => {
  const host = openHost()
  const daemon = await host.startDaemon()
  const manifest =
    'name: web\ncompute_type: process\ncommand: [/bin/sleep, "1000"]\nstop: {timeout: 1, preservestopped: always}\n'
  await host.done('service', 'deploy', host.file('web.yml', manifest))
  const [running] = await host.instances('web')
  expect(running).toMatchObject({ state: 'running', startedAt: expect.any(String) })
  await host.done('service', 'stop', 'web')
  const [stopped] = await host.instances('web')
  expect(stopped).toMatchObject({ state: 'stopped', startedAt: running?.startedAt })

  daemon.signal('SIGTERM')
  await daemon.ended
  await host.startDaemon()
  expect((await host.instances('web'))[0]).toMatchObject({ state: 'stopped', startedAt: running?.startedAt })
})
