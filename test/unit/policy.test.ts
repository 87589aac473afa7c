// What units break of an operator's policy, and what they do not.
import { describe, expect, it, test } from 'vitest'
import type { Policy } from '../../src/model/policy.js'
import type { UnitName } from '../../src/model/unit.js'
import { parseUnit } from '../../src/unit/parse.js'
import { policyProblems, userProblem } from '../../src/unit/policy.js'

const anything: Policy = {
  drivers: null,
  root: true,
  hostPaths: null,
  hostNetwork: true,
  capabilities: null,
  devices: null,
  privileged: true,
  sysctls: null,
  images: null,
}

/** The codes of what is refused, each once. */
function refused(policy: Partial<Policy>, text: string, name = 'web.service', asRoot = true): string[] {
  const here = { policy: { ...anything, ...policy }, asRoot }
  const found = policyProblems(here, parseUnit(text, name).file, name as UnitName, ['docker'])
  return [...new Set(found.map(({ code }) => code))]
}

const container = (...lines: readonly string[]) => ['[Container]', 'Image=app:1', ...lines, ''].join('\n')
const service = (...lines: readonly string[]) => ['[Service]', 'ExecStart=/bin/x', ...lines, ''].join('\n')

test('a policy that says nothing lets no container out', () => {
  expect(refused({}, container('AddDevice=/dev/null'))).toEqual(['policy/device'])
  expect(refused({}, container('PodmanArgs=--gpus=all'))).toEqual(['policy/device'])
  expect(refused({}, container('AddCapability=SYS_ADMIN'))).toEqual(['policy/capability'])
  expect(refused({}, container('AddCapability=CAP_NET_RAW CHOWN'))).toEqual([])
  expect(refused({ privileged: false }, container('PodmanArgs=--privileged'))).toEqual(['policy/privileged'])
  const { privileged: _, sysctls: __, ...older } = anything
  const here = { policy: older, asRoot: true }
  const { file } = parseUnit(container('PodmanArgs=--cpus=1 --privileged', 'Sysctl=net.x=1'), 'web.service')
  expect(policyProblems(here, file, 'web.service' as UnitName, ['docker'])).toMatchObject([
    { code: 'policy/privileged' },
  ])
})

test.each(['--privileged=true', '--pri%i', '%H', '"--privileged"', '--cpus=1 --privileged', '--other'])(
  'PodmanArgs=%s is refused where no container may be privileged',
  (words) => {
    const text = container(`PodmanArgs=${words}`)
    expect(refused({ privileged: false }, text, 'web@vileged.service')).toEqual(['policy/privileged'])
  },
)

test('kernel parameters are those of the list, and below them', () => {
  const policy = { sysctls: ['net.core', 'net/ipv4/ip_forward'] }
  expect(refused(policy, container('Sysctl=net.core.somaxconn=1 net.ipv4.ip_forward=1'))).toEqual([])
  expect(refused(policy, container('Sysctl=net/core/somaxconn=1'))).toEqual([])
  expect(refused(policy, container('Sysctl=net.corex=1'))).toEqual(['policy/sysctl'])
  expect(refused({ sysctls: [] }, container('Sysctl="net.core.somaxconn=1 2"'))).toEqual(['policy/sysctl'])
})

test('cores and swap are nothing that a policy is about', () => {
  const strict = { privileged: false, devices: [], capabilities: [], sysctls: [] }
  expect(refused(strict, container('PodmanArgs=--cpus=1.5', 'PodmanArgs=--memory-swap=1g'))).toEqual([])
})

test('a policy that says nothing refuses nothing else', () => {
  const lines = ['Network=host', 'Sysctl=net.core.somaxconn=1', 'Volume=/:/host', 'User=root']
  expect(refused({}, container(...lines))).toEqual([])
  expect(refused({}, service('ExecStartPre=+/bin/y', 'BindPaths=/:/host'))).toEqual([])
})

test('drivers that are not allowed are named', () => {
  const here = { policy: { ...anything, drivers: ['process'] as const }, asRoot: true }
  const { file } = parseUnit(service(), 'web.service')
  expect(policyProblems(here, file, 'web.service' as UnitName, ['systemd', 'process'])).toMatchObject([
    { code: 'policy/driver', message: 'it would run under systemd, and the policy allows process' },
  ])
  expect(policyProblems(here, file, 'web.service' as UnitName, ['process'])).toEqual([])
})

