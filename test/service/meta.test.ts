// A change of metadata is seen by the next instance that is made, and by none that runs.
import { beforeEach, describe, expect, it } from 'vitest'
import { serviceBodyOf } from '../../src/api/bodies.js'
import { explain } from '../../src/api/explain.js'
import { serviceKey } from '../../src/store/view.js'
import { project, World } from '../world/world.js'

const manifest = (more = '') => `compute_type: process
command: serve
environment:
  GREETING: "{{ .meta.greeting }}"
${more}`
const key = serviceKey(project, 'web')

let world = new World()
beforeEach(() => {
  world = new World()
  world.machine('a')
  world.meta('greeting', 'hello')
})

function deploy(text = manifest(), options: { scale?: number } = {}): void {
  world.deploy(text, options)
  world.settle()
}
/** What each live instance was made with. */
function greetings(): readonly string[] {
  return world.view
    .instancesOf(key)
    .filter(({ retired }) => retired === null)
    .map(({ name, unit }) => {
      const text = world.view.files.get(world.view.units.get(unit)?.hash ?? '') ?? ''
      return `${name} ${/GREETING=(\S*)/.exec(text)?.[1] ?? ''}`
    })
}
const service = () => world.view.services.get(key) ?? expect.fail('no service')
const lastTask = () => world.view.tasksOf(key).at(-1)

describe('metadata of a project', () => {
  it('is that of the moment when an instance is made', () => {
    deploy(manifest(), { scale: 2 })
    world.meta('greeting', 'ciao')
    world.settle()
    expect(greetings()).toEqual(['web-1 hello', 'web-2 hello'])
    world.scale('web', 4)
    world.settle()
    expect(greetings()).toEqual(['web-1 hello', 'web-2 hello', 'web-3 ciao', 'web-4 ciao'])
  })

  it('makes one unit for all instances that it is the same for', () => {
    deploy(manifest(), { scale: 3 })
    world.meta('greeting', 'ciao')
    world.scale('web', 6)
    world.settle()
    expect(new Set([...world.view.units.values()].map(({ hash }) => hash)).size).toBe(2)
    expect(world.view.files.size).toBe(2)
  })

  it('leaves no unit behind that nobody runs any more', () => {
    deploy()
    world.meta('greeting', 'ciao')
    world.scale('web', 2)
    world.settle()
    expect(world.view.files.size).toBe(2)
    world.scale('web', 0)
    world.settle()
    expect(world.view.files.size).toBe(1)
    world.delete('web')
    world.settle()
    expect(world.view.files.size).toBe(0)
  })

  it('that a service does not ask for changes nothing about it', () => {
    deploy()
    world.meta('other', '1')
    world.scale('web', 2)
    world.settle()
    expect(world.view.files.size).toBe(1)
  })

  it('may be left open by default, and set later', () => {
    deploy(manifest('  ZONE: "{{ default .meta.zone \\"none\\" }}"\n'))
    world.meta('zone', 'north')
    world.scale('web', 2)
    world.settle()
    expect([...world.view.files.values()].map((text) => /ZONE=(\S*)/.exec(text)?.[1])).toEqual([
      'none',
      'north',
    ])
  })
})

describe('a key that is gone', () => {
  it('lets what runs run on, and fails the task that needs more', () => {
    deploy()
    world.meta('greeting', null)
    world.scale('web', 2)
    world.settle()
    expect(greetings()).toEqual(['web-1 hello'])
    const message = 'no instance of web can be created: project default has no meta key "greeting"'
    expect(lastTask()).toMatchObject({ kind: 'scale', state: 'failed', error: message })
    expect(serviceBodyOf(world.view, service(), world.now)).toMatchObject({ running: 1, reason: message })
    expect(explain(world.view, world.explainer, project, 'web', world.now)).toMatchObject({
      because: [message],
    })
  })

  it('is waited for: the instance is made as soon as it is set again', () => {
    deploy()
    world.meta('greeting', null)
    world.scale('web', 2)
    world.settle()
    expect(service().blocked).not.toBeNull()
    world.meta('greeting', 'ciao')
    world.settle()
    expect(greetings()).toEqual(['web-1 hello', 'web-2 ciao'])
    expect(service().blocked).toBeNull()
    expect(explain(world.view, world.explainer, project, 'web', world.now)).toMatchObject({ because: [] })
  })

  it('comes to rest: nothing more is written while it is gone', () => {
    deploy()
    world.meta('greeting', null)
    world.scale('web', 2)
    world.settle()
    expect(world.servicePass()).toEqual([])
  })

  it('does not keep a service from being stopped and deleted', () => {
    deploy()
    world.meta('greeting', null)
    world.stop('web')
    world.settle()
    expect(lastTask()).toMatchObject({ kind: 'stop', state: 'completed' })
    world.delete('web')
    world.settle()
    expect(world.view.services.size).toBe(0)
  })
})
