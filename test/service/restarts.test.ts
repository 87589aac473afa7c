// A change of the metadata restarts instances that have files which say so: one after the other, as a rollout does it, once for
// each change, and not again where it has failed or was ended.
import { beforeEach, describe, expect, it } from 'vitest'
import { setMeta } from '../../src/changes/meta.js'
import { isProblem } from '../../src/changes/problem.js'
import { freezeScope, terminateTask, unfreezeScope } from '../../src/changes/queue.js'
import { madeOf } from '../../src/model/meta-fingerprints.js'
import { serviceKey } from '../../src/store/view.js'
import { bodiesOf } from '../world/bodies.js'
import { project, World } from '../world/world.js'

const manifest = (restart: string, more = ''): string => `compute_type: process
command: serve
files:
  - {path: app.conf, template: "level = {{ .meta.level }}", on_change: ${restart}}
  - {path: other.conf, template: "{{ .meta.size }}"}
healthchecks: [{type: http, port: 80}]
${more}`
const key = serviceKey(project, 'web')

let world = new World()
beforeEach(() => {
  world = new World()
  world.machine('a')
  world.meta('level', 'info')
  world.meta('size', 'small')
})

function start(scale = 3, restart = 'restart', more = ''): void {
  world.deploy(manifest(restart, more), { scale })
  world.settle()
}
const service = () => world.view.services.get(key) ?? expect.fail('no service')
const body = () => bodiesOf(world.view, world.now).service(service())
const names = () => world.live('web').map(({ name }) => name)
const restarts = () =>
  world.view
    .tasksOf(key)
    .flatMap(({ kind, by, state }) => (kind === 'reprovision' && by === null ? [state] : []))

/** One round; instances from this number on are found unhealthy. */
function round(badFrom: number): void {
  world.enginePass()
  world.agentPass({ healthy: ({ n }) => n < badFrom })
  for (const one of world.live('web'))
    if (one.n >= badFrom && world.report(one)?.health === 'unknown')
      world.observe(one, { health: 'unhealthy' })
  world.now += 500
}

/** Passes until nothing changes, held to what is promised; how many instances there were at most. */
function settleWatched(scale: number, badFrom = Number.POSITIVE_INFINITY): number {
  let most = 0
  let quiet = 0
  while (quiet < 30) {
    const before = world.revision
    world.servicePass()
    const healthy = world.live('web').filter((one) => world.report(one)?.health === 'healthy')
    expect(healthy.length).toBeGreaterThanOrEqual(scale)
    most = Math.max(most, world.live('web').length)
    round(badFrom)
    quiet = world.revision === before ? quiet + 1 : 0
  }
  return most
}

/** Until an instance of that name is there. */
function passUntil(name: string): void {
  for (let tries = 0; tries < 200 && !names().includes(name); tries++) {
    world.servicePass()
    round(Number.POSITIVE_INFINITY)
  }
  expect(names()).toContain(name)
}

describe('a change of the metadata', () => {
  it('restarts the instances one after the other, none before the one before is healthy', () => {
    start()
    world.meta('level', 'debug')
    expect(settleWatched(3)).toBe(4)
    expect(names()).toEqual(['web-4', 'web-5', 'web-6'])
    expect(body()).toMatchObject({ ordinal: 1, status: 'running' })
    expect(body().drifted).toBeUndefined()
    expect(restarts()).toEqual(['completed'])
    expect(world.told).toContain('3 instances are restarted for meta.level, 1 at a time')
  })

  it('restarts as many at a time as is said', () => {
    start(5, '{restart: 2}')
    world.meta('level', 'debug')
    expect(settleWatched(5)).toBe(7)
    expect(restarts()).toEqual(['completed'])
  })

  it('restarts nothing where the key is one that no such file reads, nor where the value is the same', () => {
    start()
    world.meta('size', 'large')
    world.meta('level', 'info')
    world.settle()
    expect(names()).toEqual(['web-1', 'web-2', 'web-3'])
    expect(body().drifted).toEqual(['meta.size'])
    expect(restarts()).toEqual([])
  })

  it('that comes while instances are restarted is taken up by those that are still to come, and then once by the others', () => {
    start()
    world.meta('level', 'debug')
    passUntil('web-5')
    world.meta('level', 'trace')
    settleWatched(3)
    expect(restarts()).toEqual(['completed', 'completed'])
    // The first two had what was then; the third was made of the new value.
    expect(names()).toEqual(['web-6', 'web-7', 'web-8'])
    expect(body().drifted).toBeUndefined()
  })

  it('of a secret counts once its machine does not tell that the instance has it', () => {
    const secret = (value: string): void => {
      const change = setMeta(world.view, project, 'level', { value, secret: true }, (text) => text, world.now)
      expect(isProblem(change)).toBe(false)
      world.attempt(change)
    }
    secret('one')
    start(1)
    const [first] = world.live('web')
    if (first === undefined) expect.fail('no instance')
    secret('two')
    world.observe(first, { madeOf: madeOf(['level'], world.view.metaOf(project)) })
    world.settle()
    expect(names()).toEqual(['web-1'])
    secret('three')
    world.settle()
    expect(names()).toEqual(['web-2'])
  })

  it('replaces slot by slot where each has a volume of its own', () => {
    start(2, 'restart', 'volumes: [{name: data, path: /data, scope: instance}]\n')
    world.meta('level', 'debug')
    world.settle()
    expect(world.live('web').map(({ name, slot }) => `${name} ${slot}`)).toEqual(['web-3 0', 'web-4 1'])
    expect(restarts()).toEqual(['completed'])
  })

  it('leaves what a canary has left of another version', () => {
    start()
    world.deploy(manifest('restart', 'description: x\n'), { canary: 1 })
    world.settle()
    expect(names()).toEqual(['web-2', 'web-3', 'web-4'])
    world.meta('level', 'debug')
    world.settle()
    expect(names()).toEqual(['web-2', 'web-3', 'web-5'])
    expect(body().drifted).toEqual(['meta.level'])
  })
})

