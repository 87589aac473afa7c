// A token goes to the daemon in a header of HTTP: what cannot stand there is told before anything is sent.
import { expect, test } from 'vitest'
import { CommandError } from '../../src/cli/command-error.js'
import { readGlobals } from '../../src/cli/global-options.js'

const given = (token: string, env: Record<string, string> = {}) =>
  readGlobals({ token }, { root: true, home: '/root', env })

test.each([
  ['geheimnisvoll-üöä', 'outside ASCII'],
  ['geheim\u00a0nisvoll', 'outside ASCII'],
  ['two words', 'a blank'],
  ['two\nlines', 'more than one line'],
])('%j is refused with the reason', (token, reason) => {
  const refused = given(token)
  expect(refused).toBeInstanceOf(CommandError)
  expect(refused).toMatchObject({ exitCode: 2, message: expect.stringContaining(reason) as string })
})

test('one of ASCII is taken, without the end of its line', () => {
  expect(given('a-token_of.16~chars\n')).toMatchObject({ token: 'a-token_of.16~chars' })
})
