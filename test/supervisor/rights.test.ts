import { expect, test } from 'vitest'
import { rightsOptions, takesRoot } from '../../src/supervisor/rights.js'

test.each([
  [{}, []],
  [{ noNewPrivileges: true }, ['--no-new-privs']],
  [{ bounding: { kind: 'only', names: [] } }, ['--bounding-set=-all']],
  [{ bounding: { kind: 'only', names: ['CHOWN', 'NET_RAW'] } }, ['--bounding-set=-all,+chown,+net_raw']],
  [{ bounding: { kind: 'without', names: ['CHOWN', 'KILL'] } }, ['--bounding-set=-chown,-kill']],
  [{ bounding: { kind: 'without', names: [] } }, []],
  [
    { noNewPrivileges: true, bounding: { kind: 'only', names: [] } },
    ['--no-new-privs', '--bounding-set=-all'],
  ],
] as const)('%j is said to setpriv as %j', (rights, words) => {
  expect(rightsOptions(rights, true)).toEqual(words)
})

test('a supervisor that is not root needs no smaller set where nothing is gained', () => {
  const bounding = { kind: 'only', names: [] } as const
  expect(rightsOptions({ noNewPrivileges: true, bounding }, false)).toEqual(['--no-new-privs'])
  expect(takesRoot({ noNewPrivileges: true, bounding })).toBe(false)
  expect(takesRoot({ bounding })).toBe(true)
  expect(takesRoot({ bounding: { kind: 'without', names: [] } })).toBe(false)
})
