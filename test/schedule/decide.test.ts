import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { Schedule, ScheduleState } from '../../src/model/schedule.js'
import type { Service } from '../../src/model/service.js'
import { decideFiring, stateFor } from '../../src/schedule/decide.js'
import { timetableOf } from '../../src/schedule/timetable.js'

const minute = 60_000
const start = Date.parse('2026-01-01T00:00:00Z')

function state(overlap: Schedule['overlap'] = 'skip', epsilonMs = 5 * minute): ScheduleState {
  const schedule: Schedule = {
    kind: 'interval',
    expression: 'R/2026-01-01T00:00:00Z/PT10M',
    epsilonMs,
    timezone: null,
    overlap,
  }
  return {
    project: 'default',
    service: 'job',
    serviceUuid: 'u',
    schedule,
    origin: start,
    decidedUpTo: start - 1,
    pending: null,
    started: 0,
    skipped: 0,
    missed: 0,
  }
}
const timetable = timetableOf(state().schedule, start)
const decide = (before: ScheduleState, running: boolean, now: number) =>
  decideFiring(before, timetable, running, now)

describe('a firing', () => {
  it('starts an instance when it is due, and once', () => {
    const early = decide(state(), false, start - 1)
    expect(early).toMatchObject({ action: null, wakeAt: start })
    const due = decide(state(), false, start + 10)
    expect(due).toMatchObject({
      action: 'start',
      run: { outcome: 'started', dueAt: start },
      state: { started: 1 },
    })
    expect(decide(due.state, false, start + 20)).toMatchObject({ action: null, wakeAt: start + 10 * minute })
  })

  it('is left out, started beside, or waits for the one before to stop, as the overlap says', () => {
    expect(decide(state('skip'), true, start)).toMatchObject({ action: null, run: { outcome: 'skipped' } })
    expect(decide(state('allow'), true, start)).toMatchObject({ action: 'start' })
    const stopping = decide(state('replace'), true, start)
    expect(stopping).toMatchObject({ action: 'stop', run: null, state: { pending: start } })
    expect(decide(stopping.state, true, start + minute)).toMatchObject({ action: null, run: null })
    expect(decide(stopping.state, false, start + minute)).toMatchObject({
      action: 'start',
      run: { outcome: 'started', dueAt: start },
    })
  })

  it('that is too late is reported and not made up for', () => {
    const late = decide(state(), false, start + 67 * minute)
    expect(late).toMatchObject({ action: null, run: { outcome: 'missed', count: 7 }, state: { missed: 7 } })
    expect(decide(late.state, false, start + 67 * minute)).toMatchObject({
      action: null,
      wakeAt: start + 70 * minute,
    })
    const justInTime = decide(late.state, false, start + 74 * minute)
    expect(justInTime).toMatchObject({ action: 'start', run: { dueAt: start + 70 * minute } })
  })

  it('may be as late as the schedule says, to the millisecond', () => {
    expect(decide(state(), false, start + 5 * minute)).toMatchObject({ action: 'start' })
    expect(decide(state(), false, start + 5 * minute + 1)).toMatchObject({ run: { outcome: 'missed' } })
    // The first of these is missed, the second just in time.
    const both = decide(state(), false, start + 15 * minute)
    expect(both).toMatchObject({ run: { outcome: 'missed', count: 1 } })
    expect(decide(both.state, false, start + 15 * minute)).toMatchObject({
      action: 'start',
      run: { dueAt: start + 10 * minute },
    })
  })

  it('is counted among those that were missed up to the thousandth, and the next is made all the same', () => {
    const now = start + 3000 * 10 * minute
    const missed = decide(state(), false, now)
    expect(missed).toMatchObject({ run: { outcome: 'missed', count: 1000 }, state: { missed: 1000 } })
    expect(decide(missed.state, false, now)).toMatchObject({ action: 'start', run: { dueAt: now } })
  })

  it('is decided once, in order, whoever looks and whenever, and however often a decision is lost', () => {
    const looks = fc.array(
      fc.record({
        after: fc.integer({ min: 0, max: 40 * minute }),
        running: fc.boolean(),
        lost: fc.boolean(),
      }),
      { maxLength: 60 },
    )
    fc.assert(
      fc.property(looks, fc.constantFrom('skip', 'allow', 'replace'), (list, overlap) => {
        let kept = state(overlap)
        let now = start - minute
        const decided: number[] = []
        let count = 0
        for (const { after, running, lost } of list) {
          now += after
          const { state: next, run } = decide(kept, running, now)
          // Somebody else was first, or the leader died: nothing of it was written.
          if (lost) continue
          kept = next
          if (run !== null) {
            decided.push(run.dueAt)
            count += run.count
          }
        }
        expect([...new Set(decided)].length).toBe(decided.length)
        if (overlap !== 'replace') expect([...decided].sort((a, b) => a - b)).toEqual(decided)
        const waits = kept.pending === null ? 0 : 1
        const due = Math.floor((kept.decidedUpTo - start) / (10 * minute)) + 1
        expect(count + waits).toBe(Math.max(0, due))
        expect(kept.started + kept.skipped + kept.missed).toBe(count)
      }),
    )
  })
})

