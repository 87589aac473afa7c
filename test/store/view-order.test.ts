// What a view lists is in the same order on every machine, whichever record each of them heard of first.
import { expect, test } from 'vitest'
import type { Run } from '../../src/model/schedule.js'
import { putOf } from '../../src/store/records.js'
import { serviceKey } from '../../src/store/view.js'
import { project, World } from '../world/world.js'

const run: Run = {
  ...{ project, service: 'job', serviceUuid: 'job', by: 'schedule', dueAt: 1000, decidedAt: 1000 },
  ...{ outcome: 'started', count: 1, instance: 'job-1', endedAt: null, exit: null },
}

test('runs that were due at the same time', () => {
  const runs: readonly Run[] = [
    { ...run, outcome: 'missed', instance: null },
    run,
    { ...run, by: 'start', instance: 'job-2' },
  ]
  for (const heard of [runs, runs.toReversed()]) {
    const world = new World()
    for (const one of heard) world.apply([putOf('run', one)])
    expect(world.view.runsOf(serviceKey(project, 'job'))).toEqual(runs)
  }
})
