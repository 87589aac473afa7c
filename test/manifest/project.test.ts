import { describe, expect, test } from 'vitest'
import { parse } from 'yaml'
import { readManifests } from '../../src/manifest/manifest.js'
import { projectNamedIn } from '../../src/manifest/project.js'
import { standIns } from '../../src/manifest/stand-ins.js'
import { read, summaries } from './reading.js'

const services = (text: string) => {
  const { manifests, diagnostics } = read(text)
  expect(diagnostics).toEqual([])
  return Object.fromEntries(manifests.map((one) => [one.manifest.name, one]))
}

const shop = `# the shop
name: default
defaults:
  # for all
  environment: [LOG_LEVEL=info, REGION=eu]
  restart: on-failure
  stop: {timeout: 30}
  ports: [80]
tags:
  owner: shop
services:
  web:
    # the front
    image: nginx
    environment:
      LOG_LEVEL: debug
    stop:
      - preservestopped: always
    ports: [8080]
    labels: [tier=front]
  db:
    image: postgres
    restart: always
    tags: {owner: data}
`

describe('defaults of a project', () => {
  const { web, db } = services(shop)

  test('merge with the maps of a service, which wins', () => {
    expect(web?.manifest).toMatchObject({
      environment: { LOG_LEVEL: 'debug', REGION: 'eu' },
      stop: { timeout: 30, preservestopped: 'always' },
      restart: { policy: 'on-failure' },
    })
  })

  test('give way to the lists and scalars of a service', () => {
    expect(web?.manifest.ports).toMatchObject([{ container: 8080 }])
    expect(db?.manifest.ports).toMatchObject([{ container: 80 }])
    expect(db?.manifest.restart).toEqual({ policy: 'always' })
  })

  test('hold for a key that has nothing behind it, and not for one with an empty list', () => {
    const defaults = 'defaults: {image: x, ports: [80]}\nservices:\n'
    expect(services(`${defaults}  a:\n    ports:\n`)['a']?.manifest.ports).toHaveLength(1)
    expect(services(`${defaults}  a:\n    ports: []\n`)['a']?.manifest.ports).toEqual([])
    expect(services(`${defaults}  a:\n`)['a']?.manifest).toMatchObject({ image: 'x', name: 'a' })
  })

  test('leave an empty variable empty', () => {
    const text = 'defaults: {image: x, environment: {DEBUG: all}}\nservices: {a: {environment: {DEBUG: }}}'
    expect(services(text)['a']?.manifest.environment).toEqual({ DEBUG: '' })
  })

  test('merge under the other name of a key', () => {
    const text = 'defaults: {image: x, labels: [a=1, b=1]}\ntags: {b: 2, c: 2}\nservices: {a: {tags: {a: 3}}}'
    expect(services(text)['a']?.manifest.labels).toEqual({ a: '3', b: '1', c: '2' })
  })

  test('merge with groups of later drafts, and checks by name', () => {
    const text = `defaults: {resources: {memory: 256M}, healthchecks: {up: {type: tcp, port: 80}, in: {type: tcp, port: 81}}}
services:
  web: {image: nginx, memory: 1G, healthchecks: {in: {type: tcp, port: 82}}}
  db: {image: postgres}`
    const { web, db } = services(text)
    expect(web?.manifest.memory).toBe(1024)
    expect(db?.manifest.memory).toBe(256)
    const ports = (one: typeof web) =>
      one?.manifest.healthchecks?.map((check) => (check.type === 'tcp' ? check.port : null))
    expect(ports(web)).toEqual([82, 80])
    expect(ports(db)).toEqual([80, 81])
  })

  test('merge triggers by name', () => {
    const text = `defaults:
  image: x
  triggers: {a: {url: true, action: start}}
services:
  s: {triggers: {a: {action: stop}, b: {url: true, action: start}}}
`
    expect(services(text)['s']?.manifest.triggers).toMatchObject([
      { name: 'a', action: 'stop', url: true },
      { name: 'b', action: 'start' },
    ])
  })

  test('have their problems told once, at their own place', () => {
    expect(summaries('defaults: {memory: lots}\nservices: {a: {image: x}, b: {image: x}}')).toEqual([
      'manifest/bad-value 1:20 lots',
    ])
    expect(summaries('defaults: {imge: y}\nservices: {a: {image: x}, b: {image: x}}')).toEqual([
      'manifest/unknown-key 1:12 imge',
    ])
    expect(summaries('defaults: [x]\nservices: {a: {image: x}}')).toEqual(['manifest/bad-value 1:11 [x]'])
  })
})

