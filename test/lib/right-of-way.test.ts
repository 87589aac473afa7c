// Who is to be alone waits for those before, and keeps those after waiting; none of them waits for ever.
import { expect, test } from 'vitest'
import { RightOfWay } from '../../src/lib/io/right-of-way.js'

/** Works that begin when they may and end when they are told to. */
function works(way: RightOfWay) {
  const going = new Set<string>()
  const ends = new Map<string, () => void>()
  const work = (name: string) => () =>
    new Promise<void>((resolve) => {
      going.add(name)
      ends.set(name, () => {
        going.delete(name)
        resolve()
      })
    })
  const settle = () => new Promise((resolve) => setImmediate(resolve))
  return {
    beside: (name: string): void => {
      way.beside(work(name)).catch(() => {})
    },
    alone: (name: string): void => {
      way.alone(work(name)).catch(() => {})
    },
    end: (name: string) => ends.get(name)?.(),
    going: async () => {
      await settle()
      return [...going].sort()
    },
  }
}

test('works go on beside each other, until one is to be alone', async () => {
  const { beside, alone, end, going } = works(new RightOfWay())
  beside('a')
  beside('b')
  alone('c')
  beside('d')
  alone('e')
  expect(await going()).toEqual(['a', 'b'])
  end('a')
  expect(await going()).toEqual(['b'])
  end('b')
  expect(await going()).toEqual(['c'])
  end('c')
  expect(await going()).toEqual(['d'])
  end('d')
  expect(await going()).toEqual(['e'])
})

test('a work that fails is over too', async () => {
  const way = new RightOfWay()
  const failed = way.alone(() => Promise.reject(new Error('no')))
  const next = way.beside(() => Promise.resolve('done'))
  await expect(failed).rejects.toThrow('no')
  await expect(next).resolves.toBe('done')
})
