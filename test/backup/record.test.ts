// Backups by schedule as records: which are begun, which are deleted.
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import {
  afterFailure,
  afterFirings,
  afterSuccess,
  begun,
  expiredOn,
  failuresKept,
  firstRecord,
  forgottenBackup,
  isAtRestSince,
  isMade,
  isOverdue,
  lastWhole,
  startsAt,
  takenOver,
  triesAtMost,
  withoutLeft,
} from '../../src/backup/record.js'
import type { BackupRecord, MadeBackup, RunningBackup } from '../../src/model/backup.js'
import type { MachineId } from '../../src/model/machine.js'
import type { Service } from '../../src/model/service.js'
import type { BackupPlan } from '../../src/model/volume.js'

const machine = 'a'.repeat(32) as MachineId
/** What is the machine's own to take away. */
const ofMachine = (one: { readonly machine: MachineId }): boolean => one.machine === machine
const minute = 60_000
const hour = 60 * minute
/** Midnight of a day. */
const start = Date.UTC(2026, 0, 5)
const of = { project: 'default', service: 'db', name: 'data', slot: 0, machine: null }
const service = { project: 'default', name: 'db', uuid: 'service-1' } as Service
const plan: BackupPlan = {
  schedule: { kind: 'cron', expression: '0 * * * *', epsilonMs: 6 * hour, timezone: null, overlap: 'skip' },
  ...{ to: '/backups', keep: 2, consistency: 'live' },
}

const firings = (record: BackupRecord, now: number) =>
  afterFirings(record, plan, { service, deployedAt: start, now })
const seen = (at = start + minute): BackupRecord => firings(firstRecord(of), at).record

function runningOf({ due }: BackupRecord, at: number): RunningBackup {
  const id = `run-${at}`
  return { id, dueAt: due?.dueAt ?? 0, startedAt: at, machine, to: `/backups/${id}`, consistency: 'live' }
}

function madeOf({ id: _, ...running }: RunningBackup, endedAt: number): MadeBackup {
  return { ...running, endedAt, bytes: 1, sha256: 'sum' }
}

describe('firings', () => {
  test('one is due once its time has come, and none before that', () => {
    const first = seen()
    expect([first.due, first.failures]).toEqual([null, []])
    expect(firings(first, start + hour - 1).record).toBe(first)
    const due = firings(first, start + hour).record
    expect(due.due).toEqual({ dueAt: start + hour, failures: 0, notBefore: start + hour })
    expect(firings(due, start + hour).record).toBe(due)
  })

  test('those that a machine was away for are made up for by one, as far as they are not too late', () => {
    const { record, missed } = firings(seen(), start + 10 * hour + minute)
    expect(record.due?.dueAt).toBe(start + 5 * hour)
    expect(missed.map(({ count, reason }) => [count, reason])).toEqual([
      [4, 'the machine or its daemon was away'],
      [5, 'the backup of an earlier firing was still running'],
    ])
  })

  test('a firing while a backup goes on has none; after a try that failed the next one counts', () => {
    const due = firings(seen(), start + hour).record
    const running = begun(due, runningOf(due, start + hour))
    const during = firings(running, start + 2 * hour)
    expect([during.record.due?.dueAt, during.missed.length]).toEqual([start + hour, 1])
    const failed = afterFailure(running, 'why', start + hour + minute)
    expect(firings(failed, start + 2 * hour).record.due).toMatchObject({
      dueAt: start + 2 * hour,
      failures: 0,
    })
  })
})

