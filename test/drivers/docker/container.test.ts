import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { UnitToRun } from '../../../src/agent/driver.js'
import { checkDockerUnit, containerSpec } from '../../../src/drivers/docker/container.js'
import { asUnitName } from '../../../src/unit/name.js'
import { parseUnit } from '../../../src/unit/parse.js'
import { escapeDollar, escapePercent, quoteWord } from '../../../src/unit/words.js'

const machine = { id: 'f'.repeat(32), hostname: 'host-1' }

describe('a container from a unit', () => {
  it('asks for what the keys say', () => {
    const { request, pull, environmentFiles } = spec(`[Container]
Image=example/web:1.2
Exec=serve --port 80
Entrypoint=/bin/web
Environment=A=1 "B=two words"
EnvironmentFile=/etc/web.env
Label=team=web "motto=a b"
Memory=64M
StopTimeout=-1
StopSignal=SIGQUIT
User=web
Group=staff
WorkingDir=/srv
DNS=192.0.2.53
DNSSearch=example.org
AddHost=db:192.0.2.9
Volume=/data:/srv/data:ro
Tmpfs=/tmp:size=1m
ReadOnly=yes
ShmSize=1M
PidsLimit=50
AddCapability=NET_ADMIN SYS_TIME
DropCapability=all
Ulimit=nofile=100:200
Sysctl=net.core.somaxconn=10
RunInit=true
NoNewPrivileges=true
LogDriver=local
LogOpt=max-size=1m
AddDevice=/dev/null:/dev/nothing:r
Pull=always
[X-Mariposa]
Restart=on-failure:3
`)
    expect({ pull, environmentFiles }).toEqual({ pull: 'always', environmentFiles: ['/etc/web.env'] })
    expect(request).toMatchObject({
      Image: 'example/web:1.2',
      Cmd: ['serve', '--port', '80'],
      Entrypoint: ['/bin/web'],
      Env: ['A=1', 'B=two words'],
      Labels: { team: 'web', motto: 'a b' },
      StopTimeout: -1,
      StopSignal: 'SIGQUIT',
      User: 'web:staff',
      WorkingDir: '/srv',
      HostConfig: {
        Memory: 64 * 1024 * 1024,
        Dns: ['192.0.2.53'],
        DnsSearch: ['example.org'],
        ExtraHosts: ['db:192.0.2.9'],
        Binds: ['/data:/srv/data:ro'],
        Tmpfs: { '/tmp': 'size=1m' },
        ReadonlyRootfs: true,
        ShmSize: 1024 * 1024,
        PidsLimit: 50,
        CapAdd: ['NET_ADMIN', 'SYS_TIME'],
        CapDrop: ['all'],
        Ulimits: [{ Name: 'nofile', Soft: 100, Hard: 200 }],
        Sysctls: { 'net.core.somaxconn': '10' },
        Init: true,
        SecurityOpt: ['no-new-privileges'],
        LogConfig: { Type: 'local', Config: { 'max-size': '1m' } },
        Devices: [{ PathOnHost: '/dev/null', PathInContainer: '/dev/nothing', CgroupPermissions: 'r' }],
        RestartPolicy: { Name: 'on-failure', MaximumRetryCount: 3 },
      },
    })
  })

  it('takes the options of Podman that Quadlet has no key for, and no others', () => {
    const { HostConfig } = spec(
      '[Container]\nImage=web\nMemory=1G\nPodmanArgs=--cpus=1.25 --memory-swap=2g\nPodmanArgs=--privileged "--gpus=device=0,1"',
    ).request
    expect(HostConfig).toMatchObject({
      NanoCpus: 1.25e9,
      MemorySwap: 2 * 1024 ** 3,
      Privileged: true,
      DeviceRequests: [{ Driver: '', Count: 0, DeviceIDs: ['0', '1'], Capabilities: [['gpu']] }],
    })
    const found = (word: string) => check(`[Container]\nImage=web\nMemory=1G\nPodmanArgs=${word}\n`)
    for (const word of [
      '--cpus',
      '--cpus=0',
      '--memory-swap=512m',
      '--gpus=0',
      '--privileged=no',
      '--pid=host',
      'x',
    ])
      expect(found(word)).toMatchObject([{ code: 'docker/bad-value', line: 4 }])
  })

  it('raises memory and swap with memory that is below what Docker takes', () => {
    const text = (swap: string) =>
      `[Container]\nImage=web\nPodmanArgs=--memory-swap=${swap}\n[X-Mariposa]\nMemory=4\n`
    const least = 6 * 1024 ** 2
    expect(spec(text('5m')).request.HostConfig).toMatchObject({ Memory: least, MemorySwap: least })
    expect(spec(text('8m')).request.HostConfig).toMatchObject({ MemorySwap: 8 * 1024 ** 2 })
    expect(spec(text('-1')).request.HostConfig).toMatchObject({ MemorySwap: -1 })
    expect(check(text('3m'))).toMatchObject([{ code: 'docker/bad-value', line: 3 }])
  })

  it('carries the labels by which it is found again', () => {
    expect(spec('[Container]\nImage=web', { instance }).request.Labels).toEqual({
      'io.mariposa.unit': 'default.web.v1@7.service',
      'io.mariposa.hash': 'abc',
      'io.mariposa.restart': 'no:0',
      'io.mariposa.machine': machine.id,
      'io.mariposa.project': 'default',
      'io.mariposa.service': 'web',
      'io.mariposa.instance': 'web-7',
      'io.mariposa.version': instance.version,
    })
  })

  it('is named after its instance, or its unit, or as ContainerName= says', () => {
    expect(spec('[Container]\nImage=web', { instance }).request.name).toBe('default.web-7')
    expect(spec('[Container]\nImage=web').request.name).toBe('unit.default.web.v1-7')
    expect(spec('[Container]\nImage=web\nContainerName=my-%i').request.name).toBe('my-7')
  })

  it('publishes the ports that placement gave it', () => {
    const ports = [
      { ip: null, host: 8080, container: 80, protocol: 'tcp' },
      { ip: '127.0.0.1', host: 8081, container: 80, protocol: 'tcp' },
      { ip: null, host: 5353, container: 53, protocol: 'udp' },
    ] as const
    const { ExposedPorts, HostConfig } = spec('[Container]\nImage=web\nPublishPort=80', { ports }).request
    expect(ExposedPorts).toEqual({ '80/tcp': {}, '53/udp': {} })
    expect(HostConfig.PortBindings).toEqual({
      '80/tcp': [
        { HostIp: '', HostPort: '8080' },
        { HostIp: '127.0.0.1', HostPort: '8081' },
      ],
      '53/udp': [{ HostIp: '', HostPort: '5353' }],
    })
  })

  it('fills in specifiers, also those of the machine', () => {
    const { Env, Cmd } = spec('[Container]\nImage=web\nEnvironment=ME=%p:%i AT=%H\nExec=run %n 100%%').request
    expect(Env).toEqual(['ME=default.web.v1:7', 'AT=host-1'])
    expect(Cmd).toEqual(['run', 'default.web.v1@7.service', '100%'])
  })

  it('lets placement have the last word on a variable', () => {
    const { Env } = spec('[Container]\nImage=web\nEnvironment=PORT=1 A=2', {
      environment: { PORT: '80' },
    }).request
    expect(Env).toEqual(['PORT=80', 'A=2'])
  })

  it('is limited to the memory that the scheduler reserves, unless it says otherwise', () => {
    const memoryOf = (text: string) => spec(`[Container]\nImage=web\n${text}`).request.HostConfig.Memory
    expect(memoryOf('')).toBeUndefined()
    expect(memoryOf('[X-Mariposa]\nMemory=256')).toBe(256 * 1024 * 1024)
    expect(memoryOf('[X-Mariposa]\nMemory=1')).toBe(6 * 1024 * 1024)
    expect(memoryOf('Memory=1G\n[X-Mariposa]\nMemory=256')).toBe(1024 ** 3)
  })

  it.each([
    ['', 10],
    ['[Service]\nTimeoutStopSec=90', 90],
    ['[Service]\nTimeoutStopSec=1500ms', 2],
    ['[Service]\nTimeoutStopSec=infinity', -1],
    ['StopTimeout=0', 0],
    ['StopTimeout=5\n[Service]\nTimeoutStopSec=90', 5],
  ])('waits for the end of its program as long as it says: %j', (text, seconds) => {
    expect(spec(`[Container]\nImage=web\n${text}`).request.StopTimeout).toBe(seconds)
  })

  it.each([
    ['', 'no', 0],
    ['[X-Mariposa]\nRestart=always', 'always', 0],
    ['[X-Mariposa]\nRestart=unless-stopped', 'unless-stopped', 0],
    ['[X-Mariposa]\nRestart=on-failure', 'on-failure', 0],
    ['[Service]\nRestart=always\n[X-Mariposa]\nRestart=no', 'no', 0],
    ['[Service]\nRestart=on-failure', 'on-failure', 0],
  ])('restarts by the policy that it says: %j', (text, name, max) => {
    expect(spec(`[Container]\nImage=web\n${text}`).request.HostConfig.RestartPolicy).toEqual({
      Name: name,
      MaximumRetryCount: max,
    })
  })

  it('hands over words and variables byte for byte', () => {
    const text = fc.string({ unit: 'binary', maxLength: 40 }).filter((word) => !word.includes('\0'))
    const name = fc.stringMatching(/^[A-Z_][A-Z0-9_]{0,8}$/)
    fc.assert(
      fc.property(fc.array(text, { minLength: 1 }), fc.dictionary(name, text), (words, environment) => {
        const exec = words.map((word) => quoteWord(escapeDollar(escapePercent(word)))).join(' ')
        const lines = Object.entries(environment).map(
          ([key, value]) => `Environment=${quoteWord(escapePercent(`${key}=${value}`))}`,
        )
        const { Cmd, Env } = spec(['[Container]', 'Image=web', `Exec=${exec}`, ...lines].join('\n')).request
        expect(Cmd).toEqual(words)
        expect(Env).toEqual(Object.entries(environment).map(([key, value]) => `${key}=${value}`))
      }),
    )
  })
})

