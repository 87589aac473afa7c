import { describe, expect, it } from 'vitest'
import { machineEvent } from '../../src/agent/report-events.js'
import type { MachineId } from '../../src/model/machine.js'

const machine = 'f'.repeat(32) as MachineId

describe('what the checks of a machine say of the machine', () => {
  it('is told as an event of it: that it is sick, and by how much', () => {
    const word = { isSick: true, sickForMs: 0, slowness: 23.6 }
    expect(machineEvent(machine, 'node-1', word)).toMatchObject({
      kind: 'machine-sick',
      machine,
      instance: null,
      message: expect.stringContaining(
        'node-1 is sick: a program that does nothing takes 24 times as long as at rest',
      ),
    })
  })

  it('is told again when it is well, with how long that took', () => {
    const word = { isSick: false, sickForMs: 42_000, slowness: 1 }
    expect(machineEvent(machine, 'node-1', word)).toMatchObject({
      kind: 'machine-well',
      message: 'node-1 has recovered after 42 s; failed checks count again',
    })
  })
})
