// What a daemon shows another one of itself, and to whom.
import { once } from 'node:events'
import { existsSync, readFileSync } from 'node:fs'
import { createServer, type RequestListener, type ServerResponse } from 'node:http'
import https from 'node:https'
import type { AddressInfo } from 'node:net'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { askPeer } from '../../src/api/io/ask-peer.js'
import { ProblemError } from '../../src/api/io/context.js'
import {
  askJson,
  handedOn,
  jsonLinesOf,
  openPeers,
  type PeerCredentials,
  PeerError,
} from '../../src/api/io/peers.js'
import { relayed } from '../../src/api/io/relay.js'
import { beatHeader } from '../../src/contract/contract.js'
import { systemClock } from '../../src/lib/io/clock.js'
import type { Machine, MachineId } from '../../src/model/machine.js'
import { type Certificates, makeCertificates } from '../e2e/certificates.js'

const id = 'b'.repeat(32) as MachineId
const token = 'w'.repeat(16)
const shown: (string | undefined)[] = []
const handler: RequestListener = ({ headers: { authorization }, url = '/' }, response) => {
  const told = problems.get(url)
  if (told !== undefined) {
    response.writeHead(told.status).end(told.body)
    return
  }
  shown.push(authorization)
  response.writeHead(authorization === `Bearer ${token}` ? 200 : 401).end()
}
/** What is answered to some paths. */
const problems = new Map<string, { readonly status: number; readonly body: string }>()
const plain = createServer(handler)
let secure: https.Server
let ours: Certificates
let theirs: Certificates

beforeAll(async () => {
  ours = makeCertificates()
  theirs = makeCertificates()
  secure = https.createServer({ cert: readFileSync(ours.cert), key: readFileSync(ours.key) }, handler)
  for (const server of [plain, secure]) {
    server.listen(0, '127.0.0.1')
    await once(server, 'listening')
  }
})
afterAll(() => [plain, secure].map((server) => server.close()))

const at = (scheme: string, server: https.Server | typeof plain, host = '127.0.0.1'): string =>
  `${scheme}://${host}:${(server.address() as AddressInfo).port}`

/** Why the daemon at an address is not asked, with the hint; null when it answers. */
async function refusal(api: string, ca: string | null, path = '/'): Promise<readonly string[] | null> {
  const machines = new Map([[id, { id, hostname: 'north', api } as Machine]])
  const text = ca === null ? null : readFileSync(ca, 'utf8')
  const credentials: PeerCredentials = { token: () => token, tls: () => ({ ca: text }) }
  const { signal } = new AbortController()
  return openPeers({ machines }, credentials, systemClock)
    .ask(id, { method: 'GET', path }, signal)
    .then(
      (answer) => {
        answer.resume()
        return null
      },
      (error: unknown) => {
        if (!(error instanceof PeerError)) throw error
        return [error.message, error.hint]
      },
    )
}

test('a token is shown over TLS, to an address that a certificate of the named authority is for', async () => {
  expect(await refusal(at('https', secure), ours.ca)).toBeNull()
  expect(shown.splice(0)).toEqual([`Bearer ${token}`])
})

test('a token is shown to nobody else: not without TLS, to no other authority, and under no other name', async () => {
  expect(await refusal(at('http', plain), ours.ca)).toEqual([
    'the daemon of north refuses with HTTP status 401',
    expect.stringContaining('no token was sent') as string,
  ])
  expect(shown.splice(0)).toEqual([undefined])
  const unreached = (hint: string) => [
    expect.stringContaining('cannot be reached') as string,
    expect.stringContaining(hint) as string,
  ]
  const ofAuthority = unreached('its certificate has to be issued by the authority in --tls-ca-file')
  expect(await refusal(at('https', secure), theirs.ca)).toEqual(ofAuthority)
  expect(await refusal(at('https', secure), null)).toEqual(ofAuthority)
  expect(await refusal(at('https', secure, 'localhost'), ours.ca)).toEqual(
    unreached('the certificate of north has to be for the address that it announces'),
  )
  expect(shown).toEqual([])
})

