// Why a machine refuses a unit, in the words of whoever asked for it.
import { expect, test } from 'vitest'
import { describeRefusal } from '../../src/engine/describe.js'
import type { UnitName } from '../../src/model/unit.js'

test.each([
  ['default.web.v*@*.service', 'the rule service!=web'],
  ['default.web*.v*@*.service', 'the rule service!=web*'],
  ['default.web.v*@3.service', 'the rule instance!=web-3'],
  ['web@*.service', 'Conflicts=web@*.service'],
  ['*', 'Conflicts=*'],
])('what %s keeps apart is told by %s', (pattern, by) => {
  expect(describeRefusal({ kind: 'conflict', with: 'web.service' as UnitName, pattern })).toBe(
    `holds web.service, kept apart by ${by}`,
  )
})
