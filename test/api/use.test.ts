// What units use of all machines: asked of one daemon, which asks the others.
import { Readable } from 'node:stream'
import { expect, test } from 'vitest'
import type { Peers } from '../../src/api/io/peers.js'
import { paths, type UseBody } from '../../src/contract/contract.js'
import { systemClock } from '../../src/lib/io/clock.js'
import { machineRecord } from '../interleaving/cluster.js'
import { idOf } from '../world/world.js'
import { openLocalApi } from './local-api.js'

test('a machine that does not know itself, as its lease has ended, is named as silent', async () => {
  const nothing: UseBody = { units: [], machines: [], silent: [] }
  const ask = async () =>
    Object.assign(Readable.from([Buffer.from(JSON.stringify(nothing))]), { statusCode: 200 })
  const peers = { knows: () => true, ask: ask as unknown as Peers['ask'] }
  const { server, registry } = await openLocalApi(systemClock, { peers })
  await registry.commit([], [machineRecord(idOf('b'))])
  const answer = await server.inject({ method: 'GET', url: paths.use })
  expect(answer.json<UseBody>()).toMatchObject({
    machines: [{ machine: idOf('a') }],
    silent: [{ machine: idOf('b'), reason: expect.stringContaining('its lease has ended') }],
  })
  await server.close()
})
