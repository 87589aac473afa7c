import { describe, expect, test } from 'vitest'
import { describeDiagnostics } from '../../src/manifest/describe.js'
import { readManifests } from '../../src/manifest/manifest.js'
import { type ManifestCode, manifestCodes } from '../../src/manifest/notes.js'
import { standIns } from '../../src/manifest/stand-ins.js'
import { read, summaries } from './reading.js'

/** Codes of other texts than manifests, and of what the daemon alone knows: they have tests of their own. */
const elsewhere = [
  'import/not-compose',
  'import/no-services',
  'manifest/duplicate-package',
  'manifest/unknown-package',
  'manifest/unknown-service',
] as const

/** Every other code: a text that has the problem, and where the caret goes. */
const examples: Readonly<
  Record<
    Exclude<ManifestCode, (typeof elsewhere)[number]>,
    readonly (readonly [text: string, place: string])[]
  >
> = {
  'manifest/too-large': [
    [`image: x\n#${'x'.repeat(10_000_000)}`, '1:1 i'],
    [`#${'ä'.repeat(550_000)}`, '1:1 #'],
    [`image: [${','.repeat(250_001)}`, '1:250004 ,'],
    ['\n'.repeat(50_001), '1:1 '],
  ],
  'manifest/too-deep': [
    [`image: ${'['.repeat(100_000)}`, '1:71 ['],
    [`image: ${'{a: '.repeat(20_000)}`, '1:257 a'],
    ['- '.repeat(100_000), '1:128  '],
  ],
  'manifest/too-many-nodes': [
    [bomb(), '5:23 *d'],
    [`user: !x y\n${merges(300, 1000)}`, '3:266 *l'],
    [Array.from({ length: 40_000 }, (_, i) => `KEY_${i}: some value\n`).join(''), '25001:1 K'],
  ],
  'manifest/cycle': [
    ['name: web\nimage: x\nafter: web', '3:8 web'],
    ['name: web\nimage: x\nafter: [db, {service: web}]', '3:23 web'],
  ],
  'manifest/too-many-problems': [[Array.from({ length: 300 }, (_, i) => `x${i}: y\n`).join(''), '0:1 ']],
  'manifest/empty': [
    ['', '0:1 '],
    ['# nothing\n---\n', '0:1 '],
    ['~', '0:1 '],
  ],
  'manifest/syntax': [
    ['image: "x\n', '1:8 "'],
    ["a: b\nimage: 'x\nports:\n  - 80\n", "2:8 '"],
    ['image: "x\nports:\n  - "80"\n', '1:8 "'],
    ['{\n  "image": "x"\n  "user": "y"\n}', '3:3 "'],
    ['{"image": "x" "user": "y"}', '1:15 "'],
    ['{"image": "x\\" y" "user": "y"}', '1:19 "'],
    ['{"image": "x", "ports": [80] "user": "y"}', '1:30 "'],
    ['{"image": "x", "stop": {"timeout": 1} "user": "y"}', '1:39 "'],
    ['{"image": "x", "ports": [80 81]}', '1:29 8'],
    ['{"image": "x", "ports": [80\n81]}', '2:1 8'],
    ['{"image": "x", "environment": {"A": 1 "B": "b"}}', '1:39 "'],
    ['{"image": "x", "environment": {"A": true\n"B": "b"}}', '2:1 "'],
    ['ports:\n  - "80"\n   - "81"\n', '3:4 -'],
    ['environment:\n   - A=1\n  - B=2\n', '3:3 -'],
    ['ports:\n  - a: 1\n    b: 2\n\n   - "81"\n', '5:4 -'],
    ['image: x\n\tuser: y\n', '2:1 \t'],
    ['environment:\n\t- A=1\n', '2:1 \t'],
    ['a: *nobody', '1:4 *nobody'],
    ['a: &a [*a]', '1:8 *a'],
    ['image: x: y', '1:8 x'],
    ['image: x\nenvironment: [A=1', '2:18 '],
  ],
  'manifest/unknown-tag': [
    ['image: !!int 5', '1:8 !!int'],
    ['image: !secret x', '1:8 !secret'],
  ],
  'manifest/unquoted-template': [
    ['image: {{ .service.name }}', '1:8 {{'],
    ['image: {{ .service.name }}:latest', '1:8 {{'],
    ['image: x\ncommand:\n  - {{ .service.name }}/x', '3:5 {{'],
    ['image: x\nenvironment: [A={{ .service.name }}, B=a]', '2:17 {{'],
    ['image: x\nhealthchecks: {type: http, path: /{{ .service.name }}/y, port: 80}\nuser: a', '2:35 {{'],
  ],
  'manifest/duplicate-key': [
    ['services:\n  a: {image: x}\n  a: {image: y}', '3:3 a'],
    ['{image: x, "image": y}', '1:12 "image"'],
    ['image: x\nuser: a\nimage: y', '3:1 image'],
    ['image: x\nlabels: [a=1, a=2]', '2:15 a'],
    ['image: x\nstop:\n  - timeout: 1\n  - timeout: 2', '4:5 timeout'],
  ],
  'manifest/bad-key': [
    ['image: x\n? [a]\n: b', '2:3 [a]'],
    ['image: x\n~: b', '2:1 ~'],
  ],
  'manifest/unknown-key': [
    ['image: x\nimge: y', '2:1 imge'],
    ['image: x\nhealthchecks:\n  - type: http\n    pat: /', '4:5 pat'],
    ['image: x\nhealthchecks: {type: http, user: x}', '2:15 {type: http, user: x}'],
    ['image: x\n__proto__: y', '2:1 __proto__'],
    ['image: x\nconstructor: y', '2:1 constructor'],
    ['services: {a: {image: x}}\nservice: y', '2:1 service'],
  ],
  'manifest/bad-value': [
    ['just text', '1:1 just text'],
    ['[a, b]', '1:1 [a, b]'],
    ['services: [a]', '1:11 [a]'],
    ['image: [x]', '1:8 [x]'],
    ['image: a b', '1:8 a b'],
    ['image: x\nports: [80, 99999]', '2:13 99999'],
    ['image: x\nmemory: 1', '2:9 1'],
    ['image: x\nmemory: lots', '2:9 lots'],
    ['compute_type: process\ncommand: /bin/true\nentrypoint: [""]', '3:13 [""]'],
    ['image: x\ncommand: ["ok", {a: b}]', '2:17 {a: b}'],
    ['image: x\ncommand: say "hello', '2:14 "'],
    ['image: x\nentrypoint: ["", a]', '2:13 ["", a]'],
    ['image: x\nservice_type: continous', '2:15 continous'],
    ['compute_type: dokcer', '1:15 dokcer'],
    ['image: x\nenvironment: [A]', '2:15 A'],
    ['image: x\nenvironment: A=1', '2:14 A=1'],
    ['image: x\nenvironment: {A: {b: c}}', '2:18 {b: c}'],
    ['image: x\nenvironment: {"A B": c}', '2:15 "A B"'],
    ['compute_type: process\ncommand: x\nenvironment: {a.b: c}', '3:15 a.b'],
    ['image: x\nworking_dir: here', '2:14 here'],
    ['image: x\nuser: a b', '2:7 a b'],
    ['image: x\nlabels: {<<: 5}', '2:14 5'],
    ['services: {}', '1:11 {}'],
    ['image: Nginx', '1:8 Nginx'],
    ['image: x\ndns: here', '2:6 here'],
    ['image: x\naffinity: [[a1==b]]', '2:12 [a1==b]'],
    ['image: x\ntriggers:\n  a:\n    url: true\n    action: restart', '5:13 restart'],
    ['image: x\ntriggers:\n  a:\n    source: cpu\n    operator: >\n      value: 1\n', '5:15 >'],
    [trigger('source: cpu'), '2:24 cpu'],
    [trigger('source: service.web.containerpilot.x'), '2:24 service.web.containerpilot.x'],
    ['image: x\nwebhooks: {url: ftp://x}', '2:17 ftp://x'],
    ['image: x\nwebhooks: {url: http://x, events: [stop, restart]}', '2:42 restart'],
    ['image: x\nwebhooks: {url: http://x, secret: whsec_abc}', '2:35 whsec_abc'],
    ['image: x\nwebhooks: {url: http://x, allow_private: yes}', '2:42 yes'],
    ['image: x\nautoscale: {enable: on}', '2:21 on'],
    ['compute_type: process\ncommand: x\nports: ["80:81", "127.0.0.1:80:80"]', '3:9 "80:81"'],
  ],
  'manifest/bad-character': [
    ['image: x\nuser: "a\\0b"', '2:7 "a\\0b"'],
    ['image: x\nuser: a\uE000b', '2:7 a\uE000b'],
    ['image: x\nuser: "\\ud800"', '2:7 "\\ud800"'],
    ['image: x\nlabels: {"a\uE001": b}', '2:10 "a\uE001"'],
  ],
  'manifest/missing': [
    ['user: x', '1:1 user'],
    ['compute_type: docker', '1:15 docker'],
    ['compute_type: process', '1:15 process'],
    ['image: x\nhealthchecks:\n  - port: 80', '3:5 port: 80'],
    ['image: x\nhealthchecks:\n  - type: command', '3:5 type: command'],
    ['image: x\nports: [{host: 80}]', '2:9 {host: 80}'],
    ['image: x\nrestart: {max: 3}', '2:10 {max: 3}'],
    ['services:\n  web:', '2:3 web'],
    ['image: x\nservice_type: scheduled', '2:15 scheduled'],
    ['image: x\nautoscale: {enable: true}', '2:21 true'],
    ['image: x\ntriggers: {a: {action: start}}', '2:15 {action: start}'],
    ['image: x\ntriggers: {a: {url: true, action: scale}}', '2:35 scale'],
    ['image: x\ntriggers: [{url: true, action: stop}]', '2:12 {url: true, action: stop}'],
    ['image: x\nwebhooks: [{events: stop}]', '2:13 events: stop'],
    ['image: x\naffinity: [{by: rack}]', '2:12 {by: rack}'],
  ],
  'manifest/conflict': [
    ['image: x\nlabels: {a: b}\ntags: {c: d}', '3:1 tags'],
    ['compute_type: process\nimage: x\ncommand: y', '2:8 x'],
    ['image: x\ncompute_type: kvm\nentrypoint: /x', '3:13 /x'],
    ['image: x\ncompute_type: kvm\nhealthchecks: {type: command, command: y}', '3:22 command'],
    ['image: x\nschedule: R//P1D', '2:11 R//P1D'],
    ['image: x\naffinity:\n  - a1==b\n  - a1!=b', '4:5 a1!=b'],
    ['image: x\naffinity:\n  - a1==web-1\n  - a1!=web-*', '4:5 a1!=web-*'],
    ['image: x\naffinity:\n  - machine.rack==a\n  - machine.rack==b', '4:5 machine.rack==b'],
    ['image: x\naffinity:\n  - a1==b\n  - a2!=~c', '4:5 a2!=~c'],
    ['image: x\naffinity: [{rule: machine.rack==a, by: rack}]', '2:40 rack'],
    ['image: x\nautoscale: {enable: true, min: 3, max: 2}', '2:40 2'],
    ['image: x\nservice_type: event\nautoscale: {min: 3}', '3:12 {min: 3}'],
    ['image: x\nservice_type: event\ntriggers: {a: {url: true, action: scale, scale: 1}}', '3:35 scale'],
    ['image: x\ntriggers: {a: {url: true, action: start, scale: 1}}', '2:49 1'],
    [
      'image: x\ntriggers: {a: {secret: "{{ .meta.password }}", source: x, action: start}}',
      '2:24 "{{ .meta.password }}"',
    ],
    ['services: {a: {image: x}}\ntags: {a: b}\nlabels: {a: b}', '3:1 labels'],
    ['services: {a: {image: x}}\ndefaults: {name: b}', '2:12 name'],
  ],
  'manifest/bad-name': [
    ['image: x\nname: Web_1', '2:7 Web_1'],
    ['services: {-a: {image: x}}', '1:12 -a'],
    [`name: ${'a'.repeat(64)}\nimage: x`, `1:7 ${'a'.repeat(64)}`],
  ],
  'manifest/duplicate-service': [
    ['services:\n  a: {image: x}\n  b: {image: x, name: a}', '3:23 a'],
    ['image: x\n---\nimage: y', '0:1 '],
  ],
  'manifest/duplicate-port': [
    ['image: x\nports: [80, 80]', '2:13 80'],
    ['image: x\nports: ["80:1", "79-81:2-4"]', '2:17 "79-81:2-4"'],
  ],
  'manifest/bad-label': [
    ['image: x\nlabels: {triton.cns.services: "web:0"}', '2:31 "web:0"'],
    ['image: x\nlabels: {triton.cns.ttl: 3601}', '2:26 3601'],
    ['image: x\ncns: {services: "web:0"}', '2:17 "web:0"'],
    ['image: x\nlabels: {triton.cns.services: "web:80:wieght=1"}', '2:31 "web:80:wieght=1"'],
    ['image: x\nlabels: {triton.cns.services: "a,b,a"}', '2:31 "a,b,a"'],
    ['image: x\nlabels: {triton.cns.service: web}', '2:30 web'],
    ['image: x\nlabels: {triton.cns.reverse_ptr: "a b"}', '2:34 "a b"'],
    ['image: x\nlabels: {triton.cns.status: donw}', '2:29 donw'],
  ],
  'manifest/bad-affinity': [
    ['image: x\naffinity: [role=db]', '2:12 role=db'],
    ['image: x\naffinity: [r==db]', '2:12 r'],
    ['image: x\naffinity: [role!=]', '2:12 role!='],
    ['image: x\naffinity: ["role!=a,b"]', '2:19 a,b'],
    ['image: x\naffinity: role==a role2!=b', '2:17 a role2!=b'],
    ['image: x\naffinity: [role!=a==b]', '2:12 role!=a'],
    ['image: x\naffinity: "role!=/(/"', '2:18 /(/'],
    ['image: x\naffinity: |\n  role!=a\n  # why\n  r!=b\n', '5:3 r'],
    ['image: x\naffinity: [machine.==b]', '2:12 machine.==b'],
    [`image: x\naffinity: [role!=${'a'.repeat(257)}]`, `2:18 ${'a'.repeat(257)}`],
  ],
  'manifest/bad-schedule': [
    ['image: x\nservice_type: scheduled\nschedule: 0 0 31 2 *', '3:11 0 0 31 2 *'],
    ['image: x\nservice_type: scheduled\nschedule: 0 25 * * *', '3:13 25'],
    ['image: x\nservice_type: scheduled\nschedule: "@reboot"', '3:12 @reboot'],
    [
      'image: x\nservice_type: scheduled\nschedule: {interval: R/2026-02-30T00:00Z/P1D}',
      '3:24 2026-02-30T00:00Z',
    ],
    ['image: x\nservice_type: scheduled\nschedule: R//1D', '3:14 1D'],
    ['image: x\nservice_type: scheduled\nschedule: {cron: "@daily", timezone: Berlin}', '3:38 Berlin'],
  ],
  'manifest/unknown-metric': [
    [trigger('source: containermonitor.ram_usd'), '2:24 containermonitor.ram_usd'],
    [trigger('source: containermonitor.dblatency'), '2:24 containermonitor.dblatency'],
    [trigger('metric: service.db.containermonitor.ram_usd'), '2:24 service.db.containermonitor.ram_usd'],
    [trigger('metric: service.db.entry.rpz'), '2:24 service.db.entry.rpz'],
  ],
  'manifest/unknown-limit': [
    [trigger('source: containermonitor.ram_used', '80%'), '2:71 80%'],
    [trigger('source: containerpilot.tps', '80%'), '2:64 80%'],
    [trigger('source: service.db.entry.p95', '80%'), '2:66 80%'],
    [trigger('source: containermonitor.mem_limit', '80%'), '2:72 80%'],
    [trigger('source: containermonitor.cpu_used', '80%'), '2:71 80%'],
  ],
  'manifest/duplicate-trigger': [
    [
      'image: x\ntriggers:\n  - {name: a, url: true, action: stop}\n  - {name: a, url: true, action: start}',
      '4:12 a',
    ],
  ],
  'manifest/no-package-fits': [
    ['image: x\npackage: g4-highcpu-128M\nmemory: 256', '2:10 g4-highcpu-128M'],
    ['image: x\npackage: g4-general\nmemory: 33G', '2:10 g4-general'],
  ],
  'manifest/wrong-project': [['name: shop\nservices: {a: {image: x}}', '1:7 shop']],
  'manifest/package-not-checked': [['image: x\npackage: own-1G', '2:10 own-1G']],
  'manifest/plain-secret': [
    ['image: x\nenvironment: [DB_PASSWORD=hunter22]', '2:27 hunter22'],
    ['image: x\nenvironment: {API_KEY: abcdef}', '2:24 abcdef'],
    ['image: x\ntriggers: {a: {secret: abcdefgh, action: start}}', '2:24 abcdefgh'],
    ['image: x\nwebhooks: {url: http://x, headers: {Authorization: Bearer abc}}', '2:52 Bearer abc'],
  ],
  'manifest/swallowed-item': [['image: x\ncommand:\n  - sleep\n   - "1"\n', '4:4 -']],
  'manifest/shell-syntax': [
    ['image: x\ncommand: a | b', '2:12 |'],
    ['image: x\ncommand: "echo $HOME"', '2:16 $HOME'],
  ],
  'template/syntax': [
    ['image: "x:{{ .scale"', '1:11 {{ .scale'],
    ['image: x\ncommand: a "{{#if x}}" {{/if}}', '2:13 {{#if x}}'],
  ],
  'template/not-allowed': [
    ['image: x\nname: "{{ .project.name }}"', '2:8 {{ .project.name }}'],
    ['image: "{{ .instance.n }}"', '1:13 instance.n'],
    ['image: x\nenvironment: {"{{ .scale }}": x}', '2:15 "{{ .scale }}"'],
  ],
  'template/unknown-variable': [
    ['image: x\nenvironment:\n  - A={{ .service.name }}-{{ .service.nmae }}', '3:31 service.nmae'],
    ['image: x\ncommand: |\n  a b\n  c {{ .foo }}\n', '4:9 foo'],
    ['image: x\ncommand: >-\n  {{ .foo }} {{ .service.name }}\n  {{ .foo.x }}\n', '3:7 foo'],
    ['image: "\\u00e4:{{ .foo }}"', '1:20 foo'],
    ['image: x # ä😀\nuser: "😀{{ .foo }}"', '2:13 foo'],
    ['image: x\nuser: "{{ .foo }}{{ .foo }}"', '2:22 foo'],
  ],
  'template/unknown-network': [
    ['image: x\nuser: "{{ .cns.svc.pubilc }}"', '2:12 cns.svc.pubilc'],
    ['image: x\nuser: "{{ .cns.prefix.back }}"', '2:12 cns.prefix.back'],
  ],
  'template/unknown-meta': [['image: x\nuser: "{{ .meta.usr }}"', '2:12 meta.usr']],
  'template/unknown-service': [['image: x\nuser: "{{ .services.dbb.port }}"', '2:12 services.dbb.port']],
  'template/no-port': [['image: x\nuser: "{{ .services.db.port.80 }}"', '2:12 services.db.port.80']],
  'template/no-package': [['image: x\nuser: "{{ .package.ram }}"', '2:12 package.ram']],
  'template/secret': [['image: x\nuser: "{{ .meta.password }}"', '2:12 meta.password']],
  'template/stand-in': [['image: "x:{{ .meta.unsaid.tag }}"', '1:15 meta.unsaid.tag']],
}

