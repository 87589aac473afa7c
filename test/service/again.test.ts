// Deploying once more what is current: it tells the truth about what runs.
import { describe, expect, test } from 'vitest'
import { decideDeploy } from '../../src/api/deploy.js'
import { isProblem } from '../../src/api/problem.js'
import { defaultSettings } from '../../src/manifest/settings.js'
import { serviceKey } from '../../src/store/view.js'
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

  test('follows the first while that still runs', () => {
    const world = new World()
    world.machine('a')
    world.deploy(manifest('1'))
    const [task] = world.view.tasksOf(serviceKey(project, 'web'))
    expect(answer(world, manifest('1'))).toMatchObject({ outcome: 'unchanged', task: task?.uuid })
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
