import { describe, expect, test } from 'vitest'
import { parseManifest } from '../../src/manifest/manifest.js'

const preset = { path: '/', retries: 3, weight: 100, drain: 30 }

function read(text: string) {
  return parseManifest({ file: 'web.yml', text: `image: x\nports: [8080, 9090, 53/udp]\nentry: ${text}\n` })
}

describe('the entry of a service', () => {
  test.each([
    ['{}', [{ ...preset, tls: { mode: 'off' } }]],
    [
      '{host: Shop.Example, port: 9090}',
      [{ ...preset, host: 'shop.example', port: 9090, tls: { mode: 'auto' } }],
    ],
    [
      '[{host: "*.Bücher.example.", tls: off}, {host: shop.example., tls: off}]',
      [
        { ...preset, host: '*.xn--bcher-kva.example', tls: { mode: 'off' } },
        { ...preset, host: 'shop.example', tls: { mode: 'off' } },
      ],
    ],
    [
      '[{host: a.example, path: /api/, strip_prefix: true, tls: off}]',
      [{ ...preset, host: 'a.example', path: '/api', strip_prefix: '/api', tls: { mode: 'off' } }],
    ],
    [
      '{host: "*.a.example", tls: {cert: c, key: k}, sticky: true}',
      [{ ...preset, host: '*.a.example', tls: { mode: 'meta', cert: 'c', key: 'k' }, sticky: 'mariposa' }],
    ],
    [
      '{tls: false, timeout: 1m, max_body: 10M, retries: 0, weight: 5, drain: 2, sticky: false}',
      [{ path: '/', retries: 0, weight: 5, drain: 2, tls: { mode: 'off' }, timeout: 60, max_body: 10 }],
    ],
    [
      '{headers: {request: [X-A=1], response: {Server: ""}}}',
      [
        {
          ...preset,
          tls: { mode: 'off' },
          headers: { request: { 'X-A': '1' }, response: { Server: '' } },
        },
      ],
    ],
    [
      '{canary: {header: "X-Canary:  1 ", cookie: canary=a-b}, weight: 0}',
      [
        {
          ...preset,
          ...{ weight: 0, tls: { mode: 'off' }, canary: { header: 'X-Canary: 1', cookie: 'canary=a-b' } },
        },
      ],
    ],
    [
      '{path: /.well-known/...x, max_body: 2048K}',
      [{ ...preset, path: '/.well-known/...x', max_body: 2, tls: { mode: 'off' } }],
    ],
    ['{tcp: 5432, port: 9090, drain: 2}', [{ tcp: 5432, port: 9090, weight: 100, drain: 2 }]],
    [
      '{host: old.example, redirect: "https://new.example"}',
      [{ ...preset, host: 'old.example', tls: { mode: 'auto' }, redirect: 'https://new.example' }],
    ],
  ])('%s is read', (text, expected) => {
    const { manifests, diagnostics } = read(text)
    expect(diagnostics).toEqual([])
    expect(manifests[0]?.manifest.entry).toEqual(expected)
  })

  test.each([
    ['{tcp: 0}', 'tcp is'],
    ['{tcp: 5432, host: a.example}', 'leave host out'],
    ['{tcp: 5432, tls: off}', 'leave tls out'],
    ['{tcp: 5432, port: 7070}', 'the service has no port'],
    ['[{tcp: 5432}, {tcp: 5432, port: 9090}]', 'tcp:5432 is given twice'],
    ['{host: "a b"}', 'host is "a b"'],
    ['{host: "bücher.example:80"}', 'host is "bücher.example:80"'],
    ['{host: "shop.example.."}', 'host is "shop.example.."'],
    ['{host: a.example, path: "/{x}"}', 'path is'],
    ['{host: a.example, path: api}', 'path is'],
    ['{port: 7070}', 'the service has no port'],
    ['{port: 53}', 'the service has no port'],
    ['[{path: /a}, {path: /a/}]', 'given twice'],
    ['[{path: /a}, {path: /A}]', 'given twice'],
    ['{tls: auto}', 'there is none'],
    ['{tls: on}', 'expected auto, internal, off, or a map with cert and key, for tls, got "on"'],
    ['{max_body: 1K}', 'expected a size of whole MiB'],
    ['{max_body: 1.1M}', 'expected a size of whole MiB'],
    ['{path: /../x}', 'the steps . and ..'],
    ['{path: /a/./b}', 'the steps . and ..'],
    ['{path: /a/..}', 'the steps . and ..'],
    ['{headers: {response: {Content-Length: "5"}}}', 'leave Content-Length out'],
    ['{headers: {request: [upgrade=x]}}', 'leave upgrade out'],
    ['{canary: {cookie: "a=*"}}', 'no *'],
    ['{host: "*.a.example"}', 'cannot be requested'],
    ['{host: a.example, tls: {cert: c}}', 'needs cert and key'],
    ['{host: a.example, tls: {mode: off, key: c}}', 'not for off'],
    ['{host: a.example, redirect: "https://b.example", port: 8080}', 'leave port out'],
    ['{host: a.example, redirect: "javascript:x"}', 'redirect is'],
    ['{path: /a, strip_prefix: /b}', 'does not begin with /b'],
    ['{headers: {response: {X: "{env.HOME}"}}}', 'without braces'],
    ['{headers: {request: {"a b": x}}}', 'a b'],
    ['{sticky: "a b"}', 'sticky is'],
    ['{weight: -1}', 'weight is'],
    ['{weight: 0}', 'give canary, or a weight from 1'],
    ['{tcp: 5432, weight: 0}', 'give canary, or a weight from 1'],
    ['{tcp: 5432, canary: {cookie: a=b}}', 'leave canary out'],
    ['{host: a.example, redirect: "https://b.example", canary: {cookie: a=b}}', 'leave canary out'],
    ['{canary: {}}', 'canary needs a header or a cookie'],
    ['{canary: 10}', 'a map with header, cookie or both'],
    ['{canary: {header: X-Canary}}', 'expected a header and its value'],
    ['{canary: {header: "X-Canary: *"}}', 'expected a header and its value'],
    ['{canary: {header: "X-Canary: {env.HOME}"}}', 'expected a header and its value'],
    ['{canary: {header: "X Canary: 1"}}', 'expected a header and its value'],
    ['{canary: {header: "host: a.example"}}', 'give a route with that host'],
    ['{canary: {header: "Cookie: a=b"}}', 'give cookie: NAME=VALUE'],
    ['{canary: {cookie: "a=b; c=d"}}', 'expected a cookie and its value'],
    ['{canary: {cookie: a.b=c}}', 'expected a cookie and its value'],
    ['{sticky: a, canary: {cookie: a=b}}', 'choose another cookie'],
    ['{sticky: a, canary: {cookie: a_canary=b}}', 'choose another cookie'],
    ['{retris: 3}', 'did you mean'],
    ['shop.example', 'expected a map'],
  ])('%s is refused: %s', (text, why) => {
    const { diagnostics } = read(text)
    expect(
      diagnostics.map(({ code, message, hint = '' }) => `${code} ${message} ${hint}`).join('\n'),
    ).toContain(why)
  })

  test.each([
    ['image: x\nentry: {}\n', 'no TCP port'],
    ['image: x\nservice_type: event\nports: [80]\nentry: {}\n', 'cannot serve requests'],
    ['image: x\nports: [80]\ncns: {disable: true}\nentry: {}\n', 'finds instances by DNS'],
  ])('%j is refused: %s', (text, why) => {
    const { diagnostics } = parseManifest({ file: 'web.yml', text })
    expect(diagnostics.map(({ message }) => message).join('\n')).toContain(why)
  })

  test.each([
    ['entry: {host: a.example, port: 70000}', 'port is 70000, expected a port number from 1 to 65535'],
    ['entry: {tcp: 5432, tls: internal}', 'tls is for HTTP'],
    ['entry: {host: "{env.HOME}"}', 'host is "{env.HOME}", expected a host'],
    ['cns: {ttl: -1}', 'ttl is -1, expected whole seconds from 0 to 3600'],
    ['cns: {ttl: 9000}', 'ttl is 9000, expected whole seconds from 0 to 3600'],
  ])('%s is refused once', (key, why) => {
    const { diagnostics } = parseManifest({ file: 'web.yml', text: `image: x\nports: [8080]\n${key}\n` })
    expect(diagnostics.map(({ message }) => message)).toEqual([expect.stringContaining(why)])
  })
})
