// The manifest seed, sentence by sentence: what it says of a key is a test named after it.
import { describe, expect, test } from 'vitest'
import { readManifests } from '../../src/manifest/manifest.js'
import { standIns } from '../../src/manifest/stand-ins.js'
import { read, readGood } from './reading.js'
import { seedText, triggersInYaml } from './seed-text.js'

const docker = (text: string) => readGood(`image: nginx\n${text}`)
const codes = (text: string) => read(text).diagnostics.map(({ code }) => code)
const problems = (text: string) =>
  read(text).diagnostics.map(({ code, line, column }) => `${code} ${line}:${column}`)

describe('service_type', () => {
  test('continuous is the default', () => {
    expect(docker('').service_type).toBe('continuous')
    expect(docker('service_type: continuous').service_type).toBe('continuous')
  })

  test('scheduled', () => {
    expect(docker('service_type: scheduled\nschedule: R/2026-01-01T00:00:00Z/PT1H').service_type).toBe(
      'scheduled',
    )
  })

  test('event', () => {
    expect(docker('service_type: event').service_type).toBe('event')
  })
})

describe('compute_type', () => {
  test('docker is the default', () => {
    expect(docker('').compute_type).toBe('docker')
  })

  test.each(['infrastructure', 'lx', 'smartmachine'])('%s is infrastructure', (type) => {
    expect(docker(`compute_type: ${type}`).compute_type).toBe('infrastructure')
  })

  test.each(['kvm', 'vm', 'hvm'])('%s is kvm', (type) => {
    expect(docker(`compute_type: ${type}`).compute_type).toBe('kvm')
  })

  test('manta', () => {
    expect(readGood('compute_type: manta\ncommand: wc -l').compute_type).toBe('manta')
  })

  test('process is our addition', () => {
    expect(readGood('compute_type: process\ncommand: node server.js').compute_type).toBe('process')
  })
})

describe('image', () => {
  test.each(['docker', 'infrastructure', 'lx', 'smartmachine', 'kvm', 'vm', 'hvm'])(
    'is required for %s',
    (type) => {
      expect(problems(`compute_type: ${type}`)).toEqual(['manifest/missing 1:15'])
    },
  )

  test('is not for manta', () => {
    expect(problems('compute_type: manta\ncommand: x\nimage: y')).toEqual(['manifest/conflict 3:8'])
  })

  test.each([
    '0x74696d/triton-elasticsearch:0.1.1',
    'nginx',
    'localhost/a',
    'registry.example:5000/a/b_c/d--e:1.2-x',
    `nginx:1@sha256:${'0f'.repeat(32)}`,
    '[::1]:5000/a',
    'a.b/c',
    '1.10',
  ])('can be a Docker image: %s', (image) => {
    expect(readGood(`image: "${image}"`).image).toBe(image)
  })

  test.each([
    ['Nginx', /lower case: nginx/],
    ['a/B', /lower case: b/],
    ['nginx:', /tag/],
    ['nginx:a:b', /tag/],
    ['a//b', /empty/],
    ['/a', /empty/],
    ['nginx@sha256:0a', /digest/],
    ['a@b@c', /more than one/],
    ['-a', /not a valid part/],
    ['http://nginx', /./],
    ['a b', /./],
  ])('%s is not a Docker image', (image, message) => {
    expect(read(`image: "${image}"`).diagnostics).toMatchObject([
      { code: 'manifest/bad-value', line: 1, message: expect.stringMatching(message) },
    ])
  })

  test('can be the name or the uuid of an image in imgapi', () => {
    for (const image of ['base-64-lts@15.4.1', '6aac0370-e0d8-11e5-b1c6-3f39afa5fe2d', 'Ubuntu-Certified'])
      expect(readGood(`compute_type: kvm\nimage: ${image}`).image).toBe(image)
  })
})

describe('package', () => {
  const chosen = (text: string) => read(`image: nginx\n${text}`).manifests[0]?.package?.name
  test('a package name, a package uuid, a package family by name', () => {
    const uuid = read('image: x\npackage: g4-general-8G').manifests[0]?.package?.uuid
    expect(chosen('package: g4-general-8G')).toBe('g4-general-8G')
    expect(chosen(`package: ${uuid}`)).toBe('g4-general-8G')
    expect(chosen('package: g4-general')).toBe('g4-general-4G')
    expect(docker('package: g4-general').package).toBe('g4-general')
  })

  test('if package is omitted, or specifies a family, the smallest that satisfies memory is chosen', () => {
    expect(chosen('memory: 600')).toBe('g4-highcpu-1G')
    expect(chosen('package: g4-highcpu\nmemory: 1025M')).toBe('g4-highcpu-2G')
    expect(chosen('package: g4-highram\nmemory: 1')).toBe(undefined)
    expect(chosen('')).toBe(undefined)
  })

  test('if compute_type is manta, memory is the requested DRAM cap', () => {
    const { manifests } = read('compute_type: manta\ncommand: wc\nmemory: 512')
    expect(manifests[0]).toMatchObject({ package: null, manifest: { memory: 512 } })
  })
})