describe('tries', () => {
  test('follow each other later and later, and end', () => {
    let record = firings(seen(), start + hour).record
    const waits: (number | null)[] = []
    for (let at = start + hour; record.due !== null; at = record.due?.notBefore ?? 0) {
      record = afterFailure(begun(record, runningOf(record, at)), 'no room', at)
      waits.push(record.due === null ? null : (record.due.notBefore - at) / minute)
    }
    expect(waits).toEqual([1, 4, 16, 64, null])
    expect(record.failures.map(({ reason }) => reason)).toEqual(Array(triesAtMost).fill('no room'))
  })

  test('wait no longer than that when the clock is set back', () => {
    const due = { dueAt: start, failures: 1, notBefore: start + minute }
    expect(startsAt({ ...seen(), due }, start)).toBe(start + minute)
    expect(startsAt({ ...seen(), due }, start - 24 * hour)).toBe(start - 24 * hour)
  })

  test('what a machine has left that was lost in the middle is remembered until it is taken away', () => {
    const due = firings(seen(), start + hour).record
    const running = runningOf(due, start + hour)
    const over = takenOver(begun(due, running), 'its machine was lost during the backup', start + 2 * hour)
    expect([over.running, over.left]).toEqual([null, [running]])
    expect(withoutLeft(over, running.id)).not.toHaveProperty('left')
  })

  test('whose end was noted by a try of which nobody knew what became are known as whole', () => {
    const due = firings(seen(), start + hour).record
    const running = runningOf(due, start + hour)
    const { dueAt, startedAt, to, consistency } = running
    const made = {
      dueAt,
      startedAt,
      endedAt: startedAt + minute,
      machine,
      to,
      consistency,
      bytes: 1,
      sha256: '0',
    }
    const record = begun(due, running)
    expect([record, afterSuccess(record, made, 1), undefined].map((one) => isMade(one, running))).toEqual([
      ...[false, true, false],
    ])
  })
})

test('whatever happens, only a whole backup has others expire, never one of the newest, and none that was not made', () => {
  const steps = fc.array(
    fc.record({
      kind: fc.constantFrom('whole', 'fails', 'deleted', 'passes'),
      keep: fc.integer({ min: 1, max: 4 }),
      hours: fc.integer({ min: 1, max: 30 }),
    }),
    { maxLength: 40 },
  )
  fc.assert(
    fc.property(steps, (all) => {
      let record = seen()
      let now = start
      const made = new Set<string>()
      for (const { kind, keep, hours } of all) {
        now += hours * hour
        record = firings(record, now).record
        const before = record
        if (kind === 'deleted')
          for (const { to } of expiredOn(record, ofMachine)) record = forgottenBackup(record, to)
        else if (kind !== 'passes' && startsAt(record, now) !== null && (startsAt(record, now) ?? 0) <= now) {
          const running = runningOf(record, now)
          record = begun(record, running)
          // Two of one volume are never made at a time.
          expect(startsAt(record, now)).toBeNull()
          if (kind === 'fails') record = afterFailure(record, 'why', now)
          else {
            record = afterSuccess(record, madeOf(running, now), keep)
            made.add(running.to)
            const whole = record.made.filter(({ expired }) => expired !== true)
            expect(whole.at(-1)?.to).toBe(running.to)
            const wholeBefore = before.made.filter(({ expired }) => expired !== true)
            expect(whole).toEqual([...wholeBefore, madeOf(running, now)].slice(-keep))
            continue
          }
        }
        const wholeOf = (one: BackupRecord) => one.made.filter(({ expired }) => expired !== true)
        expect(wholeOf(record)).toEqual(wholeOf(before))
      }
      expect(record.made.every(({ to }) => made.has(to))).toBe(true)
      expect(new Set(record.made.map(({ dueAt }) => dueAt)).size).toBe(record.made.length)
      expect(record.failures.length).toBeLessThanOrEqual(failuresKept)
    }),
  )
})

test('two firings without a whole backup are overdue, unless nothing has had the volume since', () => {
  const due = firings(seen(), start + hour).record
  const atRest = { uuid: 'v', inode: 1, serviceUuid: 's', instances: 3 }
  const made = madeOf(runningOf(due, start + hour), start + hour)
  const whole = afterSuccess(due, made, 2)
  expect([isOverdue(whole, start + 3 * hour), isOverdue(whole, start + 4 * hour + 1)]).toEqual([false, true])
  const resting = afterSuccess(due, { ...made, atRest }, 2)
  expect(isOverdue(resting, start + 24 * hour)).toBe(false)
  expect(lastWhole(resting)?.atRest).toEqual(atRest)
  expect(isAtRestSince(resting, atRest)).toBe(true)
  for (const other of [{ uuid: 'w' }, { inode: 2 }, { serviceUuid: 't' }, { instances: 4 }])
    expect(isAtRestSince(resting, { ...atRest, ...other })).toBe(false)
  expect(isAtRestSince(whole, atRest)).toBe(false)
})
