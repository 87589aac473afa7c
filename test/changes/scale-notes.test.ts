// A scale that autoscaling changes again at once is set, and whoever sets it hears so.
import { expect, test } from 'vitest'
import { isProblem } from '../../src/changes/problem.js'
import { changeScales } from '../../src/changes/services.js'
import { project, World } from '../world/world.js'

function autoscaled(enable: string): World {
  const world = new World()
  world.machine('a')
  world.deploy(`compute_type: process
command: [/bin/x]
autoscale: {enable: ${enable}, min: 2, max: 4}
`)
  world.settle()
  return world
}

function notes(world: World, target: string | number): readonly string[] {
  const change = changeScales(world.view, project, { web: target }, world.now)
  return isProblem(change) ? [change.message] : (change.notes ?? [])
}

test.each([
  [
    5,
    [
      'web is autoscaled, not above its autoscale.max of 4: the autoscaler will soon change the scale of 5 to that bound',
    ],
  ],
  [
    '1',
    [
      'web is autoscaled, not below its autoscale.min of 2: the autoscaler will soon change the scale of 1 to that bound',
    ],
  ],
  [4, []],
  [0, []],
])('a scale of %s', (target, told) => {
  expect(notes(autoscaled('true'), target).map((note) => note.split(';')[0])).toEqual(told)
})

test('a service whose triggers only tell has any scale', () => {
  expect(notes(autoscaled('notify'), 9)).toEqual([])
})
