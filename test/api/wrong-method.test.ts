// What is answered where a path or its method is none, and what a caller is told to show. Those of fleet are in test/fleet.
import { expect, test } from 'vitest'
import { buildServer } from '../../src/api/io/server.js'
import { noDoors } from '../../src/api/io/startup-server.js'
import { openLocalApi } from './local-api.js'

test('a path of ours with another method is told its methods, and a path that is none is not there', async () => {
  const { server } = await openLocalApi()
  const answer = async (method: 'DELETE' | 'GET' | 'PATCH' | 'PUT', url: string): Promise<unknown> => {
    const { statusCode, headers, body } = await server.inject({ method, url })
    const { error } = JSON.parse(body) as { error: { code: string; message: string } }
    return [statusCode, headers['allow'], error.code, error.message]
  }
  const refused = (path: string, method: string, allow: string): unknown => [
    405,
    allow,
    'api/wrong-method',
    `${path} does not take ${method}, but ${allow}`,
  ]
  try {
    expect(await answer('PUT', '/v1/tasks?limit=1')).toEqual(refused('/v1/tasks', 'PUT', 'GET, HEAD'))
    const scale = '/v1/projects/default/scale'
    expect(await answer('GET', scale)).toEqual(refused(scale, 'GET', 'POST'))
    const key = '/v1/projects/default/meta/a'
    expect(await answer('PATCH', key)).toEqual(refused(key, 'PATCH', 'DELETE, GET, HEAD, PUT'))
    expect(await answer('DELETE', '/healthz')).toEqual(refused('/healthz', 'DELETE', 'GET, HEAD'))
    for (const path of ['/v1/nothing', '/v1/tasks/', '/v1', '/V1/tasks']) {
      const message = `there is nothing at PUT ${path}`
      expect(await answer('PUT', path)).toEqual([404, undefined, 'api/unknown-path', message])
    }
  } finally {
    await server.close()
  }
})

test('who shows nothing over TCP is told what to show, whatever is asked', async () => {
  const { server, context } = await openLocalApi()
  const tcp = { kind: 'tcp', host: '127.0.0.1', port: 0 } as const
  const open = buildServer(
    context,
    tcp,
    { tls: null, tokens: () => [], open: false },
    { local: false },
    noDoors,
  )
  try {
    for (const url of ['/v1/tasks', '/v1/nothing', '/fleet/v1/units']) {
      const { statusCode, headers } = await open.inject({ method: 'PUT', url })
      expect([url, statusCode, headers['www-authenticate']]).toEqual([url, 401, 'Bearer'])
    }
  } finally {
    await open.close()
    await server.close()
  }
})
