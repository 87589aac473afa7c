import { describe, expect, test } from 'vitest'
import { readManifests } from '../../src/manifest/manifest.js'
import { standIns } from '../../src/manifest/stand-ins.js'
import { placementMark } from '../../src/manifest/variables.js'
import { read, readGood } from './reading.js'

const docker = (rest: string) => readGood(`image: nginx\n${rest}`)
const program = (rest: string) => readGood(`compute_type: process\ncommand: run\n${rest}`)

test('the smallest manifest gets every default', () => {
  expect(readGood('image: nginx')).toEqual({
    name: 'web',
    service_type: 'continuous',
    compute_type: 'docker',
    image: 'nginx',
    environment: {},
    volumes: [],
    files: [],
    ports: [],
    dns: [],
    'dns-search': [],
    labels: {},
    affinity: [],
    restart: { policy: 'always' },
    stop: { timeout: 10, preservestopped: 'on-failure' },
    triggers: [],
    webhooks: [],
  })
})

test('the same manifest as JSON is the same manifest', () => {
  const json =
    '{\n\t"image": "nginx",\n\t"environment": {"A": 1.10, "B": true, "C": null, "D": "\\u00e4\\ud83d\\ude00\\/"}\n}'
  expect(readGood(json)).toEqual(docker('environment: {A: 1.10, B: true, C: null, D: "ä😀/"}'))
})

describe('environment and labels', () => {
  test('keep their values as written', () => {
    const text =
      'environment: {A: 0755, B: 1.10, C: yes, D: 22:22, E: 12345678901234567890, F: ~, G: null, H: , I: 0x1F, J: "", K: 1_000, L: 2026-01-01}'
    expect(docker(text).environment).toEqual({
      A: '0755',
      B: '1.10',
      C: 'yes',
      D: '22:22',
      E: '12345678901234567890',
      F: '~',
      G: 'null',
      H: '',
      I: '0x1F',
      J: '',
      K: '1_000',
      L: '2026-01-01',
    })
  })

  test.each([
    ['a map', 'environment: {A: x=y, B: "2"}'],
    ['a list of key=value', 'environment: [A=x=y, B=2]'],
    ['a list of maps', 'environment: [A: x=y, B: 2]'],
  ])('come as %s', (_, text) => {
    expect(docker(text).environment).toEqual({ A: 'x=y', B: '2' })
  })

  test('tags are labels', () => {
    expect(docker('tags:\n  - triton.cns.services=elasticsearch-master').labels).toEqual({
      'triton.cns.services': 'elasticsearch-master',
    })
  })

  test('a key named __proto__ is a key like any other', () => {
    const { environment } = docker('environment: {__proto__: x, constructor: y}')
    expect(Object.entries(environment)).toEqual([
      ['__proto__', 'x'],
      ['constructor', 'y'],
    ])
  })
})

describe('commands', () => {
  test.each([
    ['command: nginx -g "daemon off;"', ['nginx', '-g', 'daemon off;']],
    ['command: ["nginx", "-g", "daemon off;"]', ['nginx', '-g', 'daemon off;']],
    ['command: [sleep, 0755, yes, ~, ""]', ['sleep', '0755', 'yes', '~', '']],
    ['command: []', []],
    ['command: ""', []],
    [
      'command: |\n  /bin/pilot \\\n  /bin/elastic \\\n  --path=/etc\n',
      ['/bin/pilot', '/bin/elastic', '--path=/etc'],
    ],
    [
      'command:\n  /bin/pilot \\\n  /bin/elastic \\\n  --path=/etc\n',
      ['/bin/pilot', '/bin/elastic', '--path=/etc'],
    ],
    ['command: >\n  /bin/pilot \\\n  --path=/etc\n', ['/bin/pilot', '--path=/etc']],
    ['command: a\\ b', ['a b']],
  ])('%j', (text, command) => {
    expect(docker(text).command).toEqual(command)
  })

  test('what a variable brings is one word, whatever is in it', () => {
    const variables = { ...standIns('web'), project: { name: `x '; rm -rf` } }
    const source = {
      file: 'web.yaml',
      text: 'image: nginx\ncommand: run --x={{ .project.name }} y\nenvironment: ["A={{ .project.name }}"]',
    }
    const { manifests } = readManifests([source], () => variables)
    expect(manifests[0]?.manifest.command).toEqual(['run', `--x=x '; rm -rf`, 'y'])
    expect(manifests[0]?.manifest.environment).toEqual({ A: `x '; rm -rf` })
  })
})

