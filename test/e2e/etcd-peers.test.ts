// Two daemons that share an etcd, each on a machine of its own: what only one of them can tell, the other asks it for.
import { describe, expect, test } from 'vitest'
import type {
  InstanceBody,
  LogRecord,
  MachineBody,
  UnitDetails,
  VolumeBody,
} from '../../src/contract/contract.js'
import { freePort } from '../free-port.js'
import { makeCertificates } from './certificates.js'
import { until } from './cluster.js'
import type { Host } from './host.js'
import { idA, idB, usePairs } from './pair.js'

const pairs = usePairs()
const bothWithTls = pairs.openWithTls

const json = async <T>(host: Host, ...args: readonly string[]): Promise<T> =>
  JSON.parse((await host.done(...args, '--json')).stdout) as T
const talker = (name: string) => `compute_type: process
command: [/bin/sh, -c, "echo hello from ${name}; exec sleep 3000"]
`

describe('daemons of two machines', () => {
  test('show units, logs and journals of each other, and run programs beside instances there', async () => {
    const { a, b } = await bothWithTls()
    await a.done('machine', 'cordon', idA)
    const unit = a.file(
      'u.service',
      `[Service]\nExecStart=/bin/sh -c 'echo over there; exec sleep 3000'\n[X-Fleet]\nMachineID=${idB}\n`,
    )
    await a.done('unit', 'start', unit)
    await b.start('unit', 'journal', 'u', '-f').saw('over there\n')
    const details = await json<UnitDetails>(a, 'unit', 'status', 'u')
    expect(details).toMatchObject({ machine: idB, active: 'active', processes: expect.any(Number) as number })
    expect((await a.done('unit', 'status', 'u')).stdout).toContain('over there')
    await a.start('unit', 'journal', 'u', '-f').saw('over there\n')

    await a.done('service', 'deploy', a.file('web.yml', talker('web')))
    const [instance] = await json<InstanceBody[]>(a, 'service', 'instances', 'web')
    expect(instance).toMatchObject({ machine: idB, state: 'running' })
    await a.start('service', 'logs', 'web', '-f').saw('hello from web')
    const logs = await json<LogRecord[]>(a, 'service', 'logs', 'web')
    expect(logs).toMatchObject([{ instance: 'web-1', line: 'hello from web' }])
    const ran = await a.run('service', 'exec', 'web-1', '--', '/bin/sh', '-c', 'echo beside; exit 7')
    expect([ran.code, ran.stdout]).toEqual([7, 'beside\n'])
  })

  test('tell what instances wrote that have left the other, and name a machine that is not there', async () => {
    const { a, b, daemonB } = await bothWithTls()
    await a.done('machine', 'cordon', idA)
    await a.done(
      'service',
      'deploy',
      a.file('web.yml', `${talker('web')}stop: {timeout: 1, preservestopped: "no"}\n`),
    )
    await a.done('service', 'delete', 'web', '--force')
    const hello = { instance: 'web-1', line: 'hello from web' }
    const previous = (host: Host): Promise<readonly LogRecord[]> =>
      json(host, 'service', 'logs', 'web', '--previous')
    for (const host of [a, b]) await until(async () => expect(await previous(host)).toMatchObject([hello]))
    daemonB.signal('SIGKILL')
    await daemonB.ended
    await until(async () => {
      const { code, stdout } = await a.run('service', 'logs', 'web', '--previous', '--json')
      expect(code).toBe(1)
      expect(JSON.parse(stdout)).toMatchObject([{ error: 'api/peer-unreachable' }])
      expect(stdout).toContain('no earlier logs of web')
    })
  })

  test('tell of the volumes of both, and name a machine that is not there', async () => {
    const { a, b, daemonB } = await bothWithTls()
    const file = (name: string): string =>
      a.file(`${name}.yml`, `${talker(name)}volumes: [{name: data, path: /data, scope: service}]\n`)
    await a.done('machine', 'cordon', idB)
    await a.done('service', 'deploy', file('here'))
    await a.done('machine', 'cordon', idA)
    await a.done('machine', 'uncordon', idB)
    await a.done('service', 'deploy', file('there'))
    const list = async (host: Host): Promise<readonly VolumeBody[]> => json(host, 'volume', 'list')
    const both = [
      { service: 'here', machine: idA, state: 'in-use', instances: ['here-1'] },
      { service: 'there', machine: idB, state: 'in-use', instances: ['there-1'] },
    ]
    expect(await list(a)).toMatchObject(both)
    expect(await list(b)).toMatchObject(both)
    expect(await json(a, 'volume', 'show', 'there.data')).toMatchObject({ machine: idB })
    expect((await a.run('volume', 'show', 'data')).stderr).toContain(
      '"data" is ambiguous: it matches 2 volumes',
    )
    await a.done('service', 'delete', 'there', '--force')
    await a.done('volume', 'rm', 'there.data', '--force')
    expect((await list(b)).map(({ service }) => service)).toEqual(['here'])
    daemonB.signal('SIGKILL')
    await daemonB.ended
    const alone = await a.done('volume', 'list', '-q')
    expect(alone.stdout.trim().split('\n')).toHaveLength(1)
    expect(alone.stderr).toContain('does not list all of its volumes: ')
  })

  test('follow a global unit on both machines, each line with the name of its machine', async () => {
    const { a } = await bothWithTls()
    const text = `[Service]\nExecStart=/bin/sh -c 'echo i am here; exec sleep 3000'\n[X-Fleet]\nGlobal=true\n`
    await a.done('unit', 'start', a.file('g.service', text))
    const looks = async (): Promise<LogRecord[]> => json(a, 'unit', 'journal', 'g')
    while ((await looks()).length < 2);
    expect(await looks()).toMatchObject([
      { line: 'i am here', machine: expect.any(String) as string },
      { line: 'i am here', machine: expect.any(String) as string },
    ])
  })

  test('let in on TCP who has a certificate of their authority, and nobody else', async () => {
    const { a, portB } = await bothWithTls()
    const { ca, cert, key } = pairs.certificates()
    const over = ['--endpoint', `https://127.0.0.1:${portB}`, '--ca-file', ca]
    const stranger = await a.run('machine', 'list', '--json', ...over)
    expect(stranger.code).toBe(1)
    expect(JSON.parse(stranger.stdout)).toMatchObject({ error: { code: 'api/unauthorized' } })
    const other = makeCertificates()
    const foreign = await a.run(
      ...['machine', 'list', '--json', ...over, '--cert-file', other.cert, '--key-file', other.key],
    )
    expect(JSON.parse(foreign.stdout)).toMatchObject({
      error: {
        code: 'api/unfit-certificate',
        message: expect.stringContaining('not issued by the authority') as string,
      },
    })
    const known = await a.done('machine', 'list', '-q', ...over, '--cert-file', cert, '--key-file', key)
    expect(known.stdout.trim().split('\n').sort()).toEqual([idA, idB])
  })

  test('reach each other by their token alone, and nobody without it', async () => {
    const { a, b } = pairs.open()
    const [portA, portB] = [await freePort(), await freePort()]
    const { ca, cert, key } = makeCertificates(['127.0.0.1'], null)
    const withToken = (host: Host, port: number) => [
      ...['--token-file', host.privateFile('tokens', 'write 0123456789abcdef\nread fedcba9876543210\n')],
      ...['--tls-ca-file', ca, '--tls-cert-file', cert, '--tls-key-file', key],
      ...['--listen', `tcp://127.0.0.1:${port}`, '--advertise', `https://127.0.0.1:${port}`],
    ]
    await a.startDaemon(...withToken(a, portA))
    await b.startDaemon(...withToken(b, portB))
    await a.done('machine', 'cordon', idA)
    await a.done('service', 'deploy', a.file('web.yml', talker('web')))
    expect((await json<InstanceBody[]>(a, 'service', 'instances', 'web'))[0]?.machine).toBe(idB)
    await a.start('service', 'logs', 'web', '-f').saw('hello from web')
    const ran = await a.run('service', 'exec', 'web-1', '--', '/bin/sh', '-c', 'echo beside; exit 7')
    expect([ran.code, ran.stdout]).toEqual([7, 'beside\n'])

    const over = (token: string | null) => [
      ...['--json', '--endpoint', `https://127.0.0.1:${portB}`, '--ca-file', ca],
      ...(token === null ? ['--cert-file', cert, '--key-file', key] : ['--token', token]),
    ]
    const codeOf = async (...words: string[]) => {
      const { stdout } = await a.run(...words)
      return (JSON.parse(stdout) as { error?: { code: string } }).error?.code ?? 'done'
    }
    expect(await codeOf('machine', 'list', ...over('wrong-wrong-wrong'))).toBe('api/unauthorized')
    expect(await codeOf('machine', 'list', ...over(null))).toBe('api/no-role')
    expect(await codeOf('machine', 'list', ...over('fedcba9876543210'))).toBe('done')
    expect(await codeOf('machine', 'cordon', idB, ...over('fedcba9876543210'))).toBe('api/read-only')
    expect(await codeOf('machine', 'cordon', idB, ...over('0123456789abcdef'))).toBe('done')
  })

  test('follow what runs on the other through a restart of its daemon', async () => {
    const { a, b } = pairs.open()
    const listening = async (): Promise<readonly string[]> => {
      const address = `127.0.0.1:${await freePort()}`
      return ['--insecure-listen', '--listen', `tcp://${address}`, '--advertise', `http://${address}`]
    }
    await a.startDaemon(...(await listening()))
    const before = await b.startDaemon(...(await listening()))
    await a.done('machine', 'cordon', idA)
    const says = 'n=0; while :; do n=$((n+1)); echo "line $n."; sleep 0.2; done'
    await a.done(
      ...['service', 'deploy'],
      a.file('web.yml', `compute_type: process\ncommand: [/bin/sh, -c, ${JSON.stringify(says)}]\n`),
    )
    const follower = a.start('service', 'logs', 'web', '-f')
    await follower.saw('line 2.')
    before.signal('SIGTERM')
    await before.ended
    await b.startDaemon(...(await listening()))
    const [last = ''] =
      (await a.done('service', 'logs', 'web', '--tail', '1')).stdout.match(/line \d+\./) ?? []
    await follower.saw(last)
    follower.signal('SIGINT')
    const { stdout } = await follower.ended
    const numbers = [...stdout.matchAll(/line (\d+)\./g)].map(([, n]) => Number(n))
    expect(numbers).toEqual(numbers.map((_, at) => at + 1))
  })

  test('say of one whose machine is down that it is, and not that it has no logs or does not run', async () => {
    const { a, b } = pairs.open()
    await a.startDaemon()
    // Longer than a busy host holds it up: it is lost when it is killed, and not before.
    const ttl = ['--agent-ttl', '10s'] as const
    const lost = await b.startDaemon(...ttl)
    await a.done('machine', 'cordon', idA)
    await a.done('service', 'deploy', a.file('web.yml', talker('web')))
    const [instance] = await json<InstanceBody[]>(a, 'service', 'instances', 'web')
    lost.signal('SIGKILL')
    await lost.ended
    const states = async (): Promise<readonly string[]> =>
      (await json<MachineBody[]>(a, 'machine', 'list')).map(({ state }) => state)
    while (!(await states()).includes('down'));
    const [logs, journal, beside] = await Promise.all([
      a.run('service', 'logs', 'web'),
      a.run('unit', 'journal', instance?.unit ?? ''),
      a.run('service', 'exec', 'web-1', '--', '/bin/true'),
    ])
    for (const { code, stdout } of [logs, journal])
      expect([code, stdout]).toEqual([
        1,
        expect.stringMatching(/no logs of .*: its machine \S+ is down/) as string,
      ])
    expect([beside.code, beside.stderr]).toEqual([
      1,
      expect.stringMatching(/the machine of web-1, \S+, is down/) as string,
    ])
    await b.startDaemon(...ttl)
  })

  test('that tell each other no address say so, where one would have to ask the other', async () => {
    const { a, b } = pairs.open()
    await a.startDaemon()
    await b.startDaemon()
    await a.done('machine', 'cordon', idA)
    await a.done('service', 'deploy', a.file('web.yml', talker('web')))
    const refused = await a.run('service', 'exec', 'web-1', '--json', '--', '/bin/true')
    expect(refused.code).toBe(2)
    const failed = await a.run('service', 'exec', 'web-1', '--', '/bin/true')
    expect([failed.code, failed.stderr]).toEqual([
      1,
      expect.stringContaining('announces no address to reach it at') as string,
    ])
    const logs = await a.run('service', 'logs', 'web')
    expect([logs.code, logs.stdout]).toEqual([1, expect.stringContaining('no logs of') as string])
    expect((await a.done('unit', 'list')).stdout).toContain('active')
  })
})
