// What is said of an etcd that cannot be connected to: the fault on the way, not that there is one.
import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { diagnoseMember } from '../../src/store/io/etcd/diagnose.js'
import type { EtcdTls } from '../../src/store/io/etcd/tls.js'
import { freePort } from '../free-port.js'
import { type EtcdHost, startEtcd } from '../machines/etcd-host.js'

let secure: EtcdHost
let plain: EtcdHost
let good: EtcdTls
beforeAll(async () => {
  ;[secure, plain] = await Promise.all([startEtcd({ tls: true }), startEtcd()])
  good = tlsOf('ca.crt', 'client')
  makeStrangers(secure.certificates ?? '')
})
afterAll(() => Promise.all([secure.stop(), plain.stop()]))

/** Of another authority; of etcd's own, but over. */
function makeStrangers(dir: string): void {
  const openssl = (...args: readonly string[]): void => {
    execFileSync('openssl', args, { cwd: dir, stdio: 'ignore' })
  }
  const key = ['-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:P-256', '-nodes']
  openssl('req', '-x509', ...key, '-keyout', 'other.key', '-out', 'other.crt', '-subj', '/CN=other')
  openssl('req', ...key, '-keyout', 'over.key', '-out', 'over.csr', '-subj', '/CN=over')
  const sign = ['-CA', 'ca.crt', '-CAkey', 'ca.key', '-CAcreateserial', '-days', '-1']
  openssl('x509', '-req', '-in', 'over.csr', ...sign, '-out', 'over.crt')
}

function tlsOf(authority: string, client: string | null): EtcdTls {
  const read = (name: string): Buffer => readFileSync(join(secure.certificates ?? '', name))
  return {
    authority: read(authority),
    certificate: client === null ? null : read(`${client}.crt`),
    key: client === null ? null : read(`${client}.key`),
  }
}

const member = (host: EtcdHost): string => host.members[0]?.address ?? ''
const why = (address: string, tls: EtcdTls | null): Promise<string | null> =>
  diagnoseMember(address, tls, Date.now())

test('nothing is wrong with one that answers', async () => {
  expect(await why(member(secure), good)).toBeNull()
  expect(await why(member(plain), null)).toBeNull()
})

test('plain text to one that speaks TLS, and TLS to one that does not', async () => {
  expect(await why(member(secure), null)).toContain('give etcds://')
  expect(await why(member(plain), good)).toContain('give etcd://')
})

test('an authority that did not sign its certificate', async () => {
  expect(await why(member(secure), tlsOf('other.crt', 'client'))).toContain('--etcd-ca-file')
})

test('a certificate of ours that is missing, foreign or over', async () => {
  expect(await why(member(secure), tlsOf('ca.crt', null))).toContain('asks for a certificate of ours')
  expect(await why(member(secure), tlsOf('ca.crt', 'other'))).toContain(
    'an authority that etcd does not know',
  )
  expect(await why(member(secure), tlsOf('ca.crt', 'over'))).toMatch(/is over since/)
})

test('a port where nothing listens, and what is no etcd', async () => {
  expect(await why(`127.0.0.1:${await freePort()}`, null)).toBe('nothing listens there')
  const web = createServer((_, response) => response.end('hello')).listen(0, '127.0.0.1')
  await new Promise((resolve) => web.once('listening', resolve))
  const { port } = web.address() as AddressInfo
  expect(await why(`127.0.0.1:${port}`, null)).toBe('what answers there is no etcd')
  web.close()
})
