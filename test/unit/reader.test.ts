import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import type { DesiredUnit } from '../../src/model/unit.js'
import { asUnitName } from '../../src/unit/name.js'
import { parseUnit } from '../../src/unit/parse.js'
import { openUnitReader } from '../../src/unit/reader.js'
import { requirementsOf } from '../../src/unit/requirements.js'

function unit(name: string, hash = 'h'): DesiredUnit {
  return { name: asUnitName(name), hash, desired: 'launched', instance: null, createdAt: 0 }
}

const specifier = fc.constantFrom('', '%i', '%p', '%n', '%N', '%%', '%%i', '%j', '%m', '%x')
const lines = fc.array(
  fc
    .tuple(
      fc.constantFrom(
        '[X-Fleet]\nMachineOf=db@',
        '[X-Fleet]\nX-ConditionMachineOf=db@',
        '[X-Fleet]\nConflicts=web@',
        '[X-Fleet]\nMachineMetadata=rack=r',
        '[X-Mariposa]\nLabel=role=',
        '[X-Mariposa]\nAffinity=instance!=',
        '[X-Mariposa]\nPort=80',
        '[X-Mariposa]\nMemory=1',
        '[Service]\nExecStart=/bin/x ',
      ),
      specifier,
      fc.constantFrom('', '.service', '*'),
    )
    .map((parts) => parts.join('')),
)
const asked = fc.array(
  fc.tuple(
    fc.constantFrom('a.service', 'web@1.service', 'web@2.service', 'x-web@1.service', 'web@1.socket'),
    fc.constantFrom<'one' | 'other'>('one', 'other'),
  ),
)

describe('what units ask for', () => {
  test('is what each of them says by itself, though texts are read once for many names', () => {
    fc.assert(
      fc.property(lines, lines, asked, (one, other, units) => {
        const sources = { one: one.join('\n'), other: other.join('\n') }
        const { needs } = openUnitReader((hash) => (hash === 'one' ? sources.one : sources.other))
        for (const [name, hash] of units)
          expect(needs(unit(name, hash))).toEqual(
            requirementsOf(parseUnit(sources[hash]).file, asUnitName(name)),
          )
      }),
      { numRuns: 1000 },
    )
  })

  test('is one value for all units of a text in which their names make no difference', () => {
    const { needs } = openUnitReader(() => '[X-Fleet]\nConflicts=%p@*.service\n[X-Mariposa]\nMemory=5')
    expect(needs(unit('web@1.service'))).toBe(needs(unit('web@2.service')))
    expect(needs(unit('web@1.service'))).not.toBe(needs(unit('db@1.service')))
  })
})
