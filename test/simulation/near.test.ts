// What a rule to be near others is read from.
import { expect, test } from 'vitest'
import { manifestOf } from './manifest.js'
import { nearRuleIn } from './near.js'
import type { Deed } from './scenario.js'

test.each([
  [{ near: 's3' }, { isSoft: false, isNear: true, of: 'service s3', byZone: false }],
  [{ near: 's3 zone' }, { isSoft: false, isNear: true, of: 'service s3', byZone: true }],
  [
    { zone: 'a', near: 's3' },
    { isSoft: false, isNear: true, of: 'service s3', byZone: false },
  ],
  [
    { zone: 'a', away: 's2', near: 's3' },
    { isSoft: false, isNear: true, of: 'service s3', byZone: false },
  ],
  [{ wish: 'zone:a' }, { isSoft: true, isNear: true, of: 'zone a', byZone: false }],
  [{ wish: 'far:s3' }, { isSoft: true, isNear: false, of: 'service s3', byZone: false }],
  [{ zone: 'a', away: 's2' }, null],
])('a manifest with %o asks for %o', (asked, rule) => {
  const details = { via: 'm0', scale: '1', deadline: '60000', memory: '64', n: '1', ...asked }
  const deed: Deed = { atMs: 0, who: 's1', what: 'deploy', details }
  expect(nearRuleIn(manifestOf(deed))).toEqual(rule)
})
