// Frames of diagnostics, beside secrets: the lines of a text that may be broken, without what is secret in them.
import { expect, test } from 'vitest'
import { describeDiagnostics } from '../../src/manifest/describe.js'
import { hideInLines } from '../../src/manifest/hide-lines.js'
import { parseManifest } from '../../src/manifest/manifest.js'

const hidden = (text: string): string => hideInLines(text.split('\n')).join('\n')

test.each([
  ['a key by its name', 'DB_PASSWORD: hunter2\nOTHER: fine', 'DB_PASSWORD: *******\nOTHER: fine'],
  ['a text in quotes, with a comment', `secret: 'it''s me' # yes`, `secret: '**''* **' # yes`],
  ['an escaped quote', 'token: "a\\"b" , x', 'token: "**"*" , x'],
  ['a map on a line', '{secret: abc-def, action: stop}', '{secret: *******, action: stop}'],
  ['JSON', '{"secret":"abc","action":"stop"}', '{"secret":"***","action":"stop"}'],
  ['a pair in a list', '- API_TOKEN=abc=\n- OTHER=fine', '- API_TOKEN=****\n- OTHER=fine'],
  ['a text below', 'key: |\n  abc=\n  d: e\nlast: ok', 'key: |\n  ****\n  ** *\nlast: ok'],
  ['a text that goes on', 'secret: "ab\n  cd"\nlast: ok', 'secret: "**\n  **"\nlast: ok'],
  ['a quote that is never closed', 'secret: "ab\nlast: ok', 'secret: "**\n***** **'],
  ['a value on the next line', 'secret:\n  ab\nlast: ok', 'secret:\n  **\nlast: ok'],
  ['headers', 'headers:\n  X-Y: ab\n  Z: "c"\nlast: ok', 'headers:\n  X-Y: **\n  Z: "*"\nlast: ok'],
  ['headers on a line', '{headers: {X: "ab"}, last: ok}', '{headers: {X: "**"}, last: ok}'],
  [
    'headers over lines',
    '"headers": {\n  "X": "ab"\n}, "last": 1',
    '"headers": {\n  "X": "**"\n}, "last": *',
  ],
  ['a key with an escape', '"secr\\x65t": "ab"', '"secr\\x65t": "**"'],
  ['a value that is mentioned by a name', 'x: &s ab\nsecret: *s', 'x: &s **\nsecret: **'],
])('%s is hidden', (_what, text, shown) => {
  expect(hidden(text)).toBe(shown)
})

test.each(['secrets: [db_password]', 'secret: "{{ .meta.hook }}"', 'action: strat', 'image: "nginx:1"', ''])(
  '%s is shown',
  (line) => {
    expect(hidden(line)).toBe(line)
  },
)

test('a diagnostic beside secrets shows none of them, and marks its own place', () => {
  const text = `image: nginx
environment:
  DB_PASSWORD: SUPERSECRET-1
triggers:
  go:
    secret: "SUPERSECRET-2"
    action: strat
webhooks:
  - url: https://a
    headers: {Authorization: "Bearer SUPERSECRET-3"}
    bogus: 1
`
  const source = { file: 'web.yml', text }
  const shown = describeDiagnostics(parseManifest(source).diagnostics, [source], { color: false })
  expect(shown).not.toContain('SUPERSECRET')
  expect(shown).toContain('secret: "*************"')
  expect(shown).toContain('    action: strat\n    │             ^^^^^')
})

test('a text that cannot be parsed shows none either', () => {
  const source = {
    file: 'web.yml',
    text: 'triggers:\n  go:\n    secret: "SUPERSECRET-2"\n   action: [strat\n',
  }
  const { diagnostics } = parseManifest(source)
  expect(diagnostics.map(({ code }) => code)).toContain('manifest/syntax')
  expect(describeDiagnostics(diagnostics, [source], { color: false })).not.toContain('SUPERSECRET')
})
