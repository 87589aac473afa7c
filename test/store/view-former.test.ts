// What a view takes out of its lists it takes out by what it took in: the text of before is not read again.
import { expect, test } from 'vitest'
import type { Run } from '../../src/model/schedule.js'
import { keyOf, putOf } from '../../src/store/records.js'
import type { Entry } from '../../src/store/store.js'
import { LiveView, serviceKey } from '../../src/store/view.js'

const run: Run = {
  ...{ project: 'p', service: 'job', serviceUuid: 'job', by: 'schedule', dueAt: 1000, decidedAt: 1000 },
  ...{ outcome: 'started', count: 1, instance: 'job-1', endedAt: null, exit: null },
}
const key = keyOf('run', run)

function entryOf(value: string, modRevision: number): Entry {
  return { key, value, createRevision: 1, modRevision, lease: null }
}

test('a record that is replaced, and deleted', () => {
  const view = new LiveView()
  const service = serviceKey('p', 'job')
  view.apply({ type: 'put', key, entry: entryOf(putOf('run', run).value, 1), previous: null })
  const ended: Run = { ...run, endedAt: 2000 }
  view.apply({ type: 'put', key, entry: entryOf(putOf('run', ended).value, 2), previous: entryOf('', 1) })
  expect(view.runsOf(service)).toEqual([ended])
  view.apply({ type: 'delete', key, previous: entryOf('', 2) })
  expect(view.runsOf(service)).toEqual([])
})