test('a refusal is told in the words of who refuses, with what to do about it', async () => {
  const answered = async (status: number, body: string): Promise<readonly string[] | null> => {
    problems.set('/told', { status, body })
    return await refusal(at('https', secure), ours.ca, '/told')
  }
  const problem = (code: string, message: string, hint?: string) =>
    JSON.stringify({ error: { code, message, hint, details: [] } })
  expect(await answered(401, problem('api/unfit-certificate', 'it has expired', 'renew it'))).toEqual([
    'the daemon of north refuses: it has expired (HTTP status 401)',
    'the cause is the certificate in --tls-cert-file of this daemon: renew it',
  ])
  expect(await answered(401, problem('api/unauthorized', 'who are you?', 'give --token'))).toEqual([
    'the daemon of north refuses: who are you? (HTTP status 401)',
    expect.stringContaining('all machines need the same first "write" line') as string,
  ])
  expect(await answered(421, problem('api/another-machine', 'not\u001b me', 'two announce one'))).toEqual([
    'the daemon of north refuses: not  me (HTTP status 421)',
    'two announce one',
  ])
  expect(await answered(500, problem('api/internal', 'failed'))).toEqual([
    'the daemon of north refuses: failed (HTTP status 500)',
    'the log of the daemon of north may say more',
  ])
  for (const body of ['', 'oops', '[]', 'null', '{"error":7}', `"${'x'.repeat(70_000)}"`])
    expect((await answered(500, body))?.[0]).toBe('the daemon of north refuses with HTTP status 500')
})

test('what is refused there is refused here alike, but for what is between the daemons', async () => {
  const asked = async (status: number, code: string): Promise<unknown> => {
    problems.set('/told', { status, body: JSON.stringify({ error: { code, message: 'no', details: [] } }) })
    const machines = new Map([[id, { id, hostname: 'north', api: at('https', secure) } as Machine]])
    const tls = { ca: readFileSync(ours.ca, 'utf8') }
    const peers = openPeers({ machines }, { token: () => token, tls: () => tls }, systemClock)
    const request = { method: 'DELETE', path: '/told' } as const
    return await askPeer({ peers }, id, request, new AbortController().signal).catch((error: unknown) =>
      error instanceof ProblemError ? [error.problem.status, error.problem.code] : error,
    )
  }
  expect(await asked(409, 'volume/in-use')).toEqual([409, 'volume/in-use'])
  expect(await asked(403, 'policy/root')).toEqual([403, 'policy/root'])
  expect(await asked(401, 'api/unauthorized')).toEqual([502, 'api/peer-unreachable'])
  expect(await asked(421, 'api/another-machine')).toEqual([502, 'api/peer-unreachable'])
  expect(await asked(418, 'volume/in-use')).toEqual([502, 'api/peer-unreachable'])
})

test('the token of one who writes is not shown to who may only read', async () => {
  const reader = makeCertificates(['127.0.0.1'], 'read')
  const server = https.createServer(
    { cert: readFileSync(reader.cert), key: readFileSync(reader.key) },
    handler,
  )
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  shown.splice(0)
  expect(await refusal(at('https', server), reader.ca)).toEqual([
    expect.stringContaining('OU=read') as string,
    expect.any(String) as string,
  ])
  expect(shown).toEqual([])
  server.close()
})

test('a machine that says an address that is none cannot be asked', async () => {
  expect((await refusal('of a later kind', null))?.[0]).toBe(
    'the daemon of north announces an invalid address: of a later kind',
  )
})

test('where nobody listens, the hint is to listen there', async () => {
  const gone = createServer().listen(0, '127.0.0.1')
  await once(gone, 'listening')
  const { port } = gone.address() as AddressInfo
  gone.close()
  await once(gone, 'close')
  expect(await refusal(`https://127.0.0.1:${port}`, ours.ca)).toEqual([
    expect.stringContaining('ECONNREFUSED') as string,
    expect.stringContaining('listen where the others reach it') as string,
  ])
})

test('what answers with another form than was asked for is no daemon, and is named', async () => {
  const api = at('http', plain)
  const view = { machines: new Map([[id, { id, hostname: 'north', api } as Machine]]) }
  const peers = openPeers(view, { token: () => null, tls: () => null }, systemClock)
  const ask = (body: string) => {
    problems.set('/v1/use', { status: 200, body })
    const request = { method: 'GET', path: '/v1/use' } as const
    const { signal } = new AbortController()
    return askJson<{ machines: [] }>({ peers, registry: { view } }, id, { key: 'machines' }, request, signal)
  }
  for (const body of ['{}', '[]', 'null', '<html>', '']) {
    const error: unknown = await ask(body).catch((thrown: unknown) => thrown)
    expect(error).toBeInstanceOf(PeerError)
    expect(error).toMatchObject({
      message: `the server that answers for north at ${api} is not a Mariposa daemon, or has another version`,
      hint: expect.stringContaining('--advertise') as string,
    })
  }
  expect(await ask('{"machines":[]}')).toEqual({ machines: [] })
})

