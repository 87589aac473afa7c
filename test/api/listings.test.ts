// Listings as HTTP answers, of what is kept and of what has changed, and deploys of many services at once.
import type { FastifyInstance } from 'fastify'
import { afterEach, beforeEach, expect, test } from 'vitest'
import type { ServiceBody } from '../../src/contract/contract.js'
import { deploy, openLocalApi } from './local-api.js'

let server: FastifyInstance

beforeEach(async () => {
  ;({ server } = await openLocalApi())
})

afterEach(async () => {
  await server.close()
})

const get = (url: string, headers: Record<string, string> = {}) =>
  server.inject({ method: 'GET', url: `/v1/projects/default/${url}`, headers })

test('who has the list of services as it is gets no other, and a new one as soon as something has changed', async () => {
  await deploy(server, ['web', 'db'])
  const first = await get('services')
  expect(first.headers['content-type']).toBe('application/json; charset=utf-8')
  expect(first.json<readonly ServiceBody[]>().map(({ name }) => name)).toEqual(['db', 'web'])
  const tag = String(first.headers['etag'])
  const same = await get('services', { 'if-none-match': tag })
  expect([same.statusCode, same.payload, same.headers['etag']]).toEqual([304, '', tag])
  const again = await get('services')
  expect([again.payload, again.headers['content-type']]).toEqual([
    first.payload,
    first.headers['content-type'],
  ])
  expect(again.headers['content-length']).toBe(String(Buffer.byteLength(first.payload)))
  await server.inject({
    method: 'POST',
    url: '/v1/projects/default/scale',
    payload: { targets: { web: 3 } },
  })
  const changed = await get('services', { 'if-none-match': tag })
  expect(changed.statusCode).toBe(200)
  expect(changed.json<readonly ServiceBody[]>().map(({ scale }) => scale)).toEqual([1, 3])
  expect((await get('services/web')).json()).toMatchObject({ name: 'web', scale: 3, instances: [] })
  expect((await get('instances')).json()).toEqual([])
  expect((await get('instances?service=nobody')).statusCode).toBe(404)
  expect((await get('services/nobody')).statusCode).toBe(404)
})

test('many services are deployed as one change, and others are answered while they are read', async () => {
  const names = Array.from({ length: 60 }, (_, n) => `s${n}`)
  const order: string[] = []
  const deployed = deploy(server, names).then(() => order.push('deployed'))
  const asked = get('services').then((answer) => order.push(answer.payload))
  await Promise.all([deployed, asked])
  expect(order).toEqual(['[]', 'deployed'])
  expect((await get('services')).json<readonly ServiceBody[]>()).toHaveLength(60)
  const again = deploy(server, names, '# new\n')
  const one = deploy(server, ['s7'], '# newest\n')
  await Promise.all([again, one])
  const ordinals = (await get('services')).json<readonly ServiceBody[]>().map(({ ordinal }) => ordinal)
  expect(ordinals.filter((ordinal) => ordinal === 2)).toHaveLength(59)
  expect(Math.max(...ordinals)).toBe(3)
})