describe('ports', () => {
  const tcp = 'tcp' as const
  test.each([
    ['[8500]', [{ container: 8500, protocol: tcp }]],
    ['8500', [{ container: 8500, protocol: tcp }]],
    ['["80:8080"]', [{ host: 80, container: 8080, protocol: tcp }]],
    ['["0:8080"]', [{ container: 8080, protocol: tcp }]],
    [
      '["53/udp", "53/TCP"]',
      [
        { container: 53, protocol: 'udp' as const },
        { container: 53, protocol: tcp },
      ],
    ],
    ['["127.0.0.1:80:8080"]', [{ ip: '127.0.0.1', host: 80, container: 8080, protocol: tcp }]],
    ['["127.0.0.1::8080"]', [{ ip: '127.0.0.1', container: 8080, protocol: tcp }]],
    ['["[::1]:80:8080"]', [{ ip: '::1', host: 80, container: 8080, protocol: tcp }]],
    [
      '[8000-8001]',
      [
        { container: 8000, protocol: tcp },
        { container: 8001, protocol: tcp },
      ],
    ],
    [
      '["8000-8001:9000-9001"]',
      [
        { host: 8000, container: 9000, protocol: tcp },
        { host: 8001, container: 9001, protocol: tcp },
      ],
    ],
    ['[{container: 80, host: 8080}]', [{ host: 8080, container: 80, protocol: tcp }]],
  ])('%s of a container', (text, ports) => {
    expect(docker(`ports: ${text}`).ports).toEqual(ports)
  })

  test('a process listens on its ports itself, or has them chosen', () => {
    expect(program('ports: [8080, "0:81", "82:82/udp", {container: 83}]').ports).toEqual([
      { host: 8080, container: 8080, protocol: 'tcp' },
      { host: 0, container: 81, protocol: 'tcp' },
      { host: 82, container: 82, protocol: 'udp' },
      { host: 83, container: 83, protocol: 'tcp' },
    ])
  })

  test.each([
    '0',
    '65536',
    '-1',
    '08080',
    '8080.0',
    '8e3',
    '0x50',
    'http',
    '80:',
    '1:2:3',
    '256.0.0.1:1:2',
    '1.2.3:1:2',
    '[::g]:1:2',
    '[1::2::3]:1:2',
    '::1:80:80',
    '8-7',
    '80:1-2',
    '1-2:80',
    '1-65535',
    '80/sctp',
    '80/',
    '0-5:1-6',
    '{container: 0}',
    '{host: 80}',
    '{container: 80, ip: here}',
    '[80]',
    'http://x',
  ])('%s is refused', (port) => {
    const text = `image: nginx\nports: [${/^[[{]/.test(port) && !port.includes(']:') ? port : `"${port}"`}]`
    expect(read(text).diagnostics.map(({ code }) => code)).toContainEqual(
      expect.stringMatching(/^manifest\/(bad-value|missing)$/),
    )
  })
})

describe('restart', () => {
  test.each([
    ['no', { policy: 'no' }],
    ['"no"', { policy: 'no' }],
    ['false', { policy: 'no' }],
    ['always', { policy: 'always' }],
    ['unless-stopped', { policy: 'unless-stopped' }],
    ['on-failure', { policy: 'on-failure' }],
    ['on-failure:3', { policy: 'on-failure', max: 3 }],
    ['on-failure:0', { policy: 'on-failure' }],
    ['{policy: on-failure, max: 3}', { policy: 'on-failure', max: 3 }],
  ])('%s', (text, restart) => {
    expect(docker(`restart: ${text}`).restart).toEqual(restart)
  })

  test('an event service does not restart by itself', () => {
    expect(docker('service_type: event').restart).toEqual({ policy: 'no' })
  })

  test.each([
    'sometimes',
    'always:3',
    'on-failure:-1',
    'on-failure:x',
    'on-failure:1:2',
    'true',
    '{policy: always, max: 2}',
    '[no]',
  ])('%s is refused', (restart) => {
    expect(read(`image: nginx\nrestart: ${restart}`).diagnostics).toMatchObject([
      { code: 'manifest/bad-value' },
    ])
  })
})

