// Health checks on the networks that a machine says its addresses on; here those are addresses of the loopback.
import { describe, expect, test } from 'vitest'
import type { MachineBody } from '../../src/contract/contract.js'
import { type Host, useHosts } from './host.js'

const openHost = useHosts()

/** Answers at one address alone; its telemetry says of its one job what it is told to say. */
const program = [
  "const job = { Name: 'web', Status: process.env.JOB }",
  "const pages = { '/status': JSON.stringify({ Version: '3.8.0', Jobs: [job], Services: null }) }",
  "const page = ({ url }, answer) => answer.end(pages[url] || 'here')",
  "require('http').createServer(page).listen(Number(process.env.PORT), process.env.ADDRESS)",
  "process.on('SIGTERM', () => process.exit(0))",
].join('; ')

const manifest = (job: string, checks: string): string => `compute_type: process
command: [${JSON.stringify(process.execPath)}, "-e", ${JSON.stringify(program)}]
environment: {ADDRESS: 127.0.0.2, JOB: ${job}}
ports: ["0:8080"]
stop: {timeout: 1, preservestopped: "no"}
${checks}`

const onBack = 'healthchecks: [{type: http, network: back, port: 8080, poll: 2, timeout: 2, retries: 2}]\n'

async function setMetadata(host: Host, ...words: readonly string[]): Promise<void> {
  const [machine] = JSON.parse((await host.done('machine', 'list', '--json')).stdout) as MachineBody[]
  await host.done('machine', 'metadata', machine?.id ?? '', ...words)
}

const sawHealth = (host: Host, service: string, ...words: readonly string[]) =>
  host.sawEvent(
    service,
    ({ kind, message }) => kind === 'health' && words.every((word) => message.includes(word)),
  )

describe('a check on a network', { timeout: 120_000 }, () => {
  test('asks at the address that the machine has there, as it is now', async () => {
    const host = openHost()
    await host.startDaemon('--metadata', 'network.back=127.0.0.2,network.front=127.0.0.3')
    await host.done('service', 'deploy', host.file('web.yml', manifest('healthy', onBack)))
    expect(await host.instances('web')).toMatchObject([{ name: 'web-1', health: 'healthy' }])

    await setMetadata(host, 'network.back=127.0.0.3')
    await sawHealth(host, 'web', 'web-1', 'unhealthy', 'http port 8080 on back /: connection refused')
    await setMetadata(host, 'network.back=127.0.0.2')
    const healthy = await host.sawEvent(
      'web',
      ({ kind, instance, message }) =>
        kind === 'health' && instance !== 'web-1' && message.endsWith('is healthy'),
    )
    expect(healthy.instance).toMatch(/^web-[2-9]$/)
  })

  test('waits for a machine that has the network, and says which one is missing', async () => {
    const host = openHost()
    await host.startDaemon()
    const file = host.file('web.yml', manifest('healthy', onBack))
    const said = 'has no address on the network back, which a health check uses'
    const refused = await host.run('service', 'deploy', file)
    expect([refused.code, refused.stderr]).toEqual([1, expect.stringContaining(said)])
    const waiting = await host.run('service', 'deploy', file, '--wait-for-room', '--timeout', '6s')
    expect(waiting.code).toBe(3)
    expect(waiting.stdout + waiting.stderr).toContain(said)
    expect((await host.done('service', 'explain', 'web-1')).stdout).toContain(said)

    await setMetadata(host, 'network.back=127.0.0.2')
    await sawHealth(host, 'web', 'web-1', 'is healthy')

    await setMetadata(host, '--remove', 'network.back')
    await sawHealth(host, 'web', 'web-1', 'unhealthy', 'this machine has no address on the network back')
    await host.sawEvent('web', ({ kind, instance }) => kind === 'instance-retired' && instance === 'web-1')
  })

  test('takes the jobs of ContainerPilot from there too', async () => {
    const host = openHost()
    await host.startDaemon('--metadata', 'network.back=127.0.0.2')
    const pilot = 'containerpilot: {network: back, port: 8080}\n'
    await host.done('service', 'deploy', host.file('good.yml', manifest('healthy', pilot)))
    await host.done('service', 'deploy', host.file('bad.yml', manifest('unhealthy', pilot)), '--detach')
    await sawHealth(host, 'good', 'good-1', 'is healthy')
    await sawHealth(host, 'bad', 'unhealthy', 'containerpilot port 8080 on back: web is unhealthy')
  })

  test('is refused with an address that is none', async () => {
    const host = openHost()
    const daemon = host.start('daemon', '--data-dir', host.dataDir, '--metadata', 'network.back=node-1')
    expect(await daemon.ended).not.toBe(0)
    await host.startDaemon()
    await expect(setMetadata(host, 'network.back=node-1')).rejects.toThrow(
      '"node-1" is not an IPv4 or IPv6 address',
    )
  })
})