function trigger(source: string, value = '1'): string {
  return `image: x\ntriggers: {a: {${source}, operator: <, value: ${value}, time: 60, action: incr}}`
}

function bomb(): string {
  const levels = 'abcdefghi'.split('')
  const lines = levels.map(
    (name, i) =>
      `${name}: &${name} [${Array.from({ length: 9 }, () => (i === 0 ? 'x' : `*${levels[i - 1]}`)).join(',')}]`,
  )
  return `${lines.join('\n')}\n`
}

/** A map whose keys another takes over so many times. */
function merges(keys: number, times: number): string {
  const shared = Array.from({ length: keys }, (_, n) => `k${n}: v`).join(',')
  return `labels: &l {${shared}}\nenvironment: {<<: [${'*l,'.repeat(times)}]}\n`
}

const cases = Object.entries(examples).flatMap(([code, texts]) =>
  texts.map(([text, place]) => ({ code, text, place, shown: JSON.stringify(text).slice(0, 70) })),
)

test('every code has an example', () => {
  expect([...Object.keys(examples), ...elsewhere].sort()).toEqual(Object.keys(manifestCodes).sort())
})

test.each(cases)('$code in $shown', ({ code, text, place }) => {
  expect(summaries(text)).toContain(`${code} ${place}`)
})