describe('labels and tags', () => {
  const labels = { 'triton.cns.services': 'elasticsearch-master' }
  test('labels is an alias of tags', () => {
    expect(docker('tags:\n- triton.cns.services=elasticsearch-master').labels).toEqual(labels)
    expect(docker('labels: {triton.cns.services: elasticsearch-master}').labels).toEqual(labels)
  })
})

describe('affinity', () => {
  const rules = [
    { key: 'instance', operator: '==', value: 'silent_bob' },
    { key: 'role', operator: '!=', value: 'database' },
    { key: 'instance', operator: '!=', value: 'foo*' },
    { key: 'instance', operator: '!=', value: '/^foo/' },
  ]
  const lines = `container==silent_bob # Run on the same node as silent_bob
  role!=database # Run on a different node as all containers labelled with 'role=database'
  container!=foo* # Run on a different node to all containers with names starting with "foo":
  container!=/^foo/ # Same as above, with regular expression
`
  test("the example's rules as a list", () => {
    expect(docker(`affinity:\n${lines.replace(/^ */gm, '  - ').slice(0, -4)}`).affinity).toEqual(rules)
  })

  test("the example's lines as one text, comments and all", () => {
    expect(docker(`affinity: |\n  ${lines}`).affinity).toEqual(rules)
    expect(docker(`affinity: >\n  ${lines}`).affinity).toEqual(rules)
    expect(docker(`affinity:\n  ${lines.replace(/ #.*$/gm, '')}`).affinity).toEqual(rules)
  })

  test('the example as it stands is no YAML, and the hint says what to write', () => {
    const { diagnostics } = read(`image: nginx\naffinity:\n  ${lines}`)
    expect(diagnostics[0]).toMatchObject({ code: 'manifest/syntax', line: 4 })
    expect(diagnostics[0]?.hint).toContain('- ')
  })

  test('hard and soft operators', () => {
    expect(docker('affinity: [a1==b, service!=c]').affinity.map(({ operator }) => operator)).toEqual([
      '==',
      '!=',
    ])
    expect(docker('affinity: ["a1==~b", "service!=~c"]').affinity.map(({ operator }) => operator)).toEqual([
      '==~',
      '!=~',
    ])
  })

  test('multiple filters are allowed, though mixing of soft and hard filters is not supported', () => {
    expect(problems('image: x\naffinity:\n  - a1==b\n  - a2!=c\n  - a3!=~d')).toEqual([
      'manifest/conflict 5:5',
    ])
  })
})

test('ports', () => {
  expect(docker('ports:\n- 8500').ports).toEqual([{ container: 8500, protocol: 'tcp' }])
})

test('dns: if the user desires to set custom resolvers', () => {
  expect(docker('dns: 8.8.8.8').dns).toEqual(['8.8.8.8'])
  expect(docker('dns:\n- 8.8.8.8\n- ::1').dns).toEqual(['8.8.8.8', '::1'])
  expect(problems('image: x\ndns: [8.8.8.8, dns.example]')).toEqual(['manifest/bad-value 2:16'])
})

test('dns-search', () => {
  expect(docker('dns-search: svc.example.com').dns).toEqual([])
  expect(docker('dns-search: svc.example.com')['dns-search']).toEqual(['svc.example.com'])
  expect(docker('dns_search: [a.example, b]')['dns-search']).toEqual(['a.example', 'b'])
  expect(problems('image: x\ndns-search: [a..b]')).toEqual(['manifest/bad-value 2:14'])
})

