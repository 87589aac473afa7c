// What Traefik is told of the services that run.
import { expect, test } from 'vitest'
import { traefikConfiguration } from '../../src/api/traefik.js'
import type { TraefikBody } from '../../src/contract/contract.js'
import { NamedWorld } from '../dns/asked.js'

function twoMachines(): NamedWorld {
  const world = new NamedWorld()
  world.machine('a', { outside: '10.0.0.1' })
  world.machine('b', { outside: '2001:db8::b' })
  return world
}

const told = (world: NamedWorld, project?: string): TraefikBody =>
  traefikConfiguration({ view: world.view, names: world.names, units: world.units, now: world.now }, project)

const urls = (world: NamedWorld): readonly string[] | undefined =>
  told(world).http?.services['default-web']?.loadBalancer.servers?.map(({ url }) => url)

const program = (labels: string): string =>
  `compute_type: process\ncommand: [/bin/web]\nports: [8080, 9090]\nmemory: 16M\n${labels}`

test('a service is told with the instances that are listed, at the ports that answer', () => {
  const world = twoMachines()
  world.deploy(program(''), { scale: 2 })
  world.settle()
  expect(told(world)).toEqual({
    http: {
      services: {
        'default-web': {
          loadBalancer: {
            servers: [{ url: 'http://10.0.0.1:8080' }, { url: 'http://[2001:db8::b]:8080' }],
            passHostHeader: true,
          },
        },
      },
    },
  })
  expect(told(world, 'other')).toEqual({})
})

test('labels say the rules, in any case, and the port', () => {
  const world = twoMachines()
  world.deploy(
    program(`labels:
  traefik.http.routers.shop.rule: Host(\`shop.example\`)
  traefik.http.routers.shop.entryPoints: web, websecure
  traefik.http.routers.shop.tls.certResolver: le
  traefik.http.routers.shop.priority: "5"
  traefik.http.routers.plain.rule: Path(\`/\`)
  traefik.http.routers.plain.tls: "true"
  traefik.http.routers.plain.service: shop
  traefik.http.routers.far.rule: Path(\`/far\`)
  traefik.http.routers.far.service: far@file
  traefik.http.routers.plain.middlewares: auth@file
  traefik.http.routers.none.entrypoints: web
  traefik.http.services.shop.loadbalancer.server.port: "9090"
  traefik.http.services.shop.loadbalancer.server.scheme: https
`),
  )
  world.settle()
  expect(told(world).http?.routers).toEqual({
    'default-shop': {
      rule: 'Host(`shop.example`)',
      service: 'default-web',
      entryPoints: ['web', 'websecure'],
      priority: 5,
      tls: { certResolver: 'le' },
    },
    'default-plain': { rule: 'Path(`/`)', service: 'default-web', middlewares: ['auth@file'], tls: {} },
    'default-far': { rule: 'Path(`/far`)', service: 'far@file' },
  })
  expect(urls(world)).toEqual([expect.stringMatching(/^https:\/\/.*:9090$/)])
})

test('an instance that is to stop, or is unhealthy, is told no more, and the service stays', () => {
  const world = twoMachines()
  world.deploy(program('healthchecks: [{type: http, port: 8080, path: /}]\n'), { scale: 2 })
  world.settle()
  world.scale('web', 1)
  world.servicePass()
  expect(urls(world)).toHaveLength(1)
  for (const instance of world.live('web')) world.observe(instance, { health: 'unhealthy' })
  expect(told(world).http?.services).toEqual({ 'default-web': { loadBalancer: { passHostHeader: true } } })
})

test.each(['labels: {traefik.enable: "false"}\n', 'cns: {disable: true}\n'])(
  'a service with %s is left out',
  (more) => {
    const world = twoMachines()
    world.deploy(program(more))
    world.settle()
    expect(told(world)).toEqual({})
  },
)

test('a service without ports is left out', () => {
  const world = twoMachines()
  world.deploy('compute_type: process\ncommand: [/bin/web]\n')
  world.settle()
  expect(world.live('web')).toHaveLength(1)
  expect(told(world)).toEqual({})
})
