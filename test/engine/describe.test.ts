// Why a machine refuses a unit, in the words of whoever asked for it.
import { expect, test } from 'vitest'
import { describeRefusal, describeWaiting } from '../../src/engine/describe.js'
import type { UnitName } from '../../src/model/unit.js'
import { idOf } from '../world/world.js'

const machine = idOf('a')

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

test('the machine is the subject of what is said of host ports, too', () => {
  const heldBy = 'default.web.v1@1.service' as UnitName
  expect(
    describeWaiting([{ machine, refusal: { kind: 'port', port: 80, protocol: 'tcp', heldBy } }], () => 'm1'),
  ).toBe('m1 has host port 80/tcp in use by default.web.v1@1.service')
  expect(
    describeWaiting([{ machine, refusal: { kind: 'ports-used-up', from: 20000, to: 20001 } }], () => 'm1'),
  ).toBe('m1 has no free host port between 20000 and 20001')
})