describe('a restart that fails', () => {
  beforeEach(() => {
    start()
    world.meta('level', 'debug')
    settleWatched(3, 4)
  })

  it('stops, says why, and is not tried again with the same value', () => {
    expect(restarts()).toEqual(['failed'])
    expect(world.live('web').filter(({ n }) => n < 4)).toHaveLength(3)
    expect(body().restartHeld).toMatch(/^web-4/)
    expect(body()).toMatchObject({ drifted: ['meta.level'], status: 'running' })
    expect(world.told.some((one) => one.startsWith('reprovision failed: web-4'))).toBe(true)
    settleWatched(3, 4)
    world.meta('size', 'large')
    settleWatched(3, 4)
    expect(restarts()).toEqual(['failed'])
  })

  it('is tried again with another value', () => {
    world.meta('level', 'warning')
    settleWatched(3)
    expect(restarts()).toEqual(['failed', 'completed'])
    expect(body().restartHeld).toBeUndefined()
    expect(body().drifted).toBeUndefined()
  })

  it('is forgotten where the value is set back, and tried once more where it is set again', () => {
    world.meta('level', 'info')
    settleWatched(3, 4)
    expect(service().heldRestart).toBeUndefined()
    expect(restarts()).toEqual(['failed'])
    world.meta('level', 'debug')
    settleWatched(3, 4)
    expect(restarts()).toEqual(['failed', 'failed'])
  })

  it('is made good by a reprovision', () => {
    expect(world.reprovision('web')).toBeNull()
    world.settle()
    expect(body().drifted).toBeUndefined()
    expect(service().heldRestart).toBeUndefined()
  })
})

describe('whoever asks for something else', () => {
  const going = () =>
    world.view.tasksOf(key).find(({ kind, state }) => kind === 'reprovision' && state === 'active')

  it('ends the restart with queue stop, for good', () => {
    start()
    world.meta('level', 'debug')
    passUntil('web-5')
    const task = going() ?? expect.fail('no task')
    expect(world.attempt(terminateTask(world.view, task.uuid, false, world.now))).toBeNull()
    world.settle()
    expect(restarts()).toEqual(['terminated'])
    expect(names()).toContain('web-3')
    expect(body().restartHeld).toMatch(/ended|stop/)
  })

  it('goes first, and what is left is restarted afterwards', () => {
    start()
    world.meta('level', 'debug')
    passUntil('web-5')
    expect(world.reprovision('web', { instance: 'web-3' })).toBeNull()
    world.settle()
    expect(restarts()[0]).toBe('terminated')
    expect(body().drifted).toBeUndefined()
    expect(body().restartHeld).toBeUndefined()
  })

  it('holds it by a freeze, and it begins when that is lifted', () => {
    start()
    world.freeze('web')
    world.meta('level', 'debug')
    world.settle()
    expect(restarts()).toEqual([])
    world.attempt(unfreezeScope(world.view, project, 'web', world.now))
    world.settle()
    expect(restarts()).toEqual(['completed'])
    world.meta('level', 'info')
    passUntil('web-7')
    world.attempt(freezeScope(world.view, project, 'web', world.now))
    world.attempt(unfreezeScope(world.view, project, 'web', world.now))
    world.settle()
    expect(restarts().at(-1)).toBe('terminated')
    expect(body().restartHeld).toBe('it was frozen')
  })

  it('by taking a key away leaves what runs as it is, and it is said', () => {
    start()
    world.meta('level', null)
    settleWatched(3)
    expect(names()).toEqual(['web-1', 'web-2', 'web-3'])
    expect(restarts()).toEqual(['failed'])
    expect(body().restartHeld).toContain('no meta key "level"')
    world.meta('level', 'info')
    world.settle()
    expect(body().restartHeld).toBeUndefined()
    expect(names()).toEqual(['web-1', 'web-2', 'web-3'])
  })
})
