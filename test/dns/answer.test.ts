// Names of services and instances, and what they are answered with (docs/dns.md).
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { drawn } from '../../src/dns/draw.js'
import { NameIndex } from '../../src/dns/name-index.js'
import { nameBytes, recordBytes } from '../../src/dns/records.js'
import type { Instance } from '../../src/model/service.js'
import { putOf } from '../../src/store/records.js'
import { randomCases } from '../random-runs.js'
import { idOf } from '../world/world.js'
import { NamedWorld, privateName, publicName } from './asked.js'

const unchecked = 'compute_type: process\ncommand: [/bin/web]\nports: ["0:8080"]\nmemory: 16M\n'
const checked = `${unchecked}healthchecks: [{type: http, port: 8080, path: /}]\n`

function threeMachines(): NamedWorld {
  const world = new NamedWorld()
  world.machine('a', { outside: '10.0.0.1', metadata: { 'network.backbone': '192.168.7.1' } })
  world.machine('b', { outside: '10.0.0.2', metadata: { 'network.backbone': '192.168.7.2' } })
  world.machine('c', { outside: '2001:db8::c' })
  return world
}

function onMachine(world: NamedWorld, name: string): Instance {
  const found = world.live('web').find(({ unit }) => world.view.placements.get(unit)?.machine === idOf(name))
  if (found === undefined) throw new Error(`nothing of web is on ${name}`)
  return found
}

function hostPort(world: NamedWorld, { unit }: Instance): number {
  return world.view.placements.get(unit)?.ports[0]?.host ?? 0
}

test('a service is at the addresses of its instances, by family', () => {
  const world = threeMachines()
  world.deploy(checked, { scale: 3 })
  world.settle()
  for (const name of [privateName('web.svc'), publicName('web.svc')]) {
    expect(world.data(name)).toEqual(['10.0.0.1', '10.0.0.2'])
    expect(world.data(name, 'AAAA')).toEqual(['2001:db8::c'])
  }
  expect(world.data(`backbone.${privateName('web.svc')}`)).toEqual(['192.168.7.1', '192.168.7.2'])
  expect(world.code(`elsewhere.${privateName('web.svc')}`)).toBe('NODATA')
})

test('SRV has the port that answers, by instance, with the addresses beside it', () => {
  const world = threeMachines()
  world.deploy(checked, { scale: 3 })
  world.settle()
  const expected = world
    .live('web')
    .map((one) => `0 10 ${hostPort(world, one)} ${one.name}.inst.default.cns.mariposa.internal.`)
    .sort()
  expect(world.data(privateName('web.svc'), 'SRV')).toEqual(expected)
  expect(world.data(privateName('_8080._tcp.web.svc'), 'SRV')).toEqual(expected)
  expect(world.code(privateName('_8080._udp.web.svc'), 'SRV')).toBe('NODATA')
  const answer = world.ask(privateName('web.svc'), 'SRV')
  const targets = answer?.answers.map(({ data }) => (data as { target: string }).target)
  expect(answer?.additionals.map(({ name }) => name)).toEqual(targets)
})

test('a container is found at its own address on its machine, and at published ports elsewhere', () => {
  const world = threeMachines()
  world.deploy(checked, { scale: 2 })
  world.settle()
  const [here, there] = [onMachine(world, 'a'), onMachine(world, 'b')]
  world.observe(here, { address: '172.17.0.2' })
  world.observe(there, { address: '172.17.0.2' })
  expect(world.data(privateName('web.svc'))).toEqual(['10.0.0.2', '172.17.0.2'])
  expect(world.data(publicName('web.svc'))).toEqual(['10.0.0.1', '10.0.0.2'])
  expect(world.data(privateName('web.svc'), 'SRV')).toEqual(
    [
      `0 10 8080 ${privateName(`${here.name}.inst`)}.`,
      `0 10 ${hostPort(world, there)} ${privateName(`${there.name}.inst`)}.`,
    ].sort(),
  )
  expect(world.data('2.0.17.172.in-addr.arpa', 'PTR')).toEqual([`${privateName(`${here.name}.inst`)}.`])
  expect(world.code('3.0.17.172.in-addr.arpa', 'PTR')).toBe('forwarded')
})

