// A unit that runs begins to follow one that has no place yet.
import fc from 'fast-check'
import { expect, test } from 'vitest'
import type { UnitName } from '../../src/model/unit.js'
import { keys, putOf } from '../../src/store/records.js'
import { asUnitName } from '../../src/unit/name.js'
import { unitHash } from '../../src/unit/print.js'
import { randomCases } from '../random-runs.js'
import { World } from '../world/world.js'

const capacityMb = 1000
const [follower, target] = [asUnitName('follower.service'), asUnitName('target.service')]

function submit(world: World, name: UnitName, memoryMb: number, more = ''): void {
  const text = `[Service]\nExecStart=/bin/x\n\n[X-Fleet]\n${more}\n[X-Mariposa]\nDriver=process\nMemory=${memoryMb}\n`
  const hash = unitHash(text)
  world.apply([
    putOf('file', { hash, text }),
    putOf('unit', { name, hash, desired: 'launched', instance: null, createdAt: ++world.now }),
  ])
}

const sizes = fc.integer({ min: 50, max: 600 })

test('it stays where it is if its machine takes the other one, and else is where that is or waits', () => {
  fc.assert(
    fc.property(fc.array(sizes, { maxLength: 8 }), sizes, sizes, fc.boolean(), (others, own, its, waits) => {
      const world = new World()
      for (const name of ['a', 'b', 'c']) world.machine(name, { memoryMb: capacityMb })
      const memory = new Map<string, number>([[follower, own]])
      for (const [n, mb] of others.entries()) memory.set(asUnitName(`other-${n}.service`), mb)
      submit(world, follower, own)
      world.enginePass()
      for (const [name, mb] of memory) if (name !== follower) submit(world, name as UnitName, mb)
      world.enginePass()
      const before = world.view.placements.get(follower)
      const machine = before?.machine
      if (machine === undefined) throw new Error('the follower has no place')
      const used = [...world.view.placedOn(machine).keys()].reduce(
        (sum, name) => sum + (memory.get(name) ?? 0),
        0,
      )
      // The target has waited for a while where it fits nowhere, or comes with the change.
      submit(world, target, its)
      if (waits) {
        world.apply([{ op: 'delete', key: keys.unit(target) }])
        world.enginePass()
        submit(world, target, its)
      }
      submit(world, follower, own, `MachineOf=${target}`)
      world.enginePass()
      const after = world.view.placements.get(follower)
      if (used + its <= capacityMb) {
        expect(after).toEqual(before)
        expect(world.view.placements.get(target)?.machine).toBe(machine)
      } else expect(after?.machine).toBe(after && world.view.placements.get(target)?.machine)
      expect(world.enginePass()).toEqual([])
    }),
    { numRuns: randomCases(500) },
  )
})
