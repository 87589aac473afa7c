// Problems of a compiled unit have the place of the manifest that they come from.
import { expect, test } from 'vitest'
import { compileVersion } from '../../src/compile/compile.js'
import { inManifest } from '../../src/compile/in-manifest.js'
import { underPolicy } from '../../src/compile/under-policy.js'
import { checkProcessUnit } from '../../src/drivers/process/check.js'
import { parseManifest } from '../../src/manifest/manifest.js'
import type { Policy } from '../../src/model/policy.js'
import type { UnitOption } from '../../src/unit/parse.js'
import { parseUnit } from '../../src/unit/parse.js'
import { problemOf } from '../../src/unit/problem.js'

const version = { uuid: '0b2f8a52-3c1d-5e6f-8a9b-0c1d2e3f4a5b', ordinal: 1 }

function compiled(text: string) {
  const { manifests, diagnostics } = parseManifest({ file: 'web.yml', text })
  expect(diagnostics).toEqual([])
  const [read] = manifests
  if (read === undefined) throw new Error('no manifest')
  const unit = compileVersion({
    ...{ project: 'default', manifest: read.manifest, package: read.package, version, file: 'web.yml' },
  })
  expect(unit.diagnostics).toEqual([])
  return { read, unit }
}

const strict: Policy = {
  ...{ drivers: null, root: false, hostPaths: ['/srv'], hostNetwork: false },
  ...{ capabilities: [], devices: [], images: ['registry.example'] },
}

/** Each problem with its place, and what of the text stands there. */
function refused(text: string, policy: Policy = strict): readonly string[] {
  const { read, unit } = compiled(text)
  const lines = text.split('\n')
  return underPolicy({ policy, asRoot: true }, unit.text, unit.template, read).map(
    ({ code, line = 0, column = 0, length = 0 }) =>
      `${code} ${line}:${column} ${lines[line - 1]?.slice(column - 1, column - 1 + length)}`,
  )
}

test('what breaks a policy in a container is told at its line', () => {
  const text = `name: web
image: nginx
volumes: [data:/data, /srv/a:/a, {tmpfs: true, path: /run}, /etc:/b]
init:
  - {command: echo}
  - {command: echo, image: busybox}
cap_add: [CHOWN, SYS_ADMIN]
devices: [/dev/null]
privileged: true
healthchecks:
  - {type: http}
  - type: command
    command: /bin/true
    user: root
`
  expect(refused(text)).toEqual([
    'policy/image 2:8 nginx',
    'policy/image 6:28 busybox',
    'policy/root 1:1 name: web',
    'policy/root 12:5 type: command',
    'policy/host-path 3:61 /etc:/b',
    'policy/capability 7:11 CHOWN',
    'policy/capability 7:18 SYS_ADMIN',
    'policy/device 8:11 /dev/null',
    'policy/privileged 9:13 true',
  ])
})

test('what breaks a policy in a program of the host is told at its line, or at its service for what is missing', () => {
  const text = `services:
  web:
    compute_type: process
    command: sleep 1
  db:
    compute_type: process
    command: sleep 1
    user: root
`
  const { manifests } = parseManifest({ file: 'shop.yml', text })
  const places = manifests.flatMap((read) => {
    const unit = compileVersion({
      project: 'default',
      manifest: read.manifest,
      package: null,
      version,
      file: '',
    })
    return underPolicy({ policy: strict, asRoot: true }, unit.text, unit.template, read)
  })
  expect(places).toMatchObject([
    { code: 'policy/root', line: 3, column: 5, file: 'shop.yml', docs: 'docs/manifest.md#user' },
    { code: 'policy/root', line: 8, column: 11, file: 'shop.yml', docs: 'docs/manifest.md#user' },
  ])
  const noPrograms = { ...strict, drivers: ['docker'], root: true } as const
  expect(refused('name: web\ncommand: [/bin/x]\ncompute_type: process\n', noPrograms)).toEqual([
    'policy/driver 3:15 process',
  ])
})

