// What Caddy is told, and what it is answered.
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { replyTo } from '../../src/entry/answer.js'
import { caddyConfig, closedConfig, type EntryListen, leavingFile } from '../../src/entry/caddy.js'
import { addressesIn } from '../../src/entry/listened.js'
import type { ServedRoute } from '../../src/entry/routes.js'
import { targetOf } from '../../src/entry/target.js'
import type { EntryRoute } from '../../src/model/entry.js'
import { servedRoute } from './entered.js'

const listen: EntryListen = { http: { host: '', port: 80 }, https: { host: '::1', port: 8443 } }
const pem = { cert: 'the certificate', key: 'the key' }

interface Config {
  readonly apps: {
    readonly http: {
      readonly servers: Readonly<Record<string, { readonly routes: readonly RouteOfConfig[] }>>
    }
    readonly tls?: unknown
  }
}
interface RouteOfConfig {
  readonly match?: readonly Match[]
  readonly handle: readonly Handler[]
}
interface Match {
  readonly host?: readonly string[]
  readonly path?: readonly string[]
  readonly header?: Readonly<Record<string, readonly string[]>>
  readonly vars?: Readonly<Record<string, readonly string[]>>
}
interface Handler {
  readonly handler: string
  readonly dynamic_upstreams?: { readonly name: string }
  readonly load_balancing?: unknown
  readonly transport?: Readonly<Record<string, unknown>>
}

const fullConfigOf = (
  routes: readonly ServedRoute[],
  own: Parameters<typeof caddyConfig>[2] = new Map(),
): Config => JSON.parse(caddyConfig(routes, listen, own, 'secret')) as Config

/** Without what comes before all routes. */
const configOf = (...asked: Parameters<typeof fullConfigOf>): Config => {
  const config = fullConfigOf(...asked)
  const servers = Object.entries(config.apps.http.servers).map(([name, server]) => {
    const [first, ...others] = server.routes
    expect(first?.match).toEqual([
      { file: { root: '.', try_files: [leavingFile] }, not: [{ header: { Upgrade: ['*'] } }] },
    ])
    return [name, { ...server, routes: others }] as const
  })
  return { ...config, apps: { ...config.apps, http: { servers: Object.fromEntries(servers) } } }
}

const matches = (config: Config, server: string): readonly string[] =>
  (config.apps.http.servers[server]?.routes ?? []).map(({ match }) => {
    const [{ host, path } = {}] = match ?? []
    return `${host?.[0] ?? '*'}${path?.[0] ?? '/'}`
  })

const route: fc.Arbitrary<Partial<EntryRoute>> = fc.record({
  host: fc.constantFrom('a.example', 'b.example', '*.a.example', 'localhost'),
  path: fc.constantFrom('/', '/a', '/a/b', '/c'),
  tls: fc.constantFrom({ mode: 'off' as const }, { mode: 'auto' as const }, { mode: 'internal' as const }),
  redirect: fc.constantFrom(null, 'https://x.example'),
  stripPrefix: fc.constantFrom(null, '/a'),
  retries: fc.nat(3),
  sticky: fc.constantFrom(null, 'id'),
})
const pair = (name: string) => fc.constantFrom(null, { name, value: '1' }, { name, value: 'a b' })
const canary = fc
  .record({ header: pair('X-Canary'), cookie: pair('canary'), isOnly: fc.boolean() })
  .filter(({ header, cookie }) => header !== null || cookie !== null)
const asked = fc
  .tuple(
    fc.constantFrom('a.example', '*.a.example', null),
    fc.constantFrom('/', '/a', '/a/b'),
    fc.constantFrom({ mode: 'off' as const }, { mode: 'internal' as const }),
    canary,
    fc.record({ retries: fc.nat(3), sticky: fc.constantFrom(null, 'id') }),
  )
  .map(([host, path, tls, match, more]) =>
    servedRoute(
      { host, path, tls: host === null ? { mode: 'off' } : tls, canary: match, ...more },
      { canaryGroup: 'c.entry' },
    ),
  )
const routes = fc
  .uniqueArray(route, { selector: ({ host, path }) => `${host}${path}`, maxLength: 8 })
  .map((list) => list.map((one, n) => servedRoute(one, { group: `${n}.entry` })))

