// What is counted of the requests that come by the entry: read from the proxy's log, led to a service, added up.
import fc from 'fast-check'
import { describe, expect, test, vi } from 'vitest'
import { readAccess } from '../../src/entry/access-log.js'
import { servedRoutes } from '../../src/entry/caddy.js'
import { entryExposition } from '../../src/entry/exposition.js'
import { routeMatcher } from '../../src/entry/match.js'
import { Traffic } from '../../src/entry/traffic.js'
import { servedRoute } from './entered.js'

const line = (more: object, request: object = {}) =>
  JSON.stringify({
    ...{ level: 'info', logger: 'http.log.access', duration: 0.25, status: 200, ...more },
    request: { host: 'shop.example', uri: '/', method: 'GET', ...request },
  })

describe('a line of the log', () => {
  test('tells host and path as the proxy compares them', () => {
    expect(readAccess(line({}, { host: 'SHOP.example:8080', uri: '/a/../b%2FC//d?q=secret' }))).toEqual({
      ...{ host: 'shop.example', path: '/b/c/d', isSecure: false, status: 200, seconds: 0.25 },
    })
  })

  test('tells of HTTPS, and of a client that did not wait', () => {
    const read = readAccess(line({ status: 0 }, { tls: { version: 772 } }))
    expect(read).toMatchObject({ isSecure: true, status: 499 })
  })

  test('that is none is passed over', () => {
    for (const text of [
      '',
      '{',
      'null',
      '[]',
      '3',
      '{"request":null}',
      '{"request":{"host":"a"},"status":1}',
    ])
      expect(readAccess(text)).toBeNull()
    expect(readAccess(line({ duration: 'long' }))).toBeNull()
  })

  // Each as Caddy 2.6 was seen to lead it.
  test.each([
    ['shop.example:', 'shop.example'],
    ['shop.example:abc', 'shop.example'],
    ['[shop.example]:80', 'shop.example'],
    ['[::1]', '::1'],
    ['a:b.example', 'a'],
    ['shop.example:80:80', 'shop.example:80:80'],
    ['Shop.example.', 'shop.example'],
    ['shop.example.:80', 'shop.example'],
    ['shop.example..', 'shop.example.'],
    ['.', '.'],
    ['', ''],
  ])('names the host %j, which is %j', (host, found) => {
    expect(readAccess(line({}, { host }))?.host).toBe(found)
  })

  test.each([
    ['http://shop.example/api?x', '/api'],
    ['HTTP://shop.example:80', '/'],
    ['//x://y/api', '/x:/y/api'],
    ['/api/..', '/api'],
    ['/api/../', '/'],
    ['/api%20.', '/api'],
    ['/api/v1%2f..', '/api/v1'],
    ['/%61pi/%ff', '/api/\uFFFD'],
    ['/%C3%A9/%ff%61', '/é/\uFFFDa'],
    ['/é%2fx%4', '/é/x%4'],
    ['*', '/*'],
  ])('names the path %j, which is %j', (uri, found) => {
    expect(readAccess(line({}, { uri }))?.path).toBe(found)
  })

  test('with a million dots is read at once', () => {
    const uri = `/${'. '.repeat(500_000)}x`
    expect(readAccess(line({}, { uri }))?.path).toBe(uri)
  })

  test('costs no exception for what is no text, of which a client can send a quarter of a million', () => {
    const decode = vi.spyOn(globalThis, 'decodeURIComponent')
    const parse = vi.spyOn(JSON, 'parse')
    try {
      expect(readAccess(line({}, { uri: '/%ff'.repeat(3) }))?.path).toBe('/\uFFFD/\uFFFD/\uFFFD')
      expect(readAccess('\0\0\0')).toBeNull()
      const thrown = [decode, parse].flatMap(({ mock }) =>
        mock.results.filter(({ type }) => type === 'throw'),
      )
      expect(thrown).toEqual([])
    } finally {
      vi.restoreAllMocks()
    }
  })

  test('with an escape that says nothing keeps its path', () => {
    expect(readAccess(line({}, { uri: '/%zz' }))?.path).toBe('/%zz')
  })
})

