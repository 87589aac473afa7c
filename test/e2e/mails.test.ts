// E-mails about scaling, through the real command line and daemon, to a mail server on the loopback.
import { afterEach, describe, expect, it } from 'vitest'
import type { WebhookBody } from '../../src/contract/contract.js'
import { type SmtpReceiver, startSmtpReceiver } from '../notify/smtp-receiver.js'
import { useHosts } from './host.js'

const host = useHosts()
const servers: SmtpReceiver[] = []
afterEach(async () => {
  await Promise.all(servers.splice(0).map((server) => server.close()))
})

/** Scaled to its least at once, by no metric at all. */
const manifest = (more = '') => `compute_type: process
command: [/bin/sleep, "3000"]
autoscale: {enable: true, min: 2, max: 3, notify_email: [ops@shop.example, night@shop.example]}
${more}`

describe('e-mails about scaling', { timeout: 90_000 }, () => {
  it('go to everybody that the manifest names, once each, whatever comes between', async () => {
    const here = host()
    const server = await startSmtpReceiver()
    servers.push(server)
    server.answer = '451 4.3.0 try again later'
    const smtp = ['--smtp', `smtp://127.0.0.1:${server.port}`, '--smtp-from', 'mariposa@shop.example']
    const daemon = await here.startDaemon(...smtp)
    await here.done('service', 'deploy', here.file('web.yml', manifest()))
    await here.sawEvent('web', ({ kind }) => kind === 'webhook-failed')
    daemon.signal('SIGKILL')
    await daemon.ended
    server.answer = '250 2.0.0 Ok: queued'
    await here.startDaemon(...smtp)
    await here.done('webhook', 'retry', 'web')
    await server.until((mails) => mails.length >= 2)
    expect(server.mails.flatMap(({ to }) => to).sort()).toEqual(['night@shop.example', 'ops@shop.example'])
    expect(server.mails[0]?.text).toMatch(/^at least 2 instances are required; scale 1 /m)
    const delivered = await here.sawEvent('web', ({ kind }) => kind === 'webhook-delivered')
    expect(delivered.message).toMatch(/^autoscale of web delivered to \w+@shop\.example/)
    const hooks = JSON.parse((await here.done('webhook', 'list', 'web', '--json')).stdout) as WebhookBody[]
    expect(hooks.map(({ url, state }) => [url, state])).toEqual([
      ['mailto:night@shop.example', 'ok'],
      ['mailto:ops@shop.example', 'ok'],
    ])
  })

  it('are warned of at the deploy where the daemon knows no mail server, and wait for one', async () => {
    const here = host()
    const daemon = await here.startDaemon()
    const deployed = await here.done('service', 'deploy', here.file('web.yml', manifest()))
    expect(deployed.stderr).toContain('compile/no-mail-server')
    expect(deployed.stdout).not.toContain('whsec_')
    const failed = await here.sawEvent('web', ({ kind }) => kind === 'webhook-failed')
    expect(failed.message).toContain('this daemon has no mail server')
    daemon.signal('SIGTERM')
    await daemon.ended
    const server = await startSmtpReceiver()
    servers.push(server)
    await here.startDaemon('--smtp', `smtp://127.0.0.1:${server.port}`, '--smtp-from', 'm@shop.example')
    await here.done('webhook', 'retry', 'web')
    await server.until((mails) => mails.length >= 2)
  })
})
