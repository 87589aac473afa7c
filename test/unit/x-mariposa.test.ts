import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { HealthCheck } from '../../src/model/health-check.js'
import { checkUnit } from '../../src/unit/check.js'
import { asUnitName } from '../../src/unit/name.js'
import { parseUnit } from '../../src/unit/parse.js'
import { parsePorts, portsMeet, printPort } from '../../src/unit/ports.js'
import { printUnit } from '../../src/unit/print.js'
import { requirementsOf } from '../../src/unit/requirements.js'
import { type PrintedSettings, printXMariposa, readXMariposa } from '../../src/unit/x-mariposa.js'

const name = asUnitName('default.web.v2@7.service')
const machine = { id: 'f'.repeat(32), hostname: 'a' }

function read(section: string): ReturnType<typeof readXMariposa> {
  return readXMariposa(parseUnit(`[X-Mariposa]\n${section}`).file, { name, machine })
}

describe('[X-Mariposa]', () => {
  it('is read into settings', () => {
    const { settings, diagnostics } = read(`Project=default
Service=web
Version=0b2f8a52-3c1d-5e6f-8a9b-0c1d2e3f4a5b
Ordinal=2
Memory=1.5G
Restart=on-failure:3
Preserve=always
Port=8080/tcp
Port=0:9090/udp
HealthCheck=type=http port=8080 path=/ready?i=%i poll=5s
HealthCheck=type=https port=443 network=public
HealthCheck=type=containerpilot port=9090 network=fabric-%i
HealthCheck=type=tcp port=5432 poll=2s
HealthCheck=type=command user=root timeout=500ms retries=1 -- sh -c "exit $X 5%%"
Label=tier=front "note=two words"
Names=svc.default.cns.mariposa.internal svc.default.mariposa.internal
Cpu=150
Affinity="container!=/^web-\\\\d+$/"
Affinity="role==~data base" by=rack
Spread=rack`)
    expect(diagnostics).toEqual([])
    expect(settings).toEqual({
      project: 'default',
      service: 'web',
      version: '0b2f8a52-3c1d-5e6f-8a9b-0c1d2e3f4a5b',
      ordinal: 2,
      memoryMb: 1536,
      restart: { name: 'on-failure', max: 3 },
      preserve: 'always',
      ports: [
        { ip: null, host: 8080, container: 8080, protocol: 'tcp' },
        { ip: null, host: null, container: 9090, protocol: 'udp' },
      ],
      healthChecks: [
        { type: 'http', port: 8080, path: '/ready?i=7', pollMs: 5000, timeoutMs: 10_000, retries: 3 },
        { type: 'https', port: 443, path: '/', pollMs: 30_000, timeoutMs: 10_000, retries: 3 },
        {
          type: 'containerpilot',
          port: 9090,
          network: 'fabric-7',
          pollMs: 30_000,
          timeoutMs: 10_000,
          retries: 3,
        },
        { type: 'tcp', port: 5432, pollMs: 2000, timeoutMs: 10_000, retries: 3 },
        {
          type: 'command',
          argv: ['sh', '-c', 'exit $X 5%'],
          user: 'root',
          pollMs: 30_000,
          timeoutMs: 500,
          retries: 1,
        },
      ],
      names: ['svc.default.cns.mariposa.internal', 'svc.default.mariposa.internal'],
      labels: { tier: 'front', note: 'two words' },
      cpu: 150,
      affinity: [
        { key: 'instance', operator: '!=', value: '/^web-\\d+$/', by: null },
        { key: 'role', operator: '==~', value: 'data base', by: 'rack' },
      ],
      spread: 'rack',
    })
  })

  it('takes the labels of a container for labels of the unit', () => {
    const { file } = parseUnit('[Container]\nImage=a\nLabel=a=1 b=2\n[X-Mariposa]\nLabel=b=3')
    expect(readXMariposa(file, { name, machine }).settings.labels).toEqual({ a: '1', b: '3' })
  })

  it.each([
    ['Memry=5', 'unit/unknown-option', 'did you mean Memory=?'],
    ['Project=Not_a_label', 'unit/bad-value', undefined],
    ['Version=2', 'unit/bad-value', undefined],
    ['Ordinal=0', 'unit/bad-value', undefined],
    ['Memory=lots', 'unit/bad-value', undefined],
    ['Restart=always:3', 'unit/bad-value', undefined],
    ['Preserve=maybe', 'unit/bad-value', undefined],
    ['Port=70000', 'unit/bad-port', undefined],
    ['Port=%z', 'unit/bad-port', undefined],
    ['HealthCheck=type=udp port=1', 'unit/bad-health-check', undefined],
    ['HealthCheck=type=tcp', 'unit/bad-health-check', undefined],
    ['HealthCheck=type=tcp port=80 path=/', 'unit/bad-health-check', undefined],
    ['HealthCheck=type=http path=/', 'unit/bad-health-check', undefined],
    ['HealthCheck=type=http port=80 network=', 'unit/bad-health-check', undefined],
    ['HealthCheck=type=http port=80 network=a/b', 'unit/bad-health-check', undefined],
    ['HealthCheck=type=command network=a -- true', 'unit/bad-health-check', undefined],
    ['HealthCheck=type=http port=80 user=root', 'unit/bad-health-check', undefined],
    ['HealthCheck=type=http port=80 port=81', 'unit/bad-health-check', undefined],
    ['HealthCheck=type=http port=80 poll=0', 'unit/bad-health-check', undefined],
    ['HealthCheck=type=http port=80 retries=0', 'unit/bad-health-check', undefined],
    ['HealthCheck=type=http port=80 -- true', 'unit/bad-health-check', undefined],
    ['HealthCheck=type=command --', 'unit/bad-health-check', undefined],
    ['HealthCheck=type=command "', 'unit/bad-health-check', undefined],
    ['Label=bare', 'unit/bad-value', undefined],
  ])('reports %s', (line, code, hint) => {
    const { diagnostics } = read(line)
    expect(diagnostics).toMatchObject([
      { code, severity: 'error', line: 2, path: `/X-Mariposa/${line.split('=')[0]}` },
    ])
    expect(diagnostics[0]?.hint).toBe(hint)
  })

  it('reads back what it prints', () => {
    const text = fc.string({ unit: 'grapheme' }).map((word) => word.replaceAll('\0', ''))
    const timing = {
      pollMs: fc.integer({ min: 1, max: 10 ** 8 }),
      timeoutMs: fc.integer({ min: 1, max: 10 ** 7 }),
      retries: fc.integer({ min: 1, max: 1000 }),
      startPeriodMs: fc.integer({ min: 0, max: 10 ** 8 }),
      startIntervalMs: fc.integer({ min: 1, max: 10 ** 7 }),
    }
    const port = fc.integer({ min: 1, max: 65535 })
    const network = fc.constantFrom('backbone', '6a5e6d6a-9d2c-4a27-8f5c-1a2b3c4d5e6f')
    const check: fc.Arbitrary<HealthCheck> = fc.oneof(
      fc.record(
        {
          type: fc.constantFrom('http', 'https'),
          port,
          network,
          path: text.map((path) => `/${path}`),
          ...timing,
        },
        { requiredKeys: ['type', 'port', 'path', 'pollMs', 'timeoutMs', 'retries'] },
      ),
      fc.record(
        { type: fc.constant('containerpilot' as const), port, network, ...timing },
        { requiredKeys: ['type', 'port', 'pollMs', 'timeoutMs', 'retries'] },
      ),
      fc.record(
        {
          type: fc.constant('command' as const),
          argv: fc.array(text, { minLength: 1 }),
          user: fc.option(text),
          ...timing,
        },
        { requiredKeys: ['type', 'argv', 'user', 'pollMs', 'timeoutMs', 'retries'] },
      ),
    )
    const settings = fc.record({
      project: fc.constant('default'),
      memoryMb: fc.nat(),
      restart: fc.constantFrom(
        { name: 'always', max: null } as const,
        { name: 'on-failure', max: null } as const,
        { name: 'on-failure', max: 7 } as const,
      ),
      preserve: fc.constantFrom('no', 'always', 'on-failure'),
      ports: fc.uniqueArray(
        fc.record({
          ip: fc.constantFrom(null, '127.0.0.1', '::1'),
          host: fc.option(port),
          container: port,
          protocol: fc.constantFrom('tcp', 'udp'),
        }),
        { comparator: portsMeet },
      ),
      healthChecks: fc.array(check),
      labels: fc.dictionary(
        text.map((key) => `k${key.replaceAll('=', '')}`),
        text,
      ),
    }) satisfies fc.Arbitrary<PrintedSettings>
    fc.assert(
      fc.property(settings, (given) => {
        const file = parseUnit(printUnit({ options: printXMariposa(given) })).file
        const back = readXMariposa(file, { name, machine })
        expect(back.diagnostics).toEqual([])
        expect(back.settings).toMatchObject({ ...given, labels: { ...given.labels } })
      }),
    )
  })
})

