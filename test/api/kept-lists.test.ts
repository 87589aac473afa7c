// The list of services over HTTP: answered from what is kept, as its route answers it, and to nobody whom the route refuses.
import { connect } from 'node:net'
import { afterEach, expect, test } from 'vitest'
import { buildServer } from '../../src/api/io/server.js'
import { noDoors } from '../../src/api/io/startup-server.js'
import type { Staleness } from '../../src/api/staleness.js'
import { deploy, openLocalApi } from './local-api.js'

const token = 'a-token-of-sixteen-or-more'
const list = '/v1/projects/default/services'
const ends: (() => Promise<unknown>)[] = []

afterEach(async () => {
  for (const end of ends.splice(0).reverse()) await end()
})

test('the list and its 304 are the same whether they are kept or made by the route', async () => {
  const api = await serve()
  const made = await api.get(list)
  const kept = await api.get(list)
  expect(kept).toEqual(made)
  expect(kept.status).toBe('HTTP/1.1 200 OK')
  expect(api.answered()).toBe(1)
  const tag = String(/^etag: (.*)$/m.exec(made.head)?.[1])
  const same = await api.get(list, `If-None-Match: W/"other", ${tag}\r\n`)
  await deploy(api.server, ['web', 'db'])
  const sameByRoute = await api.get(`${list}?`, `If-None-Match: ${tag}\r\n`)
  expect(same).toEqual(sameByRoute)
  expect(same.status).toBe('HTTP/1.1 304 Not Modified')
  expect(same.body).toBe('')
})

test('what is changed is in the next answer', async () => {
  const api = await serve()
  const before = [await api.get(list), await api.get(list)]
  await deploy(api.server, ['more'])
  const after = [await api.get(list), await api.get(list)]
  expect(before[0]?.body).not.toContain('"name":"more"')
  expect(before[1]).toEqual(before[0])
  expect(after[0]?.body).toContain('"name":"more"')
  expect(after[1]).toEqual(after[0])
})

test('who is refused by the route is refused, though the list is kept', async () => {
  const api = await serve()
  await api.get(list)
  const wrong = 'authorization: Bearer another-token-than-that\r\n'
  const statusOf = async (headers: string, more = '') => (await api.get(list, more, headers)).status
  expect(await statusOf('')).toContain(' 401 ')
  expect(await statusOf(wrong)).toContain(' 401 ')
  expect(await statusOf(letIn, 'origin: http://example.com\r\n')).toContain(' 403 ')
  expect(await statusOf(letIn, 'mariposa-machine: another\r\n')).toContain(' 421 ')
  expect(api.answered()).toBe(1)
})

test('an answer that says more than the list is made by its route', async () => {
  const api = await serve()
  await api.get(list)
  expect(api.answered()).toBe(1)
  const paged = await api.get(`${list}?limit=1`)
  expect(paged.head).toContain('link: ')
  api.shown.stale = { since: 0, because: 'store/unreachable' }
  const stale = await api.get(list)
  expect(stale.head).toContain('mariposa-stale')
  expect(api.answered()).toBe(3)
  api.shown.stale = null
  await api.get(list)
  expect(api.answered()).toBe(3)
})

test('each answer is logged, and other methods and names are not taken for it', async () => {
  const api = await serve()
  await api.get(list)
  await api.get(list)
  expect(api.logged.filter((message) => message === 'request answered')).toHaveLength(2)
  expect((await api.get('/v1/projects/nobody/services')).status).toContain(' 404 ')
  expect((await api.ask('DELETE', list)).status).toContain(' 405 ')
  expect((await api.ask('HEAD', list)).body).toBe('')
})

const letIn = `authorization: Bearer ${token}\r\n`

/** The API on TCP with two services; `answered` counts the requests that got as far as a route. */
async function serve() {
  const shown: { stale: Staleness | null } = { stale: null }
  const logged: string[] = []
  const note = (_part: unknown, message: string): void => {
    logged.push(message)
  }
  const log = { info: note, warn: note, error: note, debug: note }
  const local = await openLocalApi(undefined, { stale: () => shown.stale, log })
  const address = { kind: 'tcp', host: '127.0.0.1', port: 0 } as const
  const access = { tls: null, tokens: () => [{ role: 'write' as const, text: token }], open: false }
  const server = buildServer(local.context, address, access, { local: false }, noDoors)
  let answered = 0
  server.addHook('preHandler', (_request, _reply, done) => {
    answered += 1
    done()
  })
  const { port } = new URL(await server.listen({ host: '127.0.0.1', port: 0 }))
  ends.push(
    () => local.registry.close(),
    () => local.server.close(),
    () => server.close(),
  )
  await deploy(local.server, ['web', 'db'])
  logged.length = 0
  const ask = (method: string, path: string, more = '', headers = letIn): Promise<Answer> =>
    exchange(
      Number(port),
      `${method} ${path} HTTP/1.1\r\nhost: localhost\r\nconnection: close\r\n${headers}${more}\r\n`,
    )
  return {
    server: local.server,
    shown,
    logged,
    answered: () => answered,
    ask,
    get: (path: string, more?: string, headers?: string) => ask('GET', path, more, headers),
  }
}

interface Answer {
  readonly status: string
  /** Its lines in order, without the date. */
  readonly head: string
  readonly body: string
}

/** What a server answers on a connection of its own. */
function exchange(port: number, bytes: string): Promise<Answer> {
  return new Promise((resolve, reject) => {
    let text = ''
    const socket = connect({ host: '127.0.0.1', port, allowHalfOpen: true }, () => socket.write(bytes))
    socket.on('data', (chunk) => {
      text += String(chunk)
    })
    socket.on('end', () => {
      socket.destroy()
      const [head = '', body = ''] = text.split(/\r\n\r\n(.*)/s)
      const [status = '', ...lines] = head.split('\r\n')
      resolve({
        status,
        head: lines
          .filter((line) => !line.startsWith('Date:'))
          .sort()
          .join('\n'),
        body,
      })
    })
    socket.on('error', reject)
  })
}
