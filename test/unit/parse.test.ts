import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { sha1 } from '../../src/lib/hash.js'
import { maxUnitBytes, parseUnit, parseUnitAsFleet, type UnitOption } from '../../src/unit/parse.js'
import { printUnit, unitHash, unprintableOptions } from '../../src/unit/print.js'
import { randomCases } from '../random-runs.js'

/** `[section, name, value]` of each option. */
function triples(text: string): string[][] {
  expect(parseUnit(text).diagnostics).toEqual([])
  return optionsOf(text)
}

function optionsOf(text: string): string[][] {
  return parseUnit(text).file.options.map(({ section, name, value }) => [section, name, value])
}

function codes(text: string): string[] {
  return parseUnit(text, 'web.service').diagnostics.map(
    ({ code, line, column }) => `${code} ${line}:${column}`,
  )
}

describe('parsing a unit file', () => {
  it('reads sections, options, comments and repeated names in file order', () => {
    const text =
      '# a\n[Unit]\nDescription = A  web \n; b\n\n[Service]\nEnvironment=A=1\nEnvironment=\nEnvironment=B=2'
    const { file } = parseUnit(text)
    expect(file.options).toEqual([
      { section: 'Unit', name: 'Description', value: 'A  web', line: 3 },
      { section: 'Service', name: 'Environment', value: 'A=1', line: 7 },
      { section: 'Service', name: 'Environment', value: '', line: 8 },
      { section: 'Service', name: 'Environment', value: 'B=2', line: 9 },
    ])
  })

  // What config_parse() of systemd 252 makes of the same text.
  it.each([
    ['a blank in place of the backslash', '[S]\nA=x\\\ny', [['S', 'A', 'x y']]],
    ['leading blanks of the next line stay', '[S]\nA=x \\\n  y', [['S', 'A', 'x    y']]],
    ['comments within are skipped', '[S]\nA=x \\\n# no \\\n ; no\n y', [['S', 'A', 'x   y']]],
    [
      'two backslashes continue nothing',
      '[S]\nA=x\\\\\nB=y',
      [
        ['S', 'A', 'x\\\\'],
        ['S', 'B', 'y'],
      ],
    ],
    ['three do', '[S]\nA=x\\\\\\\ny', [['S', 'A', 'x\\\\ y']]],
    ['the end of the file ends it', '[S]\nA=x \\', [['S', 'A', 'x']]],
    [
      'an empty line ends it',
      '[S]\nA=x \\\n\nB=y',
      [
        ['S', 'A', 'x'],
        ['S', 'B', 'y'],
      ],
    ],
    [
      'blanks after the backslash: none',
      '[S]\nA=x\\ \nB=y',
      [
        ['S', 'A', 'x\\'],
        ['S', 'B', 'y'],
      ],
    ],
  ])('continues lines: %s', (_, text, options) => {
    expect(optionsOf(text)).toEqual(options)
  })

  it.each([
    [
      'carriage returns',
      '[S]\r\nA=x\r\nB=y\r\n',
      [
        ['S', 'A', 'x'],
        ['S', 'B', 'y'],
      ],
    ],
    ['a byte order mark', '\uFEFF[S]\nA=x', [['S', 'A', 'x']]],
    ['hashes in values', '[S]\nA=x # y ; z', [['S', 'A', 'x # y ; z']]],
    ['equals signs in values', '[S]\nA=b=c', [['S', 'A', 'b=c']]],
    ['indented lines', '  [S]\n\tA=x', [['S', 'A', 'x']]],
    ['nothing at all', '', []],
  ])('takes %s', (_, text, options) => {
    expect(triples(text)).toEqual(options)
  })

  it('reports every bad line with its place, and goes on', () => {
    expect(codes('A=1\n[Unit\nB=2\n[Service]\n  junk\n=x\nC=3\n[]\n')).toEqual([
      'unit/option-outside-section 1:1',
      'unit/bad-section 2:1',
      'unit/missing-equals 5:3',
      'unit/missing-name 6:1',
      'unit/bad-section 8:1',
    ])
  })

  it.each([
    ['before a blank line', '[S]\nA=x \\\n\nB=y'],
    ['before a line of blanks', '[S]\nA=x \\\n \t\nB=y'],
    ['at the end', '[S]\nA=x \\'],
    ['before blanks', '[S]\nA=x \\ \nB=y'],
  ])('reports a value that ends in a backslash %s', (_, text) => {
    expect(codes(text)).toEqual(['unit/open-continuation 2:1'])
  })

  it('names the file and shows what it could not read', () => {
    expect(parseUnit('[S]\nnonsense', 'web.service').diagnostics[0]).toEqual({
      code: 'unit/missing-equals',
      severity: 'error',
      message: '"nonsense" is not an option: it has no "="',
      file: 'web.service',
      line: 2,
      column: 1,
      length: 8,
    })
  })

  it('refuses a NUL character, with its place', () => {
    expect(codes('[S]\nA=x\0')).toEqual(['unit/nul 2:4'])
  })

  it('refuses more than 1 MiB', () => {
    expect(codes(`[S]\nA=${'x'.repeat(maxUnitBytes - 6)}`)).toEqual([])
    expect(codes(`[S]\nA=${'é'.repeat(maxUnitBytes / 2)}`)).toEqual(['unit/too-large undefined:undefined'])
  })

  it('stops after 50 problems and says so', () => {
    const { diagnostics } = parseUnit(`[S]\n${'junk\n'.repeat(1000)}`)
    expect(diagnostics).toHaveLength(51)
    expect(diagnostics.at(-1)).toMatchObject({ code: 'unit/too-many-problems', line: 51 })
  })

  it('takes no longer for a megabyte of blanks, backslashes or continued lines than for other text', () => {
    for (const unit of [' ', '\\', '\\\n', ' \\\n', '#\n', '[', '=']) {
      const text = `[S]\nA=x${unit.repeat(Math.floor(1_000_000 / unit.length))}y`
      expect(parseUnit(text).file.options.length).toBeGreaterThan(0)
    }
  })
})

