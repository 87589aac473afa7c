// Scenarios as text, and how the shortest one that breaks is found.
import { expect, test } from 'vitest'
import { drawScenario } from './draw.js'
import { type Deed, parseScenario, printScenario } from './scenario.js'
import { shrink } from './shrink.js'

const wish = { seed: 5, machines: 3, services: 5, busyMs: 600_000 }

test('a scenario is the same when it is read again from its text', () => {
  const scenario = drawScenario(wish)
  expect(scenario.deeds.length).toBeGreaterThan(20)
  expect(parseScenario(printScenario(scenario))).toEqual(scenario)
})

test('a text that is no scenario is refused with the line at fault', () => {
  const text = printScenario({ ...drawScenario(wish), deeds: [] })
  expect(() => parseScenario(`${text}10 s0 explode\n`)).toThrow('line 8: there is no deed "explode"')
  expect(() => parseScenario(`${text}10 s0 scale via=m1\n`)).toThrow('line 8: it does not say to=')
  expect(() => parseScenario('seed x')).toThrow('line 1: "x" is not a whole number')
  expect(() => parseScenario('seed 1\n----\n')).toThrow('does not say machines')
})

test('what is left of a scenario is only what it breaks by', async () => {
  const scenario = drawScenario(wish)
  const [one, two] = [scenario.deeds[7], scenario.deeds[12]] as [Deed, Deed]
  const what = 'm1: two programs of s1-3 run'
  const judge = async ({ deeds }: typeof scenario): Promise<{ what: string; atMs: number } | null> =>
    deeds.includes(one) && deeds.includes(two) ? { what, atMs: two.atMs } : null
  const shortest = await shrink(scenario, { what, atMs: two.atMs }, { judge, isOver: () => false })
  expect(shortest.deeds).toEqual([one, two])
})

test('another fault than the one that was found does not count', async () => {
  const scenario = drawScenario(wish)
  const judge = async (): Promise<{ what: string; atMs: null }> => ({ what: 'something else', atMs: null })
  const shortest = await shrink(scenario, { what: 'is gone', atMs: null }, { judge, isOver: () => false })
  expect(shortest).toEqual(scenario)
})