test.each([
  [
    'process',
    'command: [/bin/x, y]\nvolumes: [d:/d, /a:/a:ro, /b:/b, {tmpfs: true, path: /t, size: 5}]\nshm_size: 64',
    [
      '/cap_add [Service] AmbientCapabilities=CAP_CHOWN',
      '/volumes/2 [Service] BindPaths=/b:/b',
      '/volumes/1 [Service] BindReadOnlyPaths=/a:/a',
      '/cap_drop [Service] CapabilityBoundingSet=CAP_CHOWN',
      '/environment/A [Service] Environment="A=b c"',
      '/environment/D [Service] Environment=D=e',
      '/command [Service] ExecStart=/bin/x y',
      '/ulimits/nofile [Service] LimitNOFILE=5',
      '/no_new_privileges [Service] NoNewPrivileges=yes',
      '/group_add [Service] SupplementaryGroups=audio',
      '/shm_size [Service] TemporaryFileSystem=/dev/shm:mode=1777,nosuid,nodev,noexec,size=64M',
      '/volumes/3 [Service] TemporaryFileSystem=/t:mode=1777,nosuid,nodev,noexec,size=5M',
      '/stop [Service] TimeoutStopSec=3s',
      '/user [Service] User=app',
      '/working_dir [Service] WorkingDirectory=/w',
      '/affinity [X-Fleet] Conflicts=default.web.v*@*.service',
      '/affinity [X-Mariposa] Affinity=role==db',
      '/files/0 [X-Mariposa] File=f text=x',
      '/files/1 [X-Mariposa] File=g text=y',
      '/containerpilot [X-Mariposa] HealthCheck=type=containerpilot port=9090 poll=10s timeout=5s retries=3',
      '/healthchecks/1 [X-Mariposa] HealthCheck=type=http port=8080 path=/ poll=30s timeout=10s retries=3',
      '/healthchecks/0 [X-Mariposa] HealthCheck=type=tcp port=8080 poll=30s timeout=10s retries=3',
      '/labels/l [X-Mariposa] Label=l=m',
      '/memory [X-Mariposa] Memory=100',
      '/ports/0 [X-Mariposa] Port=8080/tcp',
      '/ports/1 [X-Mariposa] Port=81/tcp',
      '/stop/preservestopped [X-Mariposa] Preserve=on-failure',
      '/restart [X-Mariposa] Restart=always',
      '/volumes [X-Mariposa] SlotVolume=d',
      '/volumes/0 [X-Mariposa] Volume=d:/d',
    ],
  ],
  [
    'docker',
    'image: nginx\ncommand: [x]\nvolumes: [d:/d, /a:/a:ro, {tmpfs: true, path: /t}]\nshm_size: 64\ndns: [1.1.1.1]',
    [
      '/cap_add/0 [Container] AddCapability=CHOWN',
      '/dns/0 [Container] DNS=1.1.1.1',
      '/cap_drop/0 [Container] DropCapability=ALL',
      '/environment/A [Container] Environment="A=b c"',
      '/environment/D [Container] Environment=D=e',
      '/command [Container] Exec=x',
      '/group_add/0 [Container] GroupAdd=audio',
      '/image [Container] Image=nginx',
      '/labels/l [Container] Label=l=m',
      '/ports/0 [Container] PublishPort=8080',
      '/ports/1 [Container] PublishPort=81:81',
      '/shm_size [Container] ShmSize=64M',
      '/stop [Container] StopTimeout=3',
      '/volumes/2 [Container] Tmpfs=/t',
      '/ulimits/nofile [Container] Ulimit=nofile=5',
      '/user [Container] User=app',
      '/volumes/1 [Container] Volume=/a:/a:ro',
      '/volumes/0 [Container] Volume=default.web.d:/d',
      '/working_dir [Container] WorkingDir=/w',
    ],
  ],
])('each line of a %s unit that a key of the manifest gives has that key', (type, text, expected) => {
  const { read, unit } = compiled(`name: web
compute_type: ${type}
${text}
user: app
working_dir: /w
environment: {A: b c, D: e}
labels: {l: m}
ports: ["8080", "81:81"]
ulimits: {nofile: 5}
cap_add: [CHOWN]
cap_drop: [ALL]
group_add: [audio]
stop: {timeout: 3}
restart: always
memory: 100
affinity: ["service!=web", "role==db"]
files: [{path: f, content: x}, {path: g, content: y}]
healthchecks: [{type: tcp, port: 8080}, {type: http, port: 8080}]
containerpilot: {port: 9090}
`)
  const { file } = parseUnit(unit.text, unit.template)
  const found = file.options.flatMap((option) => {
    const { path = '' } = inManifest(problemOf(option, 'unit/x', ''), file, read)
    return path === '' || (type === 'docker' && option.section.startsWith('X-'))
      ? []
      : [`${path} ${written(option)}`]
  })
  expect(found.sort()).toEqual([...expected].sort())
})

function written({ section, name, value }: UnitOption): string {
  return `[${section}] ${name}=${value}`
}

test("a message has the manifest's keys for the words of its unit", () => {
  const text = 'name: web\ncompute_type: process\ncommand: [/bin/x]\nread_only: true\nuser: root\n'
  const { read, unit } = compiled(text)
  const { file } = parseUnit(unit.text, unit.template)
  const told = checkProcessUnit(file, unit.template).map((one) => inManifest(one, file, read))
  expect(told.map(({ message, hint, line }) => [message, hint, line])).toEqual([
    [
      expect.stringMatching(/^read_only: /),
      'the embedded supervisor has no namespaces, and limits by cgroups memory, cpu and pids alone; use the docker or the systemd driver',
      4,
    ],
  ])
  const [root] = underPolicy({ policy: strict, asRoot: true }, unit.text, unit.template, read)
  expect(root).toMatchObject({
    message: 'user: the policy lets nothing run as root',
    hint: 'set user: NAME',
    line: 5,
  })
})