describe('spellings of later drafts', () => {
  test.each([
    ['restart: {condition: any}', 'restart: always'],
    ['restart: {condition: none}', 'restart: no'],
    ['restart: {condition: on-failure, max_attempts: 3}', 'restart: on-failure:3'],
    ['resources: {package: g4-highcpu-128M}', 'package: g4-highcpu-128M'],
    ['resources: {memory: 1G}', 'memory: 1G'],
    ['resources: {}\nplacement:', ''],
    ['placement: {key: role, operator: "!=", value: db}', 'affinity: role!=db'],
    ['resources: [package: g4-highcpu-128M]', 'package: g4-highcpu-128M'],
    ['placement: {affinity: role!=db, spread: rack}', 'affinity: role!=db\nspread: rack'],
    ['placement: [role!=db, "a1==b"]', 'affinity: [role!=db, "a1==b"]'],
    ['placement: role!=db', 'affinity: role!=db'],
    ['containerpilot: true', 'containerpilot: {}'],
    ['containerpilot: false', ''],
    [
      'triggers: {a: {metric: containerpilot.x, operator: "<", value: 1, sustain: 5m, action: incr}}',
      'triggers: {a: {source: containerpilot.x, operator: "<", value: 1, time: 300, action: incr}}',
    ],
  ])('%s means %s', (later, seed) => {
    expect(docker(later)).toEqual(docker(seed))
  })

  test('a package is chosen by what stands in a group, too', () => {
    const chosen = (text: string) => read(`image: nginx\n${text}`).manifests.map((one) => one.package?.name)
    expect(chosen('resources: {package: g4-highcpu-512M}')).toEqual(['g4-highcpu-512M'])
    expect(chosen('resources: {memory: 600M}')).toEqual(chosen('memory: 600M'))
    const env = 'environment: {RAM: "{{ .package.ram }}"}\n'
    expect(docker(`${env}resources: {memory: 64M}`)).toEqual(docker(`${env}memory: 64M`))
    expect(read('image: nginx\nresources: {package: nosuch}').diagnostics.map(({ code }) => code)).toEqual([
      'manifest/package-not-checked',
    ])
  })

  test.each([
    ['resources: {memry: 128}', 'did you mean memory?'],
    ['placement: {sprad: rack}', 'did you mean spread?'],
  ])('a typo in %s is told as that', (text, hint) => {
    expect(read(`image: nginx\n${text}`).diagnostics).toMatchObject([{ code: 'manifest/unknown-key', hint }])
  })

  test('a description is kept as it is', () => {
    expect(docker('description: The shop')).toMatchObject({ description: 'The shop' })
  })

  test.each([
    ['memory: 1G\nresources: {memory: 2G}', 'manifest/duplicate-key'],
    ['resources: {disk: 1G}', 'manifest/unknown-key'],
    ['resources: {memory: 1G, disk: 1G}', 'manifest/unknown-key'],
    ['resources: 1G', 'manifest/unknown-key'],
    ['restart: {policy: always, condition: any}', 'manifest/conflict'],
    ['restart: {condition: sometimes}', 'manifest/bad-value'],
    ['restart: {max_attempts: 3}', 'manifest/missing'],
    ['containerpilot: maybe', 'manifest/bad-value'],
    ['description: [a]', 'manifest/bad-value'],
  ])('%s is refused', (text, code) => {
    const { diagnostics, manifests } = read(`image: nginx\n${text}`)
    expect(manifests).toEqual([])
    expect(diagnostics.map((one) => one.code)).toContain(code)
  })
})

describe('stop', () => {
  const always = { timeout: -1, preservestopped: 'always' }
  test.each([
    ['a map', 'stop: {timeout: -1, preservestopped: always}', always],
    ["the seed's list", 'stop:\n  - timeout: -1\n  - preservestopped: always', always],
    ['one of the two', 'stop: {timeout: 1m}', { timeout: 60, preservestopped: 'on-failure' }],
    ['no', 'stop: {preservestopped: no}', { timeout: 10, preservestopped: 'no' }],
    ['nothing', 'stop:', { timeout: 10, preservestopped: 'on-failure' }],
  ])('as %s', (_, text, stop) => {
    expect(docker(text).stop).toEqual(stop)
  })

  test.each([
    '{timeout: 1.5}',
    '{timeout: 500ms}',
    '{timeout: soon}',
    '{preservestopped: maybe}',
    '10',
    '[10]',
  ])('%s is refused', (stop) => {
    expect(read(`image: nginx\nstop: ${stop}`).diagnostics).toMatchObject([{ code: 'manifest/bad-value' }])
  })
})