test('environment: the example', () => {
  const text = `image: 0x74696d/triton-elasticsearch:0.1.1
memory: 1024
environment:
- ES_SERVICE_NAME=elasticsearch-{{ .meta.metakey }}
- CLUSTER_NAME=elasticsearch
- ES_HEAP_SIZE={{ .package.ram }}
- ES_NODE_MASTER=true
- ES_NODE_DATA=true
- CONTAINERPILOT=file:///etc/containerpilot.json
`
  const variables = (name: string) => ({
    ...standIns(name),
    meta: { values: new Map([['metakey', 'blue']]), complete: true },
  })
  const { manifests, diagnostics } = readManifests([{ file: 'es.yml', text }], variables)
  expect(diagnostics).toEqual([])
  expect(manifests[0]?.manifest.environment).toEqual({
    ES_SERVICE_NAME: 'elasticsearch-blue',
    CLUSTER_NAME: 'elasticsearch',
    ES_HEAP_SIZE: '1024',
    ES_NODE_MASTER: 'true',
    ES_NODE_DATA: 'true',
    CONTAINERPILOT: 'file:///etc/containerpilot.json',
  })
})

describe('entrypoint', () => {
  test('the example', () => {
    expect(docker('entrypoint: /some/executable.sh').entrypoint).toEqual(['/some/executable.sh'])
    expect(docker('entrypoint:\n- /some/executable.sh').entrypoint).toEqual(['/some/executable.sh'])
  })

  test.each(['infrastructure', 'kvm'])('is only supported for Docker containers, not for %s', (type) => {
    expect(problems(`image: x\ncompute_type: ${type}\nentrypoint: /x`)).toEqual(['manifest/conflict 3:13'])
  })
})

describe('command', () => {
  test('the example', () => {
    const text = `command: |
  /bin/containerpilot \\
  /usr/share/elasticsearch/bin/elasticsearch \\
  --default.path.conf=/etc/elasticsearch
`
    const words = [
      '/bin/containerpilot',
      '/usr/share/elasticsearch/bin/elasticsearch',
      '--default.path.conf=/etc/elasticsearch',
    ]
    expect(docker(text).command).toEqual(words)
    expect(docker(text.replace(' |', '')).command).toEqual(words)
  })

  test('is required for Manta jobs', () => {
    expect(problems('compute_type: manta')).toEqual(['manifest/missing 1:15'])
  })

  test.each(['infrastructure', 'kvm'])('is sent as user script for %s', (type) => {
    expect(docker(`compute_type: ${type}\ncommand: "/a b"`).command).toEqual(['/a', 'b'])
  })
})

describe('containerpilot', () => {
  test('the example, with a port that has nothing behind it', () => {
    const text = 'containerpilot:\n    - network: fabric-1\n    - port\n'
    expect(docker(text).containerpilot).toEqual({ network: 'fabric-1', port: 9090 })
    expect(docker(text.replace('port', 'port:')).containerpilot).toEqual({ network: 'fabric-1', port: 9090 })
  })

  test('a map', () => {
    expect(docker('containerpilot: {port: 80}').containerpilot).toEqual({ port: 80 })
    expect(problems('image: x\ncontainerpilot: {port: 0}')).toEqual(['manifest/bad-value 2:24'])
    expect(problems('image: x\ncontainerpilot: [prot]')).toEqual(['manifest/bad-value 2:17'])
  })
})

describe('healthchecks', () => {
  test('the example', () => {
    expect(
      docker(`healthchecks:\n${seedText.healthchecks.replace('network name/uuid', 'network-name')}`)
        .healthchecks,
    ).toEqual([
      {
        type: 'https',
        network: 'network-name',
        port: 443,
        path: '/some/path/on/container',
        poll: 30,
        timeout: 10,
        retries: 3,
      },
      {
        type: 'command',
        command: ['/usr/sbin/some_executable'],
        user: 'root',
        poll: 30,
        timeout: 10,
        retries: 3,
      },
    ])
  })

  test('network is optional, default is public; port defaults to 80 or 443 based on type', () => {
    expect(docker('healthchecks: [{type: http}, {type: https}]').healthchecks).toMatchObject([
      { network: 'public', port: 80 },
      { network: 'public', port: 443 },
    ])
  })

  test.each(['kvm', 'vm', 'hvm'])('command is only supported for non-KVM: not for %s', (type) => {
    expect(problems(`image: x\ncompute_type: ${type}\nhealthchecks: {type: command, command: x}`)).toEqual([
      'manifest/conflict 3:22',
    ])
  })
})

describe('restart', () => {
  test.each([
    ['no', { policy: 'no' }],
    ['on-failure', { policy: 'on-failure' }],
    ['on-failure:5', { policy: 'on-failure', max: 5 }],
    ['always', { policy: 'always' }],
    ['unless-stopped', { policy: 'unless-stopped' }],
  ])('%s', (text, policy) => {
    expect(docker(`restart: ${text}`).restart).toEqual(policy)
  })
})

