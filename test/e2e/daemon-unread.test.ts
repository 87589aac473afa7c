// A daemon whose log nobody reads any more, as where `mariposa daemon 2>&1 | tee log` has lost its tee.
import { expect, test } from 'vitest'
import { useHosts, webManifest } from './host.js'

const newHost = useHosts()

test('goes on, and does as it is told', async () => {
  const host = newHost()
  const daemon = await host.startDaemon()
  daemon.hangUp()
  daemon.hangUp('stderr')
  const file = host.file('web.yml', webManifest('1'))
  await host.done('service', 'deploy', file)
  await host.done('service', 'scale', 'web=2')
  expect((await host.instances('web')).map(({ state }) => state)).toEqual(['running', 'running'])
})
