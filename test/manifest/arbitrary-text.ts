// Texts to try readers with: real ones with edits, and the signs of YAML in any order.
import fc from 'fast-check'

const signs = [
  ...[
    '{{',
    '}}',
    ': ',
    ':',
    ' ',
    '\n',
    '\n  ',
    '\n    ',
    '  ',
    '- ',
    '-',
    '\n- ',
    '\n  - ',
    '[',
    ']',
    '{',
    '}',
    '"',
    "'",
  ],
  ...[
    '&l ',
    '*l',
    '<<: *l',
    '!',
    '!!str ',
    '|',
    '|\n',
    '>-\n',
    '|2\n',
    '#',
    ' # c',
    '\n# c',
    '\n  # c',
    '\t',
    '\\',
    '~',
    ',',
  ],
  ...[
    '---\n',
    '...\n',
    '%YAML 1.1\n',
    '\uFEFF',
    '\0',
    '\r\n',
    '? ',
    '-1',
    '99999',
    '\u0085',
    '💥',
    '\ud800',
    '"\\u00',
    '\\x',
  ],
]
const words = [
  'name',
  'image',
  'command',
  'ports',
  'services',
  'stop',
  'a',
  'b',
  'b: c',
  'a:\n  ',
  '"q": ',
  "'s'",
  'null',
  'x y',
]

/** What YAML is made of, thrown together. */
export const yamlSoup = fc
  .array(fc.oneof(fc.constantFrom(...signs), fc.constantFrom(...words)), { maxLength: 24 })
  .map((parts) => parts.join(''))

type Edit = (text: string) => string

/** One change of a text by line or by character; places are fractions of its length. */
function edits(others: readonly string[]): fc.Arbitrary<Edit> {
  const place = fc.double({ min: 0, max: 1, noNaN: true, maxExcluded: true })
  const lines = (change: (lines: string[], at: number, other: number) => void) =>
    fc.tuple(place, place).map(
      ([first, second]): Edit =>
        (text) => {
          const all = text.split('\n')
          change(all, Math.floor(first * all.length), Math.floor(second * all.length))
          return all.join('\n')
        },
    )
  return fc.oneof(
    lines((all, at) => all.splice(at, 1)),
    lines((all, at) => all.splice(at, 0, all[at] ?? '')),
    lines((all, at, other) => ([all[at], all[other]] = [all[other] ?? '', all[at] ?? ''])),
    lines((all, at) => (all[at] = `  ${all[at] ?? ''}`)),
    lines((all, at) => (all[at] = (all[at] ?? '').replace(/^ {1,2}/, ''))),
    fc.tuple(place, fc.constantFrom(...signs), fc.nat(4)).map(
      ([at, sign, drop]): Edit =>
        (text) => {
          const from = Math.floor(at * text.length)
          return text.slice(0, from) + sign + text.slice(from + drop)
        },
    ),
    fc.tuple(place, place, fc.constantFrom(...others)).map(
      ([at, from, other]): Edit =>
        (text) =>
          text.slice(0, Math.floor(at * text.length)) + other.slice(Math.floor(from * other.length)),
    ),
  )
}

/** Texts after a few edits: lines gone, doubled, swapped or shifted, signs put in, two texts spliced. */
export function mutated(texts: readonly string[]): fc.Arbitrary<string> {
  return fc
    .tuple(fc.constantFrom(...texts), fc.array(edits(texts), { minLength: 1, maxLength: 4 }))
    .map(([text, changes]) => changes.reduce((changed, edit) => edit(changed), text))
}