describe('printing a unit file', () => {
  const option = (section: string, name: string, value: string): UnitOption => ({
    section,
    name,
    value,
    line: 0,
  })

  it('groups sections in order of first appearance, with a blank line between', () => {
    const options = [option('Unit', 'A', '1'), option('Service', 'B', '2'), option('Unit', 'C', '')]
    expect(printUnit({ options })).toBe('[Unit]\nA=1\nC=\n\n[Service]\nB=2\n')
  })

  it('keeps every option through print and parse', () => {
    const name = fc.stringMatching(/^[A-Za-z][A-Za-z0-9-]{0,8}$/)
    const value = fc
      .string({ unit: 'grapheme' })
      .map((text) => text.replace(/[\0\n\r]/g, '').replace(/^[ \t]+|[ \t\\]+$/g, ''))
    const options = fc.array(fc.tuple(fc.constantFrom('Unit', 'Service', 'X-Y'), name, value))
    fc.assert(
      fc.property(options, (triplets) => {
        const file = { options: triplets.map(([section, key, text]) => option(section, key, text)) }
        const sorted = ['Unit', 'Service', 'X-Y']
          .sort((a, b) => indexOf(triplets, a) - indexOf(triplets, b))
          .flatMap((section) => triplets.filter(([of]) => of === section))
        expect(unprintableOptions(file)).toEqual([])
        expect(triples(printUnit(file))).toEqual(sorted)
      }),
    )
    function indexOf(all: [string, string, string][], section: string): number {
      const index = all.findIndex(([of]) => of === section)
      return index === -1 ? all.length : index
    }
  })

  it.each([
    [option('S', 'A', 'x\nB=y'), 'the value has a line break'],
    [option('S', 'A', 'x\\'), 'the value ends in a backslash, which would swallow the next line'],
    [option('S', 'A', 'x\\\n'), 'the value ends in a backslash, which would swallow the next line'],
    [option('S', 'A', 'x\\ '), 'the value ends in a backslash, which would swallow the next line'],
    [option('S', 'A', '#x\nB=y'), 'the value has a line break'],
    [option('S', 'A', 'x \\\n# y'), 'the value ends in a comment, which would include the next line'],
    [option('S', 'A', 'x\r'), 'the value has a NUL or a carriage return'],
    [option('S', 'A\n', 'x'), 'the option name would be read as something else'],
    [option('S', '#A', 'x'), 'the option name would be read as something else'],
    [option('S', 'A=B', 'x'), 'the option name would be read as something else'],
    [
      option('S]\n[T', 'A', 'x'),
      'the section name is empty or has a bracket, a quote, a backslash or a control character',
    ],
  ])('refuses what would be read as something else: %j', (bad, reason) => {
    const [problem] = unprintableOptions({ options: [bad] })
    expect(problem).toMatchObject({ code: 'unit/unprintable-option' })
    expect(problem?.message).toContain(reason)
    expect(() => printUnit({ options: [bad] })).toThrow(/cannot stand in a unit file/)
  })

  it('keeps continued lines as fleet sends them', () => {
    const options = [option('Service', 'ExecStart', '/bin/sh -c \\\n  true')]
    const text = printUnit({ options })
    expect(text).toBe('[Service]\nExecStart=/bin/sh -c \\\n  true\n')
    expect(parseUnitAsFleet(text).file.options).toEqual([{ ...options[0], line: 2 }])
    expect(triples(text)).toEqual([['Service', 'ExecStart', '/bin/sh -c    true']])
  })

  it('hashes any text, and reads back what it prints of any options', () => {
    const piece = fc.constantFrom('\\', '\n', ' ', '\t', '#', '=', 'a', '[S]\n', 'A=', '__proto__', '"')
    const text = fc.array(piece, { maxLength: 12 }).map((pieces) => pieces.join(''))
    fc.assert(fc.property(text, (any) => unitHash(`[S]\nA=${any}`).length === 40))
    const section = fc.constantFrom('Service', '__proto__', 'toString', 'constructor')
    fc.assert(
      fc.property(section, fc.constantFrom('A', '__proto__', 'constructor'), text, (of, name, value) => {
        const options = [option(of, name, value), option(of, 'Next', 'n')]
        if (unprintableOptions({ options }).length > 0) return
        expect(parseUnitAsFleet(printUnit({ options })).file.options).toMatchObject([
          { section: of, name, value: value.replace(/^[ \t\n]+|[ \t\n]+$/g, '') },
          { section: of, name: 'Next', value: 'n' },
        ])
      }),
      { numRuns: randomCases(2000) },
    )
  })

  it('hashes the options, not the comments: of printed text it is the SHA-1 of the text', () => {
    const printed = '[Service]\nExecStart=/bin/sh -c \\\n  true\n\n[X-Fleet]\nGlobal=true\n'
    expect(unitHash(printed)).toBe(sha1(printed))
    expect(unitHash(`# a note\n${printed}\n\n`)).toBe(sha1(printed))
    expect(unitHash(printed.replace('true', 'false'))).not.toBe(sha1(printed))
  })
})
