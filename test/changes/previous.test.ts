// `--previous`: a change is made only where nobody else has changed what is current.
import { describe, expect, test } from 'vitest'
import type { Problem } from '../../src/changes/problem.js'
import { serviceKey } from '../../src/store/view.js'
import { project, World } from '../world/world.js'

const manifest = (mark: string): string => `compute_type: process\ncommand: [/bin/web, "${mark}"]\n`

/** At version 2, with one before. */
function deployed(): World {
  const world = new World()
  world.machine('a')
  for (const mark of ['1', '2']) {
    world.deploy(manifest(mark))
    world.settle()
  }
  return world
}

const versionsOf = (world: World) => world.view.versionsOf(serviceKey(project, 'web'))
const recordOf = (world: World): string =>
  JSON.stringify([...world.view.services, ...world.view.tasks, ...world.view.versions])

const changes: Readonly<Record<string, (world: World, previous: string) => Problem | null>> = {
  deploy: (world, previous) => world.tryDeploy(manifest('3'), { previous }),
  revert: (world, previous) => world.tryRevert('web', { version: '1', previous }),
  reprovision: (world, previous) => world.reprovision('web', { previous }),
}

describe.each(Object.entries(changes))('a %s that expects a version to be current', (_kind, change) => {
  test('is made where it is, by its uuid, the beginning of that, or its number', () => {
    const uuid = versionsOf(deployed())[0]?.uuid ?? ''
    for (const word of [uuid, uuid.slice(0, 8), '2'])
      expect([word, change(deployed(), word)]).toEqual([word, null])
  })

  test('is refused where it is not, or there is none of that name, and nothing is changed', () => {
    const [current, before] = versionsOf(deployed())
    for (const word of [before?.uuid ?? '', '1', '7', 'never']) {
      const world = deployed()
      const record = recordOf(world)
      expect(change(world, word)).toMatchObject({
        status: 409,
        code: 'service/not-previous',
        message: `web is not at version ${word}: its current version is ${current?.uuid} (number 2)`,
      })
      expect(recordOf(world)).toBe(record)
    }
  })
})

test('a deploy of a new service that expects a version is refused', () => {
  const world = new World()
  world.machine('a')
  expect(world.tryDeploy(manifest('1'), { previous: '1' })).toMatchObject({
    code: 'service/not-previous',
    message: 'web is not at version 1: it does not exist',
  })
})
