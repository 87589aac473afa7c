import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { placeRules } from '../../src/compile/affinity.js'
import type { AffinityRule } from '../../src/manifest/schema.js'
import { compilePattern } from '../../src/unit/affinity.js'
import { matchGlob } from '../../src/unit/glob.js'
import { randomCases } from '../random-runs.js'

const rule = (key: string, operator: AffinityRule['operator'], value: string, by?: string): AffinityRule => ({
  key,
  operator,
  value,
  ...(by !== undefined && { by }),
})
const fleetOf = (...rules: AffinityRule[]): readonly string[] =>
  placeRules(rules, 'shop').fleet.map(({ section, name, value }) => `[${section}] ${name}=${value}`)
const othersOf = (...rules: AffinityRule[]): readonly AffinityRule[] => placeRules(rules, 'shop').others

describe('affinity in words of fleet', () => {
  it.each<[AffinityRule, readonly string[]]>([
    [rule('service', '!=', 'db'), ['Conflicts=shop.db.v*@*.service']],
    [rule('service', '!=', '*-db'), ['Conflicts=shop.*-db.v*@*.service']],
    [rule('instance', '!=', 'web-3'), ['Conflicts=shop.web.v*@3.service']],
    [rule('instance', '!=', 'web-1-30'), ['Conflicts=shop.web-1.v*@30.service']],
    [
      rule('instance', '!=', 'web-*'),
      ['Conflicts=shop.web.v*@*.service', 'Conflicts=shop.web-*.v*@*.service'],
    ],
    [
      rule('instance', '!=', 'web-1*'),
      ['Conflicts=shop.web.v*@1*.service', 'Conflicts=shop.web-1*.v*@*.service'],
    ],
    [rule('instance', '!=', 'web*'), ['Conflicts=shop.web*.v*@*.service']],
    [rule('instance', '!=', '*'), ['Conflicts=shop.*.v*@*.service']],
    [rule('machine.region', '==', 'eu-1'), ['MachineMetadata=region=eu-1']],
  ])('%j is %j', (given, lines) => {
    expect(fleetOf(given)).toEqual(lines.map((text) => `[X-Fleet] ${text}`))
    expect(othersOf(given)).toEqual([])
  })

  it.each([
    [rule('service', '!=~', 'db')],
    [rule('service', '==', 'db')],
    [rule('service', '!=', '/^db/')],
    [rule('service', '!=', 'db', 'rack')],
    [rule('role', '!=', 'database')],
    [rule('instance', '==', 'web-3')],
    [rule('instance', '!=', 'silent_bob')],
    [rule('instance', '!=', 'web-03')],
    [rule('instance', '!=', 'web-*-3')],
    [rule('instance', '!=', 'dead*')],
    [rule('instance', '!=', '0b2f8a52-3c1d-5e6f-8a9b-123456789012')],
    [rule('machine.region', '!=', 'eu-1')],
    [rule('machine.region', '==', 'eu-*')],
    [rule('machine.region', '==~', 'eu-1')],
    [rule('machine.motto', '==', 'two words')],
  ])('%j has none', (given) => {
    expect(fleetOf(given)).toEqual([])
    expect(othersOf(given)).toEqual([given])
  })

  it('leaves to others what fleet would take for a choice: two values of one key', () => {
    const [disk, other] = [rule('machine.disk', '==', 'ssd'), rule('machine.disk', '==', 'nvme')]
    expect(fleetOf(disk, other)).toEqual(['[X-Fleet] MachineMetadata=disk=ssd'])
    expect(othersOf(disk, other)).toEqual([other])
  })

  it('says once what two rules say', () => {
    const twice = rule('service', '!=', 'db')
    expect(fleetOf(twice, twice)).toHaveLength(1)
  })

  it('picks the units whose instances the rule picks, and no others', () => {
    const part = fc.constantFrom('a', 'web', 'web-1', 'w3b', '1', '-', '-1', '0', '10', 'x-2-y')
    const service = fc
      .array(part, { minLength: 1, maxLength: 4 })
      .map((parts) => parts.join('').replace(/^-+|-+$/g, ''))
      .filter((name) => name !== '')
    const ordinal = fc.oneof(fc.integer({ min: 1, max: 120 }), fc.constantFrom(1, 2, 10, 101))
    const value = fc.oneof(
      fc.tuple(service, ordinal).map(([name, n]) => `${name}-${n}`),
      fc.tuple(service, fc.constantFrom('', '-', '-1', '-10')).map(([name, end]) => `${name}${end}*`),
      service.map((name) => `${name}*`),
      fc
        .array(fc.oneof(part, fc.constant('*')), { minLength: 1, maxLength: 4 })
        .map((parts) => parts.join('')),
    )
    fc.assert(
      fc.property(
        fc.constantFrom('service', 'instance'),
        value,
        fc.array(fc.tuple(service, ordinal), { minLength: 1, maxLength: 20 }),
        (key, pattern, instances) => {
          const { fleet, others } = placeRules([rule(key, '!=', pattern)], 'shop')
          if (others.length > 0) return
          const matches = compilePattern(pattern)
          if ('problem' in matches) throw new Error(matches.problem)
          for (const [name, n] of instances) {
            const unit = `shop.${name}.v7@${n}.service`
            const wanted = matches(key === 'service' ? name : `${name}-${n}`)
            expect(fleet.some((option) => matchGlob(option.value, unit))).toBe(wanted)
          }
        },
      ),
      { numRuns: randomCases(2_000) },
    )
  })
})