describe('labels of a project', () => {
  test('stand on all services, under their own', () => {
    const { web, db } = services(shop)
    expect(web?.manifest.labels).toEqual({ tier: 'front', owner: 'shop' })
    expect(db?.manifest.labels).toEqual({ owner: 'data' })
  })

  test('can be written as key=value, and as labels', () => {
    expect(services('labels: [a=b]\nservices: {s: {image: x}}')['s']?.manifest.labels).toEqual({ a: 'b' })
  })
})

describe('what is kept of a service', () => {
  test('is its own lines with those that it shares, byte for byte', () => {
    const { web, db } = services(shop)
    expect(db?.text).toBe(`defaults:
  # for all
  environment: [LOG_LEVEL=info, REGION=eu]
  restart: on-failure
  stop: {timeout: 30}
  ports: [80]
tags:
  owner: shop
services:
  db:
    image: postgres
    restart: always
    tags: {owner: data}
`)
    expect(web?.text).toContain('# the front')
    expect(web?.text).not.toContain('postgres')
  })

  test.each([
    ['in block style', shop],
    ['in braces', JSON.stringify(parse(shop))],
    ['with aliases', shop.replace('[80]', '&p [80]').replace('[8080]', '*p')],
    ['without a last line break', shop.trimEnd()],
    ['with carriage returns', shop.replaceAll('\n', '\r\n')],
    ['as documents', `---\n${shop}---\nname: other\nimage: x\n`],
    [
      'with a service that says nothing',
      shop.replace('ports: [80]', 'image: x').replace('  db:\n', '  none:\n  db:\n'),
    ],
  ])('%s reads back as the same service', (_, text) => {
    const { manifests, diagnostics } = read(text)
    expect(diagnostics).toEqual([])
    for (const { text: own, manifest } of manifests) {
      const again = readManifests([{ file: 'x', text: own, name: manifest.name }], standIns)
      expect(again.diagnostics).toEqual([])
      expect(again.manifests.map((one) => one.manifest)).toEqual([manifest])
    }
  })

  test('changes with the defaults, and not with other services', () => {
    const before = services(shop)
    const otherDefault = services(shop.replace('REGION=eu', 'REGION=us'))
    const otherTag = services(shop.replace('owner: shop', 'owner: shop2'))
    const otherService = services(shop.replace('postgres', 'mysql'))
    expect(otherDefault['db']?.text).not.toBe(before['db']?.text)
    expect(otherTag['web']?.text).not.toBe(before['web']?.text)
    expect(otherService['web']?.text).toBe(before['web']?.text)
    expect(otherService['db']?.text).not.toBe(before['db']?.text)
  })

  test('changes with the defaults where the project is JSON too', () => {
    const json = (level: string) =>
      JSON.stringify({ defaults: { environment: { L: level } }, services: { a: { image: 'x' } } })
    expect(services(json('1'))['a']?.text).not.toBe(services(json('2'))['a']?.text)
  })

  test('of a project that shares nothing is the lines of the service alone', () => {
    const text = 'services:\n  a:\n    image: x # one\n  b:\n    image: y\n'
    expect(services(text)['a']?.text).toBe('    image: x # one\n')
  })
})

describe('the name of a project manifest', () => {
  test('must be the project that it is read for', () => {
    const text = 'name: shop\nservices: {a: {image: x}, b: {image: x}}'
    expect(read(text).diagnostics).toMatchObject([
      { code: 'manifest/wrong-project', line: 1, hint: 'add --project shop, or leave name out' },
    ])
    const inShop = (name: string) => ({ ...standIns(name), project: { name: 'shop' } })
    expect(readManifests([{ file: 'a.yml', text }], inShop).diagnostics).toEqual([])
  })
})

test('several files and documents are one change, each problem under its file', () => {
  const sources = [
    { file: 'shop/web.yml', text: 'image: nginx\n---\nname: cache\nimage: redis\nmemroy: 5' },
    { file: 'shop/all.yml', text: 'services:\n  web: {image: x}\n  db: {imge: y}' },
  ]
  const { diagnostics } = readManifests(sources, standIns)
  expect(diagnostics.map(({ file, line, code }) => `${file}:${line} ${code}`)).toEqual([
    'shop/web.yml:5 manifest/unknown-key',
    'shop/all.yml:2 manifest/duplicate-service',
    'shop/all.yml:3 manifest/missing',
    'shop/all.yml:3 manifest/unknown-key',
  ])
})

test('a project manifest says which project it is for', () => {
  const named = (text: string) => projectNamedIn({ file: 'x.yml', text })
  expect(named('name: shop\nservices: {a: {image: x}}\n')).toBe('shop')
  expect(named('services: {a: {image: x}}\n---\n{"name": "shop", "services": {}}\n')).toBe('shop')
  for (const text of [
    'name: web\nimage: x\n',
    'services: {a: {image: x}}\n',
    'name:\nservices: {}\n',
    '{',
    '',
  ])
    expect(named(text)).toBeNull()
})
