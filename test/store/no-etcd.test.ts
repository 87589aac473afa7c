// What answers in the place of an etcd and speaks HTTP/2: a web server, or a proxy on the way.
import { createServer } from 'node:http2'
import type { AddressInfo } from 'node:net'
import { expect, onTestFinished, test } from 'vitest'
import { openEtcdStore } from '../../src/store/io/etcd/etcd.js'

test.each([403, 404, 503])('HTTP status %i is no word of an etcd', async (status) => {
  const web = createServer((_, response) => void response.writeHead(status).end()).listen(0, '127.0.0.1')
  await new Promise((resolve) => web.once('listening', resolve))
  const { port } = web.address() as AddressInfo
  const store = openEtcdStore({
    endpoints: [`127.0.0.1:${port}`],
    prefix: '/mariposa/',
    tls: null,
    login: null,
    requestTimeoutMs: 300,
  })
  onTestFinished(async () => {
    await store.close()
    web.close()
  })
  await expect(store.get('k')).rejects.toMatchObject({
    code: 'store/unreachable',
    message: expect.stringContaining(`what answers there is no etcd: HTTP status code ${status}`) as string,
  })
})
