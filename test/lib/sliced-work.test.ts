// Long work that is left between its steps.
import { expect, test } from 'vitest'
import { eachInSteps, toEnd } from '../../src/lib/sliced-work.js'

test('of a list no more than so many values are looked at in one step', () => {
  let looked = 0
  const steps = eachInSteps([1, 2, 3, 4, 5], 2, (value) => {
    looked += 1
    return value * 10
  })
  const seen: number[] = []
  let step = steps.next(true)
  for (; step.done !== true; step = steps.next(true)) seen.push(looked)
  expect(seen).toEqual([2, 4])
  expect(step.value).toEqual([10, 20, 30, 40, 50])
})

test('in one go it comes to the same', () => {
  expect(toEnd(eachInSteps([1, 2, 3], 1, (value) => value + 1))).toEqual([2, 3, 4])
})