test('an instance is found by its name and its uuid, whether it is listed or not', () => {
  const world = threeMachines()
  world.deploy(checked)
  world.settle()
  const [web] = world.live('web')
  world.observe(web as Instance, { health: 'unhealthy' })
  for (const label of ['web-1', web?.uuid]) {
    expect(world.data(privateName(`${label}.inst`))).toHaveLength(1)
    expect(world.data(privateName(`${label}.inst`), 'TXT')).toEqual([`"${web?.uuid}"`])
  }
  expect(world.code(privateName('web.svc'))).toBe('NODATA')
  expect(world.data(privateName('web.svc'), 'TXT')).toEqual([`"verifying:${web?.uuid}"`])
})

test('what is not healthy, retired, or on a lost machine leaves the answers at once', () => {
  const world = threeMachines()
  world.deploy(checked, { scale: 2 })
  world.settle()
  expect(world.data(privateName('web.svc'))).toEqual(['10.0.0.1', '10.0.0.2'])
  const sick = onMachine(world, 'a')
  world.observe(sick, { health: 'unhealthy' })
  expect(world.data(privateName('web.svc'))).toEqual(['10.0.0.2'])
  world.observe(sick, { health: 'healthy' })
  expect(world.data(privateName('web.svc'))).toEqual(['10.0.0.1', '10.0.0.2'])
  world.loseMachine(idOf('b'))
  expect(world.data(privateName('web.svc'))).toEqual(['10.0.0.1'])
  const retired = { cause: 'stopped', at: world.now, kept: false } as const
  world.apply([putOf('instance', { ...sick, retired })])
  expect(world.code(privateName('web.svc'))).toBe('NODATA')
})

test('a clock that is set back takes nothing out that is listed, checked or not', () => {
  for (const text of [unchecked, checked]) {
    const world = threeMachines()
    world.deploy(text, { scale: 3 })
    world.settle()
    expect(world.data(privateName('web.svc'))).toEqual(['10.0.0.1', '10.0.0.2'])
    world.now -= 3_600_000
    expect(world.data(privateName('web.svc'))).toEqual(['10.0.0.1', '10.0.0.2'])
  }
})

test('where nothing is checked, running for a second counts', () => {
  const world = threeMachines()
  world.deploy(unchecked)
  world.settle()
  const [web] = world.live('web')
  world.observe(web as Instance, { since: world.now, health: 'unknown' })
  expect(world.code(privateName('web.svc'))).toBe('NODATA')
  world.now += 999
  expect(world.code(privateName('web.svc'))).toBe('NODATA')
  world.now += 1
  expect(world.data(privateName('web.svc'))).toHaveLength(1)
  world.observe(web as Instance, { since: world.now + 3_600_000, restarts: 1 })
  world.now += 1000
  expect(world.data(privateName('web.svc'))).toEqual([])
  world.now += 1000
  expect(world.data(privateName('web.svc')), 'the clock of its machine is ahead').toHaveLength(1)
})

test('what runs stays listed whatever changes, though the clock of its machine is ahead', () => {
  const world = threeMachines()
  world.deploy(unchecked)
  world.settle()
  const [web] = world.live('web')
  world.observe(web as Instance, { since: world.now + 3_600_000, health: 'unknown' })
  const listed = () => world.data(privateName('web.svc'))
  expect(listed()).toEqual([])
  world.now += 1000
  expect(listed()).toHaveLength(1)
  world.observe(web as Instance, { notice: 'telemetry does not answer' })
  expect(listed(), 'its report is written anew').toHaveLength(1)
  world.observe(web as Instance, { unknownSince: world.now })
  expect(listed(), 'nobody else answers').toHaveLength(1)
  const report = world.view.reportOf((web as Instance).unit)
  if (report === null) throw new Error('it is reported')
  const { unknownSince: _, ...seen } = report
  world.apply([putOf('report', seen)])
  expect(listed(), 'its driver answers again').toHaveLength(1)
})

