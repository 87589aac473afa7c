import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { Explainer } from '../../src/engine/explain.js'
import { putOf } from '../../src/store/records.js'
import { asUnitName } from '../../src/unit/name.js'
import { unitHash } from '../../src/unit/print.js'
import { randomCases } from '../random-runs.js'
import { World } from '../world/world.js'
import { playScenario } from './scenario.js'

const folder = join(import.meta.dirname, 'scenarios')

describe('scenarios', () => {
  for (const file of readdirSync(folder).sort()) {
    test(file.replace('.scn', '').replaceAll('-', ' '), () => {
      const text = readFileSync(join(folder, file), 'utf8')
      const [given = '', expected = ''] = text.split('----\n')
      const decided = playScenario(given)
      if (process.env['UPDATE_SCENARIOS'] === '1')
        writeFileSync(join(folder, file), `${given}----\n${decided}\n`)
      else expect(decided).toBe(expected.trimEnd())
    })
  }
})

interface Ask {
  readonly memoryMb: number
  readonly fixed: number | null
  readonly chosen: boolean
}

const asks: fc.Arbitrary<readonly Ask[]> = fc.array(
  fc.record({
    memoryMb: fc.constantFrom(0, 100, 400),
    fixed: fc.option(fc.integer({ min: 80, max: 83 })),
    chosen: fc.boolean(),
  }),
  { maxLength: 30 },
)

function fill(machines: number, list: readonly Ask[], order: (a: number, b: number) => number): World {
  const world = new World()
  const names = Array.from({ length: machines }, (_, index) => index).sort(order)
  for (const index of names) world.machine(`m${index}`, { memoryMb: 1000 })
  const numbered = list.map((ask, index) => ({ ask, index })).sort((a, b) => order(a.index, b.index))
  for (const { ask, index } of numbered) {
    const ports = [
      ...(ask.fixed === null ? [] : [`Port=${ask.fixed}/tcp`]),
      ...(ask.chosen ? ['Port=0:9/tcp'] : []),
    ]
    const text = `[Service]\nExecStart=/bin/x\n[X-Mariposa]\nMemory=${ask.memoryMb}\n${ports.join('\n')}\n`
    const hash = unitHash(text)
    world.apply([
      putOf('file', { hash, text }),
      putOf('unit', {
        name: asUnitName(`u${index}.service`),
        hash,
        desired: 'launched',
        instance: null,
        createdAt: index,
      }),
    ])
  }
  return world
}

const forwards = (a: number, b: number): number => a - b
const backwards = (a: number, b: number): number => b - a

describe('whatever is asked for', () => {
  test('no machine promises more memory than it has, and no host port is given twice', () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 4 }), asks, (machines, list) => {
        const world = fill(machines, list, forwards)
        world.enginePass()
        for (const id of world.view.machines.keys()) {
          const placed = [...world.view.placedOn(id).values()]
          const memory = placed.map(
            ({ unit }) => list[Number(unit.slice(1, -'.service'.length))]?.memoryMb ?? 0,
          )
          expect(memory.reduce((sum, one) => sum + one, 0)).toBeLessThanOrEqual(1000)
          const ports = placed.flatMap((one) => one.ports.map((port) => port.host))
          expect(new Set(ports).size).toBe(ports.length)
        }
      }),
      { numRuns: randomCases(400) },
    )
  })

  test('every unit is placed or says of every machine why not, and explain agrees', () => {
    fc.assert(
      fc.property(fc.integer({ min: 0, max: 3 }), asks, (machines, list) => {
        const world = fill(machines, list, forwards)
        world.enginePass()
        for (const unit of world.view.units.values()) {
          const waiting = world.view.waiting.get(unit.name)
          expect(world.view.placements.has(unit.name)).toBe(waiting === undefined)
          if (waiting === undefined) continue
          expect(waiting.refusals.reduce((sum, one) => sum + (one.machines ?? 1), 0)).toBe(machines)
          const explained = new Explainer(world.view, world.units.needs).explain(unit)
          expect([...explained.values()].every(({ length }) => length > 0)).toBe(true)
        }
      }),
      { numRuns: randomCases(500) },
    )
  })

  test('the same cluster gives the same plan in whatever order the store lists it', () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 3 }), asks, (machines, list) => {
        const one = fill(machines, list, forwards).enginePass()
        const other = fill(machines, list, backwards).enginePass()
        const places = (actions: typeof one) =>
          actions.flatMap((action) =>
            action.kind === 'place'
              ? [[action.placement.unit, action.placement.machine, action.placement.ports]]
              : [],
          )
        expect(places(one)).toEqual(places(other))
      }),
      { numRuns: randomCases(500) },
    )
  })
})
