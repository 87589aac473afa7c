import { expect, test } from 'vitest'
import { machineBodyOf } from '../../src/api/bodies.js'
import { describeMachine } from '../../src/cli/details.js'
import type { Machine } from '../../src/model/machine.js'
import type { DesiredUnit } from '../../src/model/unit.js'
import type { ClusterView } from '../../src/store/view.js'
import type { Requirements } from '../../src/unit/requirements.js'
import { aMachine } from '../cli/bodies.js'

test('of a machine is told what what runs on it reserves; what is not to run reserves nothing', () => {
  const units = new Map(
    [
      ['web.1', 'launched'],
      ['web.2', 'launched'],
      ['old.1', 'inactive'],
    ].map(([name, desired]) => [name, { name, desired }]),
  )
  const view = {
    units,
    placedOn: () => units,
    machines: new Map(),
    orders: new Map(),
    knownMachines: new Map(),
    clockOffsets: new Map(),
    leader: null,
  } as unknown as ClusterView
  const needsOf = (_: DesiredUnit) => ({ memoryMb: 512, cpu: 75 }) as Requirements
  const machine = { id: 'a'.repeat(32), drivers: [] } as unknown as Machine
  expect(machineBodyOf(view, machine, needsOf).allocated).toEqual({ memoryMb: 1024, cpus: 1.5, units: 3 })
})

test('a machine is shown with the cores that are reserved on it', () => {
  const shown = describeMachine({ ...aMachine(), placed: [] }, { full: false, now: 0 })
  expect(shown).toMatch(/^Cores: +1\.5 of 4 promised$/m)
})