describe('autoscale', () => {
  const enable = (value: string) => docker(`autoscale: {enable: ${value}, max: 3}`).autoscale?.enable
  test('enable: the default is notify or notify-only; can also be true or 1, or false or 0', () => {
    expect(docker('autoscale: {}').autoscale?.enable).toBe('notify')
    expect(['notify', 'notify-only', 'true', '1', '"true"'].map(enable)).toEqual([
      'notify',
      'notify',
      true,
      true,
      true,
    ])
    expect(['false', '0'].map(enable)).toEqual([false, false])
  })

  test('min: the default is 1', () => {
    expect(docker('autoscale: {max: 3}').autoscale).toMatchObject({ min: 1, max: 3 })
  })

  test('retrigger_delay: the default is 60s', () => {
    expect(docker('autoscale: {max: 3}').autoscale?.retrigger_delay).toBe(60)
    expect(docker('autoscale: {retrigger_delay: 5 minutes}').autoscale?.retrigger_delay).toBe(300)
  })

  test('notify_email: one or more addresses', () => {
    expect(docker('autoscale: {notify_email: a@b.example}').autoscale?.notify_email).toEqual(['a@b.example'])
    expect(docker('autoscale: {notify_email: [a@b, c@d]}').autoscale?.notify_email).toEqual(['a@b', 'c@d'])
    expect(problems('image: x\nautoscale: {notify_email: [a@b, nobody]}')).toEqual([
      'manifest/bad-value 2:33',
    ])
  })

  test('as a list of single-key maps', () => {
    expect(docker('autoscale:\n  - enable: true\n  - min: 2\n  - max: 5').autoscale).toMatchObject({
      enable: true,
      min: 2,
      max: 5,
    })
  })
})

describe('triggers on metrics', () => {
  const example = `triggers:\n${triggersInYaml}`
  const triggers = [
    {
      name: 'highram',
      source: 'containermonitor.mem_agg_usage',
      operator: '>',
      value: 80,
      percent: true,
      time: 300,
      aggregate: 'avg',
      action: 'increment',
      instances: 1,
    },
    {
      name: 'lowutilization',
      source: 'containerpilot.tps',
      operator: '<',
      value: 0.3,
      percent: false,
      time: 120,
      aggregate: 'avg',
      action: 'decrement',
      instances: 1,
    },
    {
      name: 'highlatency',
      source: 'service.another_servicename.containerpilot|containermonitor.dblatency',
      operator: '>',
      value: 90,
      percent: false,
      time: 180,
      aggregate: 'avg',
      action: 'increment',
      instances: 1,
    },
  ]
  test('the example, with a colon behind each name', () => {
    expect(docker(`memory: 512\n${example}`).triggers).toEqual(triggers)
  })

  test('the example with the keys beside the name, as a map by name, and as a list with names', () => {
    expect(docker(`memory: 512\n${example.replace(/^ {8}/gm, '      ')}`).triggers).toEqual(triggers)
    expect(docker(`memory: 512\n${example.replace(/^ {4}- /gm, '    ')}`).triggers).toEqual(triggers)
    const listed = example.replace(/- (\w+):.*$/gm, '- name: $1').replace(/^ {8}/gm, '      ')
    expect(docker(`memory: 512\n${listed}`).triggers).toEqual(triggers)
  })

  test.each([
    'service.another_servicename.containerpilot.dblatency',
    'service.another_servicename.containermonitor.dblatency',
    'service.another_servicename.containermonitor|containerpilot.dblatency',
    'containermonitor.dblatency',
  ])('each side of the alternative stands alone as well: %s', (source) => {
    const alone = example.replace(
      'service.another_servicename.containerpilot|containermonitor.dblatency',
      source,
    )
    expect(docker(`memory: 512\ncontainerpilot: true\n${alone}`).triggers[2]).toEqual({
      ...triggers[2],
      source,
    })
  })

  test('the example as it stands is no YAML, and the hint says what to write', () => {
    const { diagnostics } = read(`image: x\ntriggers:\n${seedText.triggers}`)
    expect(diagnostics[0]).toMatchObject({ code: 'manifest/syntax', line: 4 })
    expect(diagnostics[0]?.hint).toContain('highram:')
  })

  test.each([
    ['increment', 'increment'],
    ['incr', 'increment'],
    ['decrement', 'decrement'],
    ['decr', 'decrement'],
  ])('action %s', (written, action) => {
    const text = `triggers: {a: {source: containerpilot.x, operator: <, value: 1, time: 60, action: ${written}}}`
    expect(docker(text).triggers).toMatchObject([{ action }])
  })

  test.each(['<', '<=', '">"', '">="', '==', '"!="'])('operator %s', (operator) => {
    const text = `triggers: {a: {source: containerpilot.x, operator: ${operator}, value: 1, time: 60, action: incr}}`
    expect(docker(text).triggers).toMatchObject([{ operator: operator.replaceAll('"', '') }])
  })
})

