import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { Schedule, ScheduleState } from '../../src/model/schedule.js'
import { decideFiring } from '../../src/schedule/decide.js'
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