test('a text with a problem gives no manifest, unless it is a warning', () => {
  for (const { code, text } of cases) {
    const { manifests } = read(text)
    const many = text.includes('services') || text.includes('---')
    if (!many)
      expect(manifests.length > 0, text.slice(0, 100)).toBe(manifestCodes[code as ManifestCode] === 'warning')
  }
})

describe('problems of one file', () => {
  test('come all at once, in the order of the text', () => {
    const text = `name: Web
service_type: always
imge: x
package: g4
ports: [80, http]
memory: lots
environment:
  - A={{ .foo }}
  - B
healthchecks:
  - type: http
    poll: 5
    timeout: -1
stop:
  timeout: soon
user: a
user: b
`
    expect(read(text).diagnostics.map(({ code, line }) => `${line} ${code}`)).toEqual([
      '1 manifest/missing',
      '1 manifest/bad-name',
      '2 manifest/bad-value',
      '3 manifest/unknown-key',
      '4 manifest/package-not-checked',
      '5 manifest/bad-value',
      '6 manifest/bad-value',
      '8 template/unknown-variable',
      '9 manifest/bad-value',
      '13 manifest/bad-value',
      '15 manifest/bad-value',
      '17 manifest/duplicate-key',
    ])
  })

  test('are not told twice over', () => {
    expect(summaries('image: [x]')).toEqual(['manifest/bad-value 1:8 [x]'])
    expect(summaries('compute_type: kvm')).toEqual(['manifest/missing 1:15 kvm'])
    expect(summaries('image: x\nmemory: lots')).toEqual(['manifest/bad-value 2:9 lots'])
    expect(summaries('compute_type: process\ncommand: {}')).toEqual(['manifest/bad-value 2:10 {}'])
    expect(summaries('image: x\nhealthchecks: {type: command, command: {}}')).toEqual([
      'manifest/bad-value 2:40 {}',
    ])
  })

  test('that follow from one mistake are told once', () => {
    expect(summaries('environment:\n   - A=1\n  - B=2\nimage: x')).toEqual(['manifest/syntax 3:3 -'])
    expect(summaries('image: "x\nports:\n  - "80"\n  - 81\n')).toEqual(['manifest/syntax 1:8 "'])
    expect(summaries('{"image": "x" "user": "y"}')).toEqual(['manifest/syntax 1:15 "'])
    expect(summaries('image: x\nlabels: {a: 1{{ .scale }}, b: 2}\nenvironment: {A: b{{ .scale }}}')).toEqual([
      'manifest/unquoted-template 2:14 {{',
      'manifest/unquoted-template 3:19 {{',
    ])
    expect(summaries('{"image": "x", "ports": [80] "user": "y"}')).toEqual(['manifest/syntax 1:30 "'])
    expect(summaries('{"image": "x", "ports": [80 81]}')).toEqual(['manifest/syntax 1:29 8'])
    // What begins with a brace alone is YAML, where a plain text may have blanks.
    expect(
      summaries('{compute_type: process, service_type: scheduled, command: x, schedule: 0 5 1 1 1}'),
    ).toEqual([])
  })

  test('say where in the document they are', () => {
    const { diagnostics } = read(
      'image: x\nhealthchecks:\n  - type: http\n  - type: http\n    "a/b": 1\nlabels: {a: {}}',
    )
    expect(diagnostics.map(({ path }) => path)).toEqual(['/healthchecks/1/a~1b', '/labels/a'])
  })

  test.each([
    ['imge: x', 'did you mean image?'],
    ['image: x\nservice_type: evnt', 'did you mean event?'],
    ['image: x\npackage: g4-highcpu-512MB', 'did you mean g4-highcpu-512M?'],
    ['image: x\nrestart: unless_stopped', 'did you mean unless-stopped?'],
    ['image: x\nhealthchecks: {type: htps}', 'did you mean https?'],
    ['compute_type: dokcer\nimage: x', 'did you mean docker?'],
    [
      trigger('source: containermonitor.ram_usd'),
      'did you mean ram_used? If the program publishes ram_usd, write containerpilot.ram_usd',
    ],
    ['image: x\naffinity:\n  a1==b # x\n  a2!=c', 'write each rule after a dash: - a2!=c'],
    ['image: x\ntriggers:\n  a:\n    operator: >=', 'put the operator in quotes: ">="'],
    ['image: x\ntriggers:\n  a:\n    operator: !=', 'put the operator in quotes: "!="'],
    ['image: {{ .scale }}', 'put the value in quotes: "{{ … }}"'],
    ['a:\n\t- b', 'indent with spaces'],
    ['image: "x\nuser: y\n', 'close it with "'],
    ['user: "x\n  y" z\n', 'close it with " where its value ends'],
    ['{"image": "x"\n"user": "y"}', 'put a comma after the previous entry'],
    ['{"image": "x" "user": "y"}', 'put a comma after the previous entry'],
    ['{"image": "x", "environment": {"A": 1 "B": "b"}}', 'put a comma after the previous entry'],
    ['ports:\n  - "80"\n   - "81"\n', 'begin all items of a list in the same column'],
    ['image: x\nenvironment:\n  A=1\n  B=2\n', 'write each pair after a dash: - A=…'],
    ['image: x\nenvironment:\n  - A=1\n  B=2\n', 'write each pair after a dash: - B=…'],
    ['image: x\ntags:\n  - a=1\n  b=2=3\n', 'write each pair after a dash: - b=…'],
    [
      'image: x\ncommand:\n  - a\n   - b\n',
      'begin all items of a list in the same column, or quote the text if it is meant so',
    ],
    ['image: x\nautoscale: {enable: on}', 'did you mean true?'],
    ['image: x\nautoscale: {enable: No}', 'did you mean false?'],
  ])('%j gets a hint', (text, hint) => {
    expect(read(text).diagnostics.map((diagnostic) => diagnostic.hint)).toContain(hint)
  })
})

