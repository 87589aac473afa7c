// How many runs there may be at a time, and how long one may take, with the real planners on a cluster in memory.
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { serviceBodyOf } from '../../src/api/bodies.js'
import { terminateTask } from '../../src/changes/queue.js'
import { type Instance, withAllStopped } from '../../src/model/service.js'
import type { Task } from '../../src/model/task.js'
import { describeRun } from '../../src/schedule/writes.js'
import { putOf } from '../../src/store/records.js'
import { serviceKey } from '../../src/store/view.js'
import { randomRuns } from '../random-runs.js'
import { idOf, project, World } from '../world/world.js'

class Jobs extends World {
  constructor(more: string) {
    super()
    this.machine('a', { memoryMb: 100_000 })
    this.deploy(`service_type: event\ncompute_type: process\ncommand: [/bin/job]\n${more}`)
    this.look(2)
  }

  look(times = 1): this {
    for (let n = 0; n < times; n++) {
      this.servicePass()
      this.enginePass()
      this.agentPass({ healthy: () => true })
      this.now += 500
    }
    return this
  }

  begin(times = 1): this {
    for (let n = 0; n < times; n++) {
      expect(this.start('web')).toBeNull()
      this.now += 1
    }
    return this
  }

  running(): readonly string[] {
    return this.all('web')
      .filter((one) => this.report(one)?.active === 'active')
      .map(({ name }) => name)
  }

  end(which = 0): void {
    const running = this.all('web').filter((one) => this.report(one)?.active === 'active')
    const instance: Instance | undefined = running[which % Math.max(1, running.length)]
    if (instance === undefined) return
    const exit = { code: 0, signal: null, oom: false, at: this.now }
    this.observe(instance, { active: 'inactive', sub: 'dead', exit })
  }

  service() {
    return this.view.services.get(serviceKey(project, 'web')) ?? expect.fail('no service')
  }

  starts(): readonly Task[] {
    return this.view.tasksOf(serviceKey(project, 'web')).filter(({ kind }) => kind === 'start')
  }

  tasks(): readonly string[] {
    return this.starts().map(({ state, error }) => `${state}${error === null ? '' : `: ${error}`}`)
  }
}

describe('concurrency', () => {
  test('a start that is ended takes its own run back alone, and the others have theirs', () => {
    const jobs = new Jobs('concurrency: 1\n').begin(4).look(6)
    const [, second] = jobs.starts()
    jobs.attempt(terminateTask(jobs.view, second?.uuid ?? '', false, jobs.now))
    expect(jobs.tasks()).toEqual(['completed', expect.stringContaining('terminated'), 'active', 'active'])
    for (const expected of ['web-1', 'web-3', 'web-4']) {
      jobs.look(6)
      expect(jobs.running()).toEqual([expected])
      jobs.end()
    }
    jobs.settle()
    expect(jobs.tasks().filter((one) => one === 'completed')).toHaveLength(3)
    expect(jobs.begin().look(6).running()).toEqual(['web-5'])
  })

  test('the last starts that are ended leave nothing to be made, and no number is used again', () => {
    const jobs = new Jobs('concurrency: 1\n').begin(3).look(2)
    for (const { uuid } of jobs.starts().slice(1).toReversed())
      jobs.attempt(terminateTask(jobs.view, uuid, false, jobs.now))
    expect(jobs.service()).toMatchObject({ lastInstance: 3, starts: 3 })
    expect(jobs.service()).not.toHaveProperty('passedOver')
    jobs.end()
    expect(jobs.look(6).running()).toEqual([])
    expect(jobs.begin().look(6).running()).toEqual(['web-4'])
  })

  test('a start is over once its own run goes, while others wait', () => {
    const jobs = new Jobs('concurrency: 1\n').begin(3).look(6)
    expect(jobs.tasks()).toEqual(['completed', 'active', 'active'])
  })

  test('a start whose run is to stop before it had a place has failed, and says so', () => {
    const jobs = new Jobs('memory: 60g\n').begin(2).look(6)
    expect(jobs.tasks()).toEqual(['completed', 'active'])
    // As a firing does that takes the place of what runs.
    jobs.apply([putOf('service', withAllStopped(jobs.service()))])
    jobs.look(6)
    expect(jobs.tasks()).toEqual([
      'completed',
      'failed: web-2 was withdrawn before it started: it was told to stop',
    ])
  })

  test('lets as many runs go at a time, and the others wait, in order, and say for what', () => {
    const jobs = new Jobs('concurrency: 2\n').begin(4).look(6)
    expect(jobs.running()).toEqual(['web-1', 'web-2'])
    expect(serviceBodyOf(jobs.view, jobs.service(), jobs.now).reason).toBe(
      'no instance of web can be created: 2 of its runs have not ended, and concurrency allows no more than 2',
    )
    jobs.end()
    jobs.look(6)
    expect(jobs.running()).toEqual(['web-2', 'web-3'])
    jobs.end()
    jobs.end()
    jobs.look(6)
    expect(jobs.running()).toEqual(['web-4'])
    jobs.end()
    jobs.settle()
    expect(jobs.service().blocked).toBeNull()
    expect(jobs.tasks()).toEqual(['completed', 'completed', 'completed', 'completed'])
    expect(
      jobs.view.runsOf(serviceKey(project, 'web')).map(({ instance, exit }) => [instance, exit?.code]),
    ).toEqual([
      ['web-1', 0],
      ['web-2', 0],
      ['web-3', 0],
      ['web-4', 0],
    ])
  })

  test('counts what is told to stop until it has, and what is on a machine that is away', () => {
    const jobs = new Jobs('concurrency: 1\n').begin().look(4)
    jobs.stop('web')
    jobs.servicePass()
    const [stopping] = jobs.all('web')
    expect(stopping?.retired?.cause).toBe('stopped')
    expect(jobs.running()).toEqual(['web-1'])
    jobs.look(4)
    jobs.begin().look(4)
    expect(jobs.running()).toEqual(['web-2'])
    const [machine] = jobs.view.machines.keys()
    if (machine !== undefined) jobs.loseMachine(machine)
    jobs.machine('b')
    jobs.begin().look(6)
    expect(jobs.live('web').map(({ name }) => name)).toEqual(['web-2'])
  })

  test('without it all go at a time', () => {
    expect(new Jobs('').begin(5).look(6).running()).toHaveLength(5)
  })

  test('is never passed, whatever starts and ends, and every run that was asked for comes', () => {
    const step = fc.constantFrom('start', 'end', 'look', 'look')
    fc.assert(
      fc.property(
        fc.integer({ min: 1, max: 3 }),
        fc.array(fc.tuple(step, fc.nat(3)), { maxLength: 40 }),
        (most, steps) => {
          const jobs = new Jobs(`concurrency: ${most}\n`)
          const look = (): void => {
            jobs.look()
            expect(jobs.running().length).toBeLessThanOrEqual(most)
            expect(jobs.live('web').length).toBeLessThanOrEqual(most)
          }
          let asked = 0
          for (const [what, which] of steps) {
            if (what === 'start') asked++
            if (what === 'start') jobs.begin()
            else if (what === 'end') jobs.end(which)
            else look()
          }
          for (let n = 0; n < asked * 12 + 12; n++) {
            jobs.end()
            look()
          }
          const runs = jobs.view.runsOf(serviceKey(project, 'web'))
          expect(runs.filter(({ endedAt }) => endedAt !== null)).toHaveLength(asked)
        },
      ),
      { numRuns: randomRuns('RUN_LIMIT_RUNS', 30) },
    )
  })
})

