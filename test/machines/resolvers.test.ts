// What others' resolvers make of the daemon's answers: dig, and the two proxies that find their servers by SRV records.
import { type ChildProcess, execFile, spawn } from 'node:child_process'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { afterEach, describe, expect, test } from 'vitest'
import { until } from '../e2e/cluster.js'
import { type Host, useHosts } from '../e2e/host.js'
import { freePort } from '../free-port.js'
import { send } from './entry-load.js'

const openHost = useHosts()

const others: ChildProcess[] = []
afterEach(async () => {
  for (const other of others.splice(0)) {
    if (other.exitCode !== null) continue
    const over = new Promise((resolve) => other.once('exit', resolve))
    other.kill('SIGKILL')
    await over
  }
})

const page = [
  "const page = (_, answer) => answer.end(process.env.WHO + ' ' + process.env.INSTANCE)",
  "require('http').createServer(page).listen(Number(process.env.PORT), '127.0.0.1')",
  "process.on('SIGTERM', () => process.exit(0))",
].join('; ')

const manifest = (who: string): string => `compute_type: process
command: [${JSON.stringify(process.execPath)}, "-e", ${JSON.stringify(page)}]
environment: {WHO: "${who}", INSTANCE: "{{ .instance.name }}"}
ports: ["0:8080"]
cns: {ttl: 1}
healthchecks: [{type: tcp, port: 8080, poll: 0.2, timeout: 0.2}]
stop: {timeout: 1, preservestopped: "no"}
`

const service = 'web.svc.default.mariposa.internal'

interface Named {
  readonly host: Host
  /** The port that names are asked of. */
  readonly dns: number
  /** The ports of the instances, lowest first. */
  readonly ports: () => Promise<readonly number[]>
}

/** Three instances of a service, and a daemon that answers for them. */
async function three(): Promise<Named> {
  const host = openHost()
  const dns = await freePort()
  await host.startDaemon('--dns', `127.0.0.1:${dns}`, '--public-ip', '127.0.0.1')
  await host.done('service', 'deploy', host.file('web.yml', manifest('one')), '--scale', '3')
  const ports = async (): Promise<readonly number[]> =>
    (await host.instances('web'))
      .filter(({ state }) => state === 'running')
      .flatMap(({ ports }) => ports.map((port) => Number(port.split(':').at(0))))
      .sort((a, b) => a - b)
  return { host, dns, ports }
}

async function dig({ dns }: Named, ...words: readonly string[]): Promise<readonly string[]> {
  const asked = ['@127.0.0.1', '-p', String(dns), '+tries=1', ...words]
  const { stdout } = await promisify(execFile)('dig', asked)
  return stdout.split('\n').filter((line) => line !== '')
}

const statusOf = (lines: readonly string[]): string => /status: (\w+)/.exec(lines.join('\n'))?.[1] ?? ''
const section = (lines: readonly string[], name: string): readonly string[] => {
  const from = lines.findIndex((line) => line.startsWith(`;; ${name} SECTION`))
  if (from < 0) return []
  const rest = lines.slice(from + 1)
  const to = rest.findIndex((line) => line.startsWith(';;'))
  return rest.slice(0, to < 0 ? undefined : to)
}

