// What a daemon shows another one of itself, and to whom.
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { createServer, type RequestListener } from 'node:http'
import https from 'node:https'
import type { AddressInfo } from 'node:net'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { openPeers, type PeerCredentials, PeerError } from '../../src/api/io/peers.js'
import type { Machine, MachineId } from '../../src/model/machine.js'
import { type Certificates, makeCertificates } from '../e2e/certificates.js'

const id = 'b'.repeat(32) as MachineId
const token = 'w'.repeat(16)
const shown: (string | undefined)[] = []
const handler: RequestListener = ({ headers: { authorization } }, response) => {
  shown.push(authorization)
  response.writeHead(authorization === `Bearer ${token}` ? 200 : 401).end()
}
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
async function refusal(api: string, ca: string | null): Promise<readonly string[] | null> {
  const machines = new Map([[id, { id, hostname: 'north', api } as Machine]])
  const text = ca === null ? null : readFileSync(ca, 'utf8')
  const credentials: PeerCredentials = { token: () => token, tls: () => ({ ca: text }) }
  const { signal } = new AbortController()
  return openPeers({ machines }, credentials)
    .ask(id, { method: 'GET', path: '/' }, signal)
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
    expect.stringContaining('no token was shown') as string,
  ])
  expect(shown.splice(0)).toEqual([undefined])
  const ofCertificate = [
    expect.stringContaining('cannot be reached') as string,
    expect.stringContaining('its certificate has to be') as string,
  ]
  expect(await refusal(at('https', secure), theirs.ca)).toEqual(ofCertificate)
  expect(await refusal(at('https', secure, 'localhost'), ours.ca)).toEqual(ofCertificate)
  expect(await refusal(at('https', secure), null)).toEqual(ofCertificate)
  expect(shown).toEqual([])
})
