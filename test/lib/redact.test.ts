// What is kept out of the log: secrets that are known, and what has the form of one.
import { expect, test } from 'vitest'
import { KnownSecrets } from '../../src/lib/redact.js'

function knowing(...secrets: readonly string[]): KnownSecrets {
  const known = new KnownSecrets()
  for (const secret of secrets) known.add(secret)
  return known
}

test.each([
  ['at the start, in the middle and at the end', ['hunter22'], 'hunter22 a hunter22 b hunter22', '# a # b #'],
  ['side by side', ['hunter22'], 'hunter22hunter22', '##'],
  ['that overlap', ['abcdefgh', 'efghijkl'], '<abcdefghijkl>', '<#>'],
  ['that begin with another', ['abcdef', 'abcdefghij'], 'abcdefghij abcdef abcdefgh', '# # #gh'],
  ['with blanks around them', [' hunter22\n'], 'is hunter22', 'is #'],
  ['as addresses have them', ['a/b?c=d&e'], 'https://h/?k=a%2Fb%3Fc%3Dd%26e', 'https://h/?k=#'],
  ['as JSON has them', ['a"b\\c\nd'], '{"k":"a\\"b\\\\c\\nd"}', '{"k":"#"}'],
  ['with half of a pair of surrogates', ['\ud800secret'], 'is \ud800secret', 'is #'],
  ['but not those that are shorter than six characters', ['short'], 'in short', 'in short'],
])('secrets are hidden %s', (_, secrets, text, expected) => {
  expect(knowing(...secrets).redact(text)).toBe(expected.replaceAll('#', '[redacted]'))
})

test.each([
  ['Authorization: Bearer abc.def-123', 'Authorization: #'],
  ['{"authorization":"Basic dXNlcjpwYXNz"}', '{"authorization":"#"}'],
  ['X-Registry-Auth: eyJ1c2VybmFtZSI6', 'X-Registry-Auth: #'],
  ['sent bearer 0123456789abcdef01', 'sent bearer #'],
  ['GET /v1/x?a=1&access_token=abc&b=2', 'GET /v1/x?a=1&access_token=#&b=2'],
  ['https://s3.example/b?X-Amz-Signature=0a1b', 'https://s3.example/b?X-Amz-Signature=#'],
  ['etcds://root:p@ss:word@10.0.0.1:2379 is away', 'etcds://root:#@10.0.0.1:2379 is away'],
  ['https://ghp_0123456789abcdef@github.com/x', 'https://#@github.com/x'],
  ['{"username":"u","password":"a\\"b","auth":""}', '{"username":"u","password":"#","auth":""}'],
  ['{"identitytoken": "abc"}', '{"identitytoken": "#"}'],
])('what has the form of a secret is hidden: %s', (text, expected) => {
  expect(new KnownSecrets().redact(text)).toBe(expected.replaceAll('#', '[redacted]'))
})

test.each([
  'ssh://git@host/repo and http://10.0.0.1:2379',
  'the token of the machine was renewed; password: see the file',
  'basic checks of health pass',
  'unit://a?tokens=3',
])('what only sounds like one is told: %s', (text) => {
  expect(new KnownSecrets().redact(text)).toBe(text)
})

test('of too many the one is forgotten that was not met for the longest time', () => {
  const known = new KnownSecrets({ secrets: 2, characters: 1000 })
  for (const secret of ['secret-a', 'secret-b', 'secret-a', 'secret-c']) known.add(secret)
  expect(known.redact('secret-a secret-b secret-c')).toBe('[redacted] secret-b [redacted]')
})

test('of those that are too long in all as well; one that is longer than all together is not kept', () => {
  const known = new KnownSecrets({ secrets: 10, characters: 20 })
  known.add('secret-a')
  known.add('x'.repeat(21))
  expect(known.redact('secret-a')).toBe('[redacted]')
  known.add('secret-b')
  known.add('secret-c')
  expect(known.redact('secret-a secret-b secret-c')).toBe('secret-a [redacted] [redacted]')
})

test('a form that two secrets share stays hidden until both are forgotten', () => {
  const known = new KnownSecrets({ secrets: 2, characters: 1000 })
  for (const secret of ['a b/cd', 'a%20b%2Fcd', 'secret-c']) known.add(secret)
  expect(known.redact('a b/cd a%20b%2Fcd')).toBe('a b/cd [redacted]')
})

test('ten thousand secrets cost a line no more than a few do', () => {
  const line = `start of shop~web-1 failed with ${'some text of an ordinary length, '.repeat(4)}`
  const cost = (count: number): number => {
    const known = new KnownSecrets()
    for (let at = 0; at < count; at += 1) known.add(`sk_live_${String(at).padStart(24, '0')}`)
    let least = Number.POSITIVE_INFINITY
    for (let round = 0; round < 20; round += 1) {
      const from = process.cpuUsage()
      for (let at = 0; at < 200; at += 1) known.redact(line)
      const { user, system } = process.cpuUsage(from)
      least = Math.min(least, (user + system) / 200)
    }
    return least
  }
  const few = cost(10)
  expect(cost(10_000)).toBeLessThan(Math.max(5 * few, 100))
})