describe('root: false', () => {
  const root = { root: false }

  it.each(['User=1000', 'User=1000:1000', 'User=2147483647', 'User=1000:app\nGroupAdd=video'])(
    'lets a container run with %s',
    (line) => {
      expect(refused(root, container(line))).toEqual([])
    },
  )

  it.each([
    '',
    'User=',
    'User=0',
    'User=00',
    'User=0:1000',
    'User=root',
    'User=app',
    'User=%i',
    'User=%H',
    'User=-1',
    'User=2147483648',
    'User=4294967295',
    'User=4294967296',
    'User=1000:0',
    'User=1000:root',
    'User=1000:4294967295',
    'User=1000:%H',
    'User=1000\nGroup=0',
    'User=1000\nGroupAdd=00',
    'User=1000\nGroupAdd=root\nGroupAdd=video',
  ])('refuses a container with "%s": a name means what the image says', (line) => {
    expect(refused(root, container(line), 'web@0.service')).toEqual(['policy/root'])
  })

  it.each([
    'User=app',
    'User=1000',
    'DynamicUser=yes',
    'User=root\nUser=app',
    'User=app\nGroup=disk\nSupplementaryGroups=adm 4',
    'User=app\nGroup=0\nGroup=',
  ])('lets a program of the host run with %s', (line) => {
    expect(refused(root, service(line))).toEqual([])
  })

  it.each([
    '',
    'User=0',
    'User=root',
    'User=app\nUser=',
    'User=%H',
    'User=000',
    'DynamicUser=no',
    'User=app\nUser=root',
    'User=4294967295',
    'User=app\nGroup=0',
    'User=app\nGroup=root',
    'User=app\nGroup=4294967295',
    'User=app\nSupplementaryGroups=adm 0',
    'User=app\nSupplementaryGroups=root',
    'DynamicUser=yes\nGroup=0',
  ])('refuses a program of the host with "%s"', (line) => {
    expect(refused(root, service(line))).toEqual(['policy/root'])
  })

  it('lets programs run as a daemon does that is not root', () => {
    expect(refused(root, service(), 'web.service', false)).toEqual([])
    expect(refused(root, service('User=root'), 'web.service', false)).toEqual(['policy/root'])
  })

  it.each([
    'ExecStartPre=+/bin/y',
    'ExecStop=!/bin/y',
    'ExecStartPost=-+/bin/y',
    'FailureAction=reboot',
    'PermissionsStartOnly=yes',
    'ExecStop="+/bin/y" %m',
    'ExecStop="',
  ])('refuses what systemd does as root: %s', (line) => {
    expect(refused(root, service('User=app', line))).toEqual(['policy/root'])
  })

  it('refuses units that are no services', () => {
    expect(refused(root, '[Mount]\nWhat=/dev/sda1\nWhere=/mnt\n', 'mnt.mount')).toEqual(['policy/root'])
  })

  it.each(['StandardOutput=append:/x', 'StandardError=truncate:/x', 'StandardInput=file:/x'])(
    'refuses %s under systemd, which opens it as root, unless host-paths says where',
    (line) => {
      const codes = (policy: Partial<Policy>, driver: 'process' | 'systemd'): readonly string[] => {
        const here = { policy: { ...anything, ...policy }, asRoot: true }
        const { file } = parseUnit(service('User=app', line), 'web.service')
        return policyProblems(here, file, 'web.service' as UnitName, [driver]).map(({ code }) => code)
      }
      expect(codes(root, 'systemd')).toEqual(['policy/root'])
      expect(codes(root, 'process')).toEqual([])
      expect(codes({ ...root, hostPaths: ['/x'] }, 'systemd')).toEqual([])
      expect(codes({ ...root, hostPaths: [] }, 'systemd')).toEqual(['policy/host-path'])
      expect(codes({}, 'systemd')).toEqual([])
    },
  )

  it('counts for health checks and for what is run beside an instance', () => {
    const check = '[X-Mariposa]\nHealthCheck=type=command user=root -- /bin/echo %m\n'
    expect(refused(root, `${container('User=1000')}${check}`)).toEqual(['policy/root'])
    const here = { policy: { ...anything, ...root }, asRoot: true }
    expect(userProblem(here, null, true)).toBeNull()
    expect(userProblem(here, '1000', true)).toBeNull()
    expect(userProblem(here, 'app', true)).toContain('as a number from 1 to')
    expect(userProblem(here, '1000:1000', true)).toBeNull()
    expect(userProblem(here, '1000:0', true)).toContain('nor in its group')
    expect(userProblem(here, '4294967295', false)).not.toBeNull()
    expect(userProblem(here, 'app', false)).toBeNull()
    expect(userProblem(here, 'root', false)).not.toBeNull()
    expect(userProblem({ ...here, policy: anything }, 'root', true)).toBeNull()
  })
})

