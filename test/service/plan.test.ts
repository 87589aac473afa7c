import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { restartsUntilFailing } from '../../src/model/instance-state.js'
import type { Instance } from '../../src/model/service.js'
import { keptAtMost, keptForMs } from '../../src/service/retire.js'
import { serviceKey } from '../../src/store/view.js'
import { randomRuns } from '../random-runs.js'
import { idOf, project, World } from '../world/world.js'

const checked = (mark: string, extra = ''): string =>
  `compute_type: process\ncommand: [/bin/web, "${mark}"]\nhealthchecks:\n  - {type: http, port: 80, path: /}\n${extra}`
const plain = (mark: string, extra = ''): string =>
  `compute_type: process\ncommand: [/bin/web, "${mark}"]\n${extra}`

function deployed(text: string, scale: number): World {
  const world = new World()
  world.machine('a')
  world.deploy(text, { scale })
  world.settle()
  return world
}

const numbers = (instances: readonly Instance[]): readonly number[] => instances.map((instance) => instance.n)
const service = (world: World) => world.view.services.get(serviceKey(project, 'web'))
const lastTask = (world: World) => world.view.tasksOf(serviceKey(project, 'web')).at(-1)

describe('scale', () => {
  test('a continuous service is brought to its scale, and its task completes', () => {
    const world = deployed(plain('1'), 3)
    expect(numbers(world.live('web'))).toEqual([1, 2, 3])
    expect(lastTask(world)).toMatchObject({ kind: 'deploy', state: 'completed' })
  })

  test('scaling down takes the oldest instances and leaves no trace of them', () => {
    const world = deployed(plain('1'), 4)
    world.scale('web', '-2')
    world.settle()
    expect(numbers(world.all('web'))).toEqual([3, 4])
    expect(world.view.units.size).toBe(2)
    expect(world.view.placements.size).toBe(2)
  })

  test('numbers of instances are never used again', () => {
    const world = deployed(plain('1'), 2)
    world.scale('web', 0)
    world.settle()
    world.scale('web', 2)
    world.settle()
    expect(numbers(world.all('web'))).toEqual([3, 4])
  })

  test('surplus is taken from instances in trouble before those that serve', () => {
    const world = deployed(plain('1'), 3)
    const [, , third] = world.live('web')
    if (third === undefined) throw new Error('three instances')
    world.observe(third, { active: 'activating', sub: 'auto-restart', restarts: 2 })
    world.scale('web', 2)
    world.settle()
    expect(numbers(world.all('web'))).toEqual([1, 2])
  })
})

describe('stop, start and delete', () => {
  test('start goes back to the scale that the service had', () => {
    const world = deployed(plain('1'), 3)
    world.stop('web')
    world.settle()
    expect(world.all('web')).toEqual([])
    expect(world.start('web')).toBeNull()
    world.settle()
    expect(world.live('web')).toHaveLength(3)
  })

  test('start says that a service is already running, healthy or not', () => {
    const world = deployed(plain('1'), 1)
    expect(world.start('web')).toMatchObject({ status: 409, code: 'service/already-running' })
  })

  test('a deleted service stops first and is gone with everything of it, but for its history of tasks', () => {
    const world = deployed(plain('1'), 3)
    world.delete('web')
    world.servicePass()
    expect(service(world)).toBeDefined()
    world.settle()
    expect(service(world)).toBeUndefined()
    expect([
      world.view.instances.size,
      world.view.units.size,
      world.view.placements.size,
      world.view.versions.size,
    ]).toEqual([0, 0, 0, 0])
    expect(world.view.files.size).toBe(0)
    expect(lastTask(world)).toMatchObject({ kind: 'delete', state: 'completed' })
  })

  test('an event service runs one more instance for each start, and does not replace what ends well', () => {
    const world = new World()
    world.machine('a')
    world.deploy(plain('1', 'service_type: event\n'))
    world.settle()
    expect(world.live('web')).toEqual([])
    world.start('web')
    world.start('web')
    world.settle()
    expect(numbers(world.live('web'))).toEqual([1, 2])
    const [first] = world.live('web')
    if (first === undefined) throw new Error('two instances')
    world.observe(first, {
      active: 'inactive',
      sub: 'dead',
      exit: { code: 0, signal: null, oom: false, at: world.now },
    })
    world.settle()
    expect(numbers(world.all('web'))).toEqual([2])
  })
})

