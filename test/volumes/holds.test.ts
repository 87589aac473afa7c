// Holds of the slots of volumes, and moves, as the store has them at each point.
import { describe, expect, test } from 'vitest'
import { isProblem } from '../../src/changes/problem.js'
import { freezeScope } from '../../src/changes/queue.js'
import type { VolumeBody } from '../../src/contract/contract.js'
import { byKeys } from '../../src/lib/sort.js'
import type { MachineId } from '../../src/model/machine.js'
import type { UnitName } from '../../src/model/unit.js'
import type { VolumeHold, VolumeRecord } from '../../src/model/volume.js'
import { keys, putOf } from '../../src/store/records.js'
import { ScratchStore } from '../../src/store/scratch.js'
import type { Op } from '../../src/store/store.js'
import { forgottenHolds, heldFor, heldToFill, releasedFrom, slotsHeld } from '../../src/volumes/holds.js'
import {
  arrived,
  copyOf,
  fateOfCopy,
  leftOn,
  movesTo,
  moveTarget,
  nothingLeft,
} from '../../src/volumes/moves.js'
import { project, World } from '../world/world.js'

const [a, b] = ['a'.repeat(32) as MachineId, 'b'.repeat(32) as MachineId]
const record = (name: string, more: Partial<VolumeRecord> = {}): VolumeRecord => ({
  ...{ uuid: `of-${name}`, project: 'default', service: 'db', name, slot: 0 },
  ...{ machine: a, generation: 0, createdAt: 0 },
  ...more,
})
const slot = { project: 'default', service: 'db', slot: 0 }
const body = { ...record('data'), machine: a, hostname: 'a' } as unknown as VolumeBody & { slot: number }
const hold: VolumeHold = { id: 'one', work: 'move', by: b, at: 1 }

function storeWith(...records: readonly VolumeRecord[]) {
  const store = new ScratchStore()
  store.apply(records.map((one) => putOf('volume', one)))
  const write = (ops: readonly Op[] | null): void => {
    if (ops !== null) store.apply(ops)
  }
  return { view: store.view, write }
}
const heldStore = () => {
  const made = storeWith(record('data'), record('wal'), record('data', { slot: 1, uuid: 'other' }))
  const held = heldFor(made.view, body, hold)
  if (isProblem(held)) throw new Error(held.message)
  made.write(held.ops)
  return made
}

describe('a volume that is to be filled', () => {
  const wanted = { ...slot, name: 'data', machine: a, sizeMb: 5 }
  const fill: VolumeHold = { id: 'one', work: 'restore', by: a, at: 1 }
  const filling = (...records: readonly VolumeRecord[]) => {
    const made = storeWith(...records)
    const held = heldToFill(made.view, wanted, fill)
    if (isProblem(held)) throw new Error(held.message)
    made.write(held.ops)
    return made
  }
  const now = (view: ReturnType<typeof storeWith>['view']) =>
    [...view.volumesOf('default/db').values()]
      .toSorted(byKeys(({ name }) => name))
      .map((one) => [one.name, one.incomplete ?? false, one.hold?.failed ?? one.hold?.id])

  test('holds its slot until it is whole', () => {
    const { view, write } = filling(record('wal'))
    expect(now(view)).toEqual([
      ['data', true, 'one'],
      ['wal', false, 'one'],
    ])
    expect(forgottenHolds(view, a, () => false)).toHaveLength(1)
    write(releasedFrom(view, slot, 'one', 'data'))
    expect(now(view)).toEqual([
      ['data', false, undefined],
      ['wal', false, undefined],
    ])
  })

  test('keeps its slot empty when that breaks off, and is held for nothing but another try', () => {
    const { view, write } = filling(record('wal'))
    write(releasedFrom(view, slot, 'one'))
    expect(now(view)).toEqual([
      ['data', true, true],
      ['wal', false, true],
    ])
    expect(forgottenHolds(view, a, () => false)).toEqual([])
    expect(slotsHeld(view, { project: 'default', name: 'db', scale: 1 } as never)).toEqual([
      expect.stringContaining('slot 0 waits: its volume data is incomplete'),
    ])
    expect(slotsHeld(view, { project: 'default', name: 'db', scale: 0 } as never)).toEqual([])
    const wal = { ...body, name: 'wal' }
    expect(heldFor(view, wal, { ...fill, id: 'two', work: 'backup' })).toMatchObject({
      code: 'volume/incomplete',
    })
    expect(heldToFill(view, { ...wanted, name: 'wal' }, fill)).toMatchObject({ code: 'volume/incomplete' })
    expect(heldFor(view, body, { ...hold, id: 'two' })).toMatchObject({ code: 'volume/incomplete' })
    const again = heldToFill(view, wanted, { ...fill, id: 'two', at: 9 })
    if (isProblem(again)) throw new Error(again.message)
    const [before] = [...view.volumesOf('default/db').values()].filter(({ name }) => name === 'data')
    expect([again.record.uuid, again.record.createdAt]).toEqual([before?.uuid, 1])
    write(again.ops)
    expect(heldToFill(view, wanted, fill)).toMatchObject({ code: 'volume/held' })
  })

  test('is none that the slot has, and nobody has told of: what is in it may be whole', () => {
    const { view } = storeWith(record('data'))
    expect(heldToFill(view, wanted, fill)).toMatchObject({ code: 'volume/cannot-make' })
    const { uuid } = record('data')
    expect(heldToFill(view, wanted, fill, 'another')).toMatchObject({ code: 'volume/cannot-make' })
    expect(heldToFill(view, wanted, fill, uuid)).toMatchObject({ record: { uuid, incomplete: true } })
  })

  test('has the generation that is next where one was given up, and counts the size', () => {
    const { view } = filling(record('data', { machine: null, generation: 2 }))
    const [made] = [...view.volumesOf('default/db').values()]
    expect(made).toMatchObject({ generation: 2, sizeMb: 5, machine: a, incomplete: true })
  })
})

