// What the judges find of changes that the product does not make.
import { expect, test } from 'vitest'
import type { MachineId } from '../../src/model/machine.js'
import type { ScheduleState } from '../../src/model/schedule.js'
import type { Instance } from '../../src/model/service.js'
import type { Task } from '../../src/model/task.js'
import type { UnitName } from '../../src/model/unit.js'
import { keys, leaderKey, putOf } from '../../src/store/records.js'
import type { Change, Entry, LeaseId } from '../../src/store/store.js'
import { LiveView } from '../../src/store/view.js'
import { ComingsJudge } from './comings-judge.js'
import { FreezesJudge } from './freezes-judge.js'
import { GlobalsJudge } from './globals-judge.js'
import { LeadJudge } from './lead-judge.js'
import { project } from './scenario.js'
import { TextsJudge } from './texts-judge.js'
import { ToldJudge } from './told-judge.js'
import { WaitingFiringsJudge } from './waiting-firings-judge.js'

/** A view that a judge sees changes with, and what it found. */
function judging() {
  const broken: string[] = []
  const view = new LiveView()
  const entries = new Map<string, Entry>()
  let revision = 0
  return {
    ...{ view, broken, count: () => {}, broke: (what: string) => void broken.push(what) },
    put: ({ key, value, lease }: { key: string; value: string; lease?: LeaseId }): Change => {
      revision += 1
      const previous = entries.get(key) ?? null
      const entry: Entry = {
        ...{ key, value, createRevision: revision, modRevision: revision },
        lease: lease ?? null,
      }
      entries.set(key, entry)
      const change: Change = { type: 'put', key, entry, previous }
      view.apply(change)
      return change
    },
    drop: (key: string): Change => {
      const previous = entries.get(key) ?? null
      entries.delete(key)
      const change: Change = { type: 'delete', key, previous }
      view.apply(change)
      return change
    },
  }
}

const freeze: Task = {
  ...{ uuid: 'freeze', kind: 'freeze', project, service: 's1', state: 'active', createdAt: 0 },
  ...{ finishedAt: null, target: null, order: null, error: null, by: null },
}

function instance(n: number): Instance {
  return {
    ...{ uuid: `i${n}`, name: `s1-${n}`, n, project, service: 's1', version: 'v', ordinal: 1 },
    ...{ unit: `s1@${n}.service` as UnitName, createdAt: 0, retired: null, lost: null },
  }
}

test('an instance that is made, or told to stop, under a freeze is found', () => {
  const { view, broken, put, ...parts } = judging()
  const judge = new FreezesJudge(parts)
  judge.look(view, [put(putOf('instance', instance(1)))])
  // What is made with the freeze was decided by whoever made it.
  judge.look(view, [put(putOf('task', freeze)), put(putOf('instance', instance(2)))])
  judge.look(view, [put(putOf('instance', { ...instance(2), lost: { since: 5, backAt: null } }))])
  expect(broken).toEqual([])
  const retired = { cause: 'scale-down', at: 5, kept: false } as const
  judge.look(view, [put(putOf('instance', { ...instance(1), retired }))])
  judge.look(view, [put(putOf('instance', instance(3)))])
  expect(broken).toEqual(['s1 is frozen, and s1-1 is to stop', 's1 is frozen, and s1-3 is made'])
  judge.look(view, [put(putOf('task', { ...freeze, state: 'completed', finishedAt: 6 }))])
  judge.look(view, [put(putOf('instance', instance(4)))])
  expect(broken).toHaveLength(2)
})

test('who takes the lead from another whose lease lives is found, and who loses it while nothing is wrong', () => {
  const { view, broken, put, drop, ...parts } = judging()
  const [m0, m1] = ['m0', 'm1'].map((name) => ({ id: name as MachineId, name, failedAt: 0 })) as [Well, Well]
  let now = 10_000
  const judge = new LeadJudge({ ...parts, now: () => now, nodes: [m0, m1] })
  const led = (by: string) => put({ key: leaderKey, value: JSON.stringify({ machine: by }), lease: 'one' })
  judge.look(view, [led('m0')])
  judge.look(view, [led('m0')])
  judge.look(view, [drop(leaderKey)])
  judge.look(view, [led('m1')])
  expect(broken).toEqual([])
  judge.look(view, [led('m0')])
  now = 90_000
  judge.look(view, [drop(leaderKey)])
  expect(broken).toEqual([
    'm0 takes the lead from m1, whose lease lives',
    'm0 leads no more, and nothing has been wrong with it for 90000 ms',
  ])
})

interface Well {
  readonly id: MachineId
  readonly name: string
  readonly failedAt: number
}

