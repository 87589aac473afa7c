// What is told of triggers to people: the value, whether its condition holds, and since when.
import { expect, test } from 'vitest'
import { followTriggers, type TriggerSightings } from '../../src/autoscale/io/sightings.js'
import type { MachineMetrics, MetricTrigger } from '../../src/model/scaling.js'
import type { Service } from '../../src/model/service.js'
import type { ClusterView } from '../../src/store/view.js'

const machine = 'a'.repeat(32)
const service = { project: 'default', name: 'web', current: 'v1' } as Service
const busy: MetricTrigger = {
  name: 'busy',
  source: { service: null, providers: ['containermonitor'], metric: 'cpu_used' },
  operator: '>',
  value: 80,
  percent: true,
  windowMs: 10_000,
  aggregate: 'avg',
  action: 'increment',
  instances: 1,
}
const idle: MetricTrigger = { ...busy, name: 'idle', operator: '<', value: 20, action: 'decrement' }

/** A service whose two instances are on one machine, by a clock whose wall is set apart from its steady pace. */
function follow() {
  const clock = { steady: 1000, ahead: 1_000_000 }
  let revision = 0
  const versions = new Map<string, { readonly scaling: { readonly triggers: readonly MetricTrigger[] } }>([
    ['v1', { scaling: { triggers: [busy, idle] } }],
  ])
  const metrics = new Map<string, Pick<MachineMetrics, 'values' | 'entry'>>()
  const machines = new Map<string, object>([[machine, {}]])
  const knownMachines = new Map<string, object>()
  const view = {
    services: new Map([['default/web', service]]),
    versions,
    instancesOf: () => ['web.1', 'web.2'].map((unit) => ({ unit, retired: null, lost: null })),
    placements: new Map(['web.1', 'web.2'].map((unit) => [unit, { machine }])),
    ...{ machines, knownMachines },
    metrics,
    revisionOf: () => revision,
  } as unknown as ClusterView
  const now = () => clock.steady + clock.ahead
  const followed = followTriggers({ view }, { now, steady: () => clock.steady })
  const look = async (): Promise<void> => void (await followed.pass(0, new AbortController().signal))
  return {
    clock,
    look,
    versions,
    ...{ metrics, machines, knownMachines },
    seen: (of: Service = service) => told(followed, of),
    /** The machine says what its instances use, and is looked at. */
    says: async (...used: readonly number[]): Promise<void> => {
      const values = used.map((value, n) => [`web.${n + 1}`, { 'containermonitor.cpu_used%': value }])
      metrics.set(machine, { values: Object.fromEntries(values) as MachineMetrics['values'] })
      revision += 1
      clock.steady += 1000
      await look()
    },
  }
}

const told = (sightings: TriggerSightings, of: Service) =>
  sightings.of(of).map(({ trigger, reading, met, since }) => [trigger.name, reading.value, met, since])

test('nothing is told before the first look, nor of a service that has no triggers', async () => {
  const { seen, look, versions } = follow()
  expect(seen()).toEqual([])
  versions.clear()
  await look()
  expect(seen()).toEqual([])
})

test('a value is told with whether its condition holds, and since when that is so', async () => {
  const { seen, says } = follow()
  await says(90, 80)
  expect(seen()).toEqual([
    ['busy', 85, true, 1_002_000],
    ['idle', 85, false, 1_002_000],
  ])
  await says(95, 95)
  await says(10, 10)
  await says(12, 10)
  expect(seen()).toEqual([
    ['busy', 11, false, 1_004_000],
    ['idle', 11, true, 1_004_000],
  ])
})

test('what is missing leaves it open whether instances may go, and a silent machine has no values', async () => {
  const { seen, says, look, clock } = follow()
  await says(10, 10)
  await says(10)
  expect(seen()).toEqual([
    ['busy', 10, false, 1_002_000],
    ['idle', 10, null, 1_003_000],
  ])
  clock.steady += 600_000
  await look()
  expect(seen()).toEqual([
    ['busy', null, null, 1_603_000],
    ['idle', null, null, 1_003_000],
  ])
})

test('since when stays true when the clock on the wall is set', async () => {
  const { seen, says, clock } = follow()
  await says(90, 90)
  clock.ahead += 3_600_000
  expect(seen()[0]).toEqual(['busy', 90, true, 4_602_000])
})

test('another version begins anew, and what the one before saw is not told of it', async () => {
  const { seen, says, versions } = follow()
  await says(90, 90)
  const next = { ...service, current: 'v2' } as Service
  versions.set('v2', { scaling: { triggers: [busy] } })
  expect(seen(next)).toEqual([])
})

test('what an entry counts is told as far as it is known, for five minutes after another entry was lost', async () => {
  const { seen, look, clock, versions, metrics, machines, knownMachines } = follow()
  const source = { service: null, providers: [], metric: 'entry.rps' } as const
  versions.set('v1', { scaling: { triggers: [{ ...idle, source, percent: false }] } })
  const entry = { http: ':80', https: ':443' }
  machines.set(machine, { id: machine, entry })
  const downSince = clock.steady + clock.ahead - 299_000
  knownMachines.set('lost', { id: 'lost', entry, downSince })
  metrics.set(machine, { values: {}, entry: { 'default/web': { rps: 4, failed: 0, p95: 0.1 } } })
  await look()
  expect(seen()[0]?.[2]).toBe(null)
  clock.steady += 1000
  await look()
  expect(seen()[0]?.[2]).toBe(true)
})
