import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { interpolate } from '../../src/compose-import/interpolate.js'
import { asWritten } from '../../src/manifest/print.js'
import { randomCases } from '../random-runs.js'

const filled = (text: string) => {
  const found = interpolate(text)
  return found && asWritten(found.text)
}

describe('a variable of Compose', () => {
  test.each([
    ['no variable', 'no variable'],
    ['$A and ${B_2}', '{{ .meta.A }} and {{ .meta.B_2 }}'],
    ['${A:-x} ${A-y} ${A:-}', 'x y '],
    ['${A:?must be set}', '{{ .meta.A }}'],
    ['${A?}', '{{ .meta.A }}'],
    ['a${A:+x}b${A+y}c', 'abc'],
    ['${A:-${B:-${C:-deep}}}', 'deep'],
    ['${A:-http://${B}:80/}', 'http://{{ .meta.B }}:80/'],
    ['${A:-{braces}}', '{braces}'],
    ['$$A $${B} $$$A', '$A ${B} ${{ .meta.A }}'],
    ['costs $5, $ or $', 'costs $5, $ or $'],
    ['} a } b', '} a } b'],
  ])('in %j gives %j', (text, expected) => {
    expect(filled(text)).toBe(expected)
  })

  test.each(['${', '${}', '${A', '${A:-x', '${1}', '${A/b/c}', '${A:-${B}', '${ A }'])(
    '%j is none',
    (text) => {
      expect(interpolate(text)).toBeUndefined()
    },
  )

  test('is told with its default, its demand, or what it would have added', () => {
    expect(interpolate('${A:-1} ${B:?say so} ${C:+more}')).toMatchObject({
      open: [{ name: 'B', demand: 'say so' }],
      assumed: [
        { name: 'A', value: '1' },
        { name: 'C', value: '', unused: 'more' },
      ],
    })
  })

  test('in a default that is not taken says nothing of its own', () => {
    expect(interpolate('${A:+${B}}')?.open).toEqual([])
  })
})

describe('any text', () => {
  test('without a dollar sign stays as it is, and doubled ones become single', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme' }), (text) => {
        expect(interpolate(text.replaceAll('$', '$$$$'))?.text).toBe(text)
      }),
    )
  })

  test('is read or refused, nested however deep', () => {
    const piece = fc.constantFrom('$', '{', '}', '${', '${A', ':-', ':?', '+', 'A', '-', ' ', '$$')
    fc.assert(
      fc.property(fc.array(piece), (pieces) => {
        interpolate(pieces.join(''))
      }),
      { numRuns: randomCases(2_000) },
    )
    expect(interpolate(`${'${A:-'.repeat(50_000)}${'}'.repeat(50_000)}`)).toBeUndefined()
  })
})
