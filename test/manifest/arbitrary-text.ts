// Texts to try readers with: documents in every style, real ones with edits, and the signs of YAML in any order.
import fc from 'fast-check'
import type { CreateNodeOptions, DocumentOptions, SchemaOptions, ToStringOptions } from 'yaml'

const word = fc.oneof(
  fc.constantFrom(
    '',
    ' ',
    'a',
    'a b',
    'a: b',
    'a:b',
    '#',
    'a #b',
    '- a',
    '{{ .scale }}',
    '0755',
    'no',
    'null',
    '~',
  ),
  fc.constantFrom(
    'a\nb',
    'a\n\nb\n',
    '  a\nb',
    'a\n b\n\n',
    '\n',
    '"',
    "it's",
    '\\',
    '%',
    '@',
    '<<',
    '*a',
    '&a',
    '!a',
  ),
  fc.string({ unit: 'grapheme', maxLength: 8 }),
  fc.stringMatching(/^[a-z/.][a-z0-9 :#,/.-]{0,30}$/),
)
const key = fc.oneof(fc.stringMatching(/^[a-z][a-z0-9_.-]{0,10}$/), word)

/** A map of texts, maps and lists. */
const { map: anyMap } = fc.letrec((tie) => ({
  node: fc.oneof({ depthSize: 'small' }, word, fc.integer(), tie('list'), tie('map')),
  list: fc.array(tie('node'), { maxLength: 4 }),
  map: fc.dictionary(key, tie('node'), { maxKeys: 4 }),
}))

export const anyDocument = anyMap

type Style = DocumentOptions & SchemaOptions & CreateNodeOptions & ToStringOptions

/** How the library may print a document. */
export const anyStyle: fc.Arbitrary<Style> = fc.record({
  indent: fc.constantFrom(1, 2, 4),
  indentSeq: fc.boolean(),
  lineWidth: fc.constantFrom(0, 20, 80),
  singleQuote: fc.boolean(),
  blockQuote: fc.constantFrom(true, false, 'literal' as const, 'folded' as const),
  collectionStyle: fc.constantFrom('any' as const, 'block' as const, 'flow' as const),
  defaultStringType: fc.constantFrom('PLAIN' as const, 'QUOTE_DOUBLE' as const, 'QUOTE_SINGLE' as const),
  defaultKeyType: fc.constantFrom('PLAIN' as const, 'QUOTE_DOUBLE' as const),
  flowCollectionPadding: fc.boolean(),
})

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
