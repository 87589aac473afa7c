// What is told of a project to those who make files from it.
import { expect, test } from 'vitest'
import { projectDiscovery } from '../../src/api/project-discovery.js'
import type { DiscoveryBody } from '../../src/contract/contract.js'
import { defaultCnsSuffixes } from '../../src/manifest/cns.js'
import { NamedWorld } from '../dns/asked.js'

const told = (world: NamedWorld, project = 'default'): DiscoveryBody =>
  projectDiscovery(
    {
      view: world.view,
      names: world.names,
      units: world.units,
      now: world.now,
      suffixes: defaultCnsSuffixes,
    },
    project,
  )

const program = (more = ''): string =>
  `compute_type: process\ncommand: [/bin/web]\nports: [8080, 9090, "53/udp"]\nmemory: 16M\n${more}`

function twoMachines(): NamedWorld {
  const world = new NamedWorld()
  world.machine('a', { outside: '10.0.0.1' })
  world.machine('b', { outside: '2001:db8::b' })
  return world
}

test('services are told with their instances, where they are reached, and the ports that answer', () => {
  const world = twoMachines()
  world.deploy(program('labels: {zone: west}\n'), { scale: 2 })
  world.settle()
  const { services, machines } = told(world)
  expect(machines.map(({ hostname, address }) => ({ hostname, address }))).toEqual([
    expect.objectContaining({ address: '10.0.0.1' }),
    expect.objectContaining({ address: '2001:db8::b' }),
  ])
  const [web] = services
  expect(web).toMatchObject({ name: 'web', address: 'web.svc.default.cns.mariposa.internal' })
  expect(web?.instances).toHaveLength(2)
  expect(web?.instances.map(({ address }) => address)).toEqual(['10.0.0.1', '2001:db8::b'])
  for (const instance of web?.instances ?? [])
    expect(instance).toMatchObject({
      listed: true,
      reason: '',
      version: 1,
      port: 8080,
      ports: { '8080': 8080, '9090': 9090, '53/udp': 53 },
      labels: { zone: 'west' },
    })
})

test('an instance that is to stop or is unhealthy stays, and is not listed', () => {
  const world = twoMachines()
  world.deploy(program('healthchecks: [{type: http, port: 8080, path: /}]\n'), { scale: 2 })
  world.settle()
  const [first] = world.live('web')
  if (first === undefined) throw new Error('web has no instance')
  world.observe(first, { health: 'unhealthy', healthReason: 'HTTP 500' })
  const [web] = told(world).services
  expect(web?.instances.map(({ listed, reason }) => [listed, reason !== ''])).toEqual([
    [false, true],
    [true, false],
  ])
})

test('of another project nothing is told', () => {
  const world = twoMachines()
  world.deploy(program())
  world.settle()
  expect(told(world, 'other')).toMatchObject({ services: [], meta: {} })
})
