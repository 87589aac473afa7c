// What an error quotes of a text is cut, whatever in it is wrong: nobody reads a hundred thousand characters.
import { describe, expect, test } from 'vitest'
import { errorJson } from '../../src/api/fleet/outcome.js'
import { problemBody } from '../../src/changes/problem.js'
import { usageError } from '../../src/cli/command-error.js'
import { judgeFailure } from '../../src/cli/failure.js'
import { parseManifest } from '../../src/manifest/manifest.js'
import { parseUnit } from '../../src/unit/parse.js'

const long = 'x'.repeat(100_000)
const spaced = 'x '.repeat(50_000)

describe('a manifest', () => {
  test.each([
    ['an unknown key', `${long}: 1\n`],
    ['an unknown key of a map', `healthchecks: [{${long}: 1}]\n`],
    ['a value that is no choice', `compute_type: ${long}\n`],
    ['a value of the wrong type', `memory: [${long}]\nports: ${long}\n`],
    ['a quoted text with spaces', `restart: "${spaced}"\n`],
    ['a name', `name: ${long}\nimage: busybox\n`],
    ['a variable', `image: "{{ .meta.${long} }}"\n`],
    ['a function', `image: "{{ ${long} .meta.a }}"\n`],
    ['a syntax error', `image: [${long}\n`],
    ['a tag', `image: !${long.slice(0, 3000)} a\n`],
    ['an affinity', `image: a\naffinity: ["${spaced}"]\n`],
    ['a duration', `image: a\nstop: {timeout: "${spaced}"}\n`],
    ['a schedule', `image: a\nservice_type: scheduled\nschedule: "${spaced}"\n`],
    ['an address', `image: a\nwebhooks: [{url: "${spaced}"}]\n`],
    ['a word', `image: a\nenvironment: ["${spaced}"]\n`],
    ['JSON', `{"${long}": }`],
  ])('with %s', (_, text) => {
    const { diagnostics } = parseManifest({ file: 'web.yml', text, name: 'web' })
    expect(diagnostics.length).toBeGreaterThan(0)
    for (const { message, hint = '', path = '' } of diagnostics) {
      expect([message.length, hint.length, path.length].every((length) => length <= 2000)).toBe(true)
    }
  })
})

test('a unit file', () => {
  const { diagnostics } = parseUnit(`[${long}\n${long}\n[Service]\n${long}=\\${long}\n`)
  expect(diagnostics.length).toBeGreaterThan(0)
  const { error } = problemBody({
    status: 400,
    code: 'unit/invalid',
    message: 'no unit',
    details: diagnostics,
  })
  for (const { message } of error.details) expect(message.length).toBeLessThan(2000)
})

test('an answer of the API, and one of fleet', () => {
  const message = `there is no service "${long}" in project "${spaced}"`
  const { error } = problemBody({ status: 404, code: 'service/unknown', message, hint: long })
  expect([error.message.length < 400, (error.hint ?? '').length < 400]).toEqual([true, true])
  expect(errorJson(400, message).length).toBeLessThan(500)
})

test('a complaint of the command line', () => {
  const failure = judgeFailure(usageError(`'${long}' is not a time`, `columns: ${long}`))
  expect(failure?.message.length).toBeLessThan(400)
  expect(failure?.hint?.length).toBeLessThan(400)
})