describe('ports', () => {
  const tcp = (ip: string | null, host: number | null, container: number) => ({
    ip,
    host,
    container,
    protocol: 'tcp',
  })
  it.each([
    ['8080', [tcp(null, null, 8080)]],
    ['80:8080', [tcp(null, 80, 8080)]],
    ['0:8080', [tcp(null, null, 8080)]],
    ['127.0.0.1:80:8080', [tcp('127.0.0.1', 80, 8080)]],
    ['127.0.0.1::8080', [tcp('127.0.0.1', null, 8080)]],
    ['[::1]:80:8080', [tcp('::1', 80, 8080)]],
    ['53/udp', [{ ip: null, host: null, container: 53, protocol: 'udp' }]],
    ['8000-8002', [tcp(null, null, 8000), tcp(null, null, 8001), tcp(null, null, 8002)]],
    ['90-91:8000-8001', [tcp(null, 90, 8000), tcp(null, 91, 8001)]],
  ])('PublishPort=%s', (text, ports) => {
    expect(parsePorts(text, 'chosen')).toEqual(ports)
  })

  it('without a host part are fixed for a process', () => {
    expect(parsePorts('8080/tcp', 'fixed')).toEqual([tcp(null, 8080, 8080)])
    expect(parsePorts('0:8080', 'fixed')).toEqual([tcp(null, null, 8080)])
  })

  it.each([
    '',
    '0',
    '65536',
    '8003-8000',
    '80-82:8000-8001',
    'http',
    '80/sctp',
    '-1',
    '1:2:3:4',
    '1-2000',
    '127.0.0.1:80',
  ])('refuse %j', (text) => {
    expect(parsePorts(text, 'chosen')).toBeTypeOf('string')
  })

  it('are at most 1000 a unit, however short their lines', () => {
    const lines = 'PublishPort=1-900\n'.repeat(2_000)
    const { file } = parseUnit(`[Container]\n${lines}`)
    expect(requirementsOf(file, name).ports).toHaveLength(900)
    expect(readXMariposa(file, { name, machine }).diagnostics).toMatchObject([{ code: 'unit/bad-port' }])
  })

  it('are asked for once: a host port that an earlier line has is reported, and counts once', () => {
    const { file } = parseUnit('[X-Mariposa]\nPort=80/tcp\nPort=127.0.0.1:79-80:79-80/tcp\nPort=80/udp\n')
    expect(readXMariposa(file, { name, machine }).diagnostics).toMatchObject([
      { code: 'unit/bad-port', line: 3, message: expect.stringContaining('host port 80/tcp') },
    ])
    expect(requirementsOf(file, name).ports.map(({ host, protocol }) => `${host}/${protocol}`)).toEqual([
      '80/tcp',
      '80/udp',
    ])
  })

  it('are printed as people write them', () => {
    expect(printPort({ ip: null, host: null, container: 80, protocol: 'tcp' }, 'chosen')).toBe('80')
    expect(printPort({ ip: '10.0.0.1', host: null, container: 80, protocol: 'udp' }, 'chosen')).toBe(
      '10.0.0.1::80/udp',
    )
    expect(printPort({ ip: null, host: 80, container: 80, protocol: 'tcp' }, 'fixed')).toBe('80/tcp')
    expect(printPort({ ip: null, host: null, container: 80, protocol: 'tcp' }, 'fixed')).toBe('0:80/tcp')
  })
})