describe('a start whose machine is lost before its run was seen to begin', () => {
  /** A start whose run has its place on a machine that goes away then; a second machine is there. */
  function lost(deadlineMs?: number): Jobs {
    const jobs = new Jobs('')
    expect(jobs.start('web', undefined, deadlineMs)).toBeNull()
    jobs.servicePass()
    jobs.servicePass()
    jobs.enginePass()
    expect(jobs.view.placements.size).toBe(1)
    jobs.loseMachine(idOf('a'))
    jobs.machine('b')
    jobs.now += 500
    return jobs.look(6)
  }

  test('is not done, and is once the machine is back and has begun it', () => {
    const jobs = lost()
    expect(jobs.tasks()).toEqual(['active'])
    jobs.machine('a', { memoryMb: 100_000 })
    jobs.look(20)
    expect(jobs.tasks()).toEqual(['completed'])
    expect(jobs.running()).toEqual(['web-1'])
  })

  test('has failed by its deadline, and says why', () => {
    const jobs = lost(60_000)
    jobs.now += 60_000
    jobs.look(2)
    expect(jobs.tasks()).toEqual([
      'failed: web-1: it was not up after 60 s: its machine was lost before it was reported as started',
    ])
  })

  test('has failed where the machine is given up', () => {
    const jobs = lost()
    jobs.now += 60 * 60_000
    jobs.look(4)
    expect(jobs.tasks()).toEqual([
      'failed: web-1 was withdrawn before it started: its machine did not come back',
    ])
  })

  test('holds up no deploy', () => {
    const jobs = lost()
    jobs.deploy('service_type: event\ncompute_type: process\ncommand: [/bin/other]\n')
    jobs.look(4)
    const deploys = jobs.view.tasksOf(serviceKey(project, 'web')).filter(({ kind }) => kind === 'deploy')
    expect(deploys.map(({ state }) => state)).toEqual(['completed', 'completed'])
    expect(jobs.tasks()).toEqual(['active'])
  })

  test('is done where its run was seen to begin before', () => {
    const jobs = new Jobs('').begin().look(3)
    expect(jobs.view.reportOf(jobs.live('web')[0]?.unit ?? expect.fail('no run'))?.launched).toBe(true)
    jobs.loseMachine(idOf('a'))
    jobs.machine('b')
    expect(jobs.look(4).tasks()).toEqual(['completed'])
  })
})

describe('the timeout of a run', () => {
  test('stops a run that takes longer, which has failed then, with the reason', () => {
    const jobs = new Jobs('timeout: 30\n').begin().look(40)
    expect(jobs.running()).toEqual(['web-1'])
    jobs.look(30)
    expect(jobs.running()).toEqual([])
    expect(jobs.told.join('\n')).toContain('web-1 is to stop: it ran longer than its timeout of 30 s')
    const [run] = jobs.view.runsOf(serviceKey(project, 'web'))
    expect(run?.endedAt).not.toBeNull()
    expect(run && describeRun(run)).toBe('it ran longer than its timeout of 30 s')
  })

  test('is looked at when it is over, though nothing happens', () => {
    const jobs = new Jobs('timeout: 30\n').begin().look(6)
    const [instance] = jobs.live('web')
    jobs.servicePass()
    expect(jobs.wakeAt).toBe((jobs.report(instance ?? expect.fail('no instance'))?.since ?? 0) + 30_000)
  })

  test('does not count from before the run was made, whatever its machine says', () => {
    const jobs = new Jobs('timeout: 30\n').begin().look(4)
    const [instance] = jobs.live('web')
    jobs.observe(instance ?? expect.fail('no instance'), { since: jobs.now - 3_600_000 })
    jobs.look(4)
    expect(jobs.running()).toEqual(['web-1'])
  })
})
