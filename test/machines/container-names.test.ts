// Containers that find each other by name: through the real command line, daemon and Docker.
import { execFileSync } from 'node:child_process'
import { join } from 'node:path'
import Docker from 'dockerode'
import { describe, expect, inject, test } from 'vitest'
import { builtProgram } from '../cli/program.js'
import { type Host, hostsOf } from '../e2e/host.js'
import { testImage } from './docker-host.js'
import { onDocker } from './docker-place.js'

const docker = new Docker({ socketPath: inject('dockerSocket') })
const openHost = hostsOf(
  builtProgram(join(import.meta.dirname, '../../dist/mariposa.js')),
  onDocker('names', () => inject('dockerSocket')),
)

const ends = 'stop: {timeout: 1, preservestopped: "no"}\n'
const web = `image: ${testImage}\ncommand: [httpd, -f, -p, "8080", -h, /etc]\nports: ["8080"]\n${ends}`
const client = (more = ''): string => `image: ${testImage}\ncommand: [sleep, "1000"]\n${ends}${more}`

async function gateway(): Promise<string> {
  const { IPAM } = await docker.getNetwork('bridge').inspect()
  return IPAM?.Config?.[0]?.Gateway ?? ''
}

async function inClient(host: Host, ...words: readonly string[]): Promise<string> {
  const [{ name = '' } = {}] = await host.instances('client')
  return (await host.done('service', 'exec', name, '--', ...words)).stdout
}

/** Builds a program that looks names up as Alpine's do, which needs nothing of its image. Debian's packages tcc and musl-dev. */
function buildMuslLookup(to: string): void {
  const from = '/usr/lib/x86_64-linux-musl'
  const source = join(import.meta.dirname, 'getaddrinfo.c')
  const words = ['-nostdinc', '-nostdlib', '-static', '-I/usr/include/x86_64-linux-musl', '-o', to]
  const parts = [`${from}/crt1.o`, `${from}/crti.o`, source, `${from}/libc.a`, `${from}/crtn.o`]
  execFileSync('tcc', [...words, ...parts])
}

describe('a container', () => {
  test('with musl finds names of the cluster, and knows which are not there', async () => {
    const host = openHost()
    await host.startDaemon()
    const lookup = join(host.dir, 'lookup')
    buildMuslLookup(lookup)
    await host.done('service', 'deploy', host.file('web.yml', web))
    // musl asks all resolvers at once and takes the first answer, so the daemon is the only one here.
    const only = `dns: ${await gateway()}\ndns-search: svc.default.cns.mariposa.internal\n`
    const mounted = `${only}volumes: ["${lookup}:/bin/lookup:ro"]\n`
    await host.done('service', 'deploy', host.file('client.yml', client(mounted)))
    const [{ container = '' } = {}] = await host.instances('web')
    const { NetworkSettings } = await docker.getContainer(container ?? '').inspect()
    const address = NetworkSettings.Networks['bridge']?.IPAddress ?? ''
    expect(await inClient(host, 'lookup', 'web')).toBe(`${address}\n`)
    expect(await inClient(host, 'lookup', 'web.svc.default.cns.mariposa.internal')).toBe(`${address}\n`)
    const [{ name = '' } = {}] = await host.instances('client')
    const unknown = await host.run(
      'service',
      'exec',
      name,
      '--',
      'lookup',
      'nobody.svc.default.cns.mariposa.internal',
    )
    expect(unknown).toMatchObject({ code: 2, stdout: 'Name does not resolve\n' })
  })

  test('finds a service of its project by its short name, after a restart of the daemon too', async () => {
    const host = openHost()
    const daemon = await host.startDaemon()
    await host.done('service', 'deploy', host.file('web.yml', web))
    await host.done('service', 'deploy', host.file('client.yml', client()))
    expect(await inClient(host, 'wget', '-q', '-O-', 'http://web:8080/group')).toContain('root')
    const conf = (await inClient(host, 'cat', '/etc/resolv.conf')).split('\n')
    expect(conf.find((line) => line.startsWith('nameserver'))).toBe(`nameserver ${await gateway()}`)
    expect(conf.find((line) => line.startsWith('search'))).toMatch(
      /^search svc\.default\.cns\.mariposa\.internal svc\.default\.mariposa\.internal/,
    )
    const [before] = await host.instances('client')
    daemon.signal('SIGTERM')
    await daemon.ended
    await host.startDaemon()
    expect(await inClient(host, 'wget', '-q', '-O-', 'http://web:8080/group')).toContain('root')
    expect(await host.instances('client')).toMatchObject([{ container: before?.container }])
  })

  test('asks whom its manifest says, and whom its host asks where the daemon answers no names', async () => {
    const host = openHost()
    const daemon = await host.startDaemon()
    await host.done('service', 'deploy', host.file('client.yml', client('dns: 192.0.2.53\n')))
    expect(await inClient(host, 'cat', '/etc/resolv.conf')).toContain('nameserver 192.0.2.53')
    await host.done('service', 'delete', 'client', '--force')
    daemon.signal('SIGTERM')
    await daemon.ended
    await host.startDaemon('--dns', 'none')
    await host.done('service', 'deploy', host.file('client.yml', client()))
    expect(await inClient(host, 'cat', '/etc/resolv.conf')).not.toContain(await gateway())
  })
})