test('what is paused for a backup is listed only where no other is', () => {
  const world = new NamedWorld()
  for (const [index, letter] of ['a', 'b'].entries()) world.machine(letter, { outside: `10.0.0.${index}` })
  world.deploy('compute_type: process\ncommand: [/bin/web]\nports: [8080]\n', { scale: 2 })
  world.settle()
  const web = privateName('web.svc')
  const [one, two] = world.live('web')
  if (one === undefined || two === undefined) throw new Error('there are to be two')
  world.observe(one, { sub: 'paused-for-backup' })
  expect(world.data(web)).toHaveLength(1)
  world.observe(two, { sub: 'paused-for-backup' })
  expect(world.data(web)).toHaveLength(2)
  world.observe(two, { sub: 'running' })
  expect(world.data(web)).toHaveLength(1)
})

test('what is drained is listed only where no other is', () => {
  const world = threeMachines()
  world.deploy(checked, { scale: 2 })
  world.settle()
  const drain = { since: world.now, parallel: 1 }
  world.apply([putOf('order', { id: idOf('a'), cordoned: true, drain })])
  expect(world.data(privateName('web.svc'))).toEqual(['10.0.0.2'])
  world.observe(onMachine(world, 'b'), { health: 'unhealthy' })
  expect(world.data(privateName('web.svc'))).toEqual(['10.0.0.1'])
})

test('an operator takes a machine out by its metadata', () => {
  const world = threeMachines()
  world.deploy(checked, { scale: 2 })
  world.settle()
  const metadata = { 'triton.cns.status': 'down' }
  world.apply([putOf('order', { id: idOf('a'), cordoned: false, metadata })])
  expect(world.data(privateName('web.svc'))).toEqual(['10.0.0.2'])
})

test('labels add names with ports, priorities and weights, also to those of other services', () => {
  const world = threeMachines()
  const labels = (text: string): string => `${checked}labels: {triton.cns.services: "${text}"}\n`
  world.deploy(labels('entry:8080:priority=2:weight=30,web:weight=5'))
  const sources = [{ file: 'api.yml', text: labels('Entry'), name: 'api' }]
  world.deploy('', { sources })
  world.settle()
  const [web, api] = [world.live('web')[0] as Instance, world.live('api')[0] as Instance]
  expect(world.data(privateName('entry.svc'), 'SRV')).toEqual(
    [
      `2 30 ${hostPort(world, web)} ${privateName('web-1.inst')}.`,
      `0 10 ${hostPort(world, api)} ${privateName('api-1.inst')}.`,
    ].sort(),
  )
  expect(world.data(privateName('web.svc'), 'SRV')).toEqual([
    `0 5 ${hostPort(world, web)} ${privateName('web-1.inst')}.`,
  ])
})

test('a service that disables its names has none', () => {
  const world = threeMachines()
  world.deploy(`${checked}labels: {triton.cns.disable: "true"}\n`)
  world.settle()
  expect(world.code(privateName('web-1.inst'))).toBe('NXDOMAIN')
  expect(world.code(privateName('web.svc'))).toBe('NODATA')
})

test('answers may be remembered for as long as the manifest says', () => {
  const world = threeMachines()
  const ttls = (name: string, type: string): readonly number[] => [
    ...new Set(world.ask(privateName(name), type)?.answers.map(({ ttl }) => ttl)),
  ]
  world.deploy(checked)
  world.settle()
  expect(ttls('web.svc', 'A')).toEqual([5])
  world.deploy(`${checked}cns: {ttl: 30, services: "entry:8080"}\n`)
  world.settle()
  for (const type of ['A', 'SRV', 'TXT']) {
    expect(ttls('web.svc', type)).toEqual([30])
    expect(ttls('entry.svc', type)).toEqual([30])
  }
  expect(ttls(`${world.live('web')[0]?.name}.inst`, 'A')).toEqual([30])
})

