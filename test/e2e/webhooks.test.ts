// Webhooks through the real command line and a real daemon, with a receiver that verifies signatures.
import { afterEach, describe, expect, it } from 'vitest'
import type { EventBody, WebhookBody } from '../../src/contract/contract.js'
import { type Received, startReceiver, type TestReceiver, testSecret } from '../notify/receiver.js'
import { type Host, useHosts, webManifest } from './host.js'

const host = useHosts()
const receivers: TestReceiver[] = []
afterEach(async () => {
  await Promise.all(receivers.splice(0).map((one) => one.close()))
})

async function receiver(secret: string | null = testSecret): Promise<TestReceiver> {
  const made = await startReceiver(secret)
  receivers.push(made)
  return made
}

const hooked = (version: string, ...urls: readonly string[]): string =>
  webManifest(
    version,
    `webhooks:\n${urls.map((url) => `  - {url: "${url}", secret: ${testSecret}, allow_private: true}\n`).join('')}`,
  )

const told = (received: readonly Received[]): readonly string[] =>
  received.map(({ event }) => `${event.data.event} ${event.data.instance?.name ?? event.data.task.state}`)

const json = async <T>(here: Host, ...args: readonly string[]): Promise<T> =>
  JSON.parse((await here.done(...args, '--json')).stdout) as T

/** The history's own ids of what webhooks tell, in its order. */
async function eventIds(here: Host): Promise<readonly string[]> {
  const events = await json<readonly EventBody[]>(here, 'service', 'events', 'web')
  const toldKinds = ['deploy', 'scale', 'instance-started', 'instance-exited', 'task-completed']
  return events
    .filter(({ kind, message }) => toldKinds.includes(kind) && !message.startsWith('scale is done'))
    .map(({ id }) => `evt_${id}`)
}

describe('webhooks', { timeout: 90_000 }, () => {
  it('tell every event of a service once and in order, across a daemon that is killed', async () => {
    const here = host()
    const hook = await receiver()
    const daemon = await here.startDaemon()
    await here.done('service', 'deploy', here.file('web.yml', hooked('1', hook.url)))
    await hook.until((received) => received.length >= 3)
    expect(told(hook.received)).toEqual(['deploy active', 'start web-1', 'deploy completed'])
    const [first] = hook.received
    expect(first?.headers['content-type']).toBe('application/cloudevents+json; charset=utf-8')
    expect(first?.event).toMatchObject({
      specversion: '1.0',
      id: first?.id,
      type: 'io.mariposa.service.deploy',
      subject: 'default/web',
      data: { project: 'default', service: { name: 'web', ordinal: 1 }, task: { kind: 'deploy' } },
    })
    expect(hook.received[1]?.event).toMatchObject({
      type: 'io.mariposa.instance.start',
      subject: 'default/web/web-1',
      data: { instance: { name: 'web-1', index: 1 }, machine: { id: expect.any(String) } },
    })

    // The receiver is away while things happen and the daemon dies in the middle of its attempts.
    hook.answer = (_request, response) => {
      response.writeHead(503).end('not now')
    }
    await here.done('service', 'scale', 'web', '3')
    await here.done('service', 'scale', 'web', '1')
    await here.sawEvent('web', ({ kind }) => kind === 'webhook-failed')
    daemon.signal('SIGKILL')
    await daemon.ended
    takesAll(hook)
    await here.startDaemon()
    await here.done('webhook', 'retry', 'web')
    await hook.until((received) => received.length >= 9)

    const ids = hook.received.map(({ id }) => id)
    expect(new Set(ids).size).toBe(ids.length)
    expect(ids).toEqual(await eventIds(here))
    const later = told(hook.received).slice(3)
    expect(later.filter((one) => !one.startsWith('st'))).toEqual(['scale active', 'scale active'])
    expect(later.filter((one) => one.startsWith('start')).sort()).toEqual(['start web-2', 'start web-3'])
    expect(later.filter((one) => one.startsWith('stop'))).toHaveLength(2)
  })

  it('say what is wrong with a receiver that is dead, and delay nobody else', async () => {
    const here = host()
    const [good, bad] = [await receiver(), await receiver()]
    bad.answer = () => {}
    await here.startDaemon()
    await here.done('service', 'deploy', here.file('web.yml', hooked('1', bad.url, good.url)))
    await good.until((received) => told(received).includes('deploy completed'))
    expect(bad.received).toEqual([])
    const hooks = await json<readonly WebhookBody[]>(here, 'webhook', 'list', 'web')
    expect(hooks.find(({ url }) => url === bad.url)).toMatchObject({ queued: 3, state: 'ok' })
    expect(hooks.find(({ url }) => url === good.url)).toMatchObject({ queued: 0, state: 'ok' })

    // Redirects are not followed, and count as failures.
    good.answer = (_request, response) => {
      response.writeHead(302, { location: bad.url }).end()
    }
    const before = bad.requests()
    const test = await here.run('webhook', 'test', 'web', '--url', good.url, '--json')
    expect({ code: test.code, results: JSON.parse(test.stdout) }).toMatchObject({
      code: 1,
      results: [{ url: good.url, status: 302 }],
    })
    expect(bad.requests()).toBe(before)
  })

  it('go to no private address unless the manifest allows it', async () => {
    const here = host()
    const hook = await receiver()
    await here.startDaemon()
    const refused = await here.run(
      'service',
      'deploy',
      here.file('web.yml', webManifest('1', `webhooks: {url: "${hook.url}"}\n`)),
      '--json',
    )
    expect(refused.code).toBe(2)
    expect(JSON.parse(refused.stdout).error.details).toMatchObject([
      { code: 'compile/private-address', path: '/webhooks/0/url', line: expect.any(Number) },
    ])
    expect(hook.requests()).toBe(0)
  })

  it('make a secret where none is given, show it once, and sign with it', async () => {
    const here = host()
    await here.startDaemon()
    const unsigned = await receiver(null)
    const manifest = webManifest('1', `webhooks: {url: "${unsigned.url}", allow_private: true}\n`)
    const [deployed] = await json<readonly { secrets: readonly { secret: string }[] }[]>(
      here,
      'service',
      'deploy',
      here.file('web.yml', manifest),
    )
    const secret = deployed?.secrets[0]?.secret ?? ''
    expect(secret).toMatch(/^whsec_[A-Za-z0-9+/]{43}=$/)
    await unsigned.close()
    const signed = await startReceiver(secret, unsigned.port)
    receivers.push(signed)
    expect((await here.done('webhook', 'test', 'web')).stdout).toContain('204')
    expect((await here.done('service', 'get', 'web')).stdout).not.toContain(secret)
    expect((await here.done('webhook', 'list', '--json')).stdout).not.toContain(secret)
  })
})

function takesAll(hook: TestReceiver): void {
  hook.answer = (_request, response) => {
    response.writeHead(204).end()
  }
}
