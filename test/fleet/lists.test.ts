import { expect, test } from 'vitest'
import { openFleetLists } from '../../src/api/fleet/lists.js'
import type { RecordKind } from '../../src/store/records.js'
import { LiveView } from '../../src/store/view.js'

function counting() {
  const lists = openFleetLists(new LiveView())
  let made = 0
  const ask = (page = 1): string => lists.pageText('units', page, () => String(++made))
  const changed = (...kinds: (RecordKind | 'leader')[]): void => lists.note(new Set(kinds))
  return { ask, changed }
}

test('the text of a page is made once for all who ask, until something in it may have changed', () => {
  const { ask, changed } = counting()
  expect([ask(), ask(), ask(2), ask()]).toEqual(['1', '1', '2', '1'])
  for (const kind of ['unit', 'placement', 'report', 'machine', 'order', 'file'] as const) {
    const before = ask()
    changed('event', kind)
    expect(ask()).not.toBe(before)
  }
})

test('what no list tells of leaves the texts as they are', () => {
  const { ask, changed } = counting()
  const before = ask()
  changed('event', 'task', 'meta', 'leader')
  expect(ask()).toBe(before)
})

test('the text of a page far behind is not kept', () => {
  const { ask } = counting()
  expect([ask(1000), ask(1000)]).toEqual(['1', '2'])
})