describe('a firing that waits for the one before to stop', () => {
  const waits = decide(state('replace', 2 * minute), true, start).state

  it('is missed when that takes longer than it may be late', () => {
    expect(decide(waits, true, start + minute)).toMatchObject({
      action: null,
      run: null,
      wakeAt: start + 2 * minute + 1,
    })
    for (const running of [true, false])
      expect(decide(waits, running, start + 2 * minute + 1)).toMatchObject({
        action: null,
        run: { outcome: 'missed', dueAt: start },
        state: { pending: null, missed: 1 },
      })
  })

  it('makes way for the next, and that one is started', () => {
    const long = decide(state('replace', 20 * minute), true, start).state
    const next = decide(long, true, start + 10 * minute)
    expect(next).toMatchObject({
      action: null,
      run: { outcome: 'skipped', dueAt: start },
      state: { skipped: 1 },
    })
    expect(decide(next.state, false, start + 11 * minute)).toMatchObject({
      action: 'start',
      run: { dueAt: start + 10 * minute },
    })
  })

  it('is not forgotten where another schedule is deployed meanwhile', () => {
    const service = { project: 'default', name: 'job', uuid: 'u' } as Service
    const other = { ...waits.schedule, overlap: 'allow' as const }
    const after = stateFor(service, other, start + 1000, waits, start + 1000)
    expect(decide(after, false, start + 2000)).toMatchObject({ action: 'start', run: { dueAt: start } })
  })
})

describe('a schedule that is deployed', () => {
  const service = { project: 'default', name: 'job', uuid: 'u' } as Service
  const { schedule } = state()

  it('begins at that instant, which may be one of its own', () => {
    const fresh = stateFor(service, schedule, start, undefined, start)
    expect(fresh).toEqual(state())
    expect(decide(fresh, false, start)).toMatchObject({ action: 'start', run: { dueAt: start } })
    expect(
      decide(stateFor(service, schedule, start + 1, undefined, start + 1), false, start + 1),
    ).toMatchObject({
      action: null,
      wakeAt: start + 10 * minute,
    })
  })

  it('goes on as it was, and begins anew as another one or in another service of its name', () => {
    const before = { ...state(), decidedUpTo: start, started: 3 }
    expect(stateFor(service, schedule, start + minute, before, start + minute)).toBe(before)
    const others = [
      stateFor(service, { ...schedule, overlap: 'allow' }, start + minute, before, start + minute),
      stateFor({ ...service, uuid: 'v' }, schedule, start + minute, before, start + minute),
    ]
    for (const other of others) expect(other).toMatchObject({ started: 0, decidedUpTo: start + minute - 1 })
  })

  // By a daemon whose clock is behind, or as it was some time ago.
  it('starts nothing again that the one before it has dealt with', () => {
    const now = start + 10 * minute + 1000
    const before = { ...state(), decidedUpTo: start + 10 * minute }
    const after = stateFor(service, { ...schedule, overlap: 'allow' }, start, before, now)
    expect(decide(after, false, now)).toMatchObject({ action: null, run: null, wakeAt: start + 20 * minute })
  })

  it('does not wait for what a clock that was ahead has dealt with', () => {
    const before = { ...state(), decidedUpTo: start + 60 * minute }
    const after = stateFor(service, { ...schedule, overlap: 'allow' }, start + 1, before, start + minute)
    expect(decide(after, false, start + minute)).toMatchObject({ wakeAt: start + 10 * minute })
  })
})
