import { describe, expect, test } from 'vitest'
import { RecentlyPlaced } from '../../src/changes/recently-placed.js'
import type { MachineId } from '../../src/model/machine.js'
import type { UnitName } from '../../src/model/unit.js'
import { keys } from '../../src/store/records.js'
import type { Change } from '../../src/store/store.js'

const unit = 'web.service' as UnitName
const taken: Change = { type: 'delete', key: keys.placement(unit), previous: null }
const takenGlobal: Change = {
  type: 'delete',
  key: keys.globalPlacement(unit, 'a' as MachineId),
  previous: null,
}
const reported = { isReported: () => true }
const unreported = { isReported: () => false }

describe('a unit whose place was taken back', () => {
  test.each([taken, takenGlobal])(
    'may still be started for a while, where nothing was said of it',
    (change) => {
      const placed = new RecentlyPlaced()
      placed.note([change], unreported, 1000)
      expect([1000, 6000, 6001].map((steady) => placed.isSettling(unit, steady))).toEqual([true, true, false])
      expect(placed.isSettling('other.service' as UnitName, 1000)).toBe(false)
    },
  )

  test('is known from when its machine says something of it', () => {
    const placed = new RecentlyPlaced()
    placed.note([taken], reported, 1000)
    expect(placed.isSettling(unit, 1000)).toBe(false)
    placed.note([taken], unreported, 1000)
    placed.note([], reported, 1100)
    expect(placed.isSettling(unit, 1200)).toBe(false)
  })
})
