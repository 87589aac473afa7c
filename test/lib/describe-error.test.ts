import { expect, test } from 'vitest'
import { describeError } from '../../src/lib/io/log.js'

const failed = (message: string, cause?: unknown): Error =>
  new Error(message, cause === undefined ? {} : { cause })

test.each([
  ['there is no user x', failed('there is no user x', failed('there is no user x'))],
  ['it does not start: no such file', failed('it does not start', failed('no such file'))],
  ['a: b: c', failed('a', failed('b', failed('c')))],
  ['it does not start: no such file', failed('it does not start: no such file', failed('no such file'))],
  ['refused: by the host', failed('refused', failed('refused: by the host'))],
  ['a word', 'a word'],
])('the reasons of an error are told once: %s', (told, error) => {
  expect(describeError(error)).toBe(told)
})