describe('what is written for another tool', () => {
  const hintOn = (text: string) => read(`image: x\n${text}\n`).diagnostics.map(({ hint }) => hint)

  test.each([
    ['depends_on: [db]', 'use after; mariposa manifest import FILE'],
    ['build: .', 'name it in image; mariposa manifest import FILE'],
    ['env_file: .env', 'under environment'],
    ['env: {A: b}', 'use environment'],
    ['replicas: 3', 'mariposa service scale NAME N'],
    ['scale: 3', 'mariposa service scale NAME N'],
    ['apiVersion: v1', 'a key of Kubernetes'],
    ['networks: [a]', 'publish ports'],
  ])('in %s is told what to write here', (text, hint) => {
    expect(hintOn(text)).toEqual([expect.stringContaining(hint)])
  })

  test('and a key that nobody knows does not get a list of all that there are', () => {
    expect(hintOn('frobnicate: 1')).toEqual(['mariposa manifest schema shows all keys'])
    expect(hintOn('stop: {frobnicate: 1}')).toEqual(['known keys are timeout, preservestopped'])
  })

  test('is not told of keys within others, or of variables', () => {
    expect(hintOn('environment: {scale: "1"}')).toEqual([])
    expect(hintOn('stop: {scale: 1}')).toEqual(['known keys are timeout, preservestopped'])
  })
})

