import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { dataOf } from '../../src/compose-import/draft.js'
import { printManifest } from '../../src/compose-import/print.js'
import { knownKeys } from '../../src/compose-import/service.js'
import { errorsIn, imported, printed } from './importing.js'

const folder = join(import.meta.dirname, 'compose')
const files = readdirSync(folder).filter((file) => file.endsWith('.yml'))
const read = (file: string) => readFileSync(join(folder, file), 'utf8')

/** The manifest of one service as data. */
function manifest(text: string, name = 'web'): unknown {
  const service = imported(text).services.find((one) => one.name === name)
  return service && dataOf(service.draft)
}

function messages(text: string): readonly string[] {
  return imported(text).notes.map(({ message }) => message)
}

describe('depends_on', () => {
  const app = (dependencies: string, others = '  db: {image: pg}\n'): string =>
    `services:\n${others}  web:\n    image: x\n    depends_on: ${dependencies}\n`

  test.each([
    ['[db]', [{ service: 'db', condition: 'started' }]],
    ['{db: {condition: service_healthy}}', [{ service: 'db', condition: 'healthy' }]],
    ['{db: {}}', [{ service: 'db', condition: 'started' }]],
  ])('%s becomes after', (given, after) => {
    expect(manifest(app(given))).toMatchObject({ after })
    expect(errorsIn(imported(app(given)))).toEqual([])
  })

  test('on a job waits for its end, and the job is one that is started for it', () => {
    const text = app('{db: {condition: service_completed_successfully}}')
    expect(manifest(text)).toMatchObject({ after: [{ service: 'db', condition: 'completed' }] })
    expect(manifest(text, 'db')).toMatchObject({ service_type: 'event' })
    expect(messages(text).join('\n')).toContain('it is started for the first service that waits for it')
  })

  test.each([
    ['[other]', 'this file has no such service with an image'],
    ['{other: {required: false}}', 'this file has no such service with an image'],
    ['{db: {condition: ready}}', 'Compose knows no such condition'],
    ['{db: {restart: true}}', 'it is not replaced when the other one is'],
  ])('%s is told', (given, told) => {
    expect(messages(app(given)).join('\n')).toContain(told)
    expect(errorsIn(imported(app(given)))).toEqual([])
  })

  test('names services as they are named here', () => {
    expect(manifest(app('[my_db]', '  my_db: {image: pg}\n'))).toMatchObject({
      after: [{ service: 'my-db', condition: 'started' }],
    })
  })
})

describe('configs and secrets', () => {
  const app = (keys: string, declared = ''): string =>
    `services:\n  web:\n    image: x\n    ${keys}\n${declared}`

  test.each([
    [
      'configs: [site]',
      'configs: {site: {file: ./conf/site.conf}}',
      { path: '/site', source: 'conf/site.conf' },
    ],
    [
      'configs: [{source: site, target: /etc/site.conf, uid: "33", gid: "34", mode: 0440}]',
      'configs: {site: {content: "port ${PORT:-80} {{ x }}"}}',
      { path: '/etc/site.conf', template: 'port 80 \\{{ x }}', mode: '0440', owner: '33:34' },
    ],
    ['configs: [site]', 'configs: {site: {environment: SITE}}', { path: '/site', meta: 'SITE' }],
    ['configs: [site]', 'configs: {site: {external: true, name: shared}}', { path: '/site', meta: 'shared' }],
    [
      'secrets: [pw]',
      'secrets: {pw: {file: ./pw.txt}}',
      { path: '/run/secrets/pw', meta: 'pw', secret: true },
    ],
    [
      'secrets: [{source: pw, target: db, mode: 0400}]',
      'secrets: {pw: {environment: DB_PW}}',
      { path: '/run/secrets/db', meta: 'DB_PW', secret: true, mode: '0400' },
    ],
    [
      'secrets: [pw]',
      'secrets: {pw: {external: true}}',
      { path: '/run/secrets/pw', meta: 'pw', secret: true },
    ],
  ])('%s with %s', (keys, declared, file) => {
    const text = app(keys, declared)
    expect(manifest(text)).toMatchObject({ files: [file] })
    expect(errorsIn(imported(text))).toEqual([])
  })

  test('both come together, in the order of the file', () => {
    const text = app(
      'secrets: [pw]\n    configs: [site]',
      'configs: {site: {content: x}}\nsecrets: {pw: {external: true}}',
    )
    expect(manifest(text)).toMatchObject({ files: [{ path: '/run/secrets/pw' }, { path: '/site' }] })
  })

  test('what a secret holds is carried over nowhere', () => {
    const text = app('secrets: [pw]', 'secrets: {pw: {content: hunter2}}')
    expect(printed(imported(text))).not.toContain('hunter2')
    expect(messages(text)).toContain(
      'what secret "pw" holds is not carried over: mariposa meta set pw VALUE --secret',
    )
  })

  test.each([
    ['configs: [site]', '', 'configs of this file does not say what it is'],
    ['configs: [site]', 'configs: {site: {file: ../site.conf}}', 'a file comes from below the directory'],
    ['configs: [site]', 'configs: {site: {file: /etc/site.conf}}', 'a file comes from below the directory'],
    ['secrets: [pw]', 'secrets: {pw: {external: true, name: "no key"}}', 'can be no key of metadata'],
    ['configs: [{source: site, mode: rw}]', 'configs: {site: {content: x}}', 'octal digits'],
    ['configs: [{target: /x}]', '', 'it has no source'],
  ])('%s with %s is told', (keys, declared, told) => {
    expect(messages(app(keys, declared)).join('\n')).toContain(told)
    expect(errorsIn(imported(app(keys, declared)))).toEqual([])
  })
})

