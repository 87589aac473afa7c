// Whatever is done to the clock, every firing that it has passed is started or told as missed, and none is started twice.
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import type { Schedule, ScheduleState } from '../../src/model/schedule.js'
import { type Decision, decideFiring } from '../../src/schedule/decide.js'
import { type Timetable, timetableOf } from '../../src/schedule/timetable.js'
import { randomCases } from '../random-runs.js'

const secondMs = 1000
const hourMs = 3_600_000
const start = Date.parse('2026-01-01T00:00:00Z')

function everySeconds(seconds: number): Schedule {
  const expression = `R/2026-01-01T00:00:00Z/PT${seconds}S`
  return { kind: 'interval', expression, epsilonMs: 15 * secondMs, timezone: null, overlap: 'allow' }
}

class Cron {
  state: ScheduleState
  readonly #everyMs: number
  readonly #timetable: Timetable

  constructor(seconds: number) {
    const schedule = everySeconds(seconds)
    this.#everyMs = seconds * secondMs
    this.#timetable = timetableOf(schedule, start)
    this.state = {
      ...{ project: 'default', service: 'job', serviceUuid: 'u', schedule, origin: start },
      ...{ decidedUpTo: start - 1, pending: null, started: 0, skipped: 0, missed: 0 },
    }
  }

  /** How many firings there are up to an instant. */
  dueBy(at: number): number {
    return at < start ? 0 : Math.floor((at - start) / this.#everyMs) + 1
  }

  readonly started: number[] = []
  /** How many firings each run tells to have been missed, by when the last of them was due. */
  readonly missed = new Map<number, number>()
  told: number[] = []

  /** Decides as a pass does, until there is nothing to decide. */
  look(now: number): void {
    for (let n = 0; n < 5000; n += 1) {
      const decided = decideFiring(this.state, this.#timetable, false, now)
      // A record is all that the next leader has.
      this.state = JSON.parse(JSON.stringify(decided.state)) as ScheduleState
      this.#note(decided)
      if (decided.wakeAt !== now) return
    }
    throw new Error('it does not come to rest')
  }

  #note({ action, run, withdrawn }: Decision): void {
    for (const dueAt of withdrawn?.withdrawn ?? []) this.missed.delete(dueAt)
    if (withdrawn !== null) this.told.push(withdrawn.stillToCome)
    if (run?.outcome === 'missed') this.missed.set(run.dueAt, run.count)
    if (action === 'start' && run !== null) this.started.push(run.dueAt)
  }

  get missedInAll(): number {
    return [...this.missed.values()].reduce((sum, count) => sum + count, 0)
  }
}

describe('a clock that is set', () => {
  test('forward by an hour and back costs no firing but those meanwhile, and tells of no other', () => {
    const cron = new Cron(5)
    let now = start
    const run = (forMs: number, byMs: number): void => {
      for (let ms = 0; ms <= forMs; ms += secondMs) cron.look(now + ms + byMs)
      now += forMs
    }
    run(60 * secondMs, 0)
    run(20 * secondMs, hourMs)
    expect(cron.missedInAll).toBeGreaterThan(700)
    run(2 * hourMs, 0)
    const perHour = hourMs / (5 * secondMs)
    expect(cron.told).toHaveLength(1)
    expect(cron.missedInAll).toBeLessThanOrEqual(4)
    expect(cron.state.missed).toBe(cron.missedInAll)
    expect(new Set(cron.started).size).toBe(cron.started.length)
    expect(cron.started.length).toBe(cron.dueBy(now) - cron.missedInAll)
    expect(cron.started.length).toBeGreaterThan(2 * perHour)
  })

  test('in any way, any number of times: none is started twice, and all are started or told as missed', () => {
    const jumpMs = fc.integer({ min: -4000 * secondMs, max: 4000 * secondMs })
    const spell = fc.record({ jumpMs, forMs: fc.integer({ min: 0, max: 90 * secondMs }), away: fc.boolean() })
    fc.assert(
      fc.property(fc.array(spell, { maxLength: 12 }), (spells) => {
        // Counted one by one up to a thousand: this often there are fewer.
        const cron = new Cron(60)
        let now = start
        for (const { jumpMs, forMs, away } of spells) {
          now = Math.max(start, now + jumpMs)
          // Nobody leads for a while.
          if (!away) for (let ms = 0; ms < forMs; ms += 3 * secondMs) cron.look(now + ms)
          now += forMs
        }
        cron.look(now)
        expect(new Set(cron.started).size).toBe(cron.started.length)
        expect(cron.state.started).toBe(cron.started.length)
        const startedBy = cron.started.filter((at) => at <= now).length
        expect(cron.missedInAll).toBe(cron.state.missed)
        expect(startedBy + missedBy(cron, now)).toBe(cron.dueBy(now))
      }),
      { numRuns: randomCases(150) },
    )
  })
})

function missedBy({ state }: Cron, now: number): number {
  const all = (state.passedOver ?? []).reduce((sum, { count }) => sum + count, 0)
  expect(all).toBe(state.missed)
  for (const { upTo } of state.passedOver ?? []) expect(upTo).toBeLessThanOrEqual(now)
  return all
}
