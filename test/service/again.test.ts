// Deploying once more what is current: it tells the truth about what runs.
import { describe, expect, test } from 'vitest'
import { decideDeploy } from '../../src/changes/deploy.js'
import { isProblem } from '../../src/changes/problem.js'
import { serviceKey } from '../../src/store/view.js'
import { defaultSettings } from '../manifest/default-settings.js'
import { project, World } from '../world/world.js'

const manifest = (mark: string): string =>
  `compute_type: process\ncommand: [/bin/web, "${mark}"]\nhealthchecks:\n  - {type: http, port: 80, path: /}\n`

function pass(world: World, rounds: number, healthy: boolean): void {
  for (let round = 0; round < rounds; round++) {
    world.servicePass()
    world.enginePass()
    world.agentPass({ healthy: () => healthy })
    world.now += 1000
  }
}

const tasks = (world: World): readonly string[] =>
  world.view.tasksOf(serviceKey(project, 'web')).map(({ kind, state }) => `${kind} ${state}`)

/** What the answer to a deploy says of its service, as things are. */
function answer(world: World, text: string): unknown {
  const sources = [{ file: 'web.yml', text, name: 'web' }]
  const decided = decideDeploy(world.view, defaultSettings, project, { sources }, world.now)
  return isProblem(decided) ? decided : decided.response.services[0]
}

describe('a deploy of what is current', () => {
  test('has nothing to wait for where all is as its manifest says', () => {
    const world = new World()
    world.machine('a')
    world.deploy(manifest('1'))
    world.settle()
    expect(answer(world, manifest('1'))).toMatchObject({ outcome: 'unchanged', task: null })
  })

  test('tries a version anew that failed, and is done when that is up', () => {
    const world = new World()
    world.machine('a')
    world.deploy(manifest('1'), { deadlineMs: 10_000 })
    pass(world, 20, false)
    expect(tasks(world)).toEqual(['deploy failed'])
    world.deploy(manifest('1'), { deadlineMs: 10_000 })
    expect(tasks(world)).toEqual(['deploy failed', 'deploy active'])
    pass(world, 20, false)
    expect(tasks(world)).toEqual(['deploy failed', 'deploy failed'])
    world.deploy(manifest('1'))
    pass(world, 20, true)
    expect(tasks(world)).toEqual(['deploy failed', 'deploy failed', 'deploy completed'])
    expect(world.serving('web')).toHaveLength(1)
  })

  test.each([
    [
      'what passes by itself',
      {
        failure: { code: 'docker/image-missing', message: 'the registry is away', permanent: false },
        attempts: 9,
      },
    ],
    [
      'what it brings with it',
      { failure: { code: 'agent/failed', message: 'no such program', permanent: true }, attempts: 1 },
    ],
    ['its program, again and again', { restarts: 5 }],
  ])('makes new instances of those that failed for %s, and leaves alone what serves', (_, trouble) => {
    const world = new World()
    world.machine('a')
    const plain = 'compute_type: process\ncommand: [/bin/web]\n'
    world.deploy(plain)
    world.settle()
    world.scale('web', 2)
    world.servicePass()
    world.enginePass()
    world.agentPass({ healthy: () => true })
    const [, second] = world.live('web')
    if (second === undefined) throw new Error('there is no second instance')
    world.observe(second, { active: 'activating', sub: 'auto-restart', ...trouble })
    world.now += 20 * 60_000
    world.servicePass()
    expect(tasks(world)).toEqual(['deploy completed', 'scale failed'])
    // Its deadline is shorter than what failed has been there.
    world.deploy(plain, { deadlineMs: 5000 })
    world.servicePass()
    expect(tasks(world).at(-1)).toBe('deploy active')
    world.settle()
    expect(tasks(world).at(-1)).toBe('deploy completed')
    expect(world.serving('web').map(({ name }) => name)).toEqual(['web-1', 'web-3'])
  })

  test('follows the first while that still runs', () => {
    const world = new World()
    world.machine('a')
    world.deploy(manifest('1'))
    const [task] = world.view.tasksOf(serviceKey(project, 'web'))
    expect(answer(world, manifest('1'))).toMatchObject({ outcome: 'unchanged', task: task?.uuid })
  })

  test.each([
    ['a canary', 'deploy', { canary: 1 }],
    ['one of another width', 'deploy', { rolling: 2 }],
    ['one of another deadline', 'deploy', { deadlineMs: 60_000 }],
  ])('goes on in place of %s, until all is as its manifest says', (_, __, first) => {
    const world = new World()
    world.machine('a')
    world.deploy(manifest('1'), { scale: 3 })
    world.settle()
    world.deploy(manifest('2'), first)
    world.servicePass()
    world.now += 1000
    world.deploy(manifest('2'), { rolling: 1, deadlineMs: 30_000 })
    expect(tasks(world)).toEqual(['deploy completed', 'deploy terminated', 'deploy active'])
    pass(world, 40, true)
    expect(tasks(world).at(-1)).toBe('deploy completed')
    expect(world.live('web').map(({ ordinal }) => ordinal)).toEqual([2, 2, 2])
  })

  test('goes back to where the rollout would have that it goes on in place of', () => {
    const world = new World()
    world.machine('a')
    world.deploy(manifest('1'), { scale: 2 })
    world.settle()
    world.deploy(manifest('2'), { canary: 1, autoRevert: true })
    world.servicePass()
    world.deploy(manifest('2'), { deadlineMs: 5000, autoRevert: true })
    pass(world, 40, false)
    world.settle()
    expect(world.serving('web').map(({ ordinal }) => ordinal)).toEqual([1, 1])
  })

  test('leaves an instance readable that its rollout gave up, though its program ended well', () => {
    const world = new World()
    world.machine('a')
    world.deploy(manifest('1'))
    world.settle()
    world.deploy(manifest('2'), { deadlineMs: 10_000 })
    pass(world, 30, false)
    expect(tasks(world)).toEqual(['deploy completed', 'deploy failed'])
    world.settle()
    expect(world.all('web').map(({ name, retired }) => [name, retired?.kept ?? null])).toEqual([
      ['web-1', null],
      ['web-2', true],
    ])
  })
})
