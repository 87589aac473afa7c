// What is found of things that an object holds where nobody else sees them.
import { expect, test } from 'vitest'
import { heldBy } from './heap.js'

/** Holds in a private field, and in a closure, which nobody sees from outside. */
class Keeper {
  readonly #kept = new Map<string, { readonly n: number }>()
  readonly size: () => number
  readonly other: object

  constructor(count: number, other: object) {
    const closedOver: string[] = []
    for (let n = 0; n < count; n++) {
      this.#kept.set(`kept ${n}`, { n })
      closedOver.push(`closed over ${n}`)
    }
    this.size = () => closedOver.length + this.#kept.size
    this.other = other
  }
}

test('what is held in private fields and closures is counted, and what is not its own is not', {
  timeout: 60_000,
}, () => {
  const outside = { all: Array.from({ length: 500 }, (_, n) => ({ n })) }
  const keepers = [new Keeper(50, outside), new Keeper(200, outside)]
  const [few, many] = heldBy(keepers, [outside])
  const of = (held: typeof few, place: string): number => held?.get(place) ?? 0
  expect(of(few, '.#kept.[]')).toBe(100)
  expect(of(many, '.#kept.[]')).toBe(400)
  expect(of(few, '.size.closedOver.[]')).toBe(50)
  expect(of(many, '.size.closedOver.[]')).toBe(200)
  expect([...(few?.keys() ?? [])].filter((place) => place.includes('other'))).toEqual([])
  expect(keepers.map(({ size }) => size())).toEqual([100, 400])
})