describe('host-paths', () => {
  const paths = { hostPaths: ['/srv', '/data/one/'] }

  it.each([
    '/srv:/x',
    '/srv/:/x',
    '/srv/a/b:/x:ro',
    '/data/one/a:/x',
    'named:/x',
    '/srv/./a:/x',
    '/srv//a:/x',
    '/srv/%H:/x',
  ])('lets Volume=%s be', (volume) => {
    expect(refused(paths, container(`Volume=${volume}`))).toEqual([])
  })

  it.each(['/:/x', '/srvother:/x', '/data:/x', '/srv/../etc:/x', '/etc:/x:ro', '/var/run/docker.sock:/x'])(
    'refuses Volume=%s',
    (volume) => {
      expect(refused(paths, container(`Volume=${volume}`))).toEqual(['policy/host-path'])
    },
  )

  it('counts for files of variables, and for what systemd binds', () => {
    expect(refused(paths, container('EnvironmentFile=/root/env'))).toEqual(['policy/host-path'])
    expect(refused(paths, service('BindReadOnlyPaths=/srv/a -/etc:/x'))).toEqual(['policy/host-path'])
    expect(refused(paths, service('BindPaths=%t/private:/x'))).toEqual(['policy/host-path'])
    expect(refused(paths, service('BindPaths=/srv/a:/x'))).toEqual([])
    expect(refused({ hostPaths: [] }, container('Volume=/srv:/x'))).toEqual(['policy/host-path'])
  })

  it.each([
    'EnvironmentFile=/srv/env',
    'EnvironmentFile=-/srv/env',
    'EnvironmentFile=/etc/x\nEnvironmentFile=',
    'StandardOutput=append:/srv/log/%p',
    'StandardError=truncate:/data/one/log',
    'StandardInput=file:/srv/in',
    'StandardOutput=journal',
    'StandardInput=null',
  ])('lets a program have %s', (line) => {
    expect(refused({ ...paths, root: false }, service('User=app', line))).toEqual([])
  })

  it.each([
    'EnvironmentFile=/root/env',
    'EnvironmentFile=-/etc/shadow',
    'EnvironmentFile=/srv/../etc/shadow',
    'EnvironmentFile=%E/x',
    'StandardOutput=append:/etc/cron.d/x',
    'StandardOutput=truncate:/etc/passwd',
    'StandardOutput=file:/srvother/x',
    'StandardError=append:/srv/../etc/x',
    'StandardError=%i:/etc/x',
    'StandardError=%H:/etc/x',
    'StandardInput=file:/etc/shadow',
  ])('refuses a program %s', (line) => {
    expect(refused(paths, service('User=app', line), 'web@append.service')).toEqual(['policy/host-path'])
  })
})

test.each(['host', 'container:web', '%H'])('host-network: false refuses Network=%s', (network) => {
  expect(refused({ hostNetwork: false }, container(`Network=${network}`))).toEqual(['policy/host-network'])
})

test('host-network: false lets networks of their own be', () => {
  for (const network of ['bridge', 'none', 'backend'])
    expect(refused({ hostNetwork: false }, container(`Network=${network}`))).toEqual([])
})

test('capabilities are those of the list, with CAP_ or without', () => {
  const policy = { capabilities: ['NET_BIND_SERVICE'] }
  expect(refused(policy, container('AddCapability=CAP_NET_BIND_SERVICE net_bind_service'))).toEqual([])
  expect(refused(policy, container('AddCapability=ALL'))).toEqual(['policy/capability'])
  expect(refused(policy, container('AddCapability=NET_BIND_SERVICE SYS_ADMIN'))).toEqual([
    'policy/capability',
  ])
  expect(refused(policy, service('AmbientCapabilities=CAP_NET_BIND_SERVICE'))).toEqual([])
  expect(refused(policy, service('AmbientCapabilities=~CAP_CHOWN'))).toEqual(['policy/capability'])
})

