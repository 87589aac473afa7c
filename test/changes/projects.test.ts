// Deploys that prune, and projects as a whole, as decisions.
import { describe, expect, test } from 'vitest'
import { projectBodies } from '../../src/api/project-bodies.js'
import { decideDeploy } from '../../src/changes/deploy.js'
import { Found } from '../../src/changes/draft-parts.js'
import { isProblem } from '../../src/changes/problem.js'
import { deleteProject, projectNames, startProject, stopProject } from '../../src/changes/projects.js'
import type { DeployRequest } from '../../src/contract/contract.js'
import { toEnd } from '../../src/lib/sliced-work.js'
import { defaultSettings as settings } from '../manifest/default-settings.js'
import { bodiesOf } from '../world/bodies.js'
import { project, World } from '../world/world.js'

const services = (...names: readonly string[]): string =>
  `services:\n${names.map((name) => `  ${name}: {compute_type: process, command: [/bin/x]}\n`).join('')}`

function world(text: string): World {
  const made = new World()
  made.machine('a')
  made.deploy(text)
  made.settle()
  return made
}

function pruned(made: World, text: string, options: Partial<DeployRequest> = {}): unknown {
  const request = { sources: [{ file: 'shop.yml', text }], prune: true, ...options }
  const decided = decideDeploy(made.view, settings, project, request, made.now)
  if (isProblem(decided)) return decided.code
  made.attempt(decided)
  return decided.response.services.map(({ service, outcome }) => `${service} ${outcome}`)
}

describe('a deploy that prunes', () => {
  test('removes what it does not name, and that is gone when it is over', () => {
    const made = world(services('web', 'db', 'old'))
    expect(pruned(made, services('db', 'web'))).toEqual(['db unchanged', 'web unchanged', 'old removed'])
    made.settle()
    expect([...made.view.services.keys()]).toEqual(['default/web', 'default/db'])
    expect(made.live('old')).toEqual([])
  })

  test('waits for what is being deleted already, by the task of that', () => {
    const made = world(services('web', 'old'))
    made.delete('old')
    const request = { sources: [{ file: 'shop.yml', text: services('web') }], prune: true }
    const decided = decideDeploy(made.view, settings, project, request, made.now)
    if (isProblem(decided)) throw new Error(decided.code)
    const going = made.view.tasksOf('default/old').find(({ kind }) => kind === 'delete')
    expect(decided.response.services).toMatchObject([
      { service: 'web', outcome: 'unchanged' },
      { service: 'old', outcome: 'removed', task: going?.uuid },
    ])
    expect(JSON.stringify(decided.ops)).not.toContain('/old')
  })

  test('leaves other projects alone', () => {
    const made = world(services('web', 'old'))
    const other = { sources: [{ file: 'shop.yml', text: services('there') }] }
    const decided = decideDeploy(made.view, settings, 'other', other, made.now)
    if (!isProblem(decided)) made.attempt(decided)
    pruned(made, services('web'))
    made.settle()
    expect([...made.view.services.keys()]).toEqual(['default/web', 'other/there'])
  })

  test.each<[string, Partial<DeployRequest>]>([
    ['a canary', { canary: 1 }],
    ['one service', { service: 'web' }],
    ['the version before', { previous: 'x' }],
    ['only what exists', { only: 'existing' }],
  ])('is refused where it is about %s', (_what, options) => {
    const made = world(services('web', 'old'))
    expect(pruned(made, services('web'), options)).toBe('project/bad-prune')
  })

  test('is refused as a whole while a service that is to go is frozen', () => {
    const made = world(services('web', 'old'))
    made.freeze('old')
    expect(pruned(made, services('web', 'new'))).toBe('service/frozen')
    expect(made.view.services.size).toBe(2)
  })
})

describe('a project', () => {
  test('has the tags of the manifest that was deployed last, and keeps them where another has none to say', () => {
    const made = world(`tags: [team=sales, tier=1]\n${services('web')}`)
    const tags = (): unknown =>
      projectBodies(made.view, projectNames(made.view), bodiesOf(made.view, made.now)).map(
        (body) => body.tags,
      )
    expect(tags()).toEqual([{ team: 'sales', tier: '1' }])
    made.deploy('compute_type: process\ncommand: [/bin/y]\n')
    expect(tags()).toEqual([{ team: 'sales', tier: '1' }])
    made.deploy(services('web'))
    expect(tags()).toEqual([{}])
  })

  test('stops and starts what it can, and a service that is being deleted is let be', () => {
    const made = world(services('web', 'db'))
    made.delete('db')
    expect(made.attempt(toEnd(stopProject(made.view, project, made.now, new Found())))).toBeNull()
    made.settle()
    expect([...made.view.services.values()].map(({ name, scale }) => [name, scale])).toEqual([['web', 0]])
    expect(made.attempt(toEnd(startProject(made.view, project, made.now, new Found())))).toBeNull()
    made.settle()
    expect(made.serving('web')).toHaveLength(1)
  })

  test('is stopped, or gone, when what was stopping or being deleted before is', () => {
    const made = world(services('web', 'db', 'idle'))
    made.stop('idle')
    made.settle()
    made.stop('web')
    made.delete('db')
    const all = (kind: string) =>
      [...made.view.tasks.values()].flatMap((task) =>
        task.kind === kind && task.finishedAt === null ? [task.service] : [],
      )
    expect([all('stop'), all('delete')]).toEqual([['web'], ['db']])
    const joinedBy = (verb: 'stop' | 'delete') => {
      const found = new Found<never, never>()
      const { view, now } = made
      const change = toEnd(
        verb === 'stop'
          ? stopProject(view, project, now, found)
          : deleteProject(view, project, true, now, found),
      )
      return isProblem(change) ? change : change.joined?.map(({ service, kind }) => [service, kind])
    }
    expect(joinedBy('stop')).toEqual([
      ['db', 'delete'],
      ['web', 'stop'],
    ])
    expect(joinedBy('delete')).toEqual([['db', 'delete']])
  })

  test('that is unknown is refused, whatever is asked of it', () => {
    const made = new World()
    for (const verb of [stopProject, startProject]) {
      expect(toEnd(verb(made.view, 'none', made.now, new Found()))).toMatchObject({ code: 'project/unknown' })
    }
    expect(toEnd(deleteProject(made.view, 'none', true, made.now, new Found()))).toMatchObject({
      code: 'project/unknown',
    })
  })
})
