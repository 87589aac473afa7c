import { describe, expect, test } from 'vitest'
import { decideDeploy } from '../../src/changes/deploy.js'
import { putOf } from '../../src/store/records.js'
import { defaultSettings } from '../manifest/default-settings.js'
import { project, World } from '../world/world.js'

const deploy = (text: string, settings = defaultSettings) => {
  const world = new World()
  world.machine('a', { drivers: ['docker', 'process'] })
  const request = { sources: [{ file: 'shop.yml', text }] }
  return decideDeploy(world.view, settings, project, request, 1_000)
}

describe('a deploy', () => {
  test('is refused whole where one of its services asks for what nothing carries out yet', () => {
    const refused = deploy(`services:
  web:
    image: nginx
  old:
    compute_type: kvm
    image: ubuntu
  older:
    compute_type: lx
    image: base-64
`)
    expect(refused).toMatchObject({ status: 422, code: 'manifest/invalid' })
    expect('details' in refused ? refused.details : []).toMatchObject([
      { code: 'compile/not-supported-yet', severity: 'error', file: 'shop.yml', line: 5, column: 19 },
      { code: 'compile/not-supported-yet', severity: 'error', file: 'shop.yml', line: 8, column: 19 },
    ])
  })

  test('is refused where a check asks on a network for a port of the container that is not published', () => {
    const text = `name: web
image: nginx
ports: [8080, 443/udp]
containerpilot: {network: fabric-1}
healthchecks:
  - {type: http, port: 8080, network: fabric-1}
  - {type: http}
  - {type: https, network: fabric-1}
`
    const refused = deploy(text)
    expect('details' in refused ? refused.details : []).toMatchObject([
      { code: 'compile/port-not-published', line: 8, hint: 'add 443 to ports' },
      { code: 'compile/port-not-published', line: 4, hint: 'add 9090 to ports' },
    ])
    const program = 'compute_type: process\ncommand: web\n'
    expect(deploy(text.replace('image: nginx\n', program))).toHaveProperty('ops')
  })

  test('takes what is carried out, and reserves what the package says', () => {
    const taken = deploy('name: web\nimage: nginx\npackage: g4-highcpu-512M\nautoscale: {enable: false}\n')
    if (!('ops' in taken)) throw new Error(taken.message)
    const texts = taken.ops.map((op) => JSON.stringify(op))
    expect(texts.find((text) => text.includes('Memory=512'))).toContain('Cpu=50')
  })

  test("takes the packages of the daemon's own list, and no others", () => {
    const own = { uuid: 'e9f5b4a0-1111-5222-8333-444455556666', name: 'own-1G', family: 'own', ram: 1024 }
    const settings = { ...defaultSettings, packages: [{ ...own, disk: 1024, cpu: 70 }] }
    const taken = deploy('name: web\nimage: nginx\npackage: own\n', settings)
    if (!('ops' in taken)) throw new Error(taken.message)
    expect(JSON.stringify(taken.ops)).toContain('Cpu=70')
    const refused = deploy('name: web\nimage: nginx\npackage: own-1\n', settings)
    expect('details' in refused ? refused.details : []).toMatchObject([
      { code: 'manifest/unknown-package', line: 3, column: 10, hint: 'did you mean own-1G?' },
    ])
  })
})

test.each([
  ['name: web\nimage: nginx\n', ['is for the service web', 'not for api'], ['changes web', 'set its "name"']],
  [
    'services:\n  api: {image: nginx}\n  web: {image: nginx}\n',
    ['2 manifests', 'web, and not only for api'],
    ['changes all of them'],
  ],
])(
  'one for a service that its manifest does not name says which is which, and both ways on',
  (text, told, ways) => {
    const world = new World()
    world.machine('a', { drivers: ['docker'] })
    const request = {
      sources: [{ file: 'web.yml', text, name: 'api' }],
      service: 'api',
      only: 'existing',
    } as const
    const refused = decideDeploy(world.view, defaultSettings, project, request, 1_000)
    if (!('status' in refused)) throw new Error('it was not refused')
    expect(refused).toMatchObject({ status: 400, code: 'service/other-name' })
    for (const part of told) expect(refused.message).toContain(part)
    for (const part of ways) expect(refused.hint).toContain(part)
  },
)

test('what is kept running does not become what runs once, nor the other way round, and goes on', () => {
  const plain = 'name: web\ncompute_type: process\ncommand: [/bin/web]\n'
  const types = ['continuous', 'event', 'scheduled'] as const
  const of = (type: (typeof types)[number]): string =>
    `${plain}service_type: ${type}\n${type === 'scheduled' ? 'schedule: "* * * * *"\n' : ''}`
  for (const from of types) {
    for (const to of types) {
      const world = new World()
      world.machine('a')
      world.deploy(of(from))
      world.settle()
      const before = world.view.services.get('default/web')
      const problem = world.tryDeploy(of(to))
      if ((from === 'continuous') === (to === 'continuous')) expect(problem, `${from} to ${to}`).toBeNull()
      else {
        expect(problem, `${from} to ${to}`).toMatchObject({ status: 409, code: 'deploy/other-type' })
        expect(world.view.services.get('default/web')).toEqual(before)
      }
    }
  }
})

describe('a deploy while machines are down', () => {
  const down = (name: string, capacity: Parameters<World['machine']>[1] = {}) => {
    const world = new World()
    const machine = world.view.machines.get(world.machine(name, capacity))
    if (machine === undefined) throw new Error('no machine')
    world.apply([putOf('knownMachine', { ...machine, downSince: world.now })])
    world.loseMachine(machine.id)
    return world
  }

  test('waits where none is up, as all are down for a moment after the store was away', () => {
    const world = down('a', { drivers: ['process'], metadata: { 'network.fabric-1': '10.0.0.1' } })
    const text = 'compute_type: process\ncommand: web\nenvironment: {AT: "{{ .cns.svc.fabric-1 }}"}\n'
    expect(world.tryDeploy(text)).toBeNull()
    expect([...world.view.services.keys()]).toHaveLength(1)
  })

  test('is refused where one could never have taken it', () => {
    const world = down('a', { drivers: ['process'] })
    const refused = world.tryDeploy('image: nginx\n')
    expect(refused).toMatchObject({
      status: 422,
      details: [{ code: 'deploy/no-driver', message: expect.stringContaining('the machines offer process') }],
    })
  })

  test('is refused where those that are up cannot take it, with the way to wait for those that are not', () => {
    const world = down('a', { drivers: ['docker'] })
    world.machine('b', { drivers: ['process'] })
    const refused = world.tryDeploy('image: nginx\n')
    expect(refused).toMatchObject({ status: 409, code: 'deploy/no-machine' })
    expect(refused?.hint).toContain('--wait-for-room')
    expect(refused?.details?.map(({ message }) => message)).toEqual([
      'web: b has none of the drivers that the unit can run under (docker)',
      'web: a is down: it was not asked',
    ])
  })
})