test('challenges of a certificate authority come from the project and from labels', () => {
  const world = threeMachines()
  world.deploy(`${checked}labels: {triton.cns.acme-challenge: "abc def"}\n`)
  world.meta('triton.cns.acme-challenge', 'ghi')
  world.settle()
  expect(world.data(publicName('_acme-challenge.web.svc'), 'TXT')).toEqual(['"abc"', '"def"', '"ghi"'])
  expect(world.data(publicName('_acme-challenge.web-1.inst'), 'TXT')).toEqual(['"abc"', '"def"'])
})

test('an address is called as a label says', () => {
  const world = threeMachines()
  world.deploy(`${checked}labels: {triton.cns.reverse_ptr: www.shop.example}\n`)
  world.settle()
  const [address = ''] = [...world.data(publicName('web.svc')), ...world.data(publicName('web.svc'), 'AAAA')]
  const reverse = address.includes(':')
    ? 'c.0.0.0.0.0.0.0.0.0.0.0.0.0.0.0.0.0.0.0.0.0.0.0.8.b.d.0.1.0.0.2.ip6.arpa'
    : `${address.split('.').reverse().join('.')}.in-addr.arpa`
  expect(world.data(reverse, 'PTR')).toEqual(['www.shop.example.'])
})

test('nearest asks for those on the same machine, and for all where there are none', () => {
  const world = threeMachines()
  world.deploy(checked, { scale: 2 })
  world.settle()
  expect(world.data(privateName('nearest.web.svc'))).toEqual(['10.0.0.1'])
  world.observe(onMachine(world, 'a'), { health: 'unhealthy' })
  expect(world.data(privateName('nearest.web.svc'))).toEqual(['10.0.0.2'])
})

test('a name that is there without such records is told from one that is not', () => {
  const world = threeMachines()
  world.deploy(checked)
  world.settle()
  for (const name of ['web.svc', 'svc', '_tcp.web.svc', 'web-1.inst'].map(privateName))
    expect(world.code(name, 'MX'), name).toBe('NODATA')
  expect(world.code('default.cns.mariposa.internal')).toBe('NODATA')
  const missing = [
    'wbe.svc',
    'web-2.inst',
    '_http._tcp.web.svc',
    'a.b.web.svc',
    'web.srv',
    '_80._tcp.web-1.inst',
  ]
  for (const name of missing.map(privateName)) expect(world.code(name), name).toBe('NXDOMAIN')
  expect(world.code('web.svc.shop.mariposa.internal')).toBe('NXDOMAIN')
  for (const name of ['web', 'example.org', 'internal', 'amariposa.internal', '.'])
    expect(world.code(name), name).toBe('forwarded')
  const [soa] = world.ask(privateName('wbe.svc'))?.authorities ?? []
  expect(soa).toMatchObject({ type: 'SOA', name: 'cns.mariposa.internal', ttl: 1, data: { minimum: 1 } })
})

test('each zone says who answers for it', () => {
  const world = threeMachines()
  for (const zone of ['mariposa.internal', 'cns.mariposa.internal']) {
    expect(world.data(zone, 'NS')).toEqual([`ns.${zone}.`])
    expect(world.data(zone, 'SOA')).toHaveLength(1)
    expect(world.data(`ns.${zone}`)).toEqual(['10.0.0.1'])
  }
})

test('names are found in any case, and answered as they were asked', () => {
  const world = threeMachines()
  world.deploy(checked)
  world.settle()
  const name = 'WeB.sVc.DeFaUlT.cNs.MaRiPoSa.InTeRnAl'
  const { answers = [] } = world.ask(name, 'ANY') ?? {}
  expect(answers.map((one) => one.name)).toEqual([name])
})