describe('the configuration', () => {
  test('is the same in whatever order the routes come', () => {
    fc.assert(
      fc.property(
        routes.chain((list) =>
          fc.tuple(fc.constant(list), fc.shuffledSubarray(list, { minLength: list.length })),
        ),
        ([list, other]) => {
          expect(configOf(other)).toEqual(configOf(list))
        },
      ),
    )
  })

  test('says nothing of instances, has every route where its requests come in, and a last word for all others', () => {
    fc.assert(
      fc.property(routes, (list) => {
        const config = configOf(list)
        expect(JSON.stringify(config)).not.toContain('"dial"')
        expect(matches(config, 'http')).toHaveLength(list.length + 1)
        const secure = list.filter(({ route: { tls } }) => tls.mode !== 'off')
        expect(matches(config, 'https')).toHaveLength(secure.length === 0 ? 0 : secure.length + 1)
        expect(matches(config, 'http').at(-1)).toBe('*/')
      }),
    )
  })

  test('leads requests that ask for a version to its own group, before all others of the same host and path', () => {
    fc.assert(
      fc.property(asked, (served) => {
        const { host, path, tls, canary: match, retries, sticky } = served.route
        const config = configOf([served])
        const [asking, all, ...rest] =
          config.apps.http.servers[tls.mode === 'off' ? 'http' : 'https']?.routes ?? []
        expect(rest).toHaveLength(1)
        const way = {
          ...(host !== null && { host: [host, `${host}.`] }),
          ...(path !== '/' && { path: [path, `${path}/*`] }),
        }
        expect(all?.match).toEqual([way])
        const { header, cookie } = match ?? {}
        expect(asking?.match).toEqual([
          ...(header ? [{ ...way, header: { [header.name]: [header.value] } }] : []),
          ...(cookie ? [{ ...way, vars: { [`{http.request.cookie.${cookie.name}}`]: [cookie.value] } }] : []),
        ])
        const proxies = [asking, all].map((one) => one?.handle.at(-1))
        expect(proxies.map((one) => one?.dynamic_upstreams?.name)).toEqual(['c.entry.', 'g.entry.'])
        const isTried = [asking, all].map((one) => JSON.stringify(one).includes('try_interval'))
        expect(isTried).toEqual([asking, all].map(() => retries > 0 && sticky === null))
        const policies = proxies.map((one) => JSON.stringify(one?.load_balancing))
        if (sticky !== null) expect(policies[0]).not.toBe(policies[1])
        // Over plain HTTP what has a certificate is sent on, whoever asks.
        expect(config.apps.http.servers['http']?.routes).toHaveLength(tls.mode === 'off' ? 3 : 2)
      }),
    )
  })

  test('takes no path for a pattern', () => {
    const [found] = configOf([servedRoute({ path: '/items[1]/a' })]).apps.http.servers['http']?.routes ?? []
    expect(found?.match?.[0]?.path).toEqual(['/items\\[1]/a', '/items[1]/a/*'])
  })

  test('begins no try of a request once its time is over', () => {
    const triesOf = (route: Partial<EntryRoute>, more: Partial<ServedRoute> = {}) =>
      configOf([servedRoute(route, more)])
        .apps.http.servers['http']?.routes.flatMap(({ handle }) => handle)
        .flatMap((one) => (one.handler === 'reverse_proxy' ? [tried(one)] : []))
    const tried = ({ load_balancing: balancing, transport }: Handler) => {
      const { retries, try_duration: within } = balancing as Readonly<Record<string, unknown>>
      return [retries, within, transport?.['dial_timeout'], transport?.['response_header_timeout']]
    }
    expect(triesOf({})).toEqual([[3, undefined, '2000ms', undefined]])
    expect(triesOf({ timeoutMs: 30_000 })).toEqual([[3, '30000ms', '2000ms', '30000ms']])
    expect(triesOf({ timeoutMs: 300 })).toEqual([[3, '300ms', '150ms', '300ms']])
    expect(triesOf({ timeoutMs: 300, retries: 0 })).toEqual([[undefined, undefined, '150ms', '300ms']])
    const canary = { header: { name: 'X-Canary', value: '1' }, cookie: null, isOnly: false }
    const asking = (timeoutMs: number | null) =>
      triesOf({ canary, timeoutMs }, { canaryGroup: 'c.entry' })?.[0]
    expect(asking(null)).toEqual([undefined, '2000ms', '2000ms', undefined])
    expect(asking(1000)).toEqual([undefined, '1000ms', '500ms', '1000ms'])
  })

  test('tries a request that is bound to an instance there alone, and leads it to the others after that', () => {
    const canary = { header: { name: 'X-Canary', value: '1' }, cookie: null, isOnly: false }
    const sticky = { sticky: 'id', stripPrefix: '/a', canary, timeoutMs: 300 }
    const { routes: found, errors } = fullConfigOf([servedRoute(sticky, { canaryGroup: 'c.entry' })]).apps
      .http.servers['http'] as {
      readonly routes: readonly RouteOfConfig[]
      readonly errors: { readonly routes: readonly RouteOfConfig[] }
    }
    const proxyOf = (one: RouteOfConfig | undefined) => one?.handle.at(-1)
    const [asking, all] = found.slice(1).map((one) => [one.handle.at(-2), proxyOf(one)] as const)
    expect([asking, all].map((one) => one?.[0])).toEqual(
      ['c.entry', 'g.entry'].map((group) => ({ handler: 'vars', mariposa_bound: group })),
    )
    for (const one of [asking, all])
      expect(Object.keys(one?.[1]?.load_balancing ?? {})).toEqual(['selection_policy'])
    const others = errors.routes.slice(1)
    expect(others.map(({ match }) => match?.[0]?.vars)).toEqual(
      ['c.entry', 'g.entry'].map((group) => ({ mariposa_bound: [group] })),
    )
    expect(others.map((one) => proxyOf(one)?.dynamic_upstreams?.name)).toEqual(['c.entry.', 'g.entry.'])
    for (const one of others) expect(one.handle[0]).toMatchObject({ handler: 'rewrite' })
    expect(others.map((one) => proxyOf(one)?.load_balancing)).toEqual([
      { selection_policy: { policy: 'round_robin' }, try_duration: '150ms', try_interval: '50ms' },
      {
        selection_policy: { policy: 'round_robin' },
        retries: 3,
        try_duration: '150ms',
        try_interval: '50ms',
      },
    ])
    for (const none of [{ sticky: null }, { sticky: 'id', retries: 0 }])
      expect(JSON.stringify(fullConfigOf([servedRoute(none)]))).not.toContain('http.error.status_code')
  })

  test('removes a prefix as it is in requests', () => {
    const [, sent] =
      /"strip_path_prefix":\s*"([^"]*)"/.exec(
        JSON.stringify(configOf([servedRoute({ stripPrefix: '/läden/ä_😀' })])),
      ) ?? []
    expect(sent).toBe('/l%C3%A4den/%C3%A4_%F0%9F%98%80')
  })

  test('has hosts before patterns before none, and the longest path first', () => {
    const hosts = ['*.a.example', null, 'a.example']
    const list = hosts.flatMap((host) => ['/', '/api/v1', '/api'].map((path) => servedRoute({ host, path })))
    expect(matches(configOf(list), 'http')).toEqual([
      ...['a.example/api/v1', 'a.example/api', 'a.example/'],
      ...['*.a.example/api/v1', '*.a.example/api', '*.a.example/'],
      ...['*/api/v1', '*/api', '*/', '*/'],
    ])
  })

  test('takes the port for HTTPS only where a route needs it', () => {
    expect(addressesIn(caddyConfig([servedRoute()], listen, new Map(), ''))).toEqual([listen.http])
    const secure = [servedRoute({ tls: { mode: 'auto' } })]
    expect(addressesIn(caddyConfig(secure, listen, new Map(), ''))).toEqual([listen.http, listen.https])
    expect(addressesIn('null')).toEqual([])
    expect(addressesIn(JSON.stringify({ admin: {} }))).toEqual([])
    expect(addressesIn(closedConfig)).toEqual([])
  })

  test('leaves out a route whose certificate is missing, and one that another service has', () => {
    const own = servedRoute({ tls: { mode: 'meta', cert: 'c', key: 'k' } })
    expect(matches(configOf([own]), 'http')).toEqual(['*/'])
    expect(matches(configOf([own], new Map([['shop.example/', pem]])), 'https')).toEqual([
      'shop.example/',
      '*/',
    ])
    expect(matches(configOf([servedRoute({}, { takenBy: 'other/web' })]), 'http')).toEqual(['*/'])
  })

  test('shows each host its own certificate, whichever others name it too', () => {
    const own = { mode: 'meta' as const, cert: 'c', key: 'k' }
    const secure = [
      servedRoute({ host: 'a.example', tls: own }),
      servedRoute({ host: '*.example', tls: own }),
      servedRoute({ host: 'b.example', tls: { mode: 'internal' } }),
      servedRoute({ host: 'c.example', tls: own }),
    ]
    const other = { cert: 'another certificate', key: 'its key' }
    const pairs = new Map([
      ...['a.example/', '*.example/'].map((claim) => [claim, pem] as const),
      ['c.example/', other] as const,
    ])
    const { apps } = JSON.parse(caddyConfig(secure, listen, pairs, '')) as {
      readonly apps: {
        readonly http: {
          readonly servers: {
            readonly https: {
              readonly tls_connection_policies: readonly {
                readonly match?: { readonly sni: readonly string[] }
                readonly certificate_selection?: { readonly any_tag: readonly string[] }
              }[]
            }
          }
        }
        readonly tls: { readonly certificates: { readonly load_pem: readonly object[] } }
      }
    }
    const policies = apps.http.servers.https.tls_connection_policies
    const [shared, second] = [policies[0], policies[2]].map(
      (one) => one?.certificate_selection?.any_tag[0] ?? '',
    )
    expect(shared).not.toBe(second)
    expect(
      policies.map(({ match, certificate_selection: from }) => [match?.sni[0], from?.any_tag[0]]),
    ).toEqual([
      ['a.example', shared],
      ['b.example', undefined],
      ['c.example', second],
      ['*.example', shared],
      [undefined, undefined],
    ])
    // The proxy would forget the tags of the second of two that are the same.
    expect(apps.tls.certificates.load_pem).toEqual([
      { certificate: pem.cert, key: pem.key, tags: [shared] },
      { certificate: other.cert, key: other.key, tags: [second] },
    ])
  })

  test('leads a host that ends in a dot as the same without, and gets no certificate for it', () => {
    const config = caddyConfig([servedRoute({ tls: { mode: 'auto' } })], listen, new Map(), '')
    const { routes: found, automatic_https: automatic } = (
      JSON.parse(config) as {
        readonly apps: {
          readonly http: {
            readonly servers: {
              readonly https: { readonly routes: readonly RouteOfConfig[]; readonly automatic_https: object }
            }
          }
        }
      }
    ).apps.http.servers.https
    expect(found[1]?.match?.[0]?.host).toEqual(['shop.example', 'shop.example.'])
    expect(automatic).toMatchObject({ skip_certificates: ['shop.example.'] })
  })

  test('gets certificates of the authority of the entry for names that no other gives one for', () => {
    const auto = ['shop.example', 'www.shop.org', 'box', 'a.internal'].map((host) =>
      servedRoute({ host, tls: { mode: 'auto' } }),
    )
    expect(configOf(auto).apps.tls).toEqual({
      automation: {
        policies: [{ subjects: ['a.internal', 'box', 'shop.example'], issuers: [{ module: 'internal' }] }],
      },
    })
  })
})

