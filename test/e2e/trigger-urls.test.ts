// Trigger URLs through a real daemon, over real HTTP and HTTPS, with callers of every kind.
import { createHmac } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { request as httpRequest, type IncomingHttpHeaders } from 'node:http'
import { request as httpsRequest } from 'node:https'
import { connect } from 'node:net'
import { describe, expect, it } from 'vitest'
import type { ServiceDetails, TaskBody } from '../../src/contract/contract.js'
import { makeCertificates } from './certificates.js'
import { type Host, useHosts } from './host.js'

const host = useHosts()

const secret = 'a-secret-of-the-operator'
const triggers = `triggers:
  - more:
      secret: "{{ .meta.trigger_secret }}"
      action: scale
      instances: 1
  - three: {secret: "{{ .meta.trigger_secret }}", action: scale, scale: 3}
  - halt: {secret: plain-in-the-manifest, action: stop}
`
const manifest = `compute_type: process\ncommand: [/bin/sleep, "3000"]\n${triggers}`

interface Answer {
  readonly status: number
  readonly headers: IncomingHttpHeaders
  // biome-ignore lint/suspicious/noExplicitAny: the answer as JSON, looked into by tests
  readonly body: any
}

function post(
  url: string,
  headers: Record<string, string> = {},
  { body = '', ca, method = 'POST' }: { body?: string; ca?: Buffer; method?: string } = {},
): Promise<Answer> {
  const send = url.startsWith('https:') ? httpsRequest : httpRequest
  return new Promise((resolve, reject) => {
    const request = send(url, { method, headers, agent: false, ...(ca && { ca }) }, (response) => {
      let text = ''
      response.setEncoding('utf8')
      response.on('data', (chunk: string) => {
        text += chunk
      })
      response.on('end', () =>
        resolve({ status: response.statusCode ?? 0, headers: response.headers, body: JSON.parse(text) }),
      )
    })
    request.on('error', reject)
    request.end(body)
  })
}

const bearer = (text: string) => ({ authorization: `Bearer ${text}` })

function signed(id: string, body = '', at = Date.now()): Record<string, string> {
  const timestamp = String(Math.floor(at / 1000))
  const signature = createHmac('sha256', secret).update(`${id}.${timestamp}.${body}`).digest('base64')
  return {
    'webhook-id': id,
    'webhook-timestamp': timestamp,
    'webhook-signature': `v1,${signature}`,
    'content-type': 'application/json',
  }
}

const json = async <T>(here: Host, ...args: readonly string[]): Promise<T> =>
  JSON.parse((await here.done(...args, '--json')).stdout) as T

const details = (here: Host): Promise<ServiceDetails> => json(here, 'service', 'get', 'web')

/** A daemon that serves trigger URLs, with the service; and its URL of a trigger. */
async function served(...args: readonly string[]) {
  const here = host()
  const daemon = await here.startDaemon('--trigger-listen', 'tcp://127.0.0.1:0', ...args)
  await here.done('meta', 'set', '--secret', 'trigger_secret', secret)
  await here.done('service', 'deploy', here.file('web.yml', manifest))
  const found = await details(here)
  const url = (name: string): string => found.triggerUrls?.find((one) => one.name === name)?.url ?? ''
  return { here, daemon, url }
}