test('a stream that says how often it shows a sign of life is given up when it shows none, and no other', async () => {
  const told = new Map<string, ServerResponse>()
  const server = createServer(({ url = '/' }, response) => {
    response.writeHead(200, url === '/beats' ? { [beatHeader]: '0.01' } : {})
    response.write('{"line":1}\n')
    told.set(url, response)
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  const machines = new Map([[id, { id, hostname: 'north', api: at('http', server) } as Machine]])
  const peers = openPeers({ machines }, { token: () => null, tls: () => null }, systemClock)
  const linesOf = async (path: string) => {
    const { signal } = new AbortController()
    return jsonLinesOf<{ line: number }>(await peers.ask(id, { method: 'GET', path }, signal), systemClock)
  }
  const [patient, silent] = [await linesOf('/'), await linesOf('/beats')]
  for (const lines of [patient, silent]) expect((await lines.next()).value).toEqual([{ line: 1 }])
  const next = patient.next()
  await expect(silent.next()).rejects.toMatchObject({
    name: 'PeerError',
    message: 'its daemon is silent for 0.08 s',
  })
  told.get('/')?.end('{"line":2}\n')
  expect((await next).value).toEqual([{ line: 2 }])
  server.closeAllConnections()
  server.close()
})

test('what is handed on of a stream that shows no sign of life any more ends with that', async () => {
  const server = createServer((_, response) => {
    response.writeHead(200, { [beatHeader]: '0.01' })
    response.write('{"line":1}\n{"li')
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  const machines = new Map([[id, { id, hostname: 'north', api: at('http', server) } as Machine]])
  const peers = openPeers({ machines }, { token: () => null, tls: () => null }, systemClock)
  const answer = await peers.ask(id, { method: 'GET', path: '/' }, new AbortController().signal)
  const parts: string[] = []
  const { signal } = new AbortController()
  for await (const part of relayed(handedOn(answer, systemClock), 'north', signal, systemClock))
    parts.push(part)
  expect(parts.join('')).toMatch(
    /^{"line":1}\n{"error":.*contact with north is lost.* silent for 0.24 s.*}\n$/,
  )
  server.closeAllConnections()
  server.close()
})

test('a request that is ended from here says why', async () => {
  const server = createServer(() => {}).listen(0, '127.0.0.1')
  await once(server, 'listening')
  const api = at('http', server)
  const machines = new Map([[id, { id, hostname: 'north', api } as Machine]])
  const peers = openPeers({ machines }, { token: () => null, tls: () => null }, systemClock)
  const end = new AbortController()
  const asked = peers.ask(id, { method: 'GET', path: '/' }, end.signal)
  end.abort(new DOMException('no answer in time', 'TimeoutError'))
  await expect(asked).rejects.toThrow(`the daemon of north cannot be reached at ${api}: no answer in time`)
  server.closeAllConnections()
  server.close()
})

test('an answer without an end is given up', async () => {
  let written = 0
  const endless = createServer((_request, response) => {
    const part = Buffer.alloc(1024 ** 2, ' ')
    const more = (): void => {
      while (!response.destroyed && response.write(part)) written += part.length
    }
    response.on('drain', more)
    more()
  })
  endless.listen(0, '127.0.0.1')
  await once(endless, 'listening')
  const api = at('http', endless)
  const view = { machines: new Map([[id, { id, hostname: 'north', api } as Machine]]) }
  const peers = openPeers(view, { token: () => null, tls: () => null }, systemClock)
  const { signal } = new AbortController()
  const request = { method: 'GET', path: '/' } as const
  const asked = askJson<{ machines: [] }>(
    { peers, registry: { view } },
    id,
    { key: 'machines' },
    request,
    signal,
  )
  await expect(asked).rejects.toBeInstanceOf(PeerError)
  expect(written).toBeLessThan(256 * 1024 ** 2)
  endless.closeAllConnections()
  endless.close()
})

test.runIf(existsSync('/proc/net/tcp'))(
  'a machine that is gone without a word is noticed, however long its answer may take',
  async () => {
    const server = createServer((_, response) => response.write('the beginning')).listen(0, '127.0.0.1')
    await once(server, 'listening')
    const machines = new Map([[id, { id, hostname: 'north', api: at('http', server) } as Machine]])
    const peers = openPeers({ machines }, { token: () => null, tls: () => null }, systemClock)
    const { signal } = new AbortController()
    const answer = await peers.ask(id, { method: 'POST', path: '/', answerWithinMs: null }, signal)
    const port = (answer.socket.localPort ?? 0).toString(16).toUpperCase().padStart(4, '0')
    const timerOf = (): string | undefined => {
      const fields = readFileSync('/proc/net/tcp', 'utf8')
        .split('\n')
        .map((line) => line.trim().split(/\s+/))
      return fields.find(([, local = '']) => local.endsWith(`:${port}`))?.[5]
    }
    // The timer of the kernel that asks for a sign of life.
    await expect.poll(timerOf).toMatch(/^02:/)
    answer.destroy()
    server.closeAllConnections()
    server.close()
  },
)