test('a bad name that is written under `name:` is told with a good one, another with where to write one', () => {
  const hintOf = (text: string, name: string) =>
    readManifests([{ file: 'x.yml', text, name }], standIns).diagnostics.map(({ hint }) => hint)
  expect(hintOf('name: Web_1\nimage: x', 'web')).toEqual(['write web-1, for example'])
  expect(hintOf('name: "_"\nimage: x', 'web')).toEqual([undefined])
  expect(hintOf('image: x', 'Web_1')).toEqual(['name it with `name:` in the file'])
})

test('problems of several files name their file', () => {
  const sources = [
    { file: 'a.yaml', text: 'image: x' },
    { file: 'b.yaml', text: 'imge: x' },
    { file: 'c.yaml', text: '' },
  ]
  const { diagnostics } = readManifests(sources, standIns)
  expect(new Set(diagnostics.map(({ file }) => file))).toEqual(new Set(['b.yaml', 'c.yaml']))
})

describe('described for a terminal', () => {
  const described = (text: string, color = false) =>
    describeDiagnostics(read(text).diagnostics, [{ file: 'web.yaml', text }], { color })

  test('a problem shows its place, its lines with a caret, and what to do', () => {
    expect(described('name: web\n# the image\nimge: nginx\nimage: x\n')).toBe(
      `web.yaml:3:1 error there is no key "imge" here [manifest/unknown-key]
  1 │ name: web
  2 │ # the image
  3 │ imge: nginx
    │ ^^^^
  hint: did you mean image?
  see:  docs/manifest.md#keys

1 error in web.yaml
`,
    )
  })

  test('paragraphs stand apart; without a source there is no frame; without problems there is nothing', () => {
    const { diagnostics } = read('imge: x\nusr: y\nimage: x')
    const text = describeDiagnostics(diagnostics, [], { color: false })
    expect(text.split('\n\n')).toHaveLength(3)
    expect(text).not.toContain('│')
    expect(describeDiagnostics([], [], { color: false })).toBe('')
  })

  test('the problems of a file stand together, and are counted', () => {
    const problem = (file: string, severity: 'error' | 'warning') => ({
      code: 'x/y',
      severity,
      message: 'odd',
      file,
    })
    const mixed = [
      problem('a.yml', 'error'),
      problem('b.yml', 'warning'),
      problem('a.yml', 'warning'),
      problem('a.yml', 'error'),
    ]
    const lines = describeDiagnostics(mixed, [], { color: false })
      .split('\n')
      .filter((line) => line !== '')
    expect(lines).toEqual([
      'a.yml error odd [x/y]',
      'a.yml warning odd [x/y]',
      'a.yml error odd [x/y]',
      '2 errors, 1 warning in a.yml',
      'b.yml warning odd [x/y]',
      '1 warning in b.yml',
    ])
  })

  test('a problem without a place is told all the same', () => {
    expect(described('')).toMatch(
      /^web\.yaml error there is no manifest in it \[manifest\/empty\]\n {2}hint: /,
    )
    expect(
      describeDiagnostics([{ code: 'x/y', severity: 'warning', message: 'odd' }], [], { color: false }),
    ).toBe('warning odd [x/y]\n')
  })

  test('colour is there only when asked for', () => {
    expect(described('imge: x', true)).toContain('\u001b[')
    expect(described('imge: x', false)).not.toContain('\u001b[')
  })

  test('tabs, control characters and long lines do not disturb the frame', () => {
    const text = `image: x\nlabels: {a: "\u001b[31m\t", ${'long: x, '.repeat(1)}b: {c: "${'y'.repeat(300)}"}}`
    const frame = described(text).split('\n')
    const carets = frame.find((line) => line.includes('^')) ?? ''
    const line = frame[frame.indexOf(carets) - 1] ?? ''
    expect(frame.join('')).not.toContain('\u001b')
    expect([...line].slice([...carets].indexOf('^')).join('')).toMatch(/^\{c: "y/)
    expect(Math.max(...frame.slice(1).map((row) => [...row].length))).toBeLessThan(120)
  })

  test('the caret stands right far into a long line', () => {
    const text = `{image: x, ${' '.repeat(500)}imge: y}`
    const frame = described(text).split('\n')
    const at = [...(frame[2] ?? '')].indexOf('^')
    expect([...(frame[1] ?? '')].slice(at, at + 4).join('')).toBe('imge')
  })

  test('BOM and CRLF do not shift the place', () => {
    expect(described('\uFEFFimge: x\r\nusr: y\r\n')).toContain('  1 │ imge: x\n  2 │ usr: y\n    │ ^^^\n')
  })
})