test.each([
  ['pw.txt', 'pw.txt'],
  ['my $(touch x) "key".pem', `'my $(touch x) "key".pem'`],
  ["it's; rm", `'it'\\''s; rm'`],
  ['-', './-'],
  [`${'long/'.repeat(40)}key.pem`, `${'long/'.repeat(40)}key.pem`],
])('commands in comments are for a shell: %s is %s', (path, word) => {
  const given = JSON.stringify(path.replaceAll('$', '$$$$'))
  const compose = `services:
  web:
    build: {context: ${given}, args: {A: ${given}}}
    secrets: [key]
secrets: {key: {file: ${given}}}
`
  const told = messages(compose).join('\n')
  expect(told).toContain(`mariposa meta set key --file ${word} --secret`)
  if (!path.startsWith('-')) expect(told).toMatch(/docker build .*--build-arg \S/)
  if (path !== word) expect(told).not.toContain(`--file ${JSON.stringify(path)}`)
})

describe('env_file', () => {
  const variables = (keys: string, beside: Readonly<Record<string, string>>): unknown => {
    const [service] = imported(`services:\n  web:\n    image: x\n    ${keys}\n`, 'c.yml', beside).services
    return service && (dataOf(service.draft) as { environment?: unknown }).environment
  }

  test('gives the variables of the file, and environment counts before them', () => {
    const beside = { '.env': 'A=1\nB=2\n' }
    expect(variables('env_file: .env', beside)).toEqual({ A: '1', B: '2' })
    expect(variables('env_file: .env\n    environment: [B=3]', beside)).toEqual({ A: '1', B: '3' })
    expect(variables('environment: {B: 3}\n    env_file: [.env]', beside)).toEqual({ A: '1', B: '3' })
  })

  test('of several files the later one counts', () => {
    const beside = { 'a.env': 'A=1\nB=2', 'b.env': 'B=${A}3' }
    expect(variables('env_file: [a.env, {path: b.env}]', beside)).toEqual({ A: '1', B: '13' })
  })

  test.each([
    ['A=b c # comment', 'b c'],
    ['A=b#c', 'b#c'],
    ["A='$B \\n' # x", '$B \\n'],
    ['A="x\\n\\"y\\" \\$B"', 'x\n"y" $B'],
    ['A="two\nlines"', 'two\nlines'],
    ['export A = b', 'b'],
    ['A=', ''],
    ['\r\n# c\r\nA=b\r\n', 'b'],
    ['A=${B:-c}', 'c'],
    ['A=$$B', '$B'],
    ['A={{ x }}', '\\{{ x }}'],
  ])('%j says %j', (text, value) => {
    expect(variables('env_file: .env', { '.env': text })).toEqual({ A: value })
  })

  test('takes what is there of a variable, and leaves open what nobody has set', () => {
    expect(variables('env_file: .env', { '.env': 'B=1\nA=${B:-2}${B:+3}\nC=${D}' })).toEqual({
      B: '1',
      A: '13',
      C: '{{ .meta.D }}',
    })
  })

  test('of the format raw is taken as it is', () => {
    const keys = 'env_file: [{path: .env, format: raw}]'
    expect(variables(keys, { '.env': `A="b" # \${C}\n# no\nD='` })).toEqual({ A: '"b" # ${C}', D: "'" })
  })

  const notesOn = (text: string, services = ['web']): readonly string[] => {
    const compose = `services:\n${services.map((one) => `  ${one}: {image: x, env_file: .env}\n`).join('')}`
    const result = imported(compose, 'c.yml', { '.env': text })
    expect(errorsIn(result)).toEqual([])
    return result.notes.map(({ message }) => message)
  }

  test('that fills in more than a program can be given is told, and what names it with it', () => {
    const doubling = Array.from({ length: 12 }, (_, index) => `A${index + 1}=${`$A${index}`.repeat(10)}`)
    const text = ['A0=xxxxxxxxxx', ...doubling, 'B=1'].join('\n')
    const told = notesOn(text).filter((one) => one.includes('more than 131072 characters'))
    expect(told.map((one) => /"(A\d+)"/.exec(one)?.[1])).toEqual(
      [5, 6, 7, 8, 9, 10, 11, 12].map((one) => `A${one}`),
    )
    expect(Object.keys(variables('env_file: .env', { '.env': text }) as object)).toEqual([
      'A0',
      'A1',
      'A2',
      'A3',
      'A4',
      'B',
    ])
    // No one value of theirs is too long.
    const long = `L=${'x'.repeat(100_000)}\nM=${'${L:+}'.repeat(20)}y`
    expect(variables('env_file: .env', { '.env': long })).toMatchObject({ M: 'y' })
    const many = `${'${A}'.repeat(30_000)}`
    expect(notesOn(`A=${'x'.repeat(100_000)}\nB=${many}`).join()).toContain('"B" of env_file')
  })

  test('is read for as many services as all together have room for', () => {
    const text = Array.from({ length: 20 }, (_, index) => `A${index}=${'x'.repeat(100_000)}`).join('\n')
    const told = notesOn(text, ['one', 'two']).filter((one) => one.includes('4194304 characters'))
    expect(told).toHaveLength(1)
  })

  test('of which most lines are none is told in a few lines, with their numbers, at once', () => {
    const begun = performance.now()
    const told = notesOn(`A="1\n2"\n\n${'x\n'.repeat(100_000)}B=$C`)
    expect(performance.now() - begun).toBeLessThan(10_000)
    expect(told.filter((one) => one.includes('of the form KEY=VALUE'))).toHaveLength(11)
    expect(told.join('\n')).toContain('line 4 of')
    expect(told.join('\n')).toContain('99990 more lines of env_file ".env"')
    const open = Array.from({ length: 50 }, (_, index) => `$C${index}`).join('')
    expect(notesOn(`B=${open}`).filter((one) => one.includes('meta set C'))).toHaveLength(10)
  })

  test.each([
    ['env_file: .env', 'it cannot be read here'],
    ['env_file: [{path: .env, required: false}]', 'is not there, and need not be'],
    ['env_file: [{path: there.env, format: toml}]', 'not \\"toml\\"'],
    ['env_file: there.env', 'line 2 of env_file \\"there.env\\"'],
  ])('%s is told', (keys, told) => {
    const text = `services:\n  web:\n    image: x\n    ${keys}\n`
    const result = imported(text, 'c.yml', { 'there.env': 'A=1\nnothing' })
    expect(result.notes.map(({ message }) => JSON.stringify(message)).join('\n')).toContain(told)
    expect(errorsIn(result)).toEqual([])
  })
})

