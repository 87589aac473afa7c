// What a process is told to log by that a daemon starts: the supervisor, and the keeper of the entry.
import { expect, test } from 'vitest'
import { type LogFormat, logFormats } from '../../src/lib/io/log.js'
import { defaultLogLevels, type LogLevels, parseLogLevels } from '../../src/lib/log-levels.js'
import { logWords, openStartedLog, readLogWords } from '../../src/main/log-words.js'

const levelsOf = (...words: readonly string[]) => parseLogLevels(words) as LogLevels

test('nothing is said where the daemon logs as everything does by itself', () => {
  expect(logWords('text', defaultLogLevels)).toEqual([])
  expect(readLogWords([])).toEqual({ format: 'text', levels: defaultLogLevels })
})

test.each(
  logFormats.flatMap((format) =>
    [['debug'], ['warn', 'process=debug', 'entry=error'], ['engine=warn']].map(
      (levels): [LogFormat, string[]] => [format, levels],
    ),
  ),
)('what is said is what is understood: %s %j', (format, words) => {
  const levels = levelsOf(...words)
  expect(readLogWords(['/dir', ...logWords(format, levels)])).toEqual({ format, levels })
})

test('the other words are left, wherever they stand', () => {
  const words = logWords('json', levelsOf('debug'))
  expect(openStartedLog([...words, '/dir']).rest).toEqual(['/dir'])
  expect(openStartedLog(['/dir', ...words]).rest).toEqual(['/dir'])
})

test('what a daemon of another version says, and is not known here, is no reason not to run', () => {
  const words = ['/dir', '--log-format=xml', '--log-level=warn,motor=debug', '--log-colour=red']
  expect(readLogWords(words)).toEqual({ format: 'text', levels: defaultLogLevels })
  expect(openStartedLog(words).rest).toEqual(['/dir'])
})