describe('a request', () => {
  const shop = servedRoute()
  const api = servedRoute({ path: '/api' }, { service: 'api' })
  const any = servedRoute({ host: '*.example' }, { service: 'any' })
  const rest = servedRoute({ host: null, path: '/rest' }, { service: 'rest' })
  const safe = servedRoute({ path: '/safe', tls: { mode: 'internal' } }, { service: 'safe' })
  const routeOf = routeMatcher(servedRoutes([rest, any, shop, safe, api], new Map()))
  const led = (host: string, path: string, isSecure = false): string | null => {
    const found = routeOf({ host, path, isSecure })
    return found === null || found === 'sent-on' ? found : found.service
  }

  test('counts for the longest path of the most exact host', () => {
    expect(led('shop.example', '/')).toBe('web')
    expect(led('shop.example', '/api')).toBe('api')
    expect(led('shop.example', '/api/x')).toBe('api')
    expect(led('shop.example', '/apis')).toBe('web')
    expect(led('other.example', '/api')).toBe('any')
    expect(led('a.other.example', '/rest/1')).toBe('rest')
    expect(led('a.other.example', '/')).toBeNull()
    expect(led('example', '/')).toBeNull()
  })

  test('that is only sent on to HTTPS counts for nothing', () => {
    expect(led('shop.example', '/safe')).toBe('sent-on')
    expect(led('shop.example', '/safe', true)).toBe('safe')
    expect(led('shop.example', '/api', true)).toBeNull()
  })
})

describe('the count', () => {
  test('is a rate since it was asked for last, and what failed of it', () => {
    const traffic = new Traffic(0)
    traffic.take(['p/web', 'p/idle'], 1000)
    for (const status of [200, 404, 500, 502, 101]) traffic.count('p/web', { status, seconds: 0.1 })
    expect(traffic.take(['p/web', 'p/idle'], 3000)).toEqual(
      new Map([
        ['p/web', { rps: 2.5, failed: 1, p95: expect.closeTo(0.1, 2) as number }],
        ['p/idle', { rps: 0, failed: 0, p95: 0 }],
      ]),
    )
    expect(traffic.take(['p/web'], 3500).get('p/web')).toEqual({ rps: 0, failed: 0, p95: 0 })
  })

  test('begins when a service is asked for: days of requests that nobody asked for are no rate of now', () => {
    const traffic = new Traffic(0)
    traffic.count('p/web', { status: 500, seconds: 60 })
    expect(traffic.take(['p/web'], 86_400_000)).toEqual(new Map())
    traffic.count('p/web', { status: 200, seconds: 0.1 })
    expect(traffic.take(['p/web'], 86_401_000).get('p/web')).toMatchObject({ rps: 1, failed: 0 })
    traffic.take([], 86_402_000)
    traffic.count('p/web', { status: 500, seconds: 60 })
    expect(traffic.take(['p/web'], 172_800_000)).toEqual(new Map())
  })

  test('asked for twice at one moment divides by nothing', () => {
    const traffic = new Traffic(0)
    traffic.take(['p/web'], 0)
    traffic.count('p/web', { status: 200, seconds: 1 })
    expect(traffic.take(['p/web'], 0).get('p/web')?.rps).toBe(0)
  })

  test('knows within 3 % how long 95 of 100 took', () => {
    fc.assert(
      fc.property(
        fc.array(fc.double({ min: 0.0002, max: 600, noNaN: true }), { minLength: 1, maxLength: 200 }),
        (times) => {
          const traffic = new Traffic(0)
          traffic.take(['p/web'], 0)
          for (const seconds of times) traffic.count('p/web', { status: 200, seconds })
          const sorted = times.toSorted((a, b) => a - b)
          const exact = sorted[Math.ceil(0.95 * sorted.length) - 1] ?? 0
          const told = traffic.take(['p/web'], 1000).get('p/web')?.p95 ?? 0
          expect(told / exact).toBeGreaterThan(0.97)
          expect(told / exact).toBeLessThan(1.03)
        },
      ),
    )
  })

  test('forgets services that are gone, and keeps what nothing was claimed for', () => {
    const traffic = new Traffic(0)
    for (const service of ['p/web', 'p/old', '']) traffic.count(service, { status: 200, seconds: 1 })
    traffic.keep(new Set(['p/web']))
    expect([...traffic.totals().keys()]).toEqual(['p/web', ''])
  })

  test('is given to Prometheus by status and as a histogram', () => {
    const traffic = new Traffic(0)
    traffic.count('p/web', { status: 200, seconds: 0.03 })
    traffic.count('p/web', { status: 503, seconds: 20 })
    traffic.count('p/web', { status: 101, seconds: 3600 })
    const page = entryExposition(traffic)
    const has = (text: string) => expect(page.split('\n')).toContain(text)
    has('mariposa_entry_requests_total{project="p",service="web",code="200"} 1')
    has('mariposa_entry_requests_total{project="p",service="web",code="503"} 1')
    has('mariposa_entry_requests_total{project="p",service="web",code="101"} 1')
    has('mariposa_entry_request_duration_seconds_bucket{project="p",service="web",le="0.025"} 0')
    has('mariposa_entry_request_duration_seconds_bucket{project="p",service="web",le="0.05"} 1')
    has('mariposa_entry_request_duration_seconds_bucket{project="p",service="web",le="+Inf"} 2')
    has('mariposa_entry_request_duration_seconds_sum{project="p",service="web"} 20.03')
    has('mariposa_entry_request_duration_seconds_count{project="p",service="web"} 2')
  })
})
