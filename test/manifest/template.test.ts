import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { renderText } from '../../src/manifest/template.js'
import {
  type DeployVariables,
  deferredPlaceholder,
  placementMark,
  type Stage,
} from '../../src/manifest/variables.js'
import { metaValueProblem } from '../../src/model/meta.js'
import type { OtherService } from '../../src/model/other-service.js'
import { projectUuid } from '../../src/model/project.js'
import { randomCases } from '../random-runs.js'

const port = (container: number, host: number | null, ip: string | null = null) => ({
  ...{ ip, host, container },
  protocol: 'tcp' as const,
})
const others = new Map<string, OtherService>([
  ['api', { uuid: 'u-a', isProcess: false, ports: [port(8080, null), port(9090, null)] }],
  ['edge', { uuid: 'u-e', isProcess: false, ports: [port(8080, 80), port(8443, 443)] }],
  ['loop', { uuid: 'u-l', isProcess: false, ports: [port(8080, 80, '127.0.0.1')] }],
  ['half', { uuid: 'u-h', isProcess: false, ports: [port(8080, 80), port(9090, null)] }],
  ['proc', { uuid: 'u-p', isProcess: true, ports: [port(7000, 7000), port(7001, null)] }],
  ['mute', { uuid: 'u-m', isProcess: true, ports: [] }],
])
const known: DeployVariables = {
  project: { name: 'shop' },
  service: { name: 'web', uuid: 'u-1', version: 'v-2', ordinal: 3 },
  scale: 4,
  meta: {
    values: new Map([
      ['db_host', 'db.example'],
      ['db.port', '5432'],
      ['empty', ''],
      ['braces', '{{ .scale }} "\'%$\\'],
      ['1', 'one'],
      ['password', null],
    ]),
    complete: true,
  },
  package: { name: 'g4-small', family: 'g4', ram: 1024, disk: 10240, cpu: 50 },
  cns: { public: 'example.org', private: 'cns.example.org' },
  services: {
    of: (name) => others.get(name) ?? null,
    names: () => [...others.keys()],
    complete: true,
  },
}
const render = (text: string, stage: Stage = 'deploy', variables = known) => {
  const { text: rendered, problems } = renderText(text, variables, stage)
  return { text: rendered, problems }
}
const n = placementMark('instance.n')

