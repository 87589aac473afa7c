// A daemon that has not seen the store since its start tells nobody that there are no instances.
import { expect, onTestFinished, test } from 'vitest'
import { openLocalApi } from './local-api.js'

test('discovery is refused while the daemon does not know all instances', async () => {
  const { server, registry } = await openLocalApi()
  onTestFinished(() => server.close())
  const isComplete = registry.isComplete.bind(registry)
  const paths = ['/v1/discovery/prometheus', '/v1/discovery/traefik', '/v1/projects/default/discovery']
  const statuses = async () =>
    Promise.all(paths.map(async (url) => (await server.inject({ method: 'GET', url })).statusCode))
  Object.assign(registry, { isComplete: () => false })
  expect(await statuses()).toEqual([503, 503, 503])
  Object.assign(registry, { isComplete })
  expect(await statuses()).toEqual([200, 200, 200])
})
