// Programs that run as root where the daemon does are warned of when they are submitted.
import { expect, test } from 'vitest'
import { rootWarning } from '../../src/changes/root-warning.js'
import type { UnitName } from '../../src/model/unit.js'
import { parseUnit } from '../../src/unit/parse.js'

test.each([
  ['[Service]\nExecStart=/bin/x\n', true],
  ['[Service]\nExecStart=/bin/x\nUser=root\n', true],
  ['[Service]\nExecStart=/bin/x\nUser=0\n', true],
  ['[Service]\nExecStart=/bin/x\nUser=nobody\n', false],
  ['[Service]\nExecStart=/bin/x\nDynamicUser=yes\n', false],
  ['[Container]\nImage=x\n', false],
])('%j is warned of: %j', (text, isWarned) => {
  const codes = rootWarning(parseUnit(text).file, 'web.service' as UnitName).map(({ code }) => code)
  expect(codes).toEqual(isWarned ? ['deploy/runs-as-root'] : [])
})
