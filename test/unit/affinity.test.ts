import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { compileRegex } from '../../src/lib/regex.js'
import { type AffinityRule, compilePattern, parseAffinity, printAffinity } from '../../src/unit/affinity.js'
import { randomCases } from '../random-runs.js'

describe('Affinity=', () => {
  it.each([
    ['role!=database', { key: 'role', operator: '!=', value: 'database', by: null }],
    ['container==web-1', { key: 'instance', operator: '==', value: 'web-1', by: null }],
    ['service!=~db by=rack', { key: 'service', operator: '!=~', value: 'db', by: 'rack' }],
    ['"role==~data base"', { key: 'role', operator: '==~', value: 'data base', by: null }],
    ['machine.disk==ssd', { key: 'machine.disk', operator: '==', value: 'ssd', by: null }],
    [
      '"instance!=/^web-\\\\d+$/"',
      { key: 'instance', operator: '!=', value: String.raw`/^web-\d+$/`, by: null },
    ],
  ])('reads %s', (text, value) => {
    expect(parseAffinity(text)).toEqual({ value })
  })

  it.each([
    ['', 'it is empty'],
    ['role=database', 'not a rule'],
    ['r==a', 'not a rule'],
    ['role==', 'not a rule'],
    ['role==a b', 'only by='],
    ['role==a by=', 'only by='],
    ['machine.rack==a by=rack', 'single machines'],
    ['machine.==a', 'followed by a metadata key'],
    ['"role==/a(/"', 'missing closing )'],
  ])('refuses %j', (text, problem) => {
    expect(parseAffinity(text)).toMatchObject({ problem: expect.stringContaining(problem) as unknown })
  })

  it('is printed so that it is read back', () => {
    const rules: fc.Arbitrary<AffinityRule> = fc.record({
      key: fc.constantFrom('instance', 'service', 'role', 'a.b-c'),
      operator: fc.constantFrom('==', '!=', '==~', '!=~'),
      value: fc.stringMatching(/^[-A-Za-z0-9:_ .*$|]{1,20}$/),
      by: fc.constantFrom(null, 'rack'),
    })
    fc.assert(
      fc.property(rules, (rule) => {
        expect(parseAffinity(printAffinity(rule))).toEqual({ value: rule })
      }),
    )
  })
})

describe('a value picks', () => {
  const picks = (value: string, text: string): boolean => {
    const pattern = compilePattern(value)
    return 'problem' in pattern ? false : pattern(text)
  }
  it.each([
    ['web-1', 'web-1', true],
    ['web-1', 'web-10', false],
    ['web-*', 'web-10', true],
    ['*-1', 'web-1', true],
    ['web-*', 'my-web-10', false],
    ['/web/', 'my-web-10', true],
    ['/^web/', 'my-web-10', false],
    ['//', '//', true],
  ])('%s of %s: %s', (value, text, expected) => {
    expect(picks(value, text)).toBe(expected)
  })
})

describe('regular expressions', () => {
  it.each([
    '(',
    'a)',
    '[a',
    '*a',
    'a**',
    'a{1001}',
    '(?:.{100}){20}',
    '(?:.{40}){25}',
    '(?=a)',
    '(?<=a)b',
    '\\1',
    'a\\',
    '[b-a]',
    'x'.repeat(257),
  ])('refuses %j', (expression) => {
    expect(compileRegex(expression)).toHaveProperty('problem')
  })

  it('may count repetitions and name the edge of a word', () => {
    const compiled = compileRegex(String.raw`^web-\d{2}\b`)
    expect(typeof compiled === 'function' && ['web-1', 'web-12.a', 'web-123'].map(compiled)).toEqual([
      false,
      true,
      false,
    ])
  })

  const atoms = fc.constantFrom(
    'a',
    'b',
    '.',
    '[ab]',
    '[^a]',
    String.raw`\d`,
    String.raw`\w`,
    '1',
    '(a|b1)',
    '^',
    '$',
  )
  const pieces = fc.tuple(atoms, fc.constantFrom('', '', '*', '+', '?')).map(([atom, sign]) => {
    return atom === '^' || atom === '$' ? atom : `${atom}${sign}`
  })
  const expressions = fc
    .array(
      fc.array(pieces, { maxLength: 5 }).map((list) => list.join('')),
      { minLength: 1, maxLength: 3 },
    )
    .map((list) => list.join('|'))

  it('match as the language’s own do', () => {
    fc.assert(
      fc.property(expressions, fc.stringMatching(/^[ab1]{0,8}$/), (expression, text) => {
        const compiled = compileRegex(expression)
        if (typeof compiled !== 'function') throw new Error(`${expression}: ${compiled.problem}`)
        expect(compiled(text)).toBe(new RegExp(expression).test(text))
      }),
      { numRuns: randomCases(2000) },
    )
  })

  it('take no longer for an expression that a backtracking matcher would not finish in a lifetime', () => {
    const compiled = compileRegex('^(a+)+(a|aa)*(b|a*)*$')
    expect(typeof compiled === 'function' && compiled(`${'a'.repeat(5000)}!`)).toBe(false)
  })
})
