import { describe, expect, it } from 'vitest'
import { matchGlob } from '../../src/unit/glob.js'
import { asUnitName } from '../../src/unit/name.js'
import { parseUnit } from '../../src/unit/parse.js'
import { fleetOptionsOf } from '../../src/unit/x-fleet.js'

function read(section: string, name = 'foo@1.service'): ReturnType<typeof fleetOptionsOf> {
  return fleetOptionsOf(parseUnit(`[X-Fleet]\n${section}`).file, asUnitName(name))
}

describe('[X-Fleet]', () => {
  it('is read with the four specifiers of fleet filled in', () => {
    const { options, diagnostics } = read(
      'MachineOf=%p.socket\nMachineOf=b.service\nConflicts=%p@*.service\nConflicts=db.*',
    )
    expect(diagnostics).toEqual([])
    expect(options).toEqual({
      machineId: null,
      machineOf: ['foo.socket', 'b.service'],
      metadata: {},
      conflicts: ['foo@*.service', 'db.*'],
      replaces: [],
      global: false,
    })
  })

  it.each([
    ['MachineMetadata="region=us-east-1" "diskType=SSD"', { region: ['us-east-1'], diskType: ['SSD'] }],
    [
      'MachineMetadata=region=us-east-1\nMachineMetadata=region=us-west-1',
      { region: ['us-east-1', 'us-west-1'] },
    ],
    [
      'MachineMetadata="region=us-east-1" "job=foo"\nMachineMetadata="region=us-west-1" "job=bar"',
      { region: ['us-east-1', 'us-west-1'], job: ['foo', 'bar'] },
    ],
    ['X-ConditionMachineMetadata=a=b', { a: ['b'] }],
  ])('joins metadata: %j', (text, metadata) => {
    expect(read(text).options.metadata).toEqual(metadata)
  })

  it('takes the first machine id, the last word on global, and the old names with a warning', () => {
    expect(read('MachineID=a\nMachineID=b').options.machineId).toBe('a')
    expect(read('Global=true\nGlobal=no').options.global).toBe(false)
    expect(read('Global=ON').options.global).toBe(true)
    expect(read('X-ConditionMachineOf=a.service')).toMatchObject({
      options: { machineOf: ['a.service'] },
      diagnostics: [{ code: 'unit/deprecated-option', severity: 'warning', hint: 'write MachineOf=' }],
    })
  })

  it.each([
    ['MachineID=a\nMachineOf=b.service', 'MachineID cannot be used with Peers'],
    ['MachineID=a\nConflicts=b', 'MachineID cannot be used with Conflicts'],
    ['MachineID=a\nGlobal=true', 'MachineID cannot be used with Global'],
    ['MachineID=a\nReplaces=b', 'MachineID cannot be used with Replaces'],
    ['Global=true\nMachineOf=b.service', 'Global cannot be used with Peers'],
    ['Global=true\nReplaces=b', 'Global cannot be used with Replaces'],
    ['Conflicts=a\nReplaces=b', 'Conflicts cannot be used with Replaces'],
    [
      'MachineOf=b.service\nConflicts=b.*',
      'unresolvable requirements: peer "b.service" matches conflict "b.*"',
    ],
    [
      'MachineOf=b.service\nReplaces=b.*',
      'unresolvable requirements: peer "b.service" matches replace "b.*"',
    ],
  ])('refuses what cannot go together: %j', (text, message) => {
    expect(read(text).diagnostics).toMatchObject([{ code: 'unit/unresolvable-requirements', message }])
  })

  it('lets Global go with Conflicts and MachineMetadata', () => {
    expect(read('Global=true\nConflicts=a\nMachineMetadata=a=b').diagnostics).toEqual([])
  })

  it('reports unknown options, with the name that was meant, and metadata that is none', () => {
    expect(read('MachineOff=a\nMachineMetadata=abc').diagnostics).toMatchObject([
      { code: 'unit/unknown-option', line: 2, hint: 'did you mean MachineOf=?' },
      { code: 'unit/bad-metadata', line: 3 },
    ])
  })
})

describe('patterns', () => {
  // From the tests of Go's path.Match.
  it.each([
    ['abc', 'abc', true],
    ['*', 'abc', true],
    ['*c', 'abc', true],
    ['a*', 'a', true],
    ['a*', 'ab/c', false],
    ['a*/b', 'abc/b', true],
    ['a*b*c*d*e*/f', 'axbxcxdxe/f', true],
    ['a*b?c*x', 'abxbbxdbxebxczzx', true],
    ['a*b?c*x', 'abxbbxdbxebxczzy', false],
    ['ab[c]', 'abc', true],
    ['ab[b-d]', 'abc', true],
    ['ab[e-g]', 'abc', false],
    ['ab[^c]', 'abc', false],
    ['ab[^e-g]', 'abc', true],
    ['a\\*b', 'a*b', true],
    ['a\\*b', 'ab', false],
    ['a?b', 'a☺b', true],
    ['a[^a]b', 'a☺b', true],
    ['a???b', 'a☺b', false],
    ['[a-ζ]*', 'α', true],
    ['*[a-ζ]', 'A', false],
    ['a?b', 'a/b', false],
    ['[\\]a]', ']', true],
    ['[\\-x]', '-', true],
    ['[x\\-]', 'z', false],
    ['[]a]', ']', false],
    ['[-]', '-', false],
    ['[', 'a', false],
    ['a[', 'a', false],
    ['*x', 'xxx', true],
    ['', '', true],
    ['', 'a', false],
  ])('%j on %j: %s', (pattern, name, matches) => {
    expect(matchGlob(pattern, name)).toBe(matches)
  })

  it('take no exponential time', () => {
    expect(matchGlob(`${'a*'.repeat(100)}b`, 'a'.repeat(256))).toBe(false)
  })
})
