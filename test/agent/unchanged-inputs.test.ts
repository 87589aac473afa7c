// Which units a pass of the agent need not look at.
import { expect, test } from 'vitest'
import type { Chain } from '../../src/agent/plan-local.js'
import { absentUnit, freshMemory, reportOf } from '../../src/agent/report.js'
import { UnchangedInputs, type UnitInputs } from '../../src/agent/unchanged-inputs.js'
import type { MachineId } from '../../src/model/machine.js'
import { asUnitName } from '../../src/unit/name.js'

const name = asUnitName('web.service')
const machine = 'a'.repeat(32) as MachineId
const observed = absentUnit(name, 'process')
const inputs: UnitInputs = {
  unit: { name, hash: 'h', desired: 'launched', instance: null, createdAt: 0 },
  placement: { unit: name, machine, ports: [], cause: { kind: 'new' }, at: 0 },
  observed,
  memory: freshMemory,
  reported: reportOf(machine, observed, freshMemory),
  chain: undefined,
}

test('a unit is passed over as long as nothing of what decides on it is another', () => {
  const settled = new UnchangedInputs()
  expect(settled.has(inputs)).toBe(false)
  settled.note(inputs)
  expect(settled.has({ ...inputs })).toBe(true)
  const changes: readonly Partial<UnitInputs>[] = [
    { unit: { ...inputs.unit, desired: 'loaded' } },
    { placement: { ...inputs.placement, at: 1 } },
    { observed: { ...observed, active: 'active' } },
    { memory: { ...freshMemory, health: 'healthy' } },
    { reported: undefined },
    { chain: { unit: name, steps: ['stop'], cause: 'to-stop' } satisfies Chain },
  ]
  for (const change of changes) expect(settled.has({ ...inputs, ...change })).toBe(false)
  settled.forget(name)
  expect(settled.has(inputs)).toBe(false)
})

test('what is to be tried again is looked at, for it is due without any change', () => {
  const settled = new UnchangedInputs()
  const failed = { ...inputs, memory: { ...freshMemory, attempts: 1, retryAt: 5 } }
  settled.note(failed)
  expect(settled.has(failed)).toBe(false)
})

test('and so is what the agent is to restart', () => {
  const settled = new UnchangedInputs()
  const ended = { ...inputs, observed: { ...observed, restartAt: 5, restartIsDue: true as const } }
  settled.note(ended)
  expect(settled.has(ended)).toBe(false)
})