test('answers are as many as fit, in random order, and say so when there are more', () => {
  const world = new NamedWorld()
  for (let n = 1; n <= 60; n++) world.machine(`m${n}`, { outside: `10.0.0.${n}`, memoryMb: 16, cpus: 1 })
  world.deploy(checked, { scale: 60 })
  world.settle()
  const all = world.serving('web').length
  expect(all).toBeGreaterThan(40)
  const name = privateName('web.svc')
  fc.assert(
    fc.property(
      fc.integer({ min: 512, max: 8192 }),
      fc.constantFrom('A', 'SRV', 'TXT', 'ANY'),
      fc.infiniteStream(fc.double({ min: 0, max: 1, maxExcluded: true, noNaN: true })),
      (limit, type, numbers) => {
        const random = (): number => numbers.next().value as number
        const answer = world.ask(name, type, { limit, random })
        const { answers = [], additionals = [], truncated } = answer ?? {}
        const bytes = [...answers, ...additionals].reduce((sum, one) => sum + recordBytes(one), 0)
        const used = 12 + nameBytes(name) + 4 + 11 + bytes
        expect(used).toBeLessThanOrEqual(limit)
        expect(truncated).toBe(answers.length < (type === 'TXT' ? world.live('web').length : all))
        if (truncated) expect(used + 110).toBeGreaterThan(limit)
        expect(new Set(answers.map(({ data }) => JSON.stringify(data))).size).toBe(answers.length)
      },
    ),
  )
})

test('a list is drawn in each of its orders', () => {
  const orders = new Map<string, number>()
  for (const a of [0, 0.4, 0.7]) {
    for (const b of [0, 0.5]) {
      const numbers = [a, b, 0]
      const order = [...drawn(['x', 'y', 'z'], () => numbers.shift() ?? 0)].join('')
      orders.set(order, (orders.get(order) ?? 0) + 1)
    }
  }
  expect([...orders].sort()).toEqual(['xyz', 'xzy', 'yxz', 'yzx', 'zxy', 'zyx'].map((one) => [one, 1]))
})

test('names that follow each change are those that are made from scratch', () => {
  const steps = fc.array(
    fc.tuple(fc.constantFrom('scale', 'sick', 'well', 'lose', 'back', 'drain', 'ask', 'redeploy'), fc.nat(2)),
    { maxLength: 25 },
  )
  fc.assert(
    fc.property(steps, (list) => {
      const world = threeMachines()
      world.deploy(checked, { scale: 3 })
      world.settle(undefined, 12)
      for (const [step, n] of list) {
        const machine = ['a', 'b', 'c'][n] as string
        const instance = world.live('web')[n]
        if (step === 'scale') world.tryScale('web', n + 1)
        if (step === 'sick' && instance !== undefined) world.observe(instance, { health: 'unhealthy' })
        if (step === 'well' && instance !== undefined) world.observe(instance, { health: 'healthy' })
        if (step === 'lose') world.loseMachine(idOf(machine))
        if (step === 'back') world.machine(machine, { outside: `10.0.1.${n}` })
        if (step === 'drain')
          world.apply([
            putOf('order', { id: idOf(machine), cordoned: true, drain: { since: 0, parallel: 1 } }),
          ])
        if (step === 'redeploy')
          world.tryDeploy(`${checked}labels: {triton.cns.services: "entry${n}"}\n`, { scale: n + 1 })
        if (step === 'ask') world.names.refresh(world.now)
        world.settle(undefined, 3)
      }
      const fresh = new NamedWorld()
      const anew = new NameIndex(world.view, world.units, idOf('a'))
      Object.assign(fresh, { names: anew, now: world.now })
      world.now += 2000
      fresh.now += 2000
      const names = ['web.svc', 'entry0.svc', 'entry1.svc', 'entry2.svc', 'nearest.web.svc']
      for (const name of names.map(privateName)) {
        for (const type of ['A', 'AAAA', 'SRV', 'TXT']) {
          expect([name, type, world.code(name, type), world.data(name, type)]).toEqual([
            name,
            type,
            fresh.code(name, type),
            fresh.data(name, type),
          ])
        }
      }
    }),
    { numRuns: randomCases(60) },
  )
})

test('a name on a network that no machine is on is refused before it is deployed', () => {
  const world = threeMachines()
  const on = (network: string) =>
    world.tryDeploy(`${checked}environment: {PEER: "{{ .cns.svc.${network} }}"}\n`)
  expect(on('backbnoe')).toMatchObject({
    code: 'manifest/invalid',
    details: [{ code: 'template/unknown-network', hint: 'did you mean cns.svc.backbone?' }],
  })
  for (const network of ['backbone', 'public']) expect(on(network)).toBeNull()
})
