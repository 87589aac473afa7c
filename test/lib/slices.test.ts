// Long work in slices: others have their turn in between, and a budget ends it.
import { describe, expect, test } from 'vitest'
import { Slices } from '../../src/lib/io/slices.js'
import { type Steps, toEnd } from '../../src/lib/sliced-work.js'

function busy(ms: number): void {
  const until = performance.now() + ms
  while (performance.now() < until);
}

/** So many steps that take a while each; tells how many it did. */
function* work(steps: number, told: string[] = [], name = '', eachMs = 4): Steps<number> {
  for (let n = 0; n < steps; n++) {
    busy(eachMs)
    told.push(name)
    if (!(yield)) return n + 1
  }
  return steps
}

describe('work in slices', () => {
  test('lets everything else have its turn in between', async () => {
    let turns = 0
    const count = (): void => {
      turns += 1
      next = setImmediate(count)
    }
    let next = setImmediate(count)
    expect(await new Slices().run(work(20), 60_000)).toBe(20)
    clearImmediate(next)
    expect(turns).toBeGreaterThan(2)
  })

  test('is over in the turn of the caller where it is short and nothing else is at work', () => {
    const told: string[] = []
    const noTime = { steady: () => 0 }
    void new Slices(noTime).run(work(2, told, 'a', 0), 60_000).catch(() => {})
    expect(told).toEqual(['a', 'a'])
  })

  test('is told to come to its end when its budget is used up', async () => {
    const done = await new Slices().run(work(1000), 20)
    expect(done).toBeGreaterThan(0)
    expect(done).toBeLessThan(1000)
  })

  test('takes turns with other work, and a failure is that of one alone', async () => {
    const slices = new Slices()
    const told: string[] = []
    function* failing(): Steps<number> {
      yield
      throw new Error('this one fails')
    }
    const long = slices.run(work(30, told, 'long'), 60_000)
    const short = slices.run(work(3, told, 'short'), 60_000)
    await expect(slices.run(failing(), 60_000)).rejects.toThrow('this one fails')
    expect(await short).toBe(3)
    expect(await long).toBe(30)
    expect(told.lastIndexOf('short')).toBeLessThan(told.lastIndexOf('long'))
  })

  test('can be done in one go', () => {
    expect(toEnd(work(5))).toBe(5)
  })
})
