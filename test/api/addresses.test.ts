// Where instances are said to be reached.
import { describe, expect, test } from 'vitest'
import { instanceBodyOf } from '../../src/api/bodies.js'
import { World } from '../world/world.js'

/** The address of an instance that reports one of its own, on a machine that announces another, or none. */
function addressOf(reported: string | null, outside?: string): string | null {
  const world = new World()
  world.machine('a', outside === undefined ? {} : { outside })
  world.deploy('compute_type: process\ncommand: [/bin/web]\n')
  world.settle()
  const [instance] = world.live('web')
  if (instance === undefined) throw new Error('an instance')
  world.observe(instance, { address: reported })
  return instanceBodyOf(world.view, instance, world.now).address
}

describe('the address of an instance', () => {
  test('that shares the network of its machine is the one that the machine announces', () => {
    expect(addressOf('127.0.0.1', '192.0.2.7')).toBe('192.0.2.7')
    expect(addressOf(null, '192.0.2.7')).toBe('192.0.2.7')
  })

  test('stays that of the loopback where its machine announces none', () => {
    expect(addressOf('127.0.0.1')).toBe('127.0.0.1')
  })

  test('is its own where it has one, as containers do', () => {
    expect(addressOf('172.17.0.3', '192.0.2.7')).toBe('172.17.0.3')
  })
})
