// Files that are made from what runs.
import { expect, test } from 'vitest'
import { readTemplate } from '../../src/cli/discovery-template.js'
import type { DiscoveryBody } from '../../src/contract/contract.js'

type Instance = DiscoveryBody['services'][number]['instances'][number]

const instance = (name: string, more: Partial<Instance> = {}): Instance => ({
  name,
  uuid: `uuid-of-${name}`,
  listed: true,
  reason: '',
  version: 1,
  machine: 'm1',
  hostname: 'north',
  address: '10.0.0.1',
  port: 8080,
  ports: { '8080': 8080, '53/udp': 1053 },
  labels: { zone: 'a<b' },
  ...more,
})

const body: DiscoveryBody = {
  project: 'shop',
  services: [
    {
      name: 'web',
      uuid: 'u-web',
      address: 'web.svc.shop.cns.mariposa.internal',
      instances: [
        instance('web-1'),
        instance('web-2', { listed: false, reason: 'it is unhealthy' }),
        instance('web-3', { port: 31_000 }),
        instance('web-4', { address: null, port: null, ports: {} }),
      ],
    },
    { name: 'my-db', uuid: 'u-db', address: 'my-db.svc', instances: [] },
  ],
  machines: [{ id: 'm1', hostname: 'north', address: '10.0.0.1', metadata: { zone: 'a' } }],
  meta: { colour: '<blue>', 'two.parts': '2' },
}

const rendered = (template: string): string => readTemplate(template, 'x.hbs')(body)

test.each([
  [
    '{{#each services.web.instances}}server {{address}}:{{port}};\n{{/each}}',
    'server 10.0.0.1:8080;\nserver 10.0.0.1:31000;\n',
  ],
  ['{{#each services.web.others}}{{name}}: {{reason}} {{/each}}', 'web-2: it is unhealthy web-4:  '],
  ['{{#each services.my-db.instances}}x{{else}}none{{/each}}', 'none'],
  ['{{#each instances}}{{service}}/{{name}}{{#unless @last}},{{/unless}}{{/each}}', 'web/web-1,web/web-3'],
  [
    '{{#each services}}{{@key}}={{address}} {{/each}}',
    'web=web.svc.shop.cns.mariposa.internal my-db=my-db.svc ',
  ],
  ['{{project}} {{meta.colour}} {{lookup meta "two.parts"}}', 'shop <blue> 2'],
  [
    '{{#each services.web.instances}}{{lookup ports "53/udp"}} {{labels.zone}} {{/each}}',
    '1053 a<b 1053 a<b ',
  ],
  ['{{#if (lookup services "none")}}yes{{else}}no{{/if}}', 'no'],
  ['{{#each machines}}{{hostname}} {{metadata.zone}}{{/each}}', 'north a'],
])('%s', (template, text) => {
  expect(rendered(template)).toBe(text)
})

test.each([
  ['a\n{{meta.color}}', "line 2 uses 'color'"],
  ['{{services.none.address}}', "'address'"],
  ['{{#each services.wbe.instances}}x{{/each}}', "it uses 'instances'"],
  ['a\n\n{{#each services.wbe}}x{{/each}}', 'line 3 uses #each'],
  ['{{#with services.wbe}}x{{/with}}', 'line 1 uses #with'],
  ['{{constructor.name}}', "'name'"],
])('%s asks for what is not there, and is refused with its name', (template, why) => {
  expect(() => rendered(template)).toThrow(
    expect.objectContaining({ code: 'cli/template-fails', message: expect.stringContaining(why) as unknown }),
  )
})

test('what is no template is told with its line', () => {
  const text = 'a\n{{#each services}}\n'
  expect(() => readTemplate(text, 'x.hbs')).toThrow(
    expect.objectContaining({
      code: 'cli/bad-template',
      exitCode: 2,
      message: expect.stringContaining('line 3') as unknown,
    }),
  )
})
