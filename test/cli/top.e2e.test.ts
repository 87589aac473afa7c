// What `top` shows of what daemons tell.
import { expect, test } from 'vitest'
import { describeLoad, loadOf, lookBefore } from '../../src/cli/top.js'
import type { UnitUse, UseBody } from '../../src/contract/contract.js'
import { idOf } from '../world/world.js'
import { useProgram } from './program.js'
import { startDaemon } from './speaking-daemon.js'

const program = useProgram()
const a = idOf('a')

function use(instance: string, seconds: number, more: Partial<UnitUse> = {}): UnitUse {
  return {
    unit: `default-${instance}.service`,
    project: 'default',
    service: instance.split('-')[0] ?? '',
    instance,
    machine: a,
    at: new Date(seconds * 1000).toISOString(),
    startedAt: new Date(0).toISOString(),
    restarts: 0,
    cpuNs: 0,
    memoryBytes: 64 * 1024 ** 2,
    memoryLimitBytes: null,
    ...more,
  }
}

function look(...units: readonly UnitUse[]): UseBody {
  return { units, machines: [{ machine: a, hostname: 'alpha', cpus: 4, memoryMb: 2048 }], silent: [] }
}

test('cores are what was used between two looks; of what began anew, or is new, they are not known', () => {
  const before = look(use('web-1', 10, { cpuNs: 5e9 }), use('web-2', 10, { cpuNs: 5e9 }))
  const now = look(
    use('web-1', 14, { cpuNs: 7e9, restarts: 1 }),
    use('web-2', 14, { cpuNs: 1e9 }),
    use('db-1', 14, { cpuNs: 9e9, memoryBytes: null }),
  )
  const { instances, services, machines } = loadOf(before, now, null)
  expect(instances.map(({ name, cpu }) => [name, cpu])).toEqual([
    ['web-1', 0.5],
    ['web-2', null],
    ['db-1', null],
  ])
  expect(
    services.map(({ name, instances: n, cpu, memoryBytes, restarts }) => [
      name,
      n,
      cpu,
      memoryBytes,
      restarts,
    ]),
  ).toEqual([
    ['web', 2, 0.5, 128 * 1024 ** 2, 1],
    ['db', 1, null, null, 0],
  ])
  expect(machines).toMatchObject([{ hostname: 'alpha', units: 3, cpu: 0.5, restarts: 1 }])
})

test('looks that come faster than a daemon reads are compared with the reading before', () => {
  const readings = [10, 10, 12, 12, 12].map((at) => look(use('web-1', at, { cpuNs: at * 1e9 })))
  let [before, last]: (UseBody | null)[] = [null, null]
  const cores = readings.map((now) => {
    before = lookBefore(before ?? null, last ?? null, now)
    last = now
    return loadOf(before, now, null).instances[0]?.cpu
  })
  expect(cores).toEqual([null, null, 1, 1, 1])
})

test('with a project only what is in it is shown; machines are shown with all that they run', () => {
  const now = look(
    use('web-1', 1),
    use('db-1', 1, { project: 'shop' }),
    use('x', 1, { project: null, service: null, instance: null }),
  )
  const { instances, services, machines } = loadOf(null, now, 'shop')
  expect([instances.map(({ name }) => name), services.map(({ name }) => name)]).toEqual([['db-1'], ['db']])
  expect(machines[0]?.units).toBe(3)
})

test('tables in the units of manifests, and who does not tell', () => {
  const now: UseBody = {
    ...look(use('web-1', 60, { memoryLimitBytes: 1.5 * 1024 ** 3 })),
    silent: [{ machine: idOf('b'), hostname: 'beta', reason: 'it cannot be reached' }],
  }
  expect(describeLoad(loadOf(null, now, null), { now: 120_000, full: false })).toEqual([
    'beta does not answer: it cannot be reached',
    '',
    'MACHINE  UNITS        CPU         MEMORY  RESTARTS',
    'alpha        1  - of 400%  64.0M of 2.0G         0',
    '',
    'SERVICE  PROJECT  INSTANCES  CPU  MEMORY  RESTARTS',
    'web      default          1    -   64.0M         0',
    '',
    'INSTANCE  MACHINE  CPU  MEMORY  LIMIT  RESTARTS  UP',
    'web-1     alpha      -   64.0M   1.5G         0  2m',
  ])
})

test('top looks twice and prints once where it is no terminal', async () => {
  let looks = 0
  const daemon = await startDaemon({
    'GET /v1/use': (_asked, response) => {
      looks += 1
      response.setHeader('content-type', 'application/json')
      response.end(JSON.stringify(look(use('web-1', looks * 2, { cpuNs: looks * 1e9 }))))
    },
    'GET /v1/projects/shop/schedules': (_asked, response) => {
      response.setHeader('content-type', 'application/json')
      response.end('[]')
    },
  })
  try {
    const { code, stdout } = await program.run(['--endpoint', daemon.endpoint, 'top', '--json'])
    expect(code).toBe(0)
    expect(JSON.parse(stdout)).toMatchObject({
      services: [{ name: 'web', project: 'default', instances: 1, cpu: 0.5 }],
      instances: [{ name: 'web-1', hostname: 'alpha', cpu: 0.5, memoryBytes: 67_108_864 }],
      machines: [{ hostname: 'alpha', cpus: 4 }],
      silent: [],
    })
    const table = await program.run(['--endpoint', daemon.endpoint, 'top', '--once', '-j', 'shop'])
    expect(table.stdout).toContain('alpha')
    expect(table.stdout).not.toContain('web-1')
  } finally {
    await daemon.close()
  }
})
