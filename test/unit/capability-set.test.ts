import { expect, test } from 'vitest'
import { capabilitySet } from '../../src/unit/capability-set.js'

test.each([
  [[], { kind: 'without', names: [] }],
  [[''], { kind: 'only', names: [] }],
  [['~'], { kind: 'without', names: [] }],
  [['CAP_CHOWN cap_kill'], { kind: 'only', names: ['CHOWN', 'KILL'] }],
  [['CAP_CHOWN', 'CAP_KILL'], { kind: 'only', names: ['CHOWN', 'KILL'] }],
  [['~CAP_CHOWN'], { kind: 'without', names: ['CHOWN'] }],
  [['~CAP_CHOWN', '~CAP_KILL CAP_CHOWN'], { kind: 'without', names: ['CHOWN', 'KILL'] }],
  [['~CAP_CHOWN CAP_KILL', 'CAP_KILL'], { kind: 'without', names: ['CHOWN'] }],
  [['CAP_CHOWN CAP_KILL', '~CAP_KILL'], { kind: 'only', names: ['CHOWN'] }],
  [['CAP_CHOWN', ''], { kind: 'only', names: [] }],
  [['', 'CAP_CHOWN'], { kind: 'only', names: ['CHOWN'] }],
  [['CAP_CHOWN', '~', 'CAP_KILL'], { kind: 'only', names: ['KILL'] }],
  [['CAP_NOTHING'], null],
  [['toString'], null],
])('%j are %j', (lines, set) => {
  expect(capabilitySet(lines)).toEqual(set)
})