describe('healthchecks', () => {
  const https = { type: 'https', network: 'public', port: 443, path: '/', poll: 30, timeout: 10, retries: 3 }
  test.each([
    ['a list of maps', 'healthchecks:\n  - type: https\n', [https]],
    ['one map', 'healthchecks: {type: https}', [https]],
    [
      'single-key maps',
      'healthchecks:\n  - type: https\n  - poll: 5 minutes\n  - type: http\n  - port: 81',
      [
        { ...https, poll: 300 },
        { ...https, type: 'http', port: 81 },
      ],
    ],
    [
      'single-key maps with the type last',
      'healthchecks: [port: 81, type: http]',
      [{ ...https, type: 'http', port: 81 }],
    ],
    [
      'a slow starter, with the interval of Compose',
      'healthchecks: {type: https, interval: 10s, start_period: 1m, start_interval: 2}',
      [{ ...https, poll: 10, start_period: 60, start_interval: 2 }],
    ],
    [
      'a map by name',
      'healthchecks: {front: {type: https}, back: {type: tcp, port: 5432, poll: 5}}',
      [https, { type: 'tcp', network: 'public', port: 5432, poll: 5, timeout: 5, retries: 3 }],
    ],
    ['a short poll', 'healthchecks: {type: https, poll: 0.5}', [{ ...https, poll: 0.5, timeout: 0.5 }]],
    [
      'a timeout above the poll',
      'healthchecks: {type: https, poll: 1, timeout: 10}',
      [{ ...https, poll: 1, timeout: 10 }],
    ],
    [
      'a command',
      'healthchecks: {type: command, command: test -f "/a b", user: root}',
      [{ type: 'command', command: ['test', '-f', '/a b'], user: 'root', poll: 30, timeout: 10, retries: 3 }],
    ],
  ])('as %s', (_, text, checks) => {
    expect(docker(text).healthchecks).toEqual(checks)
  })

  test('none at all are told from none said', () => {
    expect(docker('healthchecks: []').healthchecks).toEqual([])
    expect(docker('healthchecks:')).not.toHaveProperty('healthchecks')
    expect(docker('')).not.toHaveProperty('healthchecks')
  })

  test.each([
    '{type: http, port: 0}',
    '{type: http, path: x}',
    '{type: http, retries: 0}',
    '{type: http, retries: 1.5}',
    '{type: http, poll: 0}',
    '{type: http, poll: 5, interval: 5}',
    '{type: http, start_period: -1}',
    '{type: http, start_interval: 0}',
    '{type: http, command: x}',
    '{type: command}',
    '{type: command, command: []}',
    '{type: tcp}',
    '{type: tcp, port: 80, path: /}',
    '{type: udp, port: 80}',
    '{port: 1}',
    'yes',
    '[[]]',
    '{type: http, timeout: soon}',
  ])('%s is refused', (check) => {
    const { diagnostics, manifests } = read(`image: nginx\nhealthchecks: ${check}`)
    expect(diagnostics).toHaveLength(1)
    expect(manifests).toEqual([])
  })
})

test('memory, user and working_dir', () => {
  expect(program('memory: 1.5GiB\nuser: 1000\nworking_dir: /srv')).toMatchObject({
    memory: 1536,
    user: '1000',
    working_dir: '/srv',
  })
})

test('aliases and merges bring values in', () => {
  const { environment } = docker('environment: &e {A: 1, B: 2}\nlabels: {<<: *e, B: 3}')
  expect(environment).toEqual({ A: '1', B: '2' })
  expect(docker('environment: &e {A: 1, B: 2}\nlabels: {<<: *e, B: 3}').labels).toEqual({ A: '1', B: '3' })
  expect(docker('environment: &e {A: 1}\nlabels: *e').labels).toEqual({ A: '1' })
})

