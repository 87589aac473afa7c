import { describe, expect, it } from 'vitest'
import { compileWebhooks } from '../../src/compile/webhooks.js'
import { readManifests } from '../../src/manifest/manifest.js'
import { standIns } from '../../src/manifest/stand-ins.js'

const secret = `whsec_${'A'.repeat(43)}=`

function compiled(webhooks: unknown) {
  const text = JSON.stringify({ image: 'nginx', webhooks })
  const variables = (name: string) => ({
    ...standIns(name),
    meta: { values: new Map<string, string | null>([['token', null]]), complete: true },
  })
  const { manifests, diagnostics } = readManifests([{ file: 'web.json', text }], variables)
  expect(diagnostics.filter(({ severity }) => severity === 'error')).toEqual([])
  const [read] = manifests
  if (read === undefined) throw new Error('there is no manifest')
  return compileWebhooks(read.manifest)
}
const problems = (webhooks: unknown) =>
  compiled(webhooks).problems.map(({ code, path }) => [code, path] as const)

describe('compileWebhooks', () => {
  it('keeps secrets of the metadata out, to be filled in when an event is sent', () => {
    const { webhooks } = compiled({
      url: 'https://hooks.example/in',
      secret: '{{ .meta.token }}',
      headers: { Authorization: 'Bearer {{ .meta.token }}!' },
    })
    expect(webhooks).toMatchObject([
      {
        url: 'https://hooks.example/in',
        events: ['start', 'stop', 'health', 'scale', 'deploy'],
        secret: [{ meta: 'token' }],
        headers: { Authorization: [{ text: 'Bearer ' }, { meta: 'token' }, { text: '!' }] },
        allowPrivate: false,
      },
    ])
  })

  it('refuses private addresses, unless they are allowed', () => {
    for (const host of ['localhost', '127.0.0.1', '2130706433', '0x7f.1', '[::1]', '10.0.0.8:8080']) {
      expect(problems({ url: `http://${host}/x` })).toEqual([['compile/private-address', '/webhooks/0/url']])
      expect(problems({ url: `http://${host}/x`, allow_private: true })).toEqual([])
    }
    expect(problems({ url: 'https://hooks.example' })).toEqual([])
  })

  it('refuses one URL twice, what is no URL, headers of its own and what only an instance has', () => {
    const url = 'https://hooks.example'
    expect(problems([{ url }, { url, secret }])).toEqual([['compile/bad-webhook-url', '/webhooks/1/url']])
    expect(problems({ url: 'https://a b'.replace(' ', '%') })).toEqual([
      ['compile/bad-webhook-url', '/webhooks/0/url'],
    ])
    expect(problems({ url, headers: { 'Webhook-Id': 'x' } })).toEqual([
      ['compile/bad-header', '/webhooks/0/headers/Webhook-Id'],
    ])
    expect(problems({ url, headers: { x: 'a\nb' } })).toEqual([
      ['compile/bad-header', '/webhooks/0/headers/x'],
    ])
    expect(problems({ url, headers: { x: '{{ .instance.name }}' } })).toEqual([
      ['compile/no-instance', '/webhooks/0/headers/x'],
    ])
  })
})