describe('stop', () => {
  test('timeout: negative numbers will wait indefinitely; preservestopped: always', () => {
    expect(docker('stop:\n  - timeout: -1\n  - preservestopped: always').stop).toEqual({
      timeout: -1,
      preservestopped: 'always',
    })
  })

  test('preservestopped: on-failure is the default; also supports no and always', () => {
    expect(docker('').stop.preservestopped).toBe('on-failure')
    expect(docker('stop: {preservestopped: no}').stop.preservestopped).toBe('no')
  })
})

describe('webhooks', () => {
  test('events start, stop and health', () => {
    const hook = { headers: {}, allow_private: false }
    const text = 'webhooks:\n  - url: https://a.example/x\n    events: [start, stop, health]\n'
    const expected = [{ url: 'https://a.example/x', events: ['start', 'stop', 'health'], ...hook }]
    expect(docker(text).webhooks).toEqual(expected)
    expect(docker(text.replace('- ', '  ')).webhooks).toEqual(expected)
    expect(docker(text.replace('    events', '  - events')).webhooks).toEqual(expected)
    expect(docker('webhooks: {url: http://a, events: start}').webhooks[0]?.events).toEqual(['start'])
  })
})

describe('triggers that are public URLs', () => {
  test.each([
    ['start', 'action: start'],
    ['stop', 'action: stop'],
    ['scale', 'action: scale, scale: 3'],
    ['scale', 'action: scale, instances: -1'],
  ])('have user-defined names and secrets; supported action %s', (action, text) => {
    const [trigger] = docker(`triggers: {nightly: {secret: "{{ .meta.password }}", ${text}}}`).triggers
    expect(trigger).toMatchObject({ name: 'nightly', url: true, action })
    expect(docker(`triggers: {nightly: {url: true, ${text}}}`).triggers[0]).toMatchObject({ action })
  })

  test('both kinds stand side by side', () => {
    const text = `triggers:
  - name: a
    source: containerpilot.x
    operator: <
    value: 1
    time: 60
    action: incr
  - name: b
    secret: "0123456789"
    action: stop
`
    expect(docker(text).triggers.map((one) => 'url' in one)).toEqual([false, true])
  })
})

describe('schedule', () => {
  const scheduled = (text: string) => docker(`service_type: scheduled\nschedule: ${text}`).schedule
  test('ISO 8601', () => {
    expect(scheduled('R/2026-01-01T00:00:00Z/PT1H')).toEqual({
      kind: 'interval',
      expression: 'R/2026-01-01T00:00:00Z/PT1H',
      overlap: 'skip',
    })
  })

  test('crontab formats', () => {
    expect(scheduled('"15 3 * * 1-5"')).toEqual({ kind: 'cron', expression: '15 3 * * 1-5', overlap: 'skip' })
  })

  test('is only used for service_type scheduled', () => {
    expect(problems('image: x\nschedule: R//P1D')).toEqual(['manifest/conflict 2:11'])
    expect(problems('image: x\nservice_type: scheduled')).toEqual(['manifest/missing 2:15'])
  })
})

describe('manifest input formats', () => {
  test('YAML and JSON are the same', () => {
    const json = '{"image": "nginx", "ports": [80], "triggers": {"a": {"url": true, "action": "start"}}}'
    expect(readGood(json)).toEqual(
      readGood('image: nginx\nports: [80]\ntriggers: [{a: {url: true, action: start}}]'),
    )
  })

  test('a list of keys, as the examples of the seed have them, is a manifest too', () => {
    expect(readGood('- image: nginx\n- ports:\n  - 8500\n- stop:\n  - timeout: 5')).toEqual(
      readGood('image: nginx\nports: [8500]\nstop: {timeout: 5}'),
    )
    expect(codes('- image: nginx\n- image: y')).toEqual(['manifest/duplicate-key'])
  })
})