test('what depends on the placement is left as a mark, where it may stand', () => {
  const manifest = docker(
    'environment: ["N={{ .instance.n }}"]\nhealthchecks: {type: http, path: "/{{ machine.name }}"}',
  )
  expect(manifest.environment).toEqual({ N: placementMark('instance.n') })
  expect(manifest.healthchecks?.[0]).toMatchObject({ path: `/${placementMark('machine.name')}` })
})

test('a template may make a number', () => {
  expect(docker('ports: ["{{ .scale }}000:80"]\nmemory: "{{ .scale }}00"')).toMatchObject({
    memory: 100,
    ports: [{ host: 1000, container: 80 }],
  })
})

describe('names', () => {
  const named = (text: string, file: string, name?: string) => {
    const source = { file, text, ...(name !== undefined && { name }) }
    return readManifests([source], standIns).manifests.map(({ manifest }) => manifest.name)
  }
  test('the file says first, then the key in services, then the argument, then the base name', () => {
    expect(named('name: a\nimage: x', 'dir/web.yaml', 'b')).toEqual(['a'])
    expect(named('image: x', 'dir/web.yaml', 'b')).toEqual(['b'])
    expect(named('image: x', 'dir/web.yaml')).toEqual(['web'])
    expect(named('image: x', 'web.json')).toEqual(['web'])
    expect(named('services: {a: {image: x}, b: {image: x, name: c}}', 'web.yaml', 'd')).toEqual(['a', 'c'])
  })

  test('templates know the name', () => {
    expect(readGood('image: "x:{{ .service.name }}"').image).toBe('x:web')
  })
})

describe('several services', () => {
  test('documents of one file keep their own text', () => {
    const text = 'name: a\nimage: x # one\n---\n# two\nname: b\nimage: y\n'
    const { manifests, diagnostics } = read(text)
    expect(diagnostics).toEqual([])
    expect(manifests.map(({ text }) => text)).toEqual([
      'name: a\nimage: x # one\n',
      '---\n# two\nname: b\nimage: y\n',
    ])
    for (const { text, manifest } of manifests) {
      expect(readGood(text)).toEqual(manifest)
    }
  })

  test('services of a project keep their own lines, or are told as JSON', () => {
    const text = `services:
  # all of them
  web:
    # the web
    image: x # one
    environment: &env
      A: 0755
    ports:
  db: {image: y, environment: {A: ~, B: 010}}
  cache:
    image: z
    environment: *env
`
    const { manifests, diagnostics } = read(text)
    expect(diagnostics).toEqual([])
    expect(manifests[0]?.text).toBe(
      '    # the web\n    image: x # one\n    environment: &env\n      A: 0755\n    ports:\n',
    )
    expect(manifests[1]?.text).toBe(
      '{\n  "image": "y",\n  "environment": {\n    "A": ~,\n    "B": "010"\n  }\n}\n',
    )
    expect(JSON.parse(manifests[2]?.text ?? '')).toEqual({ image: 'z', environment: { A: '0755' } })
    for (const { text, manifest } of manifests) {
      const again = readManifests([{ file: 'x', text, name: manifest.name }], standIns)
      expect(again.manifests[0]?.manifest).toEqual(manifest)
    }
  })

  test('a file of one service keeps its text byte for byte', () => {
    const text = '\uFEFF# hello\r\nimage: x\r\n\r\n# bye'
    expect(read(text).manifests).toMatchObject([{ text, file: 'web.yaml' }])
  })

  test('one bad service leaves the others readable, and is told', () => {
    const { manifests, diagnostics } = read('services: {a: {image: x}, b: {imge: x}}')
    expect(manifests.map(({ manifest }) => manifest.name)).toEqual(['a'])
    expect(diagnostics.map(({ code, path }) => [code, path])).toEqual([
      ['manifest/missing', '/services/b'],
      ['manifest/unknown-key', '/services/b/imge'],
    ])
  })

  test('names that are given twice are told, across files too', () => {
    const sources = ['a.yaml', 'dir/a.yaml'].map((file) => ({ file, text: 'image: x' }))
    expect(readManifests(sources, standIns).diagnostics).toMatchObject([
      { code: 'manifest/duplicate-service', file: 'dir/a.yaml' },
    ])
  })
})