describe('stop.preservestopped', () => {
  const ends = (world: World, exit: { code: number | null; signal: string | null }): void => {
    const [first] = world.live('web')
    if (first === undefined) throw new Error('an instance')
    world.observe(first, { active: 'failed', sub: 'failed', exit: { ...exit, oom: false, at: world.now } })
    world.settle()
  }

  test('an instance that failed is kept by default, beside its replacement', () => {
    const world = deployed(plain('1', 'restart: "no"\n'), 1)
    ends(world, { code: 3, signal: null })
    expect(world.all('web').map((one) => [one.n, one.retired?.kept ?? false])).toEqual([
      [1, true],
      [2, false],
    ])
  })

  test('"no" keeps nothing, "always" keeps what was stopped in good order too', () => {
    const nothing = deployed(plain('1', 'stop: {preservestopped: "no"}\n'), 1)
    ends(nothing, { code: 3, signal: null })
    expect(numbers(nothing.all('web'))).toEqual([2])
    const everything = deployed(plain('1', 'stop: {preservestopped: always}\n'), 1)
    everything.scale('web', 0)
    everything.settle()
    expect(numbers(everything.all('web'))).toEqual([1])
  })

  test('what is kept does not add up without end', () => {
    const world = deployed(plain('1', 'restart: "no"\n'), 1)
    for (let round = 0; round < keptAtMost + 5; round++) ends(world, { code: 1, signal: null })
    expect(world.all('web').filter((one) => one.retired?.kept === true)).toHaveLength(keptAtMost)
    expect(world.live('web')).toHaveLength(1)
  })

  test('goes after a month, when nobody looks at it any more', () => {
    const world = deployed(plain('1', 'restart: "no"\n'), 1)
    ends(world, { code: 1, signal: null })
    const kept = (): number => world.all('web').filter((one) => one.retired?.kept === true).length
    world.now += keptForMs - 3_600_000
    world.settle()
    expect(kept()).toBe(1)
    world.now += 3_600_000
    world.settle()
    expect(kept()).toBe(0)
    expect(world.live('web')).toHaveLength(1)
  })

  test('goes before its time where its machine says that the disk is nearly full, and nothing else does', () => {
    const world = deployed(plain('1', 'restart: "no"\n'), 1)
    ends(world, { code: 1, signal: null })
    ends(world, { code: 1, signal: null })
    const [oldest, , live] = world.all('web')
    if (oldest === undefined || live === undefined) throw new Error('two that are kept, and one that runs')
    for (const one of [oldest, live]) world.observe(one, { diskPressure: true })
    const reason = 'the disk of Docker on its machine is nearly full'
    expect(world.servicePass()).toEqual([{ kind: 'unload', instance: oldest, reason }])
    world.settle()
    expect(numbers(world.all('web'))).toEqual([2, 3])
  })
})

describe('failures', () => {
  test('an unhealthy instance is stopped, kept to be looked at, and replaced', () => {
    const world = deployed(checked('1'), 2)
    const [first] = world.live('web')
    if (first === undefined) throw new Error('an instance')
    world.observe(first, { health: 'unhealthy', healthReason: 'status 500' })
    world.settle()
    expect(numbers(world.live('web'))).toEqual([2, 3])
    expect(world.all('web')[0]?.retired).toMatchObject({ cause: 'unhealthy', kept: true })
  })

  test('replacing what fails at once is slowed down', () => {
    const world = deployed(plain('1', 'restart: "no"\n'), 1)
    const failNow = (): void => {
      const [live] = world.live('web')
      if (live !== undefined)
        world.observe(live, { active: 'failed', exit: { code: 1, signal: null, oom: false, at: world.now } })
    }
    let passes = 0
    for (const end = world.now + 60_000; world.now < end; world.now += 100) {
      failNow()
      world.servicePass()
      world.enginePass()
      world.agentPass({ healthy: () => true })
      passes += 1
    }
    expect(passes).toBe(600)
    expect(service(world)?.lastInstance).toBeLessThan(12)
  })

  test('what lived for a while before it failed is replaced at once, however many fail', () => {
    const world = deployed(plain('1', 'restart: "no"\n'), 4)
    world.now += 120_000
    for (const live of world.live('web')) {
      world.observe(live, { active: 'failed', exit: { code: 1, signal: null, oom: false, at: world.now } })
      world.servicePass()
      expect(world.live('web')).toHaveLength(4)
    }
  })

  test('a deploy fails when its program is restarted again and again, and says how it ended', () => {
    const world = new World()
    world.machine('a')
    world.deploy(plain('1'))
    world.servicePass()
    world.enginePass()
    world.agentPass({ healthy: () => true })
    const [first] = world.live('web')
    if (first === undefined) throw new Error('an instance')
    const exit = { code: 7, signal: null, oom: false, at: world.now }
    world.observe(first, { active: 'activating', sub: 'auto-restart', restarts: restartsUntilFailing, exit })
    world.servicePass()
    expect(lastTask(world)).toMatchObject({
      state: 'failed',
      error: 'web-1: restarted 3 times, last exited with status 7',
    })
    expect(world.live('web')).toHaveLength(1)
  })

  test('instances of a lost machine are replaced elsewhere', () => {
    const world = new World()
    const a = world.machine('a')
    world.deploy(plain('1'), { scale: 2 })
    world.settle()
    world.machine('b')
    world.loseMachine(a)
    world.settle()
    const machineOf = (one: Instance) => world.view.placements.get(one.unit)?.machine
    expect(world.serving('web').map(machineOf)).toEqual([idOf('b'), idOf('b')])
  })
})

