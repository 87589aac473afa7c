// What is still on a machine that is drained, as text.
import { expect, it } from 'vitest'
import { describeDrainChanges } from '../../src/cli/drain-progress.js'
import type { DrainBody } from '../../src/contract/contract.js'
import { machineId } from './bodies.js'

const look = (left: DrainBody['left']): DrainBody => ({
  machine: machineId,
  hostname: 'north-1',
  state: 'going',
  left,
})
const web = (project: string | null): DrainBody['left'][number] => ({
  name: 'web-1',
  project,
  unit: `${project}.web.v1@1.service`,
  state: 'moving',
  reason: '',
})

it('tells instances of one name in several projects apart', () => {
  const before = look([web('default'), web('shop')])
  expect(describeDrainChanges(null, before).slice(0, 2)).toEqual(['web-1: moves', 'shop/web-1: moves'])
  expect(describeDrainChanges(before, look([web('default')]))).toEqual(['shop/web-1: has left north-1'])
})
