// When instances are killed whose stop may not take as long as their own units say.
import { describe, expect, test } from 'vitest'
import { planKills, type Stop, stopsOf } from '../../src/agent/stops.js'
import type { DesiredUnit, UnitName } from '../../src/model/unit.js'
import { asUnitName } from '../../src/unit/name.js'

const name = asUnitName('web@1.service')

function unitThat(stopWithinMs?: number): DesiredUnit {
  const base: DesiredUnit = { name, hash: 'h', desired: 'loaded', instance: null, createdAt: 0 }
  return stopWithinMs === undefined ? base : { ...base, stopWithinMs }
}

const stopOf = (stopWithinMs: number | undefined, change: Partial<Stop> = {}): Stop => ({
  unit: unitThat(stopWithinMs),
  begunAt: 1000,
  killedAt: null,
  ...change,
})

const yes = (): boolean => true
const no = (): boolean => false
const none: ReadonlyMap<UnitName, Stop> = new Map()

describe('how long a stop has taken', () => {
  test('counts from when it was begun here', () => {
    expect(stopsOf([unitThat()], no, none, 1000).size).toBe(0)
    expect(stopsOf([unitThat()], yes, none, 1000).get(name)).toEqual(stopOf(undefined))
  })

  test('goes on while it is tried again, and when its limit comes', () => {
    const before = stopsOf([unitThat()], yes, none, 1000)
    expect(stopsOf([unitThat(5000)], no, before, 9000).get(name)).toEqual(stopOf(5000))
  })

  test('counts from when the agent before this one began it', () => {
    const left = new Map([[name, { begunAt: 400 }]])
    expect(stopsOf([unitThat()], yes, none, 1000, left).get(name)).toEqual(
      stopOf(undefined, { begunAt: 400 }),
    )
  })

  test('is forgotten with the stop', () => {
    const before = stopsOf([unitThat()], yes, none, 1000)
    expect(stopsOf([], no, before, 2000).size).toBe(0)
  })
})

describe('what is killed', () => {
  test('nothing that has no limit, however long it takes', () => {
    expect(planKills([stopOf(undefined)], 1e12)).toEqual({ kills: [], nextInMs: null })
  })

  test('what has taken as long as it may, and not before', () => {
    expect(planKills([stopOf(5000)], 5999)).toEqual({ kills: [], nextInMs: 1 })
    expect(planKills([stopOf(5000)], 6000)).toEqual({ kills: [stopOf(5000)], nextInMs: 1000 })
  })

  test('again and again, for as long as it is there', () => {
    const killed = stopOf(5000, { killedAt: 6000 })
    expect(planKills([killed], 6500)).toEqual({ kills: [], nextInMs: 500 })
    expect(planKills([killed], 7000).kills).toEqual([killed])
  })

  test('not what may take longer by now', () => {
    expect(planKills([stopOf(60_000, { killedAt: 6000 })], 8000)).toEqual({ kills: [], nextInMs: 53_000 })
    expect(planKills([stopOf(undefined, { killedAt: 6000 })], 8000)).toEqual({ kills: [], nextInMs: null })
  })
})