describe('a rollout', () => {
  test('replaces every instance, one at a time by default, and never serves with fewer than the scale', () => {
    const world = deployed(checked('1'), 4)
    world.deploy(checked('2'))
    let fewest = Number.POSITIVE_INFINITY
    let most = 0
    for (let round = 0; round < 60; round++) {
      world.servicePass()
      world.enginePass()
      world.agentPass({ healthy: () => true })
      world.now += 500
      const healthy = world.live('web').filter((one) => world.report(one)?.health === 'healthy')
      fewest = Math.min(fewest, healthy.length)
      most = Math.max(most, world.live('web').length)
    }
    expect(fewest).toBe(4)
    expect(most).toBe(5)
    expect(world.live('web').every((one) => one.ordinal === 2)).toBe(true)
    expect(lastTask(world)).toMatchObject({ kind: 'deploy', state: 'completed' })
  })

  test('waits for the checks that images bring, which only reports tell of', () => {
    const world = deployed(plain('1'), 2)
    world.deploy(plain('2'))
    for (let round = 0; round < 20; round++) {
      world.servicePass()
      world.enginePass()
      world.agentPass({ healthy: () => true })
      const [fresh] = world.live('web').filter((one) => one.ordinal === 2)
      if (fresh !== undefined) world.observe(fresh, { checked: true, health: 'unknown' })
      world.now += 500
    }
    expect(world.live('web').map((one) => one.ordinal)).toEqual([1, 1, 2])
  })

  test('stops when its instances do not become healthy, and keeps the old ones', () => {
    const world = deployed(checked('1'), 3)
    world.deploy(checked('2'))
    world.servicePass()
    world.enginePass()
    world.agentPass({ healthy: (one) => one.ordinal === 1 })
    const fresh = world.live('web').find((one) => one.ordinal === 2)
    if (fresh === undefined) throw new Error('a new instance')
    world.observe(fresh, { health: 'unhealthy', healthReason: 'refused' })
    world.settle({ healthy: (one) => one.ordinal === 1 })
    expect(world.live('web').map((one) => one.ordinal)).toEqual([1, 1, 1])
    expect(lastTask(world)).toMatchObject({ state: 'failed', error: 'web-4 is unhealthy: refused' })
  })

  test('stops an old instance first where both cannot hold the same host port', () => {
    const world = deployed(checked('1', 'ports: ["8080"]\n'), 1)
    world.deploy(checked('2', 'ports: ["8080"]\n'))
    world.settle()
    expect(world.live('web').map((one) => one.ordinal)).toEqual([2])
    expect(lastTask(world)).toMatchObject({ state: 'completed' })
  })

  test('waits where the scale needs more fixed ports than there are machines, and says so', () => {
    const world = deployed(plain('1', 'ports: ["8080"]\n'), 2)
    expect(world.serving('web')).toHaveLength(1)
    const [waiting] = [...world.view.waiting.values()]
    expect(waiting?.refusals[0]?.refusal).toMatchObject({ kind: 'port', port: 8080 })
  })
})

type Step =
  | { readonly do: 'scale'; readonly to: number }
  | { readonly do: 'deploy'; readonly mark: number; readonly rolling: number; readonly canary: number | null }
  | { readonly do: 'reprovision'; readonly count: number | null; readonly rolling: number }
  | { readonly do: 'revert'; readonly ordinal: number }
  | { readonly do: 'stop' | 'start' | 'lose' | 'return' }
  | { readonly do: 'die' | 'sicken'; readonly which: number }
  | { readonly do: 'pass'; readonly count: number }

