// What an editor is told by the published schemas, beside what the readers say.
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { Ajv2020 } from 'ajv/dist/2020.js'
import { describe, expect, test } from 'vitest'
import { parseAllDocuments } from 'yaml'
import { parseConfigFile } from '../../src/main/config-file.js'
import { defaultPackages } from '../../src/manifest/default-packages.js'
import { parsePackageList } from '../../src/manifest/package-list.js'
import { publishedSchemas } from '../../src/manifest/published-schema.js'
import { read } from './reading.js'

const ajv = new Ajv2020({ strict: true, strictTypes: false, strictRequired: false, allErrors: true })
const service = ajv.compile(publishedSchemas.service())
const project = ajv.compile(publishedSchemas.project())
const packages = ajv.compile(publishedSchemas.packages())
const config = ajv.compile(publishedSchemas.config())

function filesIn(directory: string): string[] {
  return readdirSync(directory, { recursive: true, encoding: 'utf8' })
    .filter((name) => /\.(ya?ml|json)$/.test(name))
    .map((name) => join(directory, name))
}

const manifests = [...filesIn('examples'), ...filesIn('test/compile/golden')].filter(
  (file) => !/package|config|compose/.test(file),
)

describe('every manifest on record', () => {
  test.each(manifests)('%s is accepted', (file) => {
    for (const document of parseAllDocuments(readFileSync(file, 'utf8'), { merge: true })) {
      const data: unknown = document.toJS()
      const check = typeof data === 'object' && data !== null && 'services' in data ? project : service
      expect(check(data), JSON.stringify(check.errors)).toBe(true)
    }
  })
})

describe('the schema of a service', () => {
  test.each([
    { compute_type: 'hvm', image: 'base-64' },
    { compute_type: 'manta', command: 'wc -l', memory: '1G' },
    { image: 'x', package: 'g4', affinity: 'role!=db', spread: 'rack', dns: '8.8.8.8', dns_search: ['a.b'] },
    {
      image: 'x',
      affinity: ['role!=db', { rule: 'a1==b', by: 'rack' }, { key: 'a1', operator: '==', value: 'b' }],
    },
    {
      image: 'x',
      containerpilot: [{ network: 'n' }, 'port'],
      autoscale: [{ enable: 'notify-only' }, { max: 3 }],
    },
    {
      image: 'x',
      triggers: {
        a: { metric: 'containerpilot.x', operator: '<', value: '.8', time: '5 minutes', action: 'incr' },
        b: { secret: 'abcdefgh', action: 'scale', scale: 3 },
      },
    },
    { image: 'x', triggers: [{ a: { url: true, action: 'start' } }, { b: { url: true, action: 'stop' } }] },
    { image: 'x', triggers: [{ name: 'a', url: true, action: 'start' }] },
    { image: 'x', webhooks: { url: 'https://a', events: 'start', headers: ['A=b'] } },
    { image: 'x', webhooks: [{ url: 'https://a', secret: '{{ .meta.hook }}' }] },
    { image: 'x', description: 'what it is for', containerpilot: true, placement: ['role!=db'] },
    { image: 'x', resources: { package: 'g4' }, placement: { affinity: 'role!=db', spread: 'rack' } },
    { image: 'x', restart: { condition: 'any' }, healthchecks: { up: { type: 'tcp', port: 80 } } },
    {
      image: 'x',
      triggers: {
        a: { metric: 'containerpilot.x', operator: '<', value: 1, sustain: '5m', action: 'incr' },
      },
    },
    { image: 'x', service_type: 'scheduled', schedule: 'R//P1D' },
    { image: 'x', service_type: 'scheduled', schedule: { cron: '@daily', epsilon: '5m', overlap: 'allow' } },
    {
      image: 'x',
      healthchecks: { type: 'http', network: 'n', port: '{{ .scale }}', retries: '{{ .scale }}' },
    },
    { image: 'x', ports: ['{{ .scale }}000:80'], memory: '{{ .scale }}00', restart: 'on-failure:3' },
  ])('accepts %j, as the reader does', (manifest) => {
    expect(service(manifest), JSON.stringify(service.errors)).toBe(true)
    const errors = read(JSON.stringify(manifest)).diagnostics.filter(({ severity }) => severity === 'error')
    expect(errors.filter(({ code }) => !code.startsWith('template/'))).toEqual([])
  })

  test.each([
    { compute_type: 'kvm' },
    { compute_type: 'manta' },
    { compute_type: 'manta', command: 'x', image: 'y' },
    { compute_type: 'lx', image: 'x', entrypoint: 'y' },
    { compute_type: 'podman', image: 'x' },
    { image: 'x', affinity: [{ rule: 'a1==b', near: 'rack' }] },
    { image: 'x', affinity: [{ key: 'a1', operator: '=', value: 'b' }] },
    { image: 'x', package: 'a b' },
    { image: 'x', spread: 'a b' },
    { image: 'x', dns_search: ['a..b'] },
    { image: 'x', containerpilot: { port: 0 } },
    { image: 'x', containerpilot: ['prot'] },
    { image: 'x', autoscale: { enable: 'maybe' } },
    { image: 'x', autoscale: { mix: 3 } },
    {
      image: 'x',
      triggers: [{ name: 'a', source: 'cpu', operator: '<', value: 1, time: 1, action: 'incr' }],
    },
    { image: 'x', triggers: [{ name: 'a', secret: 'abcdefgh', action: 'increment' }] },
    { image: 'x', webhooks: { events: 'start' } },
    { image: 'x', webhooks: { url: 'mailto:a@b' } },
    { image: 'x', webhooks: { url: 'https://a', events: ['restart'] } },
    { image: 'x', service_type: 'scheduled' },
    { image: 'x', schedule: 'R//P1D' },
    { image: 'x', service_type: 'scheduled', schedule: { cron: '@daily', overlap: 'queue' } },
    { image: 'x', healthchecks: [{ type: 'udp' }] },
    { image: 'x', healthchecks: [{ type: 'http', network: '' }] },
    { image: 'x', stop: { timeout: -1, preserve: 'no' } },
    { image: 'x', ports: [0] },
    { image: 'x', memory: 1 },
    { image: 'x', name: 'Web' },
  ])('marks %j, and the reader refuses it', (manifest) => {
    expect(service(manifest)).toBe(false)
    expect(read(JSON.stringify(manifest)).manifests).toEqual([])
  })

  test('says of every key what it is', () => {
    const { properties } = publishedSchemas.service() as {
      properties: Record<string, { description?: string }>
    }
    for (const [key, { description }] of Object.entries(properties)) expect(description, key).toMatch(/\S/)
  })
})

