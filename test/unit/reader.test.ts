import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import type { DesiredUnit } from '../../src/model/unit.js'
import { asUnitName } from '../../src/unit/name.js'
import { parseUnit } from '../../src/unit/parse.js'
import { openUnitReader } from '../../src/unit/reader.js'
import { requirementsOf } from '../../src/unit/requirements.js'
import { randomCases } from '../random-runs.js'

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
      { numRuns: randomCases(1000) },
    )
  })

  test('is one value for all units of a text in which their names make no difference', () => {
    const { needs } = openUnitReader(() => '[X-Fleet]\nConflicts=%p@*.service\n[X-Mariposa]\nMemory=5')
    expect(needs(unit('web@1.service'))).toBe(needs(unit('web@2.service')))
    expect(needs(unit('web@1.service'))).not.toBe(needs(unit('db@1.service')))
  })
})

describe('a text that is gone', () => {
  const read = (): { readonly reader: ReturnType<typeof openUnitReader>; readonly texts: Set<string> } => {
    const texts = new Set<string>()
    return {
      texts,
      reader: openUnitReader((hash) => (texts.has(hash) ? '[Service]\nExecStart=/bin/x' : undefined)),
    }
  }

  test('can be read for a while by who still stops what it ran, and not for ever', () => {
    const { reader, texts } = read()
    texts.add('old')
    const before = reader.file('old')
    texts.delete('old')
    reader.forgetText('old')
    expect(reader.file('old')).toBe(before)
    for (let n = 0; n < 1000; n += 1) {
      texts.add(`h${n}`)
      reader.file(`h${n}`)
      texts.delete(`h${n}`)
      reader.forgetText(`h${n}`)
    }
    expect(() => reader.file('old')).toThrow('no unit file has the hash old')
    expect(() => reader.file('h0')).toThrow()
    expect(() => reader.file('h999')).not.toThrow()
  })

  test('is read anew when it comes back, and what units of it asked for with it', () => {
    const { reader, texts } = read()
    texts.add('h')
    const one = unit('web@1.service')
    const checks = reader.checks(one)
    expect(reader.checks(one)).toBe(checks)
    reader.forgetUnit(one)
    expect(reader.checks(one)).toEqual(checks)
    expect(reader.checks(one)).not.toBe(checks)
  })
})
