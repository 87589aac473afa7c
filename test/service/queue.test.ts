// Which changes of a service go together: the table of docs/rollouts.md, cell by cell, and what it means for the tasks.
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { blockedOf } from '../../src/api/blocked.js'
import { taskBodyOf } from '../../src/api/bodies.js'
import type { Service } from '../../src/model/service.js'
import type { Task, TaskKind } from '../../src/model/task.js'
import { admitTask } from '../../src/service/queue.js'
import { World } from '../world/world.js'
import { rollout, SmallService } from './small-service.js'

const roomy = { room: 20, bootMs: 0, bad: new Set<number>() }

const waitingDelete = 'delete that waits for another service'
type Row = TaskKind | typeof waitingDelete

/** A task of a kind that is not over, beside a service. */
function open(kind: Row, type: Service['type'] = 'continuous'): { service: Service; task: Task } {
  const world = new SmallService(1, roomy)
  const [task] = world.tasks
  if (task === undefined) throw new Error('a task')
  if (kind !== waitingDelete) return { service: { ...world.service, type }, task: { ...task, kind } }
  const order = { kind: 'delete', handsOver: ['other'] } as const
  return { service: { ...world.service, type }, task: { ...task, kind: 'delete', state: 'queued', order } }
}

function verdictOf(active: Row, next: TaskKind, type?: Service['type']): string {
  const { service, task } = open(active, type)
  const admission = admitTask(service, [task], next)
  if (admission.kind === 'rejected') return 'refused'
  if (admission.terminates.length > 0) return 'ends it'
  return admission.after.length > 0 ? 'waits' : 'beside it'
}

/** The table as it is written for people: kinds of the row, kinds of the column, what is said. */
function documented(): readonly (readonly [readonly Row[], readonly TaskKind[], string])[] {
  const text = readFileSync(join(import.meta.dirname, '../../docs/rollouts.md'), 'utf8')
  const cellsOf = (line: string): readonly string[] => line.split('|').map((cell) => cell.trim())
  const kindsOf = (cell: string): readonly string[] => cell.split(', ').filter((word) => word !== 'update')
  const lines = text.slice(text.indexOf('| active \\ new |')).split('\n\n')[0]?.split('\n') ?? []
  const [head, , ...rows] = lines.map(cellsOf)
  return rows.flatMap(([, active = '', ...cells]) =>
    cells
      .slice(0, -1)
      .map(
        (verdict, at) =>
          [kindsOf(active) as Row[], kindsOf(head?.[at + 2] ?? '') as TaskKind[], verdict] as const,
      ),
  )
}

describe('a change that meets another', () => {
  test('is treated as the documentation says', () => {
    const table = documented()
    expect(table).toHaveLength(30)
    for (const [actives, nexts, verdict] of table) {
      for (const active of actives) {
        for (const next of nexts)
          expect([active, next, verdictOf(active, next)]).toEqual([active, next, verdict])
      }
    }
  })

  test('starts beside another start where each is an instance of its own', () => {
    expect(verdictOf('start', 'start', 'event')).toBe('beside it')
  })

  test('is not held up by what the planner does by itself', () => {
    for (const next of ['start', 'stop', 'scale', 'deploy', 'delete'] as const)
      expect(verdictOf('replace', next)).toBe('beside it')
  })
})

describe('a change that waits', () => {
  test('begins when what it waits for is over, and not before', () => {
    const world = new SmallService(2, { ...roomy, bootMs: 5000 })
    settle(world)
    world.order({ kind: 'stop', version: null }, 'stop')
    settle(world)
    world.order({ kind: 'start', version: null }, 'start')
    world.order({ kind: 'scale', target: 3 }, 'scale')
    const states = (): readonly string[] => world.tasks.slice(-2).map(({ kind, state }) => `${kind} ${state}`)
    for (let pass = 0; pass < 5; pass++) step(world)
    expect([states(), world.service.scale]).toEqual([['start active', 'scale queued'], 2])
    settle(world)
    expect([states(), world.up().length]).toEqual([['start completed', 'scale completed'], 3])
  })
})