test('ALL capabilities and /dev let any be', () => {
  expect(refused({ capabilities: ['ALL'] }, container('AddCapability=SYS_ADMIN ALL'))).toEqual([])
  expect(refused({ devices: ['/dev'] }, container('AddDevice=/dev/kvm'))).toEqual([])
  expect(refused({ devices: ['/dev'] }, container('PodmanArgs=--gpus=all'))).toEqual(['policy/device'])
  expect(refused({ devices: ['gpus'] }, container('PodmanArgs=--gpus=all'))).toEqual([])
})

test('devices are those of the list, and below them', () => {
  const policy = { devices: ['/dev/dri'] }
  expect(refused(policy, container('AddDevice=/dev/dri/card0:/dev/x:rw'))).toEqual([])
  expect(refused(policy, container('AddDevice=/dev/mem'))).toEqual(['policy/device'])
  expect(refused(policy, container('AddDevice=/dev/dri/../mem'))).toEqual(['policy/device'])
})

describe('images', () => {
  const images = ['registry.example/', 'docker.io/library/', 'team/', 'quay.io/one/app', 'reg:5000/']
  const image = (name: string) => refused({ images }, `[Container]\nImage=${name}\n`)

  it.each([
    ...[
      'registry.example/a/b:1',
      'nginx',
      'library/nginx:1',
      'docker.io/nginx',
      'team/app',
      'quay.io/one/app:2',
    ],
    ...[
      'quay.io/one/app@sha256:0123456789012345678901234567890123',
      'reg:5000/x',
      'index.docker.io/team/app',
    ],
  ])('lets %s be', (name) => {
    expect(image(name)).toEqual([])
  })

  it.each([
    'registry.example.evil/a',
    'other/app',
    'quay.io/one/apple',
    'evil.io/library/nginx',
    'teams/app',
    'localhost/nginx',
  ])('refuses %s', (name) => {
    expect(image(name)).toEqual(['policy/image'])
  })

  const id = '40709af9276e'
  it.each([
    ...[id, 'cafe', id.padEnd(64, '0'), `sha256:${id.padEnd(64, '0')}`, `sha256:${id}`, 'sha512:0', '%i'],
  ])('refuses %s, which may be the id of any image that is there', (name) => {
    const policy = { images: ['docker.io/library/', 'sha256'] }
    const unit = `[Container]\nImage=${name}\n`
    expect(refused(policy, unit, 'web@beef.service')).toEqual(['policy/image'])
    const here = { policy: { ...anything, ...policy }, asRoot: true }
    const [problem] = policyProblems(
      here,
      parseUnit(unit, 'a.service').file,
      'web@beef.service' as UnitName,
      [],
    )
    expect(problem?.message).toContain('the id of any image on the machine')
  })

  it.each(['cafe:1', 'library/cafe', `app@sha256:${id.padEnd(64, '0')}`])('lets %s be, a name', (name) => {
    expect(refused({ images: ['docker.io/library/'] }, `[Container]\nImage=${name}\n`)).toEqual([])
  })

  it('of init steps are held to it as well', () => {
    const text = container('ExecStartPre=x', 'InitImage=1 hub.example/x:1').replace('app:1', 'team/app:1')
    expect(refused({ images }, text)).toEqual(['policy/image'])
    expect(refused({ images }, text.replace('hub.example', 'team'))).toEqual([])
  })

  it('lets ids be where no images are named', () => {
    expect(refused({ root: false }, `[Container]\nImage=${id}\nUser=1000\n`)).toEqual([])
  })
})

test('where nothing may run as root, a program is not to raise itself', () => {
  const policy = { root: false }
  expect(refused(policy, service('User=app', 'NoNewPrivileges=no'))).toEqual(['policy/root'])
  expect(refused(policy, service('User=app', 'NoNewPrivileges=yes'))).toEqual([])
  expect(refused(policy, service('User=app'))).toEqual([])
  expect(refused({ root: true }, service('User=app', 'NoNewPrivileges=no'))).toEqual([])
})
