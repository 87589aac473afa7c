import { describe, expect, it } from 'vitest'
import { describeDifferences } from '../../src/cli/plan-differences.js'
import type { PlannedService } from '../../src/contract/contract.js'
import { idOf } from '../world/world.js'
import { anInstance } from './bodies.js'

const planned = (name: string, machine: string | null) => ({
  name,
  ordinal: 2,
  machine: machine === null ? null : idOf(machine),
  hostname: machine,
  reason: '',
})

const plan: PlannedService = {
  service: 'web',
  outcome: 'updated',
  ordinal: 2,
  previous: 'x',
  scale: { from: 2, to: 2 },
  lastInstance: 2,
  diff: [],
  start: [planned('web-3', 'a'), planned('web-4', 'b')],
  stop: [planned('web-1', 'a')],
  unplaced: [planned('web-5', null)],
}

const on = (name: string, machine: string | null) =>
  anInstance({ name, service: 'web', machine: machine === null ? null : idOf(machine) })

describe('what is not as planned', () => {
  const told = (...instances: Parameters<typeof describeDifferences>[1]): readonly string[] =>
    describeDifferences(plan, instances, (machine) => (machine === idOf('a') ? 'a' : 'b'))

  it('is nothing where every instance is where the plan has it', () => {
    expect(told(on('web-2', 'b'), on('web-3', 'a'), on('web-4', 'b'), on('web-5', null))).toEqual([])
  })

  it('is told instance by instance', () => {
    expect(told(on('web-1', 'a'), on('web-3', 'b'), on('web-5', 'a'), on('web-6', 'b'))).toEqual([
      'web-3 was to run on a, and is on b',
      'web-4 was to run on b, and does not',
      'web-5 was to find no place, and is on a',
      'web-1 was to stop, and did not',
      'web-6 was not planned, and is on b',
    ])
  })
})