const width = fc.integer({ min: 1, max: 3 })
const some = fc.option(width, { freq: 1 })
const steps: fc.Arbitrary<readonly Step[]> = fc.array(
  fc.oneof(
    fc.record({ do: fc.constant('scale' as const), to: fc.nat(6) }),
    fc.record({ do: fc.constant('deploy' as const), mark: fc.nat(3), rolling: width, canary: some }),
    fc.record({ do: fc.constant('reprovision' as const), count: some, rolling: width }),
    fc.record({ do: fc.constant('revert' as const), ordinal: fc.integer({ min: 1, max: 4 }) }),
    fc.record({ do: fc.constantFrom('stop' as const, 'start' as const, 'lose' as const, 'return' as const) }),
    fc.record({ do: fc.constantFrom('die' as const, 'sicken' as const), which: fc.nat(5) }),
    fc.record({ do: fc.constant('pass' as const), count: fc.integer({ min: 1, max: 4 }) }),
  ),
  { maxLength: 25 },
)

/** Two machines; b may go away and come back. What the queue or a range refuses is refused, and changes nothing. */
function play(world: World, step: Step): void {
  const live = world.live('web')
  switch (step.do) {
    case 'scale':
      world.tryScale('web', step.to)
      return
    case 'deploy': {
      const { mark, rolling, canary } = step
      world.tryDeploy(checked(String(mark)), { rolling, ...(canary !== null && { canary }) })
      return
    }
    case 'reprovision': {
      const { count, rolling } = step
      world.reprovision('web', { rolling, ...(count !== null && { canary: count }) })
      return
    }
    case 'revert':
      world.tryRevert('web', { version: String(step.ordinal) })
      return
    case 'stop':
      world.tryStop('web')
      return
    case 'start':
      world.start('web')
      return
    case 'lose':
      world.loseMachine(idOf('b'))
      return
    case 'return':
      world.machine('b')
      return
    case 'die':
    case 'sicken': {
      const victim = live[step.which % Math.max(1, live.length)]
      if (victim === undefined || world.report(victim)?.active !== 'active') return
      const exit = { code: 1, signal: null, oom: false, at: world.now }
      world.observe(victim, step.do === 'die' ? { active: 'failed', exit } : { health: 'unhealthy' })
      return
    }
    case 'pass':
      for (let pass = 0; pass < step.count; pass++) {
        passSafely(world)
        world.enginePass()
        world.agentPass({ healthy: () => true })
        world.now += 300
      }
  }
}

/** A pass of the service planner, held to what it promises of instances that serve. */
function passSafely(world: World): void {
  const before = service(world)
  const serving = world.serving('web')
  const actions = world.servicePass()
  const gone = actions.flatMap((one) => (one.kind === 'retire' && one.cause === 'replaced' ? [one] : []))
  const left = serving.filter(({ n }) => !gone.some(({ instance }) => instance.n === n)).length
  const roomFirst = gone.some(({ reason }) => reason.startsWith('no machine has room'))
  const spare = roomFirst ? (before?.rollout?.parallel ?? 0) : 0
  expect(left).toBeGreaterThanOrEqual(Math.min(serving.length, (before?.scale ?? 0) - spare))
}

/** More with RUNS=10000. The ten thousand of CI are in rollout.test.ts, where nothing but the planner runs. */
const runs = randomRuns('RUNS', 40)
const patienceMs = 120_000

describe('whatever happens', () => {
  test(
    'once it is quiet, exactly the scale serves, no task is left open and nothing is forgotten',
    () => {
      fc.assert(
        fc.property(steps, (list) => {
          const world = deployed(checked('0'), 2)
          world.machine('b')
          const seen = new Set<number>()
          for (const step of list) {
            play(world, step)
            for (const one of world.all('web')) seen.add(one.n)
          }
          world.machine('b')
          world.settle()
          const scale = service(world)?.scale ?? -1
          expect(world.serving('web')).toHaveLength(scale)
          expect(world.live('web')).toHaveLength(scale)
          expect([...world.view.tasks.values()].filter((task) => task.finishedAt === null)).toEqual([])
          const kept = world.all('web').filter((one) => one.retired !== null)
          expect(kept.every((one) => one.retired?.kept === true)).toBe(true)
          expect(world.view.units.size).toBe(world.all('web').length)
          expect(world.view.waiting.size).toBe(0)
          expect(service(world)?.lastInstance).toBeGreaterThanOrEqual(Math.max(0, ...seen))
        }),
        { numRuns: runs },
      )
    },
    patienceMs,
  )

  test(
    'planning comes to rest without anything happening',
    () => {
      fc.assert(
        fc.property(steps, (list) => {
          const world = deployed(checked('0'), 2)
          world.machine('b')
          for (const step of list) play(world, step)
          // What one pass retires, the next one finds stopped, and so on; but it comes to an end.
          for (let pass = 0; pass < 6 && world.servicePass().length > 0; pass++);
          expect(world.servicePass()).toEqual([])
          world.enginePass()
          expect(world.enginePass()).toEqual([])
        }),
        { numRuns: runs },
      )
    },
    patienceMs,
  )
})
