// Certificates of the metadata as they are changed, go wrong and end. With real ones.
import { execFileSync } from 'node:child_process'
import { mkdtempSync, readFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { isNamed } from '../../src/entry/io/certificates.js'
import { OwnCertificates } from '../../src/entry/io/own-certificates.js'
import { systemClock } from '../../src/lib/io/clock.js'
import type { Log } from '../../src/lib/io/log.js'
import { removeDir } from '../remove-dir.js'
import { servedRoute } from './entered.js'

const dayMs = 86_400_000
const claim = 'shop.example/'
let files = ''
let first = { cert: '', key: '' }
let second = first

beforeAll(() => {
  files = mkdtempSync(join(tmpdir(), 'mariposa-certificates-'))
  first = pairMade('first', 40)
  second = pairMade('second', 40)
})

afterAll(() => removeDir(files))

const p256 = ['ec', '-pkeyopt', 'ec_paramgen_curve:prime256v1']

function pairMade(name: string, days: number, names: readonly string[] = [], kind = p256): typeof first {
  const [cert, key] = [join(files, `${name}.crt`), join(files, `${name}.key`)]
  const form = ['-newkey', ...kind, '-nodes', '-days', String(days)]
  execFileSync(
    'openssl',
    [
      ...['req', '-x509', ...form, '-keyout', key, '-out', cert],
      ...['-subj', names.length === 0 ? '/CN=shop.example' : '/'],
      ...(names.length === 0 ? [] : ['-addext', `subjectAltName=${names.map((one) => `DNS:${one}`).join()}`]),
    ],
    {
      stdio: 'ignore',
    },
  )
  return { cert: readFileSync(cert, 'utf8'), key: readFileSync(key, 'utf8') }
}

const routes = [
  servedRoute({ host: 'shop.example', tls: { mode: 'meta', cert: 'shop-cert', key: 'shop-key' } }),
]

function open(values: Map<string, string>, later = { ms: 0 }) {
  const said: string[] = []
  const log = { warn: (_part: string, text: string) => said.push(text) } as unknown as Log
  const metaValue = (_project: string, key: string) => {
    const value = values.get(key)
    return value === undefined ? { problem: `there is no ${key}`, isThere: false } : { value }
  }
  const clock = {
    ...systemClock,
    now: () => systemClock.now() + later.ms,
    steady: () => systemClock.steady() + later.ms,
  }
  return { own: new OwnCertificates({ dir: files, metaValue, clock, log }), said }
}

test('serves the last pair that fitted while one does not, after a restart too, and none that was taken away', async () => {
  const values = new Map([
    ['shop-cert', first.cert],
    ['shop-key', first.key],
  ])
  const { own, said } = open(values)
  expect(own.read(routes).get(claim)).toMatchObject(first)
  expect(own.problemOf(claim)).toBeNull()
  await own.keep()

  values.set('shop-cert', second.cert)
  const problem = 'the key does not belong to the certificate; the previous certificate stays in use'
  expect(own.read(routes).get(claim)).toMatchObject(first)
  expect(own.problemOf(claim)).toBe(problem)
  expect(said).toEqual([`${claim}: ${problem}`])
  const next = open(values).own
  expect(next.read(routes).get(claim)).toMatchObject(first)

  values.set('shop-key', second.key)
  expect(own.read(routes).get(claim)).toMatchObject(second)
  expect(own.problemOf(claim)).toBeNull()

  values.set('shop-cert', 'no certificate')
  expect(own.read(routes).get(claim)).toMatchObject(second)
  expect(own.problemOf(claim)).toContain('cannot be read')

  values.delete('shop-cert')
  expect(own.read(routes).size).toBe(0)
  expect(own.problemOf(claim)).toBe('there is no shop-cert')
})

test('a kind of key that the proxy does not support is refused: it would take nothing new with it', () => {
  const kinds = [
    ['secp256k1', ['ec', '-pkeyopt', 'ec_paramgen_curve:secp256k1']],
    ['ed448', ['ed448']],
    ['rsa-pss', ['rsa-pss', '-pkeyopt', 'rsa_keygen_bits:2048']],
  ] as const
  for (const [kind, form] of kinds) {
    const { cert, key } = pairMade(kind, 40, [], [...form])
    const { own } = open(new Map(Object.entries({ 'shop-cert': cert, 'shop-key': key })))
    own.read(routes)
    expect(own.problemOf(claim)).toContain(`the proxy does not support its kind of key: ${kind}`)
  }
  for (const form of [['ed25519'], ['rsa:2048'], ['ec', '-pkeyopt', 'ec_paramgen_curve:secp521r1']]) {
    const { cert, key } = pairMade('known', 40, [], form)
    const { own } = open(new Map(Object.entries({ 'shop-cert': cert, 'shop-key': key })))
    expect(own.read(routes).get(claim)).toMatchObject({ cert, key })
  }
})

test('warns once a day from 30 days before the end, and tells of one that has ended', () => {
  const later = { ms: 0 }
  const values = new Map([
    ['shop-cert', first.cert],
    ['shop-key', first.key],
  ])
  const { own, said } = open(values, later)
  own.read(routes)
  own.warn()
  expect(said).toEqual([])
  later.ms = 11 * dayMs
  own.warn()
  own.warn()
  expect(said).toEqual([`${claim}: the certificate ends in 28 days: replace it in the metadata`])
  expect(own.problemOf(claim)).toBeNull()
  later.ms = 41 * dayMs
  own.warn()
  expect(said.at(-1)).toMatch(
    /^shop\.example\/: the certificate ended on \d{4}-\d\d-\d\d: replace it in the metadata/,
  )
  expect(own.problemOf(claim)).toMatch(/^the certificate ended on /)
  expect(own.read(routes).get(claim)).toMatchObject(first)
})

test('serves one for other hosts with the problem, and keeps the previous one where that was for this host', () => {
  const renamed = [servedRoute({ tls: { mode: 'meta', cert: 'new-cert', key: 'new-key' } })]
  const other = pairMade('other', 40, ['a.example', 'b.example'])
  const values = new Map([
    ['new-cert', other.cert],
    ['new-key', other.key],
  ])
  const { own } = open(values)
  const problem = 'the certificate is for a.example and 1 more, not for shop.example'
  expect(own.read(renamed).get(claim)).toMatchObject(other)
  expect(own.problemOf(claim)).toBe(problem)

  values.set('new-cert', first.cert).set('new-key', first.key)
  expect(own.read(renamed).get(claim)).toMatchObject(first)
  expect(own.problemOf(claim)).toBeNull()
  values.set('new-cert', other.cert).set('new-key', other.key)
  expect(own.read(renamed).get(claim)).toMatchObject(first)
  expect(own.problemOf(claim)).toBe(`${problem}; the previous certificate stays in use`)
})

test('names hosts as the proxy finds them', () => {
  expect(isNamed('a.shop.example', ['*.shop.example'])).toBe(true)
  expect(isNamed('a.b.shop.example', ['*.shop.example'])).toBe(false)
  expect(isNamed('shop.example', ['*.shop.example'])).toBe(false)
  expect(isNamed('*.shop.example', ['*.shop.example'])).toBe(true)
  expect(isNamed('*.shop.example', ['a.shop.example'])).toBe(true)
  expect(isNamed('*.shop.example', ['a.b.shop.example', 'shop.example'])).toBe(false)
})

test('tells a host with a certificate of the authority that one of the metadata is for it too, and is shown', () => {
  const wide = pairMade('wide', 40, ['shop.example', 'other.example'])
  const ended = pairMade('ended', 1, ['past.example'])
  const values = new Map([
    ['shop-cert', wide.cert],
    ['shop-key', wide.key],
    ['past-cert', ended.cert],
    ['past-key', ended.key],
  ])
  const { own } = open(values, { ms: 2 * dayMs })
  const past = { mode: 'meta', cert: 'past-cert', key: 'past-key' } as const
  own.read([
    ...routes,
    servedRoute({ host: 'old.example', tls: past }),
    servedRoute({ host: 'shop.example', path: '/api', tls: { mode: 'internal' } }),
    servedRoute({ host: 'other.example', tls: { mode: 'internal' } }),
    servedRoute({ host: 'past.example', tls: { mode: 'auto' } }),
  ])
  const problem = 'the certificate of shop.example/ is for this host too, and is shown'
  expect(own.problemOf('other.example/')).toBe(problem)
  for (const fine of ['shop.example/api', 'past.example/']) expect(own.problemOf(fine)).toBeNull()
})