describe('the volumes of a slot', () => {
  test('are held together, once, and let go of by who holds them', () => {
    const { view, write } = heldStore()
    expect(movesTo(view, b).map(({ from, records }) => [from, records.map(({ name }) => name)])).toEqual([
      [a, ['data', 'wal']],
    ])
    expect(heldFor(view, body, { ...hold, id: 'two' })).toMatchObject({ code: 'volume/held' })
    expect(releasedFrom(view, slot, 'two')).toEqual([])
    expect(forgottenHolds(view, b, () => false)).toMatchObject([{ id: 'one', slot: 0 }])
    expect(forgottenHolds(view, b, () => true)).toEqual([])
    write(releasedFrom(view, slot, 'one'))
    expect(movesTo(view, b)).toEqual([])
  })

  test('are not held for a volume that the slot has not any more', () => {
    const { view } = storeWith(record('data', { generation: 1 }))
    expect(heldFor(view, body, hold)).toMatchObject({ code: 'volume/not-of-now' })
  })

  test('arrive together, as the next generation, and leave behind what was there', () => {
    const { view, write } = heldStore()
    const [move] = movesTo(view, b)
    if (move === undefined) throw new Error('nothing moves')
    write(arrived(view, move))
    const now = [...view.volumesOf('default/db').values()].filter((one) => one.slot === 0)
    expect(now.map(({ machine, generation, hold: held }) => [machine, generation, held])).toEqual([
      [b, 1, undefined],
      [b, 1, undefined],
    ])
    expect(now.map(({ uuid }) => uuid)).toEqual(move.records.map((one) => copyOf(move, one).uuid))
    const left = leftOn(view, a)
    expect(left.map((one) => one.left)).toEqual([
      { machine: a, generation: 0, uuid: 'of-data' },
      { machine: a, generation: 0, uuid: 'of-wal' },
    ])
    for (const one of left) write(nothingLeft(view, one))
    expect(leftOn(view, a)).toEqual([])
  })

  test('that lie on several machines come together: what is there already stays', () => {
    const { view, write } = storeWith(record('data'), record('wal', { machine: b }))
    const held = heldFor(view, body, hold)
    if (isProblem(held)) throw new Error(held.message)
    write(held.ops)
    const [move] = movesTo(view, b)
    if (move === undefined) throw new Error('nothing moves')
    expect(move.records.map(({ name }) => name)).toEqual(['data'])
    write(arrived(view, move))
    const now = [...view.volumesOf('default/db').values()].toSorted(byKeys(({ name }) => name))
    expect(now.map((one) => [one.name, one.machine, one.generation, one.hold])).toEqual([
      ['data', b, 1, undefined],
      ['wal', b, 0, undefined],
    ])
    expect(leftOn(view, b)).toEqual([])
  })

  test('do not arrive once the move was ended, or one of them was given up', () => {
    const ended = heldStore()
    const [move] = movesTo(ended.view, b)
    if (move === undefined) throw new Error('nothing moves')
    ended.write(releasedFrom(ended.view, slot, 'one'))
    expect(arrived(ended.view, move)).toBeNull()
    const givenUp = heldStore()
    givenUp.write([putOf('volume', record('wal', { machine: null, generation: 1 }))])
    expect(arrived(givenUp.view, move)).toBeNull()
  })
})

