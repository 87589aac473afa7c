import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import {
  asUnitName,
  isTemplate,
  parseServiceUnit,
  serviceTemplate,
  templateOf,
  toUnitName,
  unitNameProblem,
  withInstance,
} from '../../src/unit/name.js'

describe('unit names', () => {
  it.each([
    ['', 'unit name cannot be empty'],
    [`${'a'.repeat(249)}.service`, 'unit name exceeds maximum length (256)'],
    ['web', 'unit name must contain "."'],
    ['web.', 'unit name cannot end in "."'],
    ['web.conf', 'invalid unit type: "conf"'],
    ['web@.mount', 'invalid unit type for template: "mount"'],
    ['we b.service', "invalid character ' ' in unit name"],
    ['wé.service', "invalid character 'é' in unit name"],
    ["we'b.service", "invalid character '\\'' in unit name"],
    ['@.service', 'unit name cannot start in "@"'],
    ['@1.service', 'unit name cannot start in "@"'],
  ])('refuses %j in fleet’s words', (name, problem) => {
    expect(unitNameProblem(name)).toBe(problem)
    expect(toUnitName(name)).toBeNull()
    expect(() => asUnitName(name)).toThrow(problem)
  })

  it.each([
    'web.service',
    'a:b-c_d.e\\x2d@f@g.timer',
    'web@.socket',
    'dev-sda.device',
    `${'a'.repeat(248)}.service`,
  ])('takes %s', (name) => {
    expect(unitNameProblem(name)).toBeNull()
  })

  it('tells templates, instances and plain units apart', () => {
    const [plain, template, instance] = ['web.service', 'web@.service', 'web@a@b.service'].map(asUnitName)
    expect([plain, template, instance].map((name) => name && isTemplate(name))).toEqual([false, true, false])
    expect([plain, template, instance].map((name) => name && templateOf(name))).toEqual([
      null,
      'web@.service',
      'web@.service',
    ])
  })

  it('makes instances of templates alone', () => {
    expect(withInstance(asUnitName('web@.service'), 7)).toBe('web@7.service')
    expect(() => withInstance(asUnitName('web.service'), 7)).toThrow('web.service is not a template')
  })

  it('reads back the names that it gives to services', () => {
    const label = fc.stringMatching(/^[a-z0-9]([a-z0-9-]{0,20}[a-z0-9])?$/)
    const number = fc.integer({ min: 1, max: 999_999_999 })
    fc.assert(
      fc.property(label, label, number, number, (project, service, ordinal, n) => {
        const version = { project, service, ordinal }
        expect(parseServiceUnit(serviceTemplate(version))).toEqual({ ...version, n: null })
        const instance = withInstance(serviceTemplate(version), n)
        expect(parseServiceUnit(instance)).toEqual({ ...version, n })
        expect(templateOf(instance)).toBe(serviceTemplate(version))
      }),
    )
    expect(serviceTemplate({ project: 'default', service: 'web', ordinal: 2 })).toBe(
      'default.web.v2@.service',
    )
  })

  it.each([
    'web.service',
    'a.b.v0@1.service',
    'a.b.v1@01.service',
    'a.b.v1@x.service',
    'a.b.v1.service',
    'A.b.v1@1.service',
  ])('does not take %s for one of its own', (name) => {
    expect(parseServiceUnit(asUnitName(name))).toBeNull()
  })
})
