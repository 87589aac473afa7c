// The words that stand for a version of a service, wherever an order names one.
import { expect, test } from 'vitest'
import { versionNamed } from '../../src/service/orders.js'
import { World } from '../world/world.js'

test('a version is named by its uuid, a beginning of it, its number, or with its service before the number', () => {
  const world = new World()
  world.machine('a')
  world.deploy('compute_type: process\ncommand: [/bin/web]\n')
  const versions = world.view.versionsOf('default/web')
  const [first] = versions
  const uuid = first?.uuid ?? ''
  for (const word of [uuid, uuid.slice(0, 8), '1', 'web@1'])
    expect(versionNamed({ name: 'web' }, versions, word)).toBe(first)
  for (const word of ['web@2', 'web@', 'other@1', '@1'])
    expect(versionNamed({ name: 'web' }, versions, word)).toMatchObject({ code: 'service/unknown-version' })
})