describe('requirements', () => {
  const needs = (text: string, unit = 'web@1.service') =>
    requirementsOf(parseUnit(text).file, asUnitName(unit))

  it('know how much of a processor a unit may use, beside what is reserved', () => {
    expect(needs('[Service]\nCPUQuota=29.5%\n[X-Mariposa]\nCpu=10\n')).toMatchObject({
      cpu: 10,
      cpuLimit: 29.5,
    })
    expect(needs('[Container]\nPodmanArgs=--memory-swap=1g\nPodmanArgs=--cpus=1.5\n').cpuLimit).toBe(150)
    expect(needs('[Service]\nCPUQuota=much\n')).not.toHaveProperty('cpuLimit')
  })

  it('name the drivers that can run the unit', () => {
    expect(needs('[Container]\nImage=a').drivers).toEqual(['docker'])
    expect(needs('[Service]\nExecStart=/bin/a').drivers).toEqual(['systemd', 'process'])
    expect(needs('[Timer]\nOnCalendar=daily', 'web.timer').drivers).toEqual(['systemd'])
  })

  it.each([
    ['[X-Mariposa]\nMemory=256\n[Service]\nMemoryMax=1G', 256],
    ['[X-Mariposa]\nMemory=1G', 1024],
    ['[Container]\nMemory=100m', 100],
    ['[Service]\nMemoryMax=1500K', 2],
    ['[Service]\nMemoryMax=infinity', 0],
    ['[Service]\nExecStart=/bin/a', 0],
  ])('reserve the memory that %j asks for', (text, memoryMb) => {
    expect(needs(text).memoryMb).toBe(memoryMb)
  })

  it('have the ports of the instance', () => {
    expect(needs('[Container]\nPublishPort=800%i:80\n[X-Mariposa]\nPort=53/udp').ports).toEqual([
      { ip: null, host: 8001, container: 80, protocol: 'tcp' },
      { ip: null, host: 53, container: 53, protocol: 'udp' },
    ])
  })
})

describe('admission', () => {
  it('lets a plain unit in', () => {
    const { file } = parseUnit(
      '[Service]\nExecStart=/bin/a\n[X-Mariposa]\nHealthCheck=type=http port=1 path=/%m',
    )
    expect(checkUnit(file, name)).toEqual([])
  })

  it('refuses what is wrong, and what fleet refuses', () => {
    const { file } = parseUnit('[X-Mariposa]\nMemory=x\n[X-Fleet]\nMachineMetadata=x')
    expect(checkUnit(file, name).map(({ code, line }) => `${code} ${line}`)).toEqual([
      'unit/bad-value 2',
      'unit/bad-metadata 4',
    ])
  })
})