describe('templates', () => {
  test.each([
    ['no template', 'no template'],
    ['{{ .project.name }}', 'shop'],
    ['{{ .project.uuid }}', projectUuid('shop')],
    ['{{project.name}}', 'shop'],
    ['{{ ./project.name }}', 'shop'],
    ['{{ this.project.name }}', 'shop'],
    ['a {{ .service.name }}-{{ .service.uuid }}/{{ .service.version }} b', 'a web-u-1/v-2 b'],
    ['{{ .service.ordinal }} of {{ .scale }}', '3 of 4'],
    ['{{ default .service.name "x" }}', 'web'],
    ['{{ default .service.region "eu" }}', 'eu'],
    ["{{ default .service.region '}} \" {{' }}", '}} " {{'],
    ['{{ default .service.region 5 }}', '5'],
    ['{{ default .service.region .project.name }}', 'shop'],
    ['\\{{ .service.name }}', '{{ .service.name }}'],
    ['\\\\{{ .service.name }}', '\\web'],
    ['\\\\\\{{ x', '\\{{ x'],
    ['}} { {', '}} { {'],
    ['a\\b', 'a\\b'],
    ['{{\n .scale\n}}', '4'],
    ['{{ "{" }}{{ .scale }}}', '{4}'],
    ['{{ \'{{\' }} \\\\{{ "}}" }}', '{{ \\}}'],
    ['{{ .meta.db_host }}:{{ meta.db.port }}', 'db.example:5432'],
    ['[{{ .meta.empty }}]', '[]'],
    ['{{ .meta.[1] }}', 'one'],
    ['{{ .meta.braces }}', '{{ .scale }} "\'%$\\'],
    ['{{ default .meta.db_port "5433" }}', '5433'],
    ['{{ default .meta.db_port .meta.db.port }}', '5432'],
    ['{{ .package.ram }} {{ .package.disk }} {{ .package.cpu }}', '1024 10240 50'],
    ['{{ .package.name }} of {{ .package.family }}', 'g4-small of g4'],
    ['{{ .cns.svc.public }}', 'web.svc.shop.example.org'],
    ['{{ .cns.svc.private }}', 'web.svc.shop.cns.example.org'],
    ['{{ .cns.svc.My_Net }}', 'my-net.web.svc.shop.cns.example.org'],
    [
      '{{ .cns.svc.0d7e4b3a-11aa-4f6e-9c51-0123456789ab }}',
      '0d7e4b3a-11aa-4f6e-9c51-0123456789ab.web.svc.shop.cns.example.org',
    ],
    ['redis.svc.{{ .cns.prefix.private }}', 'redis.svc.shop.cns.example.org'],
    ['redis.svc.{{ .cns.prefix.public }}', 'redis.svc.shop.example.org'],
    ['{{ .services.api.name }} {{ .services.api.uuid }}', 'api u-a'],
    ['{{ .services.api.address }}:{{ .services.api.port }}', 'api.svc.shop.cns.example.org:8080'],
    ['{{ services.api.port.9090 }}', '9090'],
    ['{{ .services.edge.address }}:{{ .services.edge.port }}', 'edge.svc.shop.example.org:80'],
    ['{{ .services.edge.port.8443 }}', '443'],
    ['{{ .services.loop.address }}:{{ .services.loop.port }}', 'loop.svc.shop.cns.example.org:8080'],
    ['{{ .services.half.address }}:{{ .services.half.port }}', 'half.svc.shop.cns.example.org:8080'],
    ['{{ .services.proc.address }}:{{ .services.proc.port }}', 'proc.svc.shop.cns.example.org:7000'],
    ['{{ .services.mute.address }}', 'mute.svc.shop.cns.example.org'],
    ['{{ default .services.mute.port 8 }}{{ default .services.none.name "x" }}', '8x'],
    ['{{ .meta.1 }}', 'one'],
  ])('%j is %j', (text, wanted) => {
    expect(render(text)).toEqual({ text: wanted, problems: [] })
  })

  test.each([
    ['services.apy.port', 'project shop has no service "apy"', 'did you mean services.api.port?'],
    [
      'services.nobody.port',
      'project shop has no service "nobody"',
      'deploy it before, or in the same deploy',
    ],
    ['services.api.prot', 'there is no variable "services.api.prot"', 'did you mean services.api.port?'],
    ['services.api.name.80', 'there is no variable "services.api.name.80"', undefined],
    ['services.api', 'there is no variable "services.api"', undefined],
    ['services.api.port.80', 'api has no port 80', 'it has 8080, 9090'],
    ['services.mute.port', 'mute has no ports', 'add it to ports of mute'],
    [
      'services.proc.port.7001',
      'port 7001 of proc is chosen by the engine and differs between instances',
      'fix it in ports of proc, or ask for SRV records of its name',
    ],
  ])('%s leads nowhere, and it says why', (name, message, hint) => {
    expect(render(`{{ .${name} }}`).problems).toMatchObject([{ message, ...(hint && { hint }) }])
  })

  test('without a daemon another service is stood in for', () => {
    const { services: _, ...alone } = known
    const { text, problems, standIns } = renderText('{{ .services.db.port.5432 }}', alone, 'deploy')
    expect({ text, problems }).toEqual({ text: '5432', problems: [] })
    expect(standIns).toMatchObject([{ code: 'template/stand-in' }])
  })

  test('what depends on the placement becomes a mark', () => {
    expect(render('n={{ .instance.n }}', 'placement').text).toBe(`n=${placementMark('instance.n')}`)
    expect(render('{{ default .machine.name "x" }}', 'placement').text).toBe(placementMark('machine.name'))
    expect(render('{{ .instance.n }}', 'deploy').problems).toMatchObject([
      { code: 'template/not-allowed', offset: 4, length: 10 },
    ])
  })

  test('a value that cannot be a template says so', () => {
    expect(render('{{ .scale }}', 'none').problems).toMatchObject([{ code: 'template/not-allowed' }])
  })

  test.each([
    ['{{ .service.nam }}', 'service.nam', 'did you mean service.name?'],
    ['{{ projct.name }}', 'projct.name', 'did you mean project.name?'],
    ['{{ default .projct.name "x" }}', 'projct.name', 'did you mean project.name?'],
    ['{{ .project.version }}', 'project.version', 'only services have versions: use service.version'],
    ['{{ .service }}', 'service', undefined],
    ['{{ .package.rma }}', 'package.rma', 'did you mean package.ram?'],
    ['{{ .package }}', 'package', undefined],
    ['{{ .meta }}', 'meta', undefined],
    ['{{ .cns.svc }}', 'cns.svc', undefined],
    ['{{ .cns.svcs.public }}', 'cns.svcs.public', 'did you mean cns.svc.public?'],
    ['{{ .machine.metadata }}', 'machine.metadata', undefined],
    ['{{ .instance.uid }}', 'instance.uid', 'did you mean instance.uuid?'],
  ])('%s is told at its place, with the nearest name', (text, name, hint) => {
    const [problem] = render(`a ${text}`).problems
    expect(problem).toMatchObject({
      code: 'template/unknown-variable',
      message: `there is no variable "${name}"`,
      ...(hint && { hint }),
    })
    expect(
      `a ${text}`
        .slice(problem?.offset)
        .slice(0, problem?.length)
        .replace(/^\.\/?/, ''),
    ).toBe(name)
  })

  test.each([
    ['{{ .cns.inst.public }}', `web-${n}.inst.shop.example.org`],
    ['{{ .cns.inst.fabric }}', `fabric.web-${n}.inst.shop.cns.example.org`],
  ])('%s is known at the placement', (text, wanted) => {
    expect(render(text, 'placement')).toEqual({ text: wanted, problems: [] })
    expect(render(text, 'deploy').problems).toMatchObject([{ code: 'template/not-allowed' }])
  })

  test.each([
    ['{{ .instance.uuid }}', deferredPlaceholder('instance.uuid')],
    ['{{ .machine.ip }}', deferredPlaceholder('machine.ip')],
    ['{{ .machine.metadata.rack }}', deferredPlaceholder('machine.metadata.rack')],
    ['{{ default .machine.metadata.rack "r0" }}', deferredPlaceholder('machine.metadata.rack', 'r0')],
    [
      '{{ default .machine.metadata.rack .meta.db_host }}',
      deferredPlaceholder('machine.metadata.rack', 'db.example'),
    ],
  ])('%s is for the environment, filled in by the machine', (text, wanted) => {
    expect(render(text, 'environment')).toEqual({ text: wanted, problems: [] })
    expect(render(text, 'placement').problems).toMatchObject([
      {
        code: 'template/not-allowed',
        hint: 'it can be used in values of environment and in the template of a file',
      },
    ])
  })

  test('what stands in for metadata of a machine has to be known at the deploy', () => {
    expect(
      render('{{ default .machine.metadata.rack .machine.name }}', 'environment').problems,
    ).toMatchObject([{ code: 'template/not-allowed' }])
  })

  test.each(['none', 'deploy', 'placement'] as const)('a secret is refused at stage %s', (stage) => {
    const { text, problems } = render('{{ .meta.password }}', stage)
    const code = stage === 'none' ? 'template/not-allowed' : 'template/secret'
    expect({ text, problems }).toMatchObject({ text: '', problems: [{ code }] })
  })

  test('a secret in the environment is a mark with its key', () => {
    expect(render('u:{{ .meta.password }}@h', 'environment').text).toBe(
      `u:${deferredPlaceholder('meta.password')}@h`,
    )
  })

  test.each([
    ['{{ .meta.db_hots }}', 'did you mean meta.db_host?'],
    ['{{ .meta.colour_of_the_sky }}', 'mariposa meta set colour_of_the_sky VALUE sets it'],
  ])('a key that is not there is told by %s', (text, hint) => {
    expect(render(text).problems).toMatchObject([{ code: 'template/unknown-meta', hint }])
  })

  test('without a daemon any key has a stand-in, which is told', () => {
    const lint: DeployVariables = { ...known, meta: { values: new Map([['a', '1']]), complete: false } }
    expect(renderText('{{ .meta.a }}-{{ .meta.b }}', lint, 'deploy')).toEqual({
      text: '1-meta.b',
      problems: [],
      standIns: [expect.objectContaining({ code: 'template/stand-in', offset: 18, length: 6 })],
      meta: ['a', 'b'],
    })
    expect(renderText('{{ default .meta.b "x" }}', lint, 'deploy').text).toBe('meta.b')
  })

  test('keys that are asked for are told, those behind a default too', () => {
    expect(renderText('{{ default .meta.a .meta.db_host }}{{ scale }}', known, 'deploy').meta).toEqual([
      'a',
      'db_host',
    ])
  })

  test('variables of a package that nobody chose say so', () => {
    const without = { ...known, package: null }
    expect(render('{{ .package.ram }}', 'deploy', without).problems).toMatchObject([
      { code: 'template/no-package' },
    ])
    expect(render('{{ default .package.ram "512" }}', 'deploy', without).text).toBe('512')
    const alone = { ...known, package: { name: 'odd', family: null, ram: 1, disk: 1, cpu: 1 } }
    expect(render('{{ .package.family }}', 'deploy', alone).problems).toMatchObject([
      { code: 'template/no-package', message: 'the package odd belongs to no family' },
    ])
  })

  test.each([
    '{{ constructor }}',
    '{{ .__proto__ }}',
    '{{ service.constructor }}',
    '{{ service.__proto__.name }}',
    '{{ toString }}',
    '{{ service.name.length }}',
    '{{ default.constructor }}',
    '{{ hasOwnProperty }}',
    '{{ package.constructor }}',
    '{{ package.__proto__ }}',
    '{{ cns.__proto__.public }}',
    '{{ cns.constructor.public }}',
    '{{ instance.constructor }}',
    '{{ machine.constructor }}',
  ])('%s reaches no prototype', (text) => {
    expect(render(text)).toMatchObject({ text: '', problems: [{ code: 'template/unknown-variable' }] })
  })

  test.each(['constructor', '__proto__', 'toString', 'get', 'size'])(
    'meta.%s is a key like others',
    (key) => {
      expect(render(`{{ .meta.${key} }}`).problems).toMatchObject([{ code: 'template/unknown-meta' }])
      const values = new Map([[key, 'x']])
      expect(
        render(`{{ .meta.${key} }}`, 'deploy', { ...known, meta: { values, complete: true } }).text,
      ).toBe('x')
    },
  )

  test('values come out as they are, whatever is in them', () => {
    const value = fc.oneof(
      fc.constantFrom('{{ .scale }}', '}}', '{{{', '"', "'", '%n', '$HOME', '\\', '\n', '&amp;', '\\{{'),
      fc.string({ unit: 'grapheme' }),
    )
    const texts = fc.array(value).map((parts) => parts.join(''))
    fc.assert(
      fc.property(texts, fc.string({ unit: 'grapheme-ascii' }), (text, around) => {
        fc.pre(metaValueProblem(text) === null && !around.includes('{') && !around.includes('\\'))
        const meta = { values: new Map([['k', text]]), complete: true }
        const rendered = render(`${around}{{ .meta.k }}${around}`, 'deploy', { ...known, meta })
        expect(rendered).toEqual({ text: `${around}${text}${around}`, problems: [] })
      }),
      { numRuns: randomCases(2_000) },
    )
  })

  test.each([
    '{{',
    '{{ x',
    '{{}}',
    '{{ }}',
    '{{ a | b }}',
    '{{#if scale}}x{{/if}}',
    '{{> part}}',
    '{{{ scale }}}',
    '{{& scale }}',
    '{{! c }}',
    '{{~ scale ~}}',
    '{{ lookup this "scale" }}',
    '{{ if .scale }}',
    '{{ ../scale }}',
    '{{ @root.scale }}',
    '{{ this }}',
    '{{ scale x=1 }}',
    '{{ (scale) }}',
    '{{ 5 }}',
    '{{ true }}',
    '{{ "a" "b" }}',
    '{{ default scale }}',
    '{{ default scale "a" "b" }}',
    '{{ default (x) "a" }}',
    '{{else}}',
    '{{{{raw}}}}',
    '{{ default scale null }}',
    '{{log "x"}}',
  ])('%s is not a template', (text) => {
    const { problems } = render(text)
    expect(problems.length).toBeGreaterThan(0)
    for (const { code } of problems) expect(code).toBe('template/syntax')
  })

  test('all problems of a text come at once', () => {
    expect(render('{{ .a }} {{ .b }} {{').problems.map(({ offset }) => offset)).toEqual([4, 13, 18])
  })

  test('any text is rendered or refused', () => {
    const part = fc.constantFrom(
      '{{',
      '}}',
      '\\',
      '"',
      "'",
      ' ',
      '.',
      'scale',
      'default',
      '{',
      '}',
      '~',
      '\n',
      '[',
      ']',
      '#',
      '/',
      'meta.',
      'cns.inst.',
      'package.',
      '__proto__',
      'constructor',
      'machine.metadata.',
    )
    fc.assert(
      fc.property(fc.array(fc.oneof(part, fc.string({ maxLength: 3 }))), (parts) => {
        const { text, problems } = render(parts.join(''), 'environment')
        expect(typeof text).toBe('string')
        for (const { offset, length } of problems)
          expect(offset + length).toBeLessThanOrEqual(parts.join('').length)
      }),
      { numRuns: randomCases(2_000) },
    )
  })
})
