// What Prometheus is told to scrape.
import { expect, test } from 'vitest'
import { type DiscoveryAsked, prometheusTargets } from '../../src/api/discovery.js'
import type { Instance } from '../../src/model/service.js'
import { idOf, World } from '../world/world.js'

function twoMachines(): { readonly world: World; readonly asked: DiscoveryAsked } {
  const world = new World()
  world.machine('a', { outside: '10.0.0.1', metadata: { 'network.backbone': '192.168.7.1' } })
  world.machine('b', { outside: '2001:db8::b' })
  return { world, asked: { view: world.view, units: world.units, machine: idOf('a') } }
}

const program = (more: string): string =>
  `compute_type: process\ncommand: [/bin/web]\nports: ["0:8080"]\nmemory: 16M\n${more}`

test('an instance that names a port of metrics is told with where that answers, and who it is', () => {
  const { world, asked } = twoMachines()
  world.deploy(program('labels: {prometheus.port: "8080", prometheus.path: /m, "tier.of-it": front}\n'), {
    scale: 2,
  })
  world.settle()
  const targets = prometheusTargets(asked, undefined)
  const hostPort = ({ unit }: Instance) => world.view.placements.get(unit)?.ports[0]?.host
  const on = ({ unit }: Instance) =>
    world.view.placements.get(unit)?.machine === idOf('a') ? '10.0.0.1' : '[2001:db8::b]'
  expect(targets.map((one) => one.targets)).toEqual(
    world.live('web').map((one) => [`${on(one)}:${hostPort(one)}`]),
  )
  expect(targets[0]?.labels).toEqual({
    __scheme__: 'http',
    __metrics_path__: '/m',
    __meta_mariposa_project: 'default',
    __meta_mariposa_service: 'web',
    __meta_mariposa_instance: 'web-1',
    __meta_mariposa_instance_uuid: world.live('web')[0]?.uuid,
    __meta_mariposa_version: '1',
    __meta_mariposa_machine: expect.stringMatching(/^[0-9a-z]{32}$/),
    __meta_mariposa_hostname: expect.any(String),
    __meta_mariposa_label_prometheus_port: '8080',
    __meta_mariposa_label_prometheus_path: '/m',
    __meta_mariposa_label_tier_of_it: 'front',
  })
  expect(prometheusTargets(asked, 'other')).toEqual([])
})

test("ContainerPilot's telemetry is told on the network that the manifest names", () => {
  const { world, asked } = twoMachines()
  world.deploy(
    'compute_type: process\ncommand: [/bin/web]\nports: [9090]\nmemory: 16M\ncontainerpilot: true\n',
  )
  world.settle()
  expect(prometheusTargets(asked, undefined).map(({ targets }) => targets)).toEqual([
    [expect.stringMatching(/^(10\.0\.0\.1|\[2001:db8::b\]):9090$/)],
  ])
})

test('what does not run, is to stop, names no port, or cannot be reached is left out', () => {
  const { world, asked } = twoMachines()
  world.deploy(program(''))
  world.settle()
  expect(prometheusTargets(asked, undefined)).toEqual([])
  world.deploy(program('labels: {prometheus.port: "none"}\n'))
  world.settle()
  expect(prometheusTargets(asked, undefined)).toEqual([])
  world.deploy(program('labels: {prometheus.port: "8080"}\n'))
  world.settle()
  expect(prometheusTargets(asked, undefined)).toHaveLength(1)
  world.scale('web', 2)
  world.settle()
  expect(prometheusTargets(asked, undefined)).toHaveLength(2)
  world.scale('web', 1)
  world.servicePass()
  expect(prometheusTargets(asked, undefined)).toHaveLength(1)
  for (const instance of world.live('web')) world.observe(instance, { active: 'failed' })
  expect(prometheusTargets(asked, undefined)).toEqual([])
})

test('a container that publishes nothing is told where it runs alone', () => {
  const { world, asked } = twoMachines()
  world.deploy('compute_type: process\ncommand: [/bin/web]\nlabels: {prometheus.port: "9100"}\n', {
    scale: 2,
  })
  world.settle()
  for (const instance of world.live('web')) world.observe(instance, { address: '172.17.0.2' })
  expect(prometheusTargets(asked, undefined).map(({ targets }) => targets)).toEqual([['172.17.0.2:9100']])
})