describe('dig', { timeout: 60_000 }, () => {
  test('reads addresses, ports, texts, what is not there and what is refused, over UDP and TCP', async () => {
    const named = await three()
    expect(await dig(named, '+short', service)).toEqual(['127.0.0.1'])
    expect(await dig(named, '+short', '+tcp', service)).toEqual(['127.0.0.1'])
    const srv = async (...words: readonly string[]): Promise<readonly number[]> =>
      (await dig(named, '+short', ...words, 'SRV'))
        .map((line) => Number(line.split(' ')[2]))
        .sort((a, b) => a - b)
    expect(await srv(service)).toEqual(await named.ports())
    expect(await srv(`_8080._tcp.${service}`)).toEqual(await named.ports())
    expect(await srv('+tcp', '+noedns', service)).toEqual(await named.ports())
    expect(await dig(named, '+short', service, 'TXT')).toHaveLength(3)

    const none = await dig(named, service, 'AAAA')
    expect(statusOf(none)).toBe('NOERROR')
    expect(section(none, 'ANSWER')).toEqual([])
    expect(section(none, 'AUTHORITY').join()).toContain('SOA')
    const unknown = await dig(named, `nobody.svc.default.mariposa.internal`)
    expect(statusOf(unknown)).toBe('NXDOMAIN')
    expect(section(unknown, 'AUTHORITY').join()).toContain('SOA')
    expect((await dig(named, 'WeB.SvC.default.mariposa.internal')).join('\n')).toContain(
      'WeB.SvC.default.mariposa.internal.',
    )
    expect((await dig(named, 'mariposa.internal', 'AXFR')).join('\n')).toContain('Transfer failed')
    expect((await dig(named, '+qr', '+bufsize=512', '+ignore', service, 'SRV')).join('\n')).not.toContain(
      'Got bad packet',
    )
  })
})

/** Asks the proxy until those answer who are wanted, and nobody else any more. */
async function reaches(port: number, wanted: readonly string[]): Promise<void> {
  await until(async () => {
    const seen = new Set<string>()
    for (let n = 0; n < 3 * wanted.length; n++) {
      const { status, text } = await send({ port, host: 'web.example' })
      expect(status).toBe(200)
      seen.add(text)
    }
    expect([...seen].sort()).toEqual(wanted)
  })
}

const answersOf = async ({ host }: Named, who: string): Promise<readonly string[]> =>
  (await host.instances('web'))
    .filter(({ state }) => state === 'running')
    .map(({ name }) => `${who} ${name}`)
    .sort()

/** The proxy follows what runs: three, four, and four of the next version. */
async function followed(named: Named, port: number): Promise<void> {
  const { host } = named
  await reaches(port, await answersOf(named, 'one'))
  await host.done('service', 'scale', 'web', '4')
  await reaches(port, await answersOf(named, 'one'))
  await host.done('service', 'deploy', host.file('web.yml', manifest('two')), '--rolling', '2')
  await reaches(port, await answersOf(named, 'two'))
}

describe('a proxy that asks for SRV records', { timeout: 120_000 }, () => {
  test('HAProxy fills its server-template and follows', async () => {
    const named = await three()
    const port = await freePort()
    const config = named.host.file(
      'haproxy.cfg',
      `global
  stats socket ${join(named.host.dir, 'haproxy.sock')}
defaults
  mode http
  timeout connect 2s
  timeout client 10s
  timeout server 10s
  retries 3
  option redispatch
resolvers mariposa
  nameserver daemon 127.0.0.1:${named.dns}
  accepted_payload_size 1232
  hold valid 1s
  hold obsolete 1s
  timeout resolve 500ms
frontend in
  bind 127.0.0.1:${port}
  default_backend web
backend web
  balance roundrobin
  server-template web 10 _8080._tcp.${service} resolvers mariposa check inter 500ms init-addr none
`,
    )
    others.push(spawn('haproxy', ['-db', '-f', config], { stdio: 'ignore' }))
    await followed(named, port)
  })

  test('Caddy takes its dynamic upstreams and follows', async () => {
    const named = await three()
    const port = await freePort()
    const config = named.host.file(
      'Caddyfile',
      `{
  admin off
  auto_https off
}
http://:${port} {
  reverse_proxy {
    dynamic srv {
      name _8080._tcp.${service}
      refresh 500ms
      resolvers 127.0.0.1:${named.dns}
    }
    transport http {
      resolvers 127.0.0.1:${named.dns}
    }
    lb_policy round_robin
    lb_try_duration 3s
  }
}
`,
    )
    const env = { ...process.env, HOME: named.host.dir, XDG_DATA_HOME: named.host.dir }
    others.push(
      spawn('caddy', ['run', '--config', config, '--adapter', 'caddyfile'], { stdio: 'ignore', env }),
    )
    await followed(named, port)
  })
})