describe('the schema of a project', () => {
  test.each([
    { services: { a: { image: 'x' } } },
    {
      name: 'shop',
      tags: ['a=b'],
      defaults: { image: 'x' },
      services: { a: {}, b: { ports: [80] }, c: null },
    },
  ])('accepts %j', (manifest) => {
    expect(project(manifest), JSON.stringify(project.errors)).toBe(true)
  })

  test.each([
    { services: {} },
    { services: { a: {} } },
    { services: { a: { imge: 'x' } } },
    { defaults: { name: 'b' }, services: { a: { image: 'x' } } },
    { defaults: { imge: 'b' }, services: { a: { image: 'x' } } },
    { service: {}, services: { a: { image: 'x' } } },
  ])('marks %j, and the reader refuses it', (manifest) => {
    expect(project(manifest)).toBe(false)
    expect(read(JSON.stringify(manifest)).diagnostics).not.toEqual([])
  })
})

describe('the schema of a package list', () => {
  const one = { name: 'a', ram: '1G', disk: 1024, cpu: 100 }
  test.each([
    [{ packages: [one] }],
    [[one]],
    [{ packages: { a: { ram: 1, disk: 1, cpu: 1 } } }],
    [defaultPackages],
  ])('accepts %j', (list) => {
    expect(packages(list), JSON.stringify(packages.errors)).toBe(true)
    expect(parsePackageList({ file: 'p', text: JSON.stringify(list) }).diagnostics).toEqual([])
  })

  test.each([
    [{ packages: [{ ...one, cpu: 0 }] }],
    [[{ name: 'a' }]],
    [{ packages: 5 }],
    [[{ ...one, vcpu: 1 }]],
  ])('marks %j, and the reader refuses it', (list) => {
    expect(packages(list)).toBe(false)
    expect(parsePackageList({ file: 'p', text: JSON.stringify(list) }).diagnostics).not.toEqual([])
  })
})

describe("the schema of the daemon's configuration", () => {
  test.each([{ 'data-dir': '/x', listen: ['tcp://127.0.0.1:1'], metadata: { a: 'b' }, 'no-agent': true }])(
    'accepts %j',
    (options) => {
      expect(config(options), JSON.stringify(config.errors)).toBe(true)
      expect(parseConfigFile('c.yml', JSON.stringify(options)).problems).toEqual([])
    },
  )

  test('knows the options that the daemon knows, and no other', () => {
    expect(config({ datadir: '/x' })).toBe(false)
    expect(parseConfigFile('c.yml', 'datadir: /x').problems).not.toEqual([])
    const { properties } = publishedSchemas.config() as { properties: object }
    for (const name of Object.keys(properties))
      expect(parseConfigFile('c.yml', `${name}: "true"`).problems, name).toEqual([])
  })
})
