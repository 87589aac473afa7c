import { describe, expect, it } from 'vitest'
import { inBatches, mergeBatches } from '../../src/lib/io/batches.js'

describe('streams in batches', () => {
  it('are merged in order, whatever their batches are', async () => {
    const odd = of([[1, 3], [], [5], [7, 9, 11]])
    const even = of([[2], [4, 6, 8, 10, 12, 14]])
    expect((await all(mergeBatches([odd, even, of([])], (n) => n))).flat()).toEqual([
      1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 14,
    ])
  })

  it('keep the order of the streams where values are equal', async () => {
    const named = (name: string) => of([[0, 0, 1].map((at) => ({ name, at }))])
    const merged = await all(mergeBatches([named('a'), named('b')], ({ at }) => at))
    expect(merged.flat().map(({ name, at }) => `${name}${at}`)).toEqual(['a0', 'a0', 'b0', 'b0', 'a1', 'b1'])
  })

  it('are all ended when nobody takes more, and when one of them fails', async () => {
    let ended = 0
    async function* endless(): AsyncGenerator<readonly number[]> {
      try {
        for (let n = 0; ; n += 1) yield [n]
      } finally {
        ended += 1
      }
    }
    for await (const _ of mergeBatches([endless(), endless()], (n) => n)) break
    expect(ended).toBe(2)
    // biome-ignore lint/correctness/useYield: it fails before
    async function* failing(): AsyncGenerator<readonly number[]> {
      throw new Error('broken')
    }
    async function* silent(): AsyncGenerator<readonly number[]> {
      await new Promise(() => {})
    }
    await expect(all(mergeBatches([endless(), failing(), silent()], (n) => n))).rejects.toThrow('broken')
    expect(ended).toBe(3)
  })

  it('are made of what is there already', async () => {
    expect(await all(inBatches([1, 2, 3, 4, 5], 2))).toEqual([[1, 2], [3, 4], [5]])
  })
})

async function* of<T>(values: readonly T[]): AsyncGenerator<T> {
  yield* values
}

async function all<T>(stream: AsyncIterable<T>): Promise<readonly T[]> {
  const values: T[] = []
  for await (const value of stream) values.push(value)
  return values
}