describe('trigger URLs', { timeout: 60_000 }, () => {
  it('start, stop and scale for who knows the secret, as tasks that say who asked', async () => {
    const { here, url } = await served()
    const more = await post(url('more'), bearer(secret))
    expect(more).toMatchObject({ status: 202, body: { trigger: 'more', repeated: false } })
    await here.done('queue', 'watch', more.body.task)
    expect((await details(here)).running).toBe(2)
    const tasks = await json<readonly TaskBody[]>(here, 'queue', 'list')
    expect(tasks.find(({ uuid }) => uuid === more.body.task)).toMatchObject({
      task: 'scale',
      state: 'completed',
      by: { user: 'trigger more', address: '127.0.0.1' },
    })

    const withPassword = new URL(url('three'))
    withPassword.password = secret
    withPassword.username = 'ci'
    const three = await post(withPassword.href)
    await here.done('queue', 'watch', three.body.task)
    expect((await details(here)).scale).toBe(3)

    const halt = await post(url('halt'), bearer('plain-in-the-manifest'))
    await here.done('queue', 'watch', halt.body.task)
    expect(await details(here)).toMatchObject({
      status: 'stopped',
      triggerUrls: [
        { name: 'more', action: 'scale +1', calls: 1 },
        { name: 'three', action: 'scale 3', calls: 1 },
        { name: 'halt', action: 'stop', calls: 1 },
      ],
    })
    // What is refused is refused in one sentence: what to do about it is for those inside.
    await here.done('queue', 'freeze', '--service', 'web')
    const refused = await post(url('three'), bearer(secret))
    expect([refused.status, refused.body.error]).toEqual([
      409,
      { code: 'service/frozen', message: 'web is frozen', details: [] },
    ])
  })

  it('let a signed call through once, however often it comes, and none that is old', async () => {
    const { here, url } = await served()
    const call = signed('build-7', '{"ref":"main"}')
    const answers = await Promise.all(
      Array.from({ length: 5 }, () => post(url('more'), call, { body: '{"ref":"main"}' })),
    )
    expect(answers.map(({ status }) => status)).toEqual([202, 202, 202, 202, 202])
    expect(answers.filter(({ body }) => !body.repeated)).toHaveLength(1)
    expect(new Set(answers.map(({ body }) => body.task)).size).toBe(1)
    await here.done('queue', 'watch', answers[0]?.body.task)
    expect((await details(here)).scale).toBe(2)

    const other = await post(url('three'), call, { body: '{"ref":"other"}' })
    expect([other.status, other.body.error.code]).toEqual([401, 'trigger/refused'])
    const old = await post(url('more'), signed('build-6', '', Date.now() - 6 * 60_000))
    expect([old.status, old.body.error.code]).toEqual([401, 'trigger/bad-time'])
    expect((await details(here)).scale).toBe(2)
  })

  it('refuse who guesses, and tell nobody whether a trigger is there', async () => {
    const { here, daemon, url } = await served()
    const wrong = await post(url('more'), bearer('a-secret-of-the-operatoR'))
    const none = await post(url('more').replace(/more$/, 'none'), bearer(secret))
    expect(wrong.status).toBe(401)
    expect(wrong.headers['www-authenticate']).toBe('Bearer')
    expect(none.body).toEqual(wrong.body)
    while ((await post(url('more'))).status !== 429);
    const limited = await post(url('more'), bearer(secret))
    expect([limited.status, limited.body.error.code]).toEqual([429, 'trigger/too-often'])
    expect(Number(limited.headers['retry-after'])).toBeGreaterThan(0)
    expect((await details(here)).scale).toBe(1)
    expect(daemon.saidSoFar()).toContain('a call of /trigger/default/web/more is refused')
  })

  it('serve nothing else, and nothing where nobody asked for it', async () => {
    const { here, url } = await served()
    const { origin } = new URL(url('more'))
    for (const path of ['/', '/v1/projects/default/services', '/healthz', '/metrics', '/fleet/v1/units'])
      for (const method of ['GET', 'POST'])
        expect((await post(`${origin}${path}`, bearer(secret), { method })).body.error.code).toBe(
          'trigger/unknown-path',
        )
    expect((await post(url('more'), bearer(secret), { method: 'GET' })).status).toBe(404)
    const large = await post(url('more'), bearer(secret), { body: 'x'.repeat(64 * 1024 + 1) })
    expect([large.status, large.body.error.code]).toEqual([413, 'trigger/too-large'])
    expect((await details(here)).scale).toBe(1)

    const quiet = host()
    await quiet.startDaemon()
    await quiet.done('meta', 'set', '--secret', 'trigger_secret', secret)
    await quiet.done('service', 'deploy', quiet.file('web.yml', manifest))
    expect((await details(quiet)).triggerUrls?.[0]).toMatchObject({
      name: 'more',
      path: '/trigger/default/web/more',
      url: null,
    })
  })

  it('show their secrets nowhere', async () => {
    const { here, daemon, url } = await served()
    await post(url('more'), bearer(secret))
    await post(url('halt'), bearer('plain-in-the-manifest'))
    const shown = await Promise.all(
      [
        ['service', 'get', 'web'],
        ['service', 'get', 'web', '--manifest'],
        ['service', 'get', 'web', '--json'],
        ['service', 'version', (await details(here)).version, '--json'],
        ['service', 'deploy', '--plan', here.file('web.yml', manifest.replace('3000', '3001'))],
        ['service', 'events', 'web', '--json'],
        ['queue', 'list', '--json'],
      ].map((words) => here.done(...words)),
    )
    const texts = [daemon.saidSoFar(), ...shown.map(({ stdout }) => stdout)]
    for (const text of texts) {
      expect(text).not.toContain('plain-in-the-manifest')
      expect(text).not.toContain(secret)
    }
    expect(shown[1]?.stdout).toContain('halt: {secret: not shown, action: stop}')
  })

  it('get a secret where the manifest has none, shown by the deploy that makes it', async () => {
    const { here, url } = await served()
    const text = manifest.replace('{secret: plain-in-the-manifest, action', '{url: true, action')
    const deployed = await here.done('service', 'deploy', here.file('web.yml', text))
    const made = /whsec_[A-Za-z0-9+/]{43}=/.exec(deployed.stderr)?.[0] ?? ''
    expect(deployed.stderr).toContain('web: a secret was made for the trigger halt')
    expect(await post(url('halt'), bearer(made))).toMatchObject({ status: 202 })
  })

  it('are served over TLS with the certificate of the API', async () => {
    const { ca, cert, key } = makeCertificates()
    const { url } = await served('--tls-cert-file', cert, '--tls-key-file', key, '--tls-ca-file', ca)
    expect(url('more')).toMatch(/^https:\/\/127\.0\.0\.1:\d+\/trigger\/default\/web\/more$/)
    const answer = await post(url('more'), bearer(secret), { ca: readFileSync(ca) })
    expect(answer).toMatchObject({ status: 202, body: { repeated: false } })
    await expect(post(url('more').replace('https', 'http'), bearer(secret))).rejects.toThrow()
  })

  it('do not wait for a caller that does not go on', async () => {
    const { url } = await served()
    const { port } = new URL(url('more'))
    const slow = connect(Number(port), '127.0.0.1')
    slow.write('POST /trigger/default/web/more HTTP/1.1\r\nHost: x\r\nContent-Length: 10\r\n\r\n')
    const closed = new Promise((resolve) => slow.on('close', resolve))
    slow.on('data', () => {})
    expect((await post(url('more'), bearer(secret))).status).toBe(202)
    await closed
  })
})