describe('a rollout that another one ends', () => {
  test('at any of its steps leaves all of the newest version, as many as were asked for, and one task that is done', () => {
    for (let steps = 0; steps < 40; steps++) {
      const world = new SmallService(3, { ...roomy, bootMs: 400 })
      settle(world)
      world.deploy({})
      for (let n = 0; n < steps; n++) step(world)
      const isOver = world.tasks.at(-1)?.finishedAt !== null
      world.deploy({ rolling: 2 })
      settle(world)
      const states = world.tasks.map(({ state }) => state)
      expect([steps, states]).toEqual([
        steps,
        ['completed', isOver ? 'completed' : 'terminated', 'completed'],
      ])
      expect(world.live().map(({ instance }) => instance.version)).toEqual(Array(3).fill('v3'))
    }
  })

  test('by an operator leaves its instances as they are, old and new', () => {
    const world = new SmallService(4, { ...roomy, bootMs: 400 })
    settle(world)
    world.deploy({})
    for (let n = 0; n < 12; n++) step(world)
    world.terminate()
    const versions = (): readonly string[] => world.live().map(({ instance }) => instance.version)
    settle(world)
    const left = versions()
    expect(new Set(left)).toEqual(new Set(['v1', 'v2']))
    world.order(rollout, 'reprovision')
    settle(world)
    expect(versions()).toEqual(Array(4).fill('v2'))
  })
})

function step(world: SmallService): void {
  world.pass()
  world.machines(200)
}

function settle(world: SmallService): void {
  for (let pass = 0; pass < 100; pass++) {
    world.pass()
    world.machines(1000)
  }
}

test('what is asked for in the moment of a freeze, which did not see it, is ended by it like what was there', () => {
  for (const ask of [
    (world: SmallService) => world.deploy({}),
    (world: SmallService) => world.order({ kind: 'scale', target: 3 }, 'scale'),
    (world: SmallService) => world.order({ kind: 'stop', version: null }, 'stop'),
  ]) {
    const world = new SmallService(2, roomy)
    for (let pass = 0; pass < 10; pass++) {
      world.pass()
      world.machines(2000)
    }
    expect(ask(world)).toBe(true)
    world.frozen = true
    world.pass()
    const [task] = world.tasks.slice(-1)
    expect(task).toMatchObject({ state: 'terminated', error: expect.stringContaining('it was frozen') })
    expect(world.service).toMatchObject({ rollout: null, stopping: null })
    expect(world.pass()).toEqual([])
    expect(world.up()).toHaveLength(2)
  }
})

describe('a change that waits for its turn', () => {
  const waiting = (ask: (world: World) => unknown): { world: World; task: Task } => {
    const world = new World()
    world.machine('a')
    world.deploy('compute_type: process\ncommand: [/bin/web]\nports: [8080]\n', { scale: 2 })
    world.settle(undefined, 20)
    world.stop('web')
    world.settle(undefined, 20)
    expect(world.start('web')).toBeNull()
    world.settle(undefined, 20)
    ask(world)
    const task = world.view.tasksOf('default/web').find(({ state }) => state === 'queued')
    if (task === undefined) throw new Error('nothing waits')
    return { world, task }
  }

  test('says which one it waits for, and how to end that', () => {
    const { world, task } = waiting((one) => one.tryScale('web', 1))
    const start = world.view.tasksOf('default/web').find(({ state }) => state === 'active')
    expect(start?.kind).toBe('start')
    const uuid = start?.uuid.slice(0, 8)
    expect(blockedOf(world.view, task)).toBe(
      `web: this scale waits until the active start is over; mariposa queue stop ${uuid} ends that one`,
    )
  })

  test('shows the scale that was asked for, and how many instances it is about', () => {
    const seen = (target: string | number) => {
      const { world, task } = waiting((one) => one.tryScale('web', target))
      const { target: aim, total } = taskBodyOf(world.view, task, world.now)
      return [aim?.scale, total]
    }
    expect(seen(1)).toEqual([1, 1])
    expect(seen(5)).toEqual([5, 5])
    expect(seen('+1')).toEqual([3, 3])
  })
})
