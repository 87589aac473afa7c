// Whether anybody may still have a request under way for a unit that is to stop.
import { expect, test } from 'vitest'
import { isIdleEverywhere } from '../../src/agent/entry-idle.js'
import type { EntryIdle } from '../../src/model/entry.js'
import type { KnownMachine, Machine, MachineId } from '../../src/model/machine.js'
import { asUnitName } from '../../src/unit/name.js'

const unit = asUnitName('web@1.service')
const now = 1_000_000
const [one, other] = ['a', 'b'] as MachineId[]
const withEntry = (id: MachineId, more: Partial<KnownMachine> = {}): KnownMachine =>
  ({ id, entry: { http: ':80', https: ':443' }, ...more }) as KnownMachine

function isIdle(known: readonly KnownMachine[], present: readonly Machine[], idle: readonly EntryIdle[]) {
  const view = {
    knownMachines: new Map(known.map((machine) => [machine.id, machine])),
    machines: new Map(present.map((machine) => [machine.id, machine])),
    entryIdle: new Map(idle.map((record) => [record.machine, record])),
  }
  return isIdleEverywhere(view, unit, now)
}

const tells = (machine: MachineId | undefined, units = [unit]): EntryIdle => ({
  machine: machine as MachineId,
  units,
})

test('nobody does where there is no entry', () => {
  expect(isIdle([], [], [])).toBe(true)
  const plain = { id: one } as Machine
  expect(isIdle([plain], [plain], [])).toBe(true)
})

test('every machine with an entry has to say so', () => {
  const all = [withEntry(one as MachineId), withEntry(other as MachineId)]
  expect(isIdle(all, all, [tells(one)])).toBe(false)
  expect(isIdle(all, all, [tells(one), tells(other, [])])).toBe(false)
  expect(isIdle(all, all, [tells(one), tells(other)])).toBe(true)
})

test('one that is away or was lost just now may serve on, and one that is down for long does not', () => {
  const here = withEntry(one as MachineId)
  const away = withEntry(other as MachineId, { away: { since: 0, until: now + 1 } })
  expect(isIdle([here, away], [here, away], [tells(one), tells(other)])).toBe(false)
  const gone = withEntry(other as MachineId)
  expect(isIdle([here, gone], [here], [tells(one)])).toBe(false)
  expect(isIdle([here, { ...gone, downSince: now - 1000 }], [here], [tells(one)])).toBe(false)
  expect(isIdle([here, { ...gone, downSince: now - 61_000 }], [here], [tells(one)])).toBe(true)
})

test('one that has no entry any more is not waited for', () => {
  const before = withEntry(one as MachineId)
  expect(isIdle([before], [{ id: one } as Machine], [])).toBe(true)
})