describe('who serves a group', () => {
  const table = {
    'g.entry': [
      { address: '10.0.0.1', port: 8080, copies: 2 },
      { address: 'fe80::1', port: 81, copies: 1 },
    ],
    'none.entry': [],
  }

  test('is told by SRV records, as often as each counts, and the addresses of their targets', () => {
    const { answers } = replyTo(table, 'G.entry', 'SRV')
    expect(answers.map(({ name, data }) => [name, data])).toEqual([
      ['G.entry', { priority: 0, weight: 10, port: 8080, target: '10-0-0-1.four.entry' }],
      ['G.entry', { priority: 0, weight: 10, port: 8080, target: '10-0-0-1.four.entry' }],
      ['G.entry', { priority: 0, weight: 10, port: 81, target: 'fe80-0-0-0-0-0-0-1.six.entry' }],
    ])
    expect(replyTo(table, 'none.entry', 'SRV')).toEqual({ code: 'NOERROR', answers: [] })
    expect(replyTo(table, 'other.entry', 'SRV').code).toBe('NXDOMAIN')
    expect(replyTo(table, 'constructor', 'SRV').code).toBe('NXDOMAIN')
  })

  test('is found by any address', () => {
    fc.assert(
      fc.property(fc.oneof(fc.ipV4(), fc.ipV6()), (address) => {
        const name = targetOf(address) ?? ''
        const [kind, other] = address.includes(':') ? ['AAAA', 'A'] : ['A', 'AAAA']
        const [found] = replyTo(table, name, kind).answers
        expect(targetOf(String(found?.data))).toBe(name)
        expect(replyTo(table, name, other)).toEqual({ code: 'NOERROR', answers: [] })
      }),
    )
    for (const name of ['x.four.entry', '1-2-3.four.entry', '1-2-3-4-5.four.entry', 'g.six.entry'])
      expect(replyTo(table, name, 'A').code).toBe('NXDOMAIN')
  })
})