test('a machine that is there and was told to be lost last is found', () => {
  const { view, broken, put, ...parts } = judging()
  const id = 'm0'.padEnd(32, '0') as MachineId
  const judge = new ComingsJudge({ ...parts, nodes: [{ id, name: 'm0' }] })
  const told = (n: number, kind: 'machine-joined' | 'machine-lost') => {
    const about = { project: null, service: null, instance: null, machine: id, message: kind }
    judge.look([put(putOf('event', [{ id: `${n}`.padStart(13, '0'), at: n, kind, ...about }]))])
  }
  const capacity = { cpus: 1, memoryMb: 1, diskMb: 1 }
  const more = { ip: '', metadata: {}, capacity, drivers: [], version: '0', bootedAt: 0 }
  told(1, 'machine-joined')
  put(putOf('machine', { id, hostname: 'm0', ...more }))
  judge.judgeRest(view)
  expect(broken).toEqual([])
  told(2, 'machine-lost')
  put(putOf('knownMachine', { id, hostname: 'm0', ...more, downSince: 2 }))
  judge.judgeRest(view)
  expect(broken).toEqual([
    'm0 is there, and was told of last as machine-lost',
    'm0 is there, and is noted as down',
  ])
})

test('a firing that waited, and of which nothing is told, is found', () => {
  const { view, broken, put, ...parts } = judging()
  const judge = new WaitingFiringsJudge(parts)
  const schedule = { kind: 'interval', expression: 'R/PT5S', epsilonMs: 1000, timezone: null } as const
  const state: ScheduleState = {
    ...{ project, service: 's1', serviceUuid: 'u', schedule: { ...schedule, overlap: 'replace' }, origin: 0 },
    ...{ decidedUpTo: 5000, pending: 5000, started: 0, skipped: 0, missed: 0 },
  }
  const run = {
    ...{ project, service: 's1', serviceUuid: 'u', by: 'schedule' as const, dueAt: 5000 },
    ...{
      decidedAt: 6000,
      outcome: 'started' as const,
      count: 1,
      instance: 's1-1',
      endedAt: null,
      exit: null,
    },
  }
  judge.look(view, [put(putOf('schedule', state))])
  judge.look(view, [put(putOf('schedule', { ...state, pending: null })), put(putOf('run', run))])
  judge.look(view, [put(putOf('schedule', { ...state, pending: 10_000 }))])
  expect(broken).toEqual([])
  judge.look(view, [put(putOf('schedule', { ...state, pending: null }))])
  expect(broken).toEqual(['s1: the firing of 10000 waited, and nothing tells what became of it'])
})

test('what is told in a change of its own is found', () => {
  const { view, broken, put, ...parts } = judging()
  const judge = new ToldJudge(parts)
  const about = { project, service: 's1', instance: 's1-1', machine: null, message: 's1-1 is to stop' }
  const told = () => put(putOf('event', [{ id: '1', at: 1, kind: 'instance-retired', ...about }]))
  judge.look(view, [put(putOf('instance', instance(1))), told()])
  expect(broken).toEqual([])
  judge.look(view, [told()])
  expect(broken).toEqual([
    '"s1-1 is to stop" is told (instance-retired), and no instance is written with that',
  ])
})

test('a text that is dropped while a unit has it is found', () => {
  const { view, broken, put, drop, ...parts } = judging()
  const judge = new TextsJudge(parts)
  const of = { desired: 'launched', instance: null, createdAt: 0 } as const
  const unit = (name: string) => put(putOf('unit', { name: name as UnitName, hash: 'one', ...of }))
  judge.look(view, [unit('u1.service'), put(putOf('file', { hash: 'one', text: '' }))])
  judge.look(view, [drop(keys.unit('u1.service' as UnitName)), drop(keys.file('one'))])
  expect(broken).toEqual([])
  judge.look(view, [unit('u2.service'), drop(keys.file('one'))])
  expect(broken).toEqual(['u2.service is there, and its text is dropped'])
})

test('a global unit that is stopped where it is to run is found, unless that was changed a moment ago', () => {
  const { view, broken, put, ...parts } = judging()
  const id = 'm0'.padEnd(32, '0') as MachineId
  let now = 0
  const node = { id, name: 'm0', unheardMs: 0, host: { hashOf: () => 'one' } }
  const judge = new GlobalsJudge({ ...parts, now: () => now, nodes: [node] })
  const unit = 'u6.service' as UnitName
  const is = (desired: 'launched' | 'inactive') =>
    judge.look(view, [put(putOf('unit', { name: unit, hash: 'one', desired, instance: null, createdAt: 0 }))])
  put(putOf('file', { hash: 'one', text: 'Global=true' }))
  const capacity = { cpus: 1, memoryMb: 1, diskMb: 1 }
  put(
    putOf('machine', {
      ...{ id, hostname: 'm0', ip: '', metadata: {}, capacity, drivers: [], version: '0', bootedAt: 0 },
    }),
  )
  is('launched')
  now = 1000
  judge.stopping(node, unit)
  now = 60_000
  is('inactive')
  judge.stopping(node, unit)
  is('launched')
  expect(broken).toEqual([])
  now = 120_000
  judge.stopping(node, unit)
  expect(broken).toEqual(['u6.service is global and to run on m0 as it does for 60000 ms, and is stopped'])
})