describe('what Docker cannot honour', () => {
  it('takes a plain unit', () => {
    expect(
      check(
        '[Unit]\nDescription=x\nAfter=network.target\n[Container]\nImage=web\nPublishPort=80\n[X-Fleet]\nGlobal=true',
      ),
    ).toEqual([])
  })

  it('refuses keys that it does not know, with the line and the nearest one', () => {
    expect(check('[Container]\nImage=web\nPublishPorts=80\nGlobalArgs=--x')).toMatchObject([
      {
        code: 'docker/unsupported-option',
        line: 3,
        hint: 'did you mean PublishPort=?',
        path: '/Container/PublishPorts',
      },
      { code: 'docker/unsupported-option', line: 4 },
    ])
  })

  it('refuses options of other sections that would have no effect', () => {
    expect(
      check(
        '[Unit]\nRequires=db.service\n[Service]\nExecStartPre=/bin/x\nRestart=on-abort\n[Container]\nImage=web',
      ),
    ).toMatchObject([
      { code: 'docker/unsupported-option', line: 2 },
      { code: 'docker/unsupported-option', line: 4 },
      { code: 'docker/unsupported-option', line: 5 },
    ])
  })

  it('needs an image', () => {
    expect(check('[Container]\nExec=x')).toMatchObject([
      { code: 'docker/bad-value', message: '[Container] Image= is not set' },
    ])
  })

  it.each([
    'Image=UPPER/case',
    'Image=a b',
    'Memory=1M',
    'Memory=lots',
    'StopTimeout=soon',
    'StopSignal=SIGNONE',
    'ReadOnly=perhaps',
    'DNS=dns.example.org',
    'Volume=./relative:/x',
    'Volume=data.volume:/x',
    'Volume=/only',
    'Volume=/a:/b:fast',
    'Network=my.network',
    'Network=bridge\nNetwork=other',
    'Label=io.mariposa.unit=x',
    'Label=novalue',
    'Ulimit=nofile',
    'WorkingDir=here',
    'ContainerName=x',
    'Exec="open',
    'Exec=echo $HOME',
    'Exec=%z',
    'EnvironmentFile=web.env',
    'PublishPort=80\nNetwork=host',
    'Pull=newer',
  ])('refuses %j, with its line', (line) => {
    const found = check(`[Container]\nImage=web\n${line}`)
    expect(found).toMatchObject([
      { code: 'docker/bad-value', severity: 'error', line: expect.toBeOneOf([3, 4]) },
    ])
  })

  it('tells everything at once', () => {
    expect(
      check('[Container]\nImge=web\nMemory=x\nEnvironment=1\n[Service]\nUser=x')
        .map(({ code }) => code)
        .sort(),
    ).toEqual([
      'docker/bad-value',
      'docker/bad-value',
      'docker/unsupported-option',
      'docker/unsupported-option',
      'unit/bad-environment',
    ])
  })
})

const instance = {
  project: 'default',
  service: 'web',
  name: 'web-7',
  n: 7,
  uuid: '00000000-0000-5000-8000-000000000001',
  version: '00000000-0000-5000-8000-000000000002',
}

function spec(text: string, parts: Partial<UnitToRun> = {}) {
  const unit: UnitToRun = {
    name: asUnitName('default.web.v1@7.service'),
    hash: 'abc',
    file: parseUnit(text).file,
    instance: null,
    ports: [],
    environment: {},
    ...parts,
  }
  const { spec: found, diagnostics } = containerSpec(unit, machine)
  if (found === null) throw new Error(JSON.stringify(diagnostics))
  return found
}

function check(text: string) {
  return checkDockerUnit(parseUnit(text).file, asUnitName('default.web.v1@7.service'))
}
