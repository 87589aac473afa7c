import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { type DeployVariables, placementMark, renderText, type Stage } from '../../src/manifest/template.js'

const known: DeployVariables = {
  project: { name: 'shop' },
  service: { name: 'web', uuid: 'u-1', version: 'v-2', ordinal: 3 },
  scale: 4,
}
const render = (text: string, stage: Stage = 'deploy') => renderText(text, known, stage)

describe('templates', () => {
  test.each([
    ['no template', 'no template'],
    ['{{ .project.name }}', 'shop'],
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
  ])('%j is %j', (text, wanted) => {
    expect(render(text)).toEqual({ text: wanted, problems: [] })
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
    ['{{ .service }}', 'service', undefined],
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

  test.each(['{{ .meta.key }}', '{{ .package.ram }}', '{{ .cns.svc.public }}', '{{ default .meta.x "y" }}'])(
    '%s is for later',
    (text) => {
      expect(render(text).problems).toMatchObject([{ code: 'template/not-supported-yet' }])
    },
  )

  test.each([
    '{{ constructor }}',
    '{{ .__proto__ }}',
    '{{ service.constructor }}',
    '{{ service.__proto__.name }}',
    '{{ toString }}',
    '{{ service.name.length }}',
    '{{ default.constructor }}',
    '{{ hasOwnProperty }}',
  ])('%s reaches no prototype', (text) => {
    expect(render(text)).toMatchObject({ text: '', problems: [{ code: 'template/unknown-variable' }] })
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
    '{{ "scale" }}',
    '{{ this }}',
    '{{ scale x=1 }}',
    '{{ (scale) }}',
    '{{ default scale }}',
    '{{ default scale "a" "b" }}',
    '{{ default (x) "a" }}',
    '{{else}}',
    '{{{{raw}}}}',
    '{{ default scale null }}',
    '{{log "x"}}',
  ])('%s is no template', (text) => {
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
    )
    fc.assert(
      fc.property(fc.array(fc.oneof(part, fc.string({ maxLength: 3 }))), (parts) => {
        const { text, problems } = render(parts.join(''), 'placement')
        expect(typeof text).toBe('string')
        for (const { offset, length } of problems)
          expect(offset + length).toBeLessThanOrEqual(parts.join('').length)
      }),
      { numRuns: 2_000 },
    )
  })
})
