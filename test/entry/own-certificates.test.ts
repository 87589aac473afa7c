// Certificates of the metadata as they are changed, go wrong and end. With real ones.
import { execFileSync } from 'node:child_process'
import { mkdtempSync, readFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
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

function pairMade(name: string, days: number): typeof first {
  const [cert, key] = [join(files, `${name}.crt`), join(files, `${name}.key`)]
  const form = ['-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:prime256v1', '-nodes', '-days', String(days)]
  execFileSync(
    'openssl',
    ['req', '-x509', ...form, '-keyout', key, '-out', cert, '-subj', '/CN=shop.example'],
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
