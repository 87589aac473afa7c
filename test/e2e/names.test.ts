// Names that a daemon answers, for programs that come and go.
import { Resolver } from 'node:dns/promises'
import { existsSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import type { DnsInstanceBody, DnsLookupBody } from '../../src/contract/contract.js'
import { freePort } from '../free-port.js'
import { ask, type Host, hostPort, useHosts } from './host.js'

const openHost = useHosts()

/** Healthy until it is told otherwise. */
const program = [
  'let code = 200',
  "const page = ({ url }, answer) => { if (url === '/fail') code = 500; answer.writeHead(url === '/status' ? code : 200); answer.end(process.env.WHO) }",
  "require('http').createServer(page).listen(Number(process.env.PORT))",
  "process.on('SIGTERM', () => process.exit(0))",
].join('; ')

const manifest = (more = ''): string => `compute_type: process
command: [${JSON.stringify(process.execPath)}, "-e", ${JSON.stringify(program)}]
environment: {WHO: "{{ .instance.name }}"}
ports: ["0:8080"]
stop: {timeout: 1, preservestopped: "no"}
healthchecks: [{type: http, port: 8080, path: /status, poll: 2, timeout: 2, retries: 1}]
${more}`

const name = 'web.svc.default.cns.mariposa.internal'

async function withNames(host: Host): Promise<Resolver> {
  const at = `127.0.0.1:${await freePort()}`
  await host.startDaemon('--dns', at, '--public-ip', '127.0.0.1')
  const resolver = new Resolver({ timeout: 5000, tries: 2 })
  resolver.setServers([at])
  return resolver
}

const listed = async (host: Host): Promise<readonly DnsInstanceBody[]> =>
  JSON.parse((await host.done('dns', 'list', 'web', '--json')).stdout) as DnsInstanceBody[]

describe('names', { timeout: 120_000 }, () => {
  test('lead to the instances that are healthy, at the ports that answer', async () => {
    const host = openHost()
    const resolver = await withNames(host)
    const file = host.file('web.yml', manifest('labels: {triton.cns.services: "entry:8080:weight=3"}\n'))
    await host.done('service', 'deploy', file, '--scale', '2')
    expect(await resolver.resolve4(name, { ttl: true })).toEqual([{ address: '127.0.0.1', ttl: 5 }])
    const records = await resolver.resolveSrv(`_8080._tcp.${name}`)
    const said = await Promise.all(records.map(async (one) => [one.name, await ask(one.port)]))
    expect(said.toSorted()).toEqual(
      ['web-1', 'web-2'].map((one) => [`${one}.inst.default.cns.mariposa.internal`, one]),
    )
    expect((await resolver.resolveSrv('entry.svc.default.mariposa.internal'))[0]?.weight).toBe(3)

    const [first] = await host.instances('web')
    if (first === undefined) throw new Error('web has no instance')
    await ask(hostPort(first), '/fail')
    await host.sawEvent(
      'web',
      ({ kind, message }) => kind === 'health' && message.includes('web-1') && message.includes('unhealthy'),
    )
    const left = (await resolver.resolveSrv(name)).map((one) => one.name)
    expect(left).not.toContain('web-1.inst.default.cns.mariposa.internal')
    await host.done('service', 'scale', 'web', '0')
    await expect(resolver.resolve4(name)).rejects.toMatchObject({ code: 'ENODATA' })
    await host.done('service', 'delete', 'web')
    await expect(resolver.resolve4(name)).rejects.toMatchObject({ code: 'ENOTFOUND' })
  })

  test('no longer lead to an instance that is to stop, which serves those who remember them', async () => {
    const host = openHost()
    const resolver = await withNames(host)
    await host.done('service', 'deploy', host.file('web.yml', manifest('cns: {ttl: 60}\n')), '--scale', '2')
    const ports = (await host.instances('web')).map(hostPort)
    await host.done('service', 'scale', 'web', '1', '--detach')
    await host.sawEvent('web', ({ kind }) => kind === 'instance-retired')
    const left = (await resolver.resolveSrv(name)).map((one) => one.name)
    expect(left).toEqual(['web-2.inst.default.cns.mariposa.internal'])
    expect(await Promise.all(ports.map((port) => ask(port)))).toEqual(['web-1', 'web-2'])
    expect((await host.done('service', 'explain', 'web-1')).stdout).toContain('it serves for 60 s more')
    const queued = JSON.parse((await host.done('queue', 'list', '--json')).stdout) as readonly object[]
    expect(queued).toContainEqual(expect.objectContaining({ task: 'scale', state: 'active' }))
    await host.done('service', 'delete', 'web', '--force', '--now')
  })

  test('lead to an instance until it stops, where nobody is left to take over', async () => {
    const host = openHost()
    await withNames(host)
    const text = manifest('cns: {ttl: 60}\n')
    await host.done('service', 'deploy', host.file('web.yml', text), '--scale', '2')
    await host.done('service', 'stop', 'web')
    expect((await host.instances('web')).filter(({ state }) => state !== 'stopped')).toEqual([])
  })

  test('are given up one after the other in a rollout, and each instance stops in the end', async () => {
    const host = openHost()
    const resolver = await withNames(host)
    const short = 'cns: {ttl: 1}\n'
    await host.done('service', 'deploy', host.file('web.yml', manifest(short)), '--scale', '2')
    const before = (await host.instances('web')).map(({ pid }) => pid ?? expect.fail('it does not run'))
    await host.done('service', 'deploy', host.file('web.yml', manifest(`${short}# other\n`)))
    const after = (await resolver.resolveSrv(name)).map((one) => one.name)
    expect(after.toSorted()).toEqual(
      ['web-3', 'web-4'].map((one) => `${one}.inst.default.cns.mariposa.internal`),
    )
    // Their ports may have been given to others since.
    for (const pid of before) expect(existsSync(`/proc/${pid}`)).toBe(false)
  })

  test('are shown with why an instance is not listed', async () => {
    const host = openHost()
    await withNames(host)
    await host.done('service', 'deploy', host.file('web.yml', manifest()))
    expect(await listed(host)).toMatchObject([
      { name: 'web-1', listed: true, reason: '', names: [name], privateAddress: '127.0.0.1' },
    ])
    const [machine] = JSON.parse((await host.done('machine', 'list', '--json')).stdout) as { id: string }[]
    await host.done('machine', 'metadata', machine?.id ?? '', 'triton.cns.status=down')
    expect(await listed(host)).toMatchObject([{ listed: false, reason: expect.stringContaining('metadata') }])
    const looked = JSON.parse((await host.done('dns', 'lookup', name, '--json')).stdout) as DnsLookupBody
    expect(looked).toMatchObject({
      code: 'NOERROR',
      answers: [],
      instances: [{ name: 'web-1', listed: false }],
    })
    expect((await host.done('dns', 'lookup', name)).stdout).toContain('web-1 is not listed: its machine has')
    expect((await host.done('dns', 'lookup', 'example.org')).stdout).toContain('not a name of this cluster')
    const wrong = await host.run('dns', 'lookup', 'a b', '--json')
    expect([wrong.code, JSON.parse(wrong.stdout)]).toMatchObject([
      2,
      { error: { code: 'names/bad-question' } },
    ])
    const typo = await host.run('dns', 'lookup', name, '--type', 'FOO')
    expect([typo.code, typo.stderr]).toEqual([2, expect.stringContaining('A, AAAA, SRV, TXT')])
  })

  test('of a label that nobody can read are refused with its place', async () => {
    const host = openHost()
    await host.startDaemon('--dns', 'none')
    const file = host.file('web.yml', manifest('labels: {triton.cns.services: "web:http"}\n'))
    const refused = await host.run('service', 'deploy', file)
    expect([refused.code, refused.stderr]).toEqual([2, expect.stringContaining('triton.cns.services')])
    expect((await host.done('dns', 'lookup', name)).stdout).toContain('this daemon answers no names')
  })
})
