// How the history is kept: what one transaction tells is one entry.
import { describe, expect, test } from 'vitest'
import type { EventDraft } from '../../src/model/event.js'
import type { MachineId } from '../../src/model/machine.js'
import { openEventLog } from '../../src/store/io/event-log.js'
import { decodeEvents } from '../../src/store/records.js'
import type { Op } from '../../src/store/store.js'

const draft = (message: string): EventDraft => ({
  kind: 'health',
  project: 'default',
  service: 'web',
  instance: null,
  machine: null,
  message,
})

const entriesOf = (ops: readonly Op[]): readonly { key: string; value: string }[] =>
  ops.map((op) => {
    if (op.op !== 'put') throw new Error('events are only added')
    return op
  })

describe('the event log', () => {
  const openLog = (times: readonly number[]) => {
    const left = [...times]
    return openEventLog({ now: () => left.shift() ?? 0 }, 'abcdef'.padEnd(32, '0') as MachineId)
  }

  test('writes what is told at once as one entry, in order', () => {
    const [entry, ...more] = entriesOf(openLog([5, 5]).append([draft('one'), draft('two')]))
    expect(more).toEqual([])
    expect(entry?.key).toBe('events/0000000000005-0000-abcdef00')
    expect(decodeEvents(entry ?? { key: '', value: '' })).toEqual([
      { ...draft('one'), id: '0000000000005-0000-abcdef00', at: 5 },
      { ...draft('two'), id: '0000000000005-0001-abcdef00', at: 5 },
    ])
  })

  test('writes nothing where nothing is told', () => {
    expect(openLog([]).append([])).toEqual([])
  })

  test('gives ids that go on in order when its clock does not', () => {
    const log = openLog([7, 3, 3, 8])
    const ids = ['a', 'b', 'c', 'd'].flatMap((message) =>
      entriesOf(log.append([draft(message)])).flatMap((entry) => decodeEvents(entry).map(({ id }) => id)),
    )
    expect(ids).toEqual([
      '0000000000007-0000-abcdef00',
      '0000000000007-0001-abcdef00',
      '0000000000007-0002-abcdef00',
      '0000000000008-0000-abcdef00',
    ])
  })

  test('gives other ids than a process before it whose times come again', () => {
    const machine = 'abcdef'.padEnd(32, '0') as MachineId
    const idsFrom = (countsFrom: number): readonly string[] => {
      const log = openEventLog({ now: () => 7 }, machine, countsFrom)
      return entriesOf(log.append([draft('a'), draft('b')])).flatMap((entry) =>
        decodeEvents(entry).map(({ id }) => id),
      )
    }
    expect(idsFrom(4711)).toEqual(['0000000000007-4711-abcdef00', '0000000000007-4712-abcdef00'])
    expect(idsFrom(0).filter((id) => idsFrom(4711).includes(id))).toEqual([])
  })

  test('tells when each happened by the clock as it is, also after that was set back', () => {
    const log = openEventLog({ now: () => times.shift() ?? 3 }, 'abcdef'.padEnd(32, '0') as MachineId)
    const times = [7]
    const drafts = Array.from({ length: 25_000 }, () => draft('one'))
    const events = entriesOf(log.append(drafts)).flatMap((entry) => decodeEvents(entry))
    expect([events[0]?.at, events.at(-1)?.at]).toEqual([7, 3])
    const ids = events.map(({ id }) => id)
    expect([...new Set(ids)].sort()).toEqual(ids)
  })

  test('is read too where each event had an entry of its own', () => {
    const event = { ...draft('old'), id: '0000000000001-0000-abcdef00', at: 1 }
    expect(decodeEvents({ key: `events/${event.id}`, value: JSON.stringify(event) })).toEqual([event])
  })
})