test('a key that holds a line break is told on one line', () => {
  const told = messages('services:\n  x:\n    image: nginx\n    environment: {"\\n": ""}\n')
  expect(told.filter((one) => /[\n\r]/.test(one))).toEqual([])
})

describe.each(files)('the Compose file %s', (file) => {
  const text = read(file)
  const result = imported(text, file)

  test('becomes the manifests of its golden file', async () => {
    await expect(printed(result)).toMatchFileSnapshot(`golden/${file}`)
  })

  test('gives manifests that the reader accepts', () => {
    expect(errorsIn(result)).toEqual([])
    expect(result.diagnostics).toEqual([])
  })

  test('has each note as a comment in the text, and at a place in the file', () => {
    const comments = printed(result)
      .split('\n')
      .flatMap((line) => /^ *# *(.*)$/.exec(line)?.[1] ?? [])
      .join(' ')
    const lines = text.split('\n')
    for (const { message, line, column } of result.notes) {
      expect(comments).toContain(message.replace(/\s+/g, ' '))
      expect((lines[line - 1] ?? '').length).toBeGreaterThanOrEqual(column - 1)
    }
  })

  test('is imported alike from the same file with other line ends', () => {
    const windows = imported(text.replaceAll('\n', '\r\n'), file)
    expect(printed(windows)).toBe(printed(result))
    expect(windows.notes).toEqual(result.notes)
  })
})

describe('what corresponds', () => {
  test('is carried over exactly', () => {
    const text = `services:
  web:
    image: nginx:1.27
    entrypoint: ["/entry", "a b"]
    command: serve --all "two words"
    environment: {ZERO: 0755, YES: yes, V: 1.10}
    ports: ["80:8080", "53/udp"]
    labels: [a=b]
    restart: on-failure:3
    stop_grace_period: 90s
    mem_limit: 512m
    user: "1000"
    working_dir: /srv
    dns: [1.1.1.1]
    dns_search: example.org
    healthcheck: {test: [CMD, check], interval: 10s, timeout: 2s, retries: 4}
`
    expect(manifest(text)).toEqual({
      image: 'nginx:1.27',
      entrypoint: ['/entry', 'a b'],
      command: ['serve', '--all', 'two words'],
      environment: { ZERO: '0755', YES: 'yes', V: '1.10' },
      ports: ['80:8080', '53/udp'],
      labels: { a: 'b' },
      restart: 'on-failure:3',
      stop: { timeout: 90 },
      memory: '512M',
      user: '1000',
      working_dir: '/srv',
      dns: ['1.1.1.1'],
      'dns-search': ['example.org'],
      healthchecks: [{ type: 'command', command: ['check'], poll: 10, timeout: 2, retries: 4 }],
    })
    expect(imported(text).notes).toEqual([])
  })

  test('of limits and rights is carried over', () => {
    const text = `services:
  web:
    image: nginx
    restart: always
    mem_limit: 512m
    memswap_limit: 1073741824
    cpus: 0.125
    pids_limit: 100
    shm_size: 64mb
    ulimits: {nofile: {soft: 1024, hard: 2048}, core: 0, nproc: -1}
    cap_add: [NET_ADMIN]
    cap_drop: [ALL]
    devices: ["/dev/fuse", {source: /dev/a, target: /dev/b, permissions: r}]
    group_add: [video, 44]
    hostname: box
    extra_hosts: {db: 192.0.2.7}
    init: true
    privileged: false
    read_only: "true"
    sysctls: [net.core.somaxconn=1024]
    stop_signal: SIGQUIT
    logging: {driver: local, options: {max-size: 200k, max-file: 3}}
    gpus: [{driver: nvidia, count: 2}]
`
    expect(manifest(text)).toMatchObject({
      ...{ memory: '512M', memory_swap: '1024M', cpu: 0.13, pids: 100, shm_size: '64M' },
      ulimits: { nofile: { soft: 1024, hard: 2048 }, core: 0, nproc: -1 },
      ...{ cap_add: ['NET_ADMIN'], cap_drop: ['ALL'], devices: ['/dev/fuse', '/dev/a:/dev/b:r'] },
      ...{ group_add: ['video', '44'], hostname: 'box', extra_hosts: ['db:192.0.2.7'], init: true },
      ...{ read_only: true, sysctls: { 'net.core.somaxconn': '1024' }, stop_signal: 'SIGQUIT', gpus: '2' },
      log: { driver: 'local', options: { 'max-size': '200k', 'max-file': '3' } },
    })
    expect(manifest(text)).not.toHaveProperty('privileged')
    expect(messages(text)).toEqual(['cpus "0.125" was rounded up to hundredths of a core'])
    expect(errorsIn(imported(text))).toEqual([])
  })

  test.each([
    ['pids_limit: -1', {}],
    ['cpus: 0', {}],
    ['memswap_limit: -1\n    mem_limit: 64m', { memory_swap: '-1', memory: '64M' }],
    ['gpus: all', { gpus: 'all' }],
    ['gpus: [{device_ids: ["0", "3"]}]', { gpus: 'device=0,3' }],
    ['deploy: {resources: {limits: {cpus: "0.5", pids: 7}}}', { cpu: 0.5, pids: 7 }],
    [
      'deploy: {resources: {reservations: {devices: [{driver: nvidia, count: all, capabilities: [gpu]}]}}}',
      { gpus: 'all' },
    ],
    ['extra_hosts: ["db=::1"]', { extra_hosts: ['db=::1'] }],
  ])('%s is carried over as %j', (text, wanted) => {
    const file = `services:\n  web:\n    image: nginx\n    restart: always\n    ${text}\n`
    expect(manifest(file)).toEqual({ image: 'nginx', restart: 'always', ...wanted })
    expect(messages(file)).toEqual([])
    expect(errorsIn(imported(file))).toEqual([])
  })

  test.each([
    ['memswap_limit: 1g', 'memory is missing'],
    ['cap_add: [NOTHING]', 'expected a capability'],
    ['devices: [vendor.com/class=dev]', 'expected a device such as /dev/fuse'],
    ['gpus: [{count: 1}, {count: 2}]', 'one request for GPUs'],
    ['cpus: 0.5\n    deploy: {resources: {limits: {cpus: 2}}}', 'the limit under deploy takes its place'],
    ['shm_size: lots', 'expected a size'],
    ['ulimits: {as: 5}', 'there is no key'],
  ])('%s is left out with the reason: %s', (text, why) => {
    const file = `services:\n  web:\n    image: nginx\n    restart: always\n    ${text}\n`
    expect(messages(file).join('\n')).toContain(why)
    expect(errorsIn(imported(file))).toEqual([])
  })

  test('a script keeps its lines', () => {
    const script = 'set -e\n\nif true; then\n  exec serve\nfi\n'
    const text = JSON.stringify({ services: { web: { image: 'x', command: ['sh', '-c', script] } } })
    expect(manifest(text)).toMatchObject({ command: ['sh', '-c', script] })
    expect(printed(imported(text))).toContain('      - |\n        set -e\n\n        if true; then\n')
  })
})

describe('volumes', () => {
  const file = (volumes: string, more = ''): string =>
    `services:\n  web:\n    image: x\n    restart: always\n    volumes: ${volumes}\n${more}`

  test('are those of the service, paths of the machine and memory', () => {
    const long =
      '[{type: volume, source: data, target: /d, read_only: true}, {type: tmpfs, target: /t, tmpfs: {size: 1048576}}, {type: bind, source: /srv, target: /s}, "/etc/ssl:/ssl:ro"]'
    expect(manifest(file(long, '    tmpfs: "/run:size=64m"\nvolumes: {data: {}}\n'))).toMatchObject({
      volumes: [
        { name: 'data', path: '/d', readonly: true, scope: 'service' },
        { tmpfs: true, path: '/t', size: 1 },
        { host: '/srv', path: '/s' },
        { host: '/etc/ssl', path: '/ssl', readonly: true },
        { tmpfs: true, path: '/run', size: '64m' },
      ],
    })
  })

  test.each([
    [
      '["data:/d"]',
      '  other: {image: y, restart: always, volumes: ["data:/e"]}\n',
      'several services share it',
    ],
    ['["data:/d"]', 'volumes: {data: {external: true}}\n', 'external of it'],
    ['["data:/d"]', 'volumes: {data: {driver_opts: {type: nfs}}}\n', 'driver_opts of it'],
    ['["/d"]', '', 'give it one'],
    ['["${DIR}:/d"]', '', 'cannot be a variable'],
    ['["data:/d:z"]', '', '"z" of a volume'],
    ['["my.data:/d"]', '', 'letters, digits'],
  ])('%s %j is left out: %s', (volumes, more, why) => {
    expect(messages(file(volumes, more)).join('\n')).toContain(why)
  })
})

describe('a note', () => {
  test('names the service here, the path, the place and what to do', () => {
    const text = 'services:\n  my_app:\n    image: x\n    volumes: ["./data:/srv"]\n    restart: always\n'
    expect(imported(text).notes).toEqual([
      {
        service: 'my-app',
        path: '/services/my_app',
        line: 2,
        column: 3,
        message: expect.stringContaining('"my_app"') as string,
      },
      {
        service: 'my-app',
        path: '/services/my_app/volumes/0',
        line: 4,
        column: 15,
        message: expect.stringMatching(/^not carried over: volume "\.\/data": .*image/) as string,
      },
    ])
  })

  test('stands at the line of the anchor where a value is shared', () => {
    const text = 'x-a: &a\n  image: x\n  tty: true\n  restart: always\nservices:\n  web: *a\n'
    expect(imported(text).notes).toMatchObject([{ line: 1 }, { service: 'web', line: 3, column: 3 }])
  })

  test('is made once in a service, however often the same is to be said', () => {
    const text = 'services: {web: {image: "x:$A", user: $A, restart: always, command: [$A, $A]}}'
    expect(messages(text)).toEqual(['${A} is a variable of the project: mariposa meta set A VALUE'])
    expect(imported(text).metaKeys).toEqual(['A'])
  })
})

describe('what the reader of manifests refuses', () => {
  test('is left out alone, with the reason of the reader', () => {
    const text = 'services: {web: {image: x, restart: always, user: "a b", ports: ["80", "99999", "81"]}}'
    expect(manifest(text)).toEqual({ image: 'x', restart: 'always', ports: ['80', '81'] })
    expect(messages(text)).toEqual([
      expect.stringContaining('not carried over: user: ') as string,
      expect.stringContaining('not carried over: ports: 99999 is not a port number') as string,
    ])
  })

  test('gives way to an image to be filled in where it is the image', () => {
    const text = 'services: {web: {image: "Bad Image", restart: always}}'
    expect(manifest(text)).toEqual({ image: 'registry.example/web:latest', restart: 'always' })
  })
})

test('what is too large for one manifest is said to be, and each service alone is not', () => {
  const shared = `x-e: &e {${Array.from({ length: 100 }, (_, n) => `KEY_${n}: ${'value '.repeat(50)}`).join(', ')}}`
  const services = Array.from(
    { length: 40 },
    (_, n) => `  s${n}: {image: x, restart: always, environment: *e}`,
  )
  const result = imported([shared, 'services:', ...services].join('\n'))
  expect(result.services).toHaveLength(40)
  expect(result.remarks.map(({ message }) => message).join()).toContain('too large for one manifest')
  expect(errorsIn(result).map(({ file }) => file)).toEqual(['project.yml'])
})

describe('a file that cannot be imported', () => {
  const codes = (text: string) => imported(text).diagnostics.map(({ code, line }) => `${code} ${line}`)

  test.each([
    ['apiVersion: v1\nkind: Pod\n', 'import/not-compose 1'],
    ['[1, 2]\n', 'import/not-compose 1'],
    ['', 'import/not-compose undefined'],
    ['version: "3"\nvolumes: {a: {}}\n', 'import/no-services 1'],
    ['services:\n', 'import/no-services 1'],
    ['services: []\n', 'import/no-services 1'],
    ['services: {}\n', 'import/no-services 1'],
    ['services:\n  web:\n    ports: ["80"]\n', 'import/no-services 2'],
    ['services:\n  web: nginx\n', 'import/no-services 2'],
    ['services:\n  web:\n    image: "x\n', 'manifest/syntax 3'],
    ['services:\n  web: {image: x}\n  web: {image: y}\n', 'manifest/duplicate-key 3'],
  ])('%j says why, and where', (text, expected) => {
    expect(codes(text)).toEqual([expected])
    expect(imported(text).services).toEqual([])
  })

  test('is told of a service alone where others can be', () => {
    const result = imported('services: {web: {image: x}, override: {ports: ["80"]}}')
    expect(result.services.map(({ name }) => name)).toEqual(['web'])
    expect(result.notes.map(({ message }) => message).join()).toContain('service "override": it has no image')
  })
})

test('docs/import.md names every key of a Compose service that is known', () => {
  const page = readFileSync(join(import.meta.dirname, '../../docs/import.md'), 'utf8')
  expect(knownKeys.filter((key) => !page.includes(`\`${key}\``))).toEqual([])
})

test('a file per service is the manifest alone', () => {
  const [service] = imported('services: {web: {image: x, restart: always}}').services
  expect(service && printManifest(service)).toBe('image: x\nrestart: always\n')
})