describe('a copy that was on its way when its daemon was ended', () => {
  const copy = { project: 'default', service: 'db', uuid: 'of-copy' }

  test('comes as long as its move goes on, and is nobody’s once that is over', () => {
    const { view, write } = heldStore()
    expect(fateOfCopy(view, b, copy, 'one')).toBe('coming')
    expect(fateOfCopy(view, a, copy, 'one')).toBe('nobodys')
    write(releasedFrom(view, slot, 'one'))
    expect(fateOfCopy(view, b, copy, 'one')).toBe('nobodys')
  })

  test('is here where its slot has it', () => {
    const { view, write } = heldStore()
    const [move] = movesTo(view, b)
    if (move === undefined) throw new Error('nothing moves')
    write(arrived(view, move))
    for (const one of move.records) expect(fateOfCopy(view, b, copyOf(move, one), 'one')).toBe('here')
  })

  test('is kept while something of its service cannot be read', () => {
    const { view, write } = storeWith(record('data'))
    expect(fateOfCopy(view, b, copy, 'one')).toBe('nobodys')
    write([{ op: 'put', key: keys.volume('default', 'db', 'wal', 0), value: '{' }])
    expect(fateOfCopy(view, b, copy, 'one')).toBe('unknown')
    expect(fateOfCopy(view, b, { ...copy, service: 'other' }, 'one')).toBe('nobodys')
  })
})

describe('a slot of a service', () => {
  const pinned = `compute_type: process
command: [/bin/db]
volumes: ["data:/mnt/data"]
affinity: "machine.role==db"
`
  function deployed() {
    const world = new World()
    world.machine('a', { metadata: { role: 'db' } })
    world.machine('b')
    world.deploy(pinned)
    world.settle()
    const [instance] = world.live('web')
    const machine = world.view.placements.get(instance?.unit ?? ('' as UnitName))?.machine
    if (instance?.slot !== 0 || machine === undefined) throw new Error('it has no place')
    // As the engine writes it with the placement.
    world.apply([putOf('volume', record('data', { machine, service: 'web' }))])
    return { world, volume: { ...body, machine, service: 'web' }, machine }
  }

  test('is not held while its service is frozen, as nobody would stop its instance', () => {
    const { world, volume, machine } = deployed()
    const frozen = freezeScope(world.view, project, 'web', world.now)
    if (isProblem(frozen)) throw new Error(frozen.message)
    world.attempt(frozen)
    expect(heldFor(world.view, volume, { ...hold, by: machine })).toMatchObject({ code: 'service/frozen' })
  })

  test('goes where its next instance can be, also while it has none', () => {
    const { world, machine } = deployed()
    const asked = { ...slot, service: 'web', machine }
    expect(moveTarget(world.view, world.explainer, asked, null)).toMatchObject({ code: 'volume/cannot-move' })
    world.scale('web', 0)
    world.settle()
    expect(world.live('web')).toEqual([])
    expect(moveTarget(world.view, world.explainer, asked, 'b')).toMatchObject({ code: 'volume/cannot-move' })
    world.machine('c', { metadata: { role: 'db' } })
    expect(moveTarget(world.view, world.explainer, asked, null)).toMatchObject({ hostname: 'c' })
    expect(moveTarget(world.view, world.explainer, asked, 'a')).toMatchObject({ code: 'volume/cannot-move' })
    world.apply([putOf('volume', record('wal', { machine: b, service: 'web' }))])
    expect(moveTarget(world.view, world.explainer, asked, 'a')).toMatchObject({ hostname: 'a' })
  })
})
